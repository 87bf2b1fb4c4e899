"""Read the regular expressions of the gates that hold words or formats. Each is a row of `patterns.txt`, with
examples."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from memcli.text import tables

PATTERNS = Path(__file__).with_name("patterns.txt")
_FLAGS = {"i": re.IGNORECASE, "a": re.ASCII, "m": re.MULTILINE}


def patterns(*names: str) -> list[re.Pattern[str]]:
    """Return the patterns of these names."""
    return [re.compile(*_rows()[name]) for name in names]


def pattern_source(name: str) -> str:
    """Return the source of a pattern, to be a part of another one."""
    return _rows()[name][0]


@cache
def _rows() -> dict[str, tuple[str, int]]:
    """Return the source and flags of each pattern, by name."""
    return {row["name"][0]: (_source(row), _flags(row)) for row in tables.rows(PATTERNS)}


def _source(row: tables.Row) -> str:
    ways = "|".join(row["way"])
    before, after = ("".join(row.get(side, ())) for side in ("before", "after"))
    return f"{before}(?:{ways}){after}" if before or after else ways


def _flags(row: tables.Row) -> int:
    return sum(_FLAGS[sign] for sign in "".join(row.get("flags", ())))
