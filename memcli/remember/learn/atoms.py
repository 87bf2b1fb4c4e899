"""Define memory atoms, the single things in a conversation that are worth keeping. Tell when two of them are the
same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memcli.text import words

TYPES = ("fact", "preference", "label", "profile", "decision", "task", "opinion", "question", "event")
PASSING = frozenset({"event", "task", "question"})  # true of one occasion by their nature, and kept as such
SURE = 0.8  # below this confidence the user is asked first
_ALIKE = 0.8
_LOOK_BACK = 500  # atoms compared with a new one, so that long conversations stay fast


@dataclass(frozen=True)
class Atom:
    """Hold one memory found in a conversation."""

    type: str  # one of TYPES
    text: str  # what would be kept
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
    guessed: bool = field(default=False, compare=False)  # found by its words alone, by no rule
    requested: bool = field(default=False, compare=False)  # the user asked outright to have it remembered


def distinct(atoms: Iterable[Atom]) -> list[Atom]:
    """Return each memory once. Under one key the later of two different values stays; of two similar texts the first
    stays."""
    kept: list[Atom] = []
    keyed: dict[tuple[str, bool, str, str], int] = {}
    said: dict[tuple[str, bool], list[tuple[frozenset[str], list[str]]]] = {}
    for atom in atoms:
        if atom.key:
            name = (atom.type, atom.lasting, atom.key.lower(), atom.part)
            at = keyed.setdefault(name, len(kept))
            if at < len(kept):
                if atom.value.lower() != kept[at].value.lower():
                    kept[at] = atom
                continue
        else:
            mine = words.features(atom.text), re.findall(r"\d+", atom.text)
            others = said.setdefault((atom.type, atom.lasting), [])
            if any(_alike(mine, other) for other in others[-_LOOK_BACK:]):
                continue
            others.append(mine)
        kept.append(atom)
    return kept


def _alike(one: tuple[frozenset[str], list[str]], other: tuple[frozenset[str], list[str]]) -> bool:
    """Report whether two texts have nearly the same words and exactly the same numbers."""
    return one[1] == other[1] and len(one[0] & other[0]) >= _ALIKE * len(one[0] | other[0])
