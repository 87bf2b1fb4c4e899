"""Count tokens exactly.

No other module calls tiktoken.

The cl100k table ships in the package, so the budget is exact on the first offline run. Loading all of its 100,000
entries takes 0.1 s, half of what a whole recall may take. So at first only the entries that a text needs are loaded.
Most pieces of a text (a word with the space before it) are one token, which is looked up; the other pieces are merged
here. Long pieces and rare characters go to tiktoken.
"""

from __future__ import annotations

import marshal
import math
import os
from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from memcli.errors import MissingPart
from memcli.message import Message
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_ENCODING = "cl100k_base"
HEAD = 3  # the table is divided by so many bytes of a token
LONG = 600  # bytes; for a longer piece tiktoken is faster, loading included
MUCH = 1_500_000  # squared lengths of pieces; above this sum tiktoken is faster for the rest
NO_TOKEN = 1 << 30  # the rank that means "no token"
SHORT = 4  # letters from which on a token without a space before it may be the word itself
USUAL, RARE = 500, 100_000  # ranks of tokens: the commonest words of a language come first in the table
_TABLE = os.path.join(os.path.dirname(__file__), "data", "cl100k_base.table")

# How cl100k splits text before it merges bytes. This pattern is published with the table as part of the encoding.
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
# The same in Python's syntax. The two agree on the characters of `_AGREED`: both see the same letters, digits and white
# space there. It leaves out numbers that Python takes for letters, like ², and characters newer than 2020.
_SPLIT = compile_later(
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s"
)
_AGREED = compile_later(
    r"[\t\n\r -~\u00a0-\u00ac\u00ae-\u00b1\u00b4-\u00b8\u00ba\u00bb\u00bf-\u017e\u0300-\u036f\u0391-\u03a1\u03a3-\u03ce"
    r"\u0400-\u0481\u048a-\u04ff\u05d0-\u05ea\u0621-\u063a\u0641-\u065e\u0904-\u094d\u200d"
    r"\u2010-\u2027\u2030-\u203f\u20ac\u2190-\u21ff\u2200-\u22ff\u2500-\u26ff\u3000-\u3006"
    r"\u3008-\u3011\u3041-\u3096\u30a1-\u30fe\u3400-\u4db5\u4e00-\u9fef\uac00-\ud7a3\ufe0f\uff01-\uff5e"
    r"\U0001f300-\U0001faff]*",
    in_ascii=r"[\t\n\r -~]*",
)

_work = [0]  # squared lengths of the pieces that were counted here; above MUCH once the whole table is in memory


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> Encoding:
    """Return the whole encoding called `name`. cl100k comes from the package; tiktoken fetches any other.

    Raise MissingPart when its table can't be fetched.
    """
    import tiktoken

    if name == DEFAULT_ENCODING:
        _work[0] = MUCH + 1
        ranks = {token: rank for head in _divisions() for token, rank in _division(head).items()}
        return tiktoken.Encoding(name, pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={})
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:  # tiktoken fetches tables with requests: any network failure ends here
        raise MissingPart(
            "the token table of '{name}' could not be fetched ({WHY})",
            Message("use {name}, which is built in, or set TIKTOKEN_CACHE_DIR", name=DEFAULT_ENCODING),
            name=name,
            WHY=type(error).__name__,
        ) from error


@lru_cache(maxsize=1)
def encoding_names() -> tuple[str, ...]:
    """Return the names of the encodings that there are."""
    import tiktoken

    return tuple(tiktoken.list_encoding_names())


def count(text: str, name: str = DEFAULT_ENCODING) -> int:
    """Return how many tokens `text` has. Special tokens in it count as plain text."""
    text = _encodable(text)
    if name != DEFAULT_ENCODING or _work[0] > MUCH or not _AGREED.fullmatch(text):
        return len(encoding(name).encode_ordinary(text))
    return sum(map(_piece_count, _SPLIT.findall(text)))


def counter(name: str = DEFAULT_ENCODING) -> Callable[[str], int]:
    """Return `count` for one encoding."""
    return partial(count, name=name)


@lru_cache(maxsize=1 << 16)  # bounded, because a long-lived process must not grow
def _piece_count(piece: str) -> int:
    data = piece.encode()
    if _rank(data) < NO_TOKEN:
        return 1
    _work[0] += len(piece) ** 2
    return _merged(data) if len(data) <= LONG else len(encoding().encode_ordinary(piece))


def _merged(data: bytes) -> int:
    """Return how many tokens byte pair encoding makes of `data`, by joining neighbours of the lowest rank."""
    parts = [data[at : at + 1] for at in range(len(data))]
    ranks = [_rank(left + right) for left, right in pairwise(parts)]
    while ranks and (lowest := min(ranks)) < NO_TOKEN:
        at = ranks.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del ranks[at]
        for beside in (at - 1, at):  # the pairs that the new part makes with its neighbours
            if 0 <= beside < len(ranks):
                ranks[beside] = _rank(parts[beside] + parts[beside + 1])
    return len(parts)


def rank(text: str) -> int:
    """Return the rank of a text among the tokens of cl100k, or NO_TOKEN when it is not a token.

    Ranks follow roughly how common the tokens are.
    """
    return _rank(_encodable(text).encode())


@lru_cache(maxsize=4096)
def rarity(word: str) -> float:
    """Return how rare a word is, from 0 (in every other sentence) to 1. A word that is not a single token is rare."""
    if CJK_RUN.fullmatch(word):
        return max(min(1.0, rank(sign) / RARE) for sign in word)
    place = rank(f" {word}")
    if len(word) >= SHORT:  # "ub" is a part of many words and a rare word itself
        place = min(place, rank(word))
    return min(1.0, max(0.0, math.log(max(place, 1) / USUAL) / math.log(RARE / USUAL)))


def estimate(text: str) -> int:
    """Return a rough number of tokens without any table: four letters a token, one for each Chinese character."""
    wide = (len(text.encode("utf-8", "replace")) - len(text)) // 2
    return (len(text) - wide) // 4 + wide + 1


def _encodable(text: str) -> str:
    """Return `text` with each lone surrogate, which can't be encoded, replaced by the character printed for it."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=1)
def _divisions() -> dict[bytes, bytes]:
    """Return the table, divided by the first three bytes of its tokens (shorter tokens are under b"").

    Each division stays packed until it is asked for.
    """
    with open(_TABLE, "rb") as table:
        divisions: dict[bytes, bytes] = marshal.loads(table.read())
    return divisions


@cache
def _division(head: bytes) -> dict[bytes, int]:
    """Return the tokens that begin with `head`, and their ranks."""
    packed = _divisions().get(head)
    return marshal.loads(packed) if packed else {}


@lru_cache(maxsize=1 << 16)  # bounded, because a long-lived process must not grow
def _rank(data: bytes) -> int:
    return _division(data[:HEAD] if len(data) >= HEAD else b"").get(data, NO_TOKEN)
