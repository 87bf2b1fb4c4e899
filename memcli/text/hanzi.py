"""Convert Traditional Chinese characters to simplified ones, one by one, so that one table of words serves both.

This serves lookups only; a text keeps its own characters. The pairs are in `memcli/language/zh/traditional.txt`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache

from memcli.text.tables import LANGUAGE_FOLDER, rows


def simplified(text: str) -> str:
    return text if text.isascii() else text.translate(_signs()[0])


def traditional(text: str) -> str:
    """Return a text in traditional characters. Where there are several for one, the usual one is taken."""
    return text if text.isascii() else text.translate(_signs()[1])


def split_at_known(run: str, known: Container[str], longest: int) -> Iterator[str]:
    """Yield the pieces of a text without spaces: at each place the longest known word, else a single character."""
    at = 0
    while at < len(run):
        size = next((size for size in range(longest, 1, -1) if run[at : at + size] in known), 1)
        yield run[at : at + size]
        at += size


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[int, str], dict[int, str]]:
    """Return the simplified character of each traditional one, and the reverse."""
    pairs = "".join(line for row in rows(LANGUAGE_FOLDER / "zh" / "traditional.txt") for line in row["signs"])
    ours, theirs = pairs[1::2], pairs[::2]
    return dict(zip(map(ord, theirs), ours, strict=True)), dict(zip(map(ord, ours), theirs, strict=True))
