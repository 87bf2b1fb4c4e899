"""Counting tokens exactly: the one place that talks to tiktoken.

The cl100k table ships in the package, so the budget is exact on the first offline run. Loading its 100,000 entries takes
0.1 s, half of what a whole recall may take. `counter` loads what a text needs: most pieces of a text (a word with the
space before it) are one token, which is looked up; for the rest tiktoken gets the few entries that could stand in them.
"""

from __future__ import annotations

import marshal
import os
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memcli.errors import MissingPart

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_ENCODING = "cl100k_base"
LESSONS = 3  # the third is the whole table
HEAD = 3  # bytes of a token by which the table is divided
_TABLE = os.path.join(os.path.dirname(__file__), "data", "cl100k_base.table")

# How cl100k splits text before merging bytes (published with the table; facts of the encoding, not code).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
# The same in Python's words. The two agree on the characters of `_AGREED`, where a sign is a letter, a digit or white
# space for both; what Python takes for a letter and is a number, like ², stays out, and so does what is newer than 2020.
_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s"
)
_AGREED = (
    r"[\t\n\r -~\u00a0-\u00ac\u00ae-\u00b1\u00b4-\u00b8\u00ba\u00bb\u00bf-\u017e\u0391-\u03a1\u03a3-\u03ce\u0400-\u0481\u048a-\u04ff"
    r"\u2010-\u2027\u2030-\u203f\u20ac\u2190-\u21ff\u2200-\u22ff\u2500-\u26ff\u3000-\u3006\u3008-\u3011\u3041-\u3096\u30a1-\u30fe"
    r"\u3400-\u4db5\u4e00-\u9fef\uac00-\ud7a3\uff01-\uff5e\U0001f300-\U0001f6ff]*"
)

_whole: list[bool] = []  # filled once the whole table is in memory, as in a watcher


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> Encoding:
    """The whole encoding called `name`; cl100k comes from the package, any other is tiktoken's own business."""
    if name == DEFAULT_ENCODING:
        _whole.append(True)
        return _cl100k(_divisions())
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
    known = _Counter()
    known.count(sample)
    return known.count


class _Counter:
    """Counts piece by piece and remembers each. Other pieces than the first are learnt once more, then all is loaded."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._grams: set[bytes] = set()
        self._lessons = 0
        self._encoding: Encoding | None = None

    def count(self, text: str) -> int:
        text = _encodable(text)
        pieces = _split().findall(text) if _agreed().fullmatch(text) else [text]
        if unknown := [piece for piece in dict.fromkeys(pieces) if piece not in self._counts]:
            self._learn(unknown)
        return sum(map(self._counts.__getitem__, pieces))

    def _learn(self, pieces: list[str]) -> None:
        longer = []
        for piece in pieces:
            if _is_token(piece.encode()):
                self._counts[piece] = 1
            else:
                longer.append(piece)
        if longer:
            encoding = self._encoding_of(longer)
            self._counts.update((piece, len(encoding.encode_ordinary(piece))) for piece in longer)

    def _encoding_of(self, pieces: list[str]) -> Encoding:
        """An encoding with every token that could be cut from these pieces: its first and last bytes stand in them."""
        new = _grams(pieces)
        if self._encoding is None or not new <= self._grams:
            self._lessons += 1
            self._grams |= new
            heads = {b"", *self._grams} & _divisions().keys()
            self._encoding = _cl100k(heads, self._grams) if self._lessons < LESSONS else encoding()
        return self._encoding


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


def _grams(pieces: list[str]) -> set[bytes]:
    """Three bytes in a row, wherever a token of a piece could hold them."""
    grams: set[bytes] = set()
    for piece in pieces:
        data = piece.encode()
        grams.update(data[at : at + HEAD] for at in range(len(data) - HEAD + 1))
    return grams


@lru_cache(maxsize=1)
def _split() -> re.Pattern[str]:
    return re.compile(_SPLIT)


@lru_cache(maxsize=1)
def _agreed() -> re.Pattern[str]:
    return re.compile(_AGREED)


@lru_cache(maxsize=1)
def _divisions() -> dict[bytes, bytes]:
    """The table, divided by the first three bytes of its tokens (those of one or two under none): each division is
    unpacked when it is asked for."""
    with open(_TABLE, "rb") as table:
        divisions: dict[bytes, bytes] = marshal.loads(table.read())
    return divisions


@cache
def _division(head: bytes) -> dict[bytes, int]:
    """The tokens that begin so, and their ranks."""
    packed = _divisions().get(head)
    return marshal.loads(packed) if packed else {}


def _is_token(piece: bytes) -> bool:
    return piece in _division(piece[:HEAD] if len(piece) >= HEAD else b"")


def _cl100k(heads: Iterable[bytes], tails: set[bytes] | None = None) -> Encoding:
    """The encoding with the tokens that begin so, and end so."""
    import tiktoken

    ranks: dict[bytes, int] = {}
    for head in heads:
        ranks.update(_division(head))
    if tails is not None:
        ranks = {token: rank for token, rank in ranks.items() if len(token) < HEAD or token[-HEAD:] in tails}
    return tiktoken.Encoding(DEFAULT_ENCODING, pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={})
