"""Something that may be worth bringing up: what a look at the notes finds, before it is decided what is said."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date

from memcli.nudge.notes import Note

KINDS = ("task", "day", "decision", "topic", "disagree", "person", "insight")


@dataclass(frozen=True)
class Candidate:
    kind: str
    note: Note  # the line that is shown and cited
    why: str
    due: date | None = None  # the day it is about; none has an end by which it must be said
    stage: int = 0  # it may come again when it has reached a later one: before its day, on it, after it
    weight: float = 0.5  # of what has no day, 0 to 1
    more: tuple[Note, ...] = ()  # other lines that it rests on
    about: str = ""  # what makes it the same when other lines tell it; empty: the line itself

    @property
    def id(self) -> str:
        turn = str(self.due.year) if self.due and self.kind == "day" else ""  # next year's birthday is another
        said = "\n".join([self.kind, self.about or self.note.entry.hash, turn])
        return hashlib.sha1(said.encode()).hexdigest()[:7]

    def urgency(self, today: date) -> float:
        """What has a day comes before what has none, and the sooner its day the more."""
        if self.due is None:
            return self.weight
        left = (self.due - today).days
        return 2.0 - min(left, 30) / 30 if left >= 0 else max(1.2, 1.9 + left / 30)
