"""Counting tokens exactly: the one place that talks to tiktoken.

The cl100k table ships in the package, so the budget is exact on the first offline run. Its 100,000 entries take 0.1 s to
load, half of what a whole recall may take. But merging the bytes of a text only ever looks up pieces of that text, so
`counter` loads just the entries a text can use: the same counts, in a third of the time.
"""

from __future__ import annotations

import os
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from memcli.errors import MissingPart

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_ENCODING = "cl100k_base"
LESSONS = 3  # the third is the whole table
_PADDING = ord("=")  # tokens of one or two bytes are always loaded
_LINES = re.compile(r"(?<=\n)(?=\S)")
_TABLE = os.path.join(os.path.dirname(__file__), "data", "cl100k_base.tiktoken")

# How cl100k splits text before merging bytes (published with the table; facts of the encoding, not code).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


_whole: list[bool] = []  # filled once the whole table is in memory, as in a watcher


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> Encoding:
    """The whole encoding called `name`; cl100k comes from the package, any other is tiktoken's own business."""
    if name == DEFAULT_ENCODING:
        _whole.append(True)
        return _cl100k({rank: a2b_base64(line.split()[0]) for rank, line in enumerate(_lines())})
    import tiktoken

    try:
        return tiktoken.get_encoding(name)
    except ValueError as error:
        known = ", ".join(tiktoken.list_encoding_names())
        raise MissingPart(f"unknown token encoding '{name}'", f"one of: {known}") from error
    except Exception as error:  # tiktoken fetches tables with requests: any network failure ends here
        raise MissingPart(
            f"the token table of '{name}' could not be fetched ({type(error).__name__})",
            f"use {DEFAULT_ENCODING}, which is built in, or set TIKTOKEN_CACHE_DIR",
        ) from error


def count(text: str, name: str = DEFAULT_ENCODING) -> int:
    """How many tokens `text` has, special tokens in it read as plain text."""
    if not text:
        return 0
    return len(encoding(name).encode_ordinary(_encodable(text)))


def counter(sample: str, name: str = DEFAULT_ENCODING) -> Callable[[str], int]:
    """`count` for texts made of pieces of `sample` (and, more slowly, for any other): for one answer in a cold process."""
    if name != DEFAULT_ENCODING or _whole:
        return lambda text: count(text, name)
    return _Counter(sample).count


class _Counter:
    """An encoding that knows the tokens of the texts seen so far. It learns once more when others come, then loads all."""

    def __init__(self, sample: str) -> None:
        self._grams: set[bytes] = set()
        self._lessons = 0
        self._learn(_grams(sample))

    def count(self, text: str) -> int:
        text = _encodable(text)
        if self._lessons < LESSONS and not (new := _grams(text)) <= self._grams:
            self._learn(new)
        return len(self._encoding.encode_ordinary(text))

    def _learn(self, grams: set[bytes]) -> None:
        """Load every token that could be cut from these texts: its first and last three bytes stand in them."""
        self._lessons += 1
        if self._lessons >= LESSONS:
            self._encoding = encoding()
            return
        self._grams |= grams
        # Four characters of base64 are three bytes, so most lines of the table are passed over without decoding.
        heads = {b2a_base64(gram, newline=False) for gram in self._grams}
        lines = _lines()
        likely = [rank for rank, line in enumerate(lines) if line[:4] in heads or line[3] == _PADDING]
        decoded = [(rank, a2b_base64(lines[rank].split()[0])) for rank in likely]
        self._encoding = _cl100k({r: token for r, token in decoded if len(token) < 3 or token[-3:] in self._grams})


def fits(text: str, budget: int, name: str = DEFAULT_ENCODING) -> bool:
    """Whether `text` has at most `budget` tokens; short texts are answered without loading the table."""
    # A token covers at least one byte, so the byte length is an upper bound.
    if len(text) * 4 <= budget or len(text.encode("utf-8", "replace")) <= budget:
        return True
    return count(text, name) <= budget


def about(text: str) -> int:
    """Roughly how many tokens `text` has, in no time: four letters a token, and a token for each sign of Chinese."""
    wide = (len(text.encode("utf-8", "replace")) - len(text)) // 2
    return (len(text) - wide) // 4 + wide + 1


def _encodable(text: str) -> str:
    """Lone surrogates can't be encoded; they are counted as the replacement character that gets printed."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")


def _grams(text: str) -> set[bytes]:
    """Three bytes in a row, wherever one token could hold them: none reaches from one line into the words of the next."""
    found: set[bytes] = set()
    for part in _LINES.split(_encodable(text)):
        data = part.encode("utf-8") + b"\n"  # a blank line may follow here and not there
        found.update(data[at : at + 3] for at in range(len(data) - 2))
    return found


def _lines() -> list[bytes]:
    """The table, a line a token in the order of their ranks, which run 0, 1, 2 … without a gap."""
    with open(_TABLE, "rb") as table:
        return table.read().splitlines()


def _cl100k(tokens: dict[int, bytes]) -> Encoding:
    import tiktoken

    ranks = {token: rank for rank, token in tokens.items()}
    return tiktoken.Encoding(DEFAULT_ENCODING, pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={})
