"""Traditional Chinese characters read as simplified ones, sign for sign, so that one table of words does for both.

A text keeps its own characters, this is for looking things up: what is found stands in the text at the same place.
"""

from __future__ import annotations

from functools import cache

from memcli.text.tables import LANGUAGE, rows


def simplified(text: str) -> str:
    return text if text.isascii() else text.translate(_signs())


@cache
def _signs() -> dict[int, str]:
    """Each traditional character with the simplified one that stands beside it in `language/zh/traditional.txt`."""
    pairs = [
        pair for row in rows(LANGUAGE / "zh" / "traditional.txt") for line in row["pairs"] for pair in line.split()
    ]
    return {ord(pair[0]): pair[1] for pair in pairs}
