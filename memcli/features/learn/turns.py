"""Define a turn of a conversation, and read the names of speakers from `language/speakers.txt`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memcli.features.learn.language import FOLDER
from memcli.text.tables import rows


@dataclass(frozen=True)
class SpeakerTurn:
    """Hold what one speaker said at a time."""

    name: str
    text: str
    line: int  # the line where it begins, from 1
    at: datetime | None = None
    project: str = ""  # the folder it was said in, if the program tells


@cache
def speaker_words(speaker: str) -> frozenset[str]:
    """Return the words of a row: user, machine, nobody or notice."""
    lines = [line for row in rows(FOLDER / "speakers.txt") if row["speaker"] == [speaker] for line in row["words"]]
    return frozenset(word.strip() for line in lines for word in line.split(","))
