"""Traditional Chinese characters read as simplified ones, sign for sign, so that one table of words does for both.

A text keeps its own characters, this is for looking things up: what is found stands in the text at the same place.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_TABLE = Path(__file__).parent / "data" / "traditional.table"  # pairs: a traditional character, the simplified one


def simplified(text: str) -> str:
    return text if text.isascii() else text.translate(_signs())


@cache
def _signs() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in _TABLE.read_text(encoding="utf-8").split()}
