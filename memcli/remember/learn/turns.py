"""A turn of a talk, and what speakers are called: the names in `language/speakers.txt`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memcli.text.tables import LANGUAGE, rows


@dataclass(frozen=True)
class Turn:
    """What one speaker said at a time."""

    name: str
    text: str
    line: int  # where it begins in what was read, from 1
    at: datetime | None = None
    project: str = ""  # the folder it was said in, where the program tells


@cache
def called(speaker: str) -> frozenset[str]:
    """The words of a row: user, machine, nobody or notice."""
    lines = [line for row in rows(LANGUAGE / "speakers.txt") if row["speaker"] == [speaker] for line in row["words"]]
    return frozenset(word.strip() for line in lines for word in line.split(","))
