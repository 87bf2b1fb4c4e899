"""Define a candidate: something in the notes that may become a nudge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memcli.features.nudge.notes import Note
from memcli.features.nudge.wording import says
from memcli.text.digest import digest

OVER = 3  # the stage of a task whose day is over
PLAIN = 0.4  # what a note that only names a day is less urgent by: one of today comes after a task of next week
KINDS = ("task", "day", "decision", "topic", "disagree", "person", "insight")


@dataclass(frozen=True)
class NudgeCandidate:
    kind: str
    note: Note  # the line that is shown and cited
    why: str
    due: date | None = None  # the day it is about; None means that there is no deadline for saying it
    stage: int = 0  # how near its day is; in a later stage it may come again
    weight: float = 0.5  # the urgency of a candidate without a day, 0 to 1
    more: tuple[Note, ...] = ()  # other lines that it rests on
    plain: bool = False  # a note that names a day and no kind of event
    about: str = ""  # identifies the subject if other lines may state it, too; "" means the line itself

    @property
    def id(self) -> str:
        turn = str(self.due.year) if self.due and self.kind == "day" else ""  # each year's birthday is another
        if self.due and says("monthly", self.note.text):
            turn = str(self.due)[:7]
        line = self.note.entry.hash + (f"\n{self.note.at}" if self.note.at else "")
        identity = "\n".join([self.kind, self.about or line, turn])
        return digest(identity, 7)

    def urgency(self, today: date) -> float:
        """Return how urgent it is: at least 1 with a day, and more the nearer that is; without a day, its weight."""
        if self.due is None:
            return self.weight
        left = (self.due - today).days
        return (2.0 - min(left, 30) / 30 if left >= 0 else max(1.2, 1.9 + left / 30)) - PLAIN * self.plain
