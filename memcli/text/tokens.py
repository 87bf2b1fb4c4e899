"""Counting tokens exactly: the one place that talks to tiktoken.

The cl100k table ships in the package, so the budget is exact on the first offline run. Loading it costs
about 0.1 s, so it is loaded once, and only when a cheap upper bound can't answer.
"""

from __future__ import annotations

from binascii import a2b_base64
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memcli.errors import MissingPart

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_ENCODING = "cl100k_base"

# How cl100k splits text before merging bytes (published with the table; facts of the encoding, not code).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> Encoding:
    """The encoding called `name`; cl100k comes from the package, any other is tiktoken's own business."""
    import tiktoken

    if name == DEFAULT_ENCODING:
        raw = files("memcli.text").joinpath("data/cl100k_base.tiktoken").read_bytes()
        tokens = map(a2b_base64, raw.split()[::2])  # the ranks in the table run 0, 1, 2 … without a gap
        ranks = {token: rank for rank, token in enumerate(tokens)}
        return tiktoken.Encoding(name, pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={})
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


def fits(text: str, budget: int, name: str = DEFAULT_ENCODING) -> bool:
    """Whether `text` has at most `budget` tokens; short texts are answered without loading the table."""
    # A token covers at least one byte, so the byte length is an upper bound.
    if len(text) * 4 <= budget or len(text.encode("utf-8", "replace")) <= budget:
        return True
    return count(text, name) <= budget


def _encodable(text: str) -> str:
    """Lone surrogates can't be encoded; they are counted as the replacement character that gets printed."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
