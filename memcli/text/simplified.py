"""Traditional Chinese characters read as simplified ones, sign for sign, so that one table of words does for both.

A text keeps its own characters, this is for looking things up. The signs are in `memcli/language/zh/traditional.txt`.
"""

from __future__ import annotations

from functools import lru_cache

from memcli.text.tables import LANGUAGE, rows


def simplified(text: str) -> str:
    return text if text.isascii() else text.translate(_signs()[0])


def traditional(text: str) -> str:
    """The other way round, by the usual sign of several."""
    return text if text.isascii() else text.translate(_signs()[1])


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[int, str], dict[int, str]]:
    """Traditional sign → simplified one, and back."""
    pairs = "".join(line for row in rows(LANGUAGE / "zh" / "traditional.txt") for line in row["signs"])
    ours, theirs = pairs[1::2], pairs[::2]
    return dict(zip(map(ord, theirs), ours, strict=True)), dict(zip(map(ord, ours), theirs, strict=True))
