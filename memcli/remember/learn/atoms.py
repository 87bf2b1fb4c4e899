"""Memory atoms: what a conversation holds that is worth keeping, one by one; and when two of them are the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memcli.text import words

TYPES = ("fact", "preference", "label", "profile", "decision", "task", "opinion", "question", "event")
PASSING = frozenset({"event", "task", "question"})  # true of one occasion by their nature, and kept as such
_ALIKE = 0.8


@dataclass(frozen=True)
class Atom:
    """One memory found in a conversation."""

    type: str  # one of TYPES
    text: str  # what would be kept
    key: str = ""  # of a preference, label or profile: what it is about
    value: str = ""
    part: str = ""  # of a label: phone or address, if it is that
    lasting: bool = True  # false: for one occasion
    confidence: float = 0.8
    quote: str = ""  # the words it was found in
    line: int = 0  # where they stand in what was read
    why: str = ""
    stated: bool = True  # the user said it outright; false: concluded from what they do
    at: datetime | None = None  # when it was said, if known


@dataclass(frozen=True)
class Rule:
    """How one kind of memory is said. Named groups are profile keys, or `who` and `what` of a label, `about` and
    `value` of a preference."""

    type: str
    pattern: re.Pattern[str]
    why: str
    once: bool = False  # holds for one occasion only, or not at all
    stated: bool = True
    confidence: float = 0.8
    key: str = ""  # of a preference that always is about the same thing; the part of a label


def rule(type: str, why: str, *ways: str, **more: bool | float | str) -> Rule:
    """A rule with the ways of saying it, of which one is enough."""
    return Rule(type, re.compile("|".join(ways), re.I), why, **more)  # type: ignore[arg-type]


def distinct(atoms: Iterable[Atom]) -> list[Atom]:
    """Each memory once. Of two that tell different things under one key the later one stands; of two that say the
    same the first."""
    kept: list[Atom] = []
    for atom in atoms:
        same = next((at for at, each in enumerate(kept) if _same(each, atom)), None)
        if same is None:
            kept.append(atom)
        elif atom.key and atom.value.lower() != kept[same].value.lower():
            kept[same] = atom
    return kept


def _same(one: Atom, other: Atom) -> bool:
    if one.type != other.type or one.lasting != other.lasting:
        return False
    if one.key or other.key:
        return (one.key.lower(), one.part) == (other.key.lower(), other.part)
    a, b = words.features(one.text), words.features(other.text)
    figures = re.findall(r"\d+", one.text) == re.findall(r"\d+", other.text)
    return figures and len(a & b) >= _ALIKE * len(a | b)
