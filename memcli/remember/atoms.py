"""Define memory atoms, the single things that somebody said and that are worth keeping."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

TYPES = ("fact", "preference", "label", "profile", "decision", "task", "opinion", "question", "event")
PASSING = frozenset({"event", "task", "question"})  # types that are about one occasion, and are kept all the same
SURE = 0.8  # below this confidence the user is asked first


@dataclass(frozen=True)
class Atom:
    """Hold one memory that was found in a text or stated by the user."""

    type: str  # one of TYPES
    text: str  # the text to keep
    key: str = ""  # the subject of a preference, label or profile
    value: str = ""
    part: str = ""  # the field of a label: phone, address or ""
    lasting: bool = True  # false: for one occasion
    confidence: float = 0.8
    quote: str = ""  # the words it was found in
    line: int = 0  # the line of the quote in the text that was read
    why: str = ""
    stated: bool = True  # true: the user said it outright; false: it was inferred
    at: datetime | None = None  # when it was said, None if unknown
    scope: str = ""  # where it holds, if not everywhere: project:NAME
    category: str = ""  # the kind of preference, "" if unknown
    guessed: bool = field(default=False, compare=False)  # found by its words alone and not by a rule
    requested: bool = field(default=False, compare=False)  # the user asked outright to have it remembered


@dataclass(frozen=True)
class LearnResult:
    """Hold the atoms found in a conversation."""

    atoms: tuple[Atom, ...]
    messages: int
    by: str  # rules, or model
