"""Remove repeated memories of a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memcli.remember.atoms import SURE, Atom
from memcli.remember.proposals import is_within
from memcli.text import words
from memcli.text.telling_signs import TELLING_SIGN

_ALIKE = 0.8
_LOOK_BACK = 500  # atoms compared with a new one, so that long conversations stay fast


def without_repeats(atoms: Iterable[Atom]) -> list[Atom]:
    """Return each memory once. Under one key the later of two different values stays, of the profile the fuller one;
    of two similar texts the first stays."""
    distinct: list[Atom] = []
    keyed: dict[tuple[str, bool, str, str], int] = {}
    said: dict[tuple[str, bool], list[tuple[frozenset[str], list[str]]]] = {}
    for atom in atoms:
        if atom.key:
            name = (atom.type, atom.lasting, atom.key.lower(), f"{atom.part}{'@' * ('@' in atom.value)}")
            at = keyed.setdefault(name, len(distinct))
            if at < len(distinct):
                before = distinct[at]
                if before.requested and atom.value != before.value and atom.confidence < min(before.confidence, SURE):
                    distinct.append(atom)  # keep the requested one; the user is asked about the other
                elif not (atom.type == "profile" and is_within(atom.value, before.value)):
                    distinct[at] = atom
                continue
        else:
            mine = words.features(atom.text), re.findall(rf"\d+|{TELLING_SIGN}", atom.text)
            others = said.setdefault((atom.type, atom.lasting), [])
            if any(_alike(mine, other) for other in others[-_LOOK_BACK:]):
                continue
            others.append(mine)
        distinct.append(atom)
    return distinct


def _alike(one: tuple[frozenset[str], list[str]], other: tuple[frozenset[str], list[str]]) -> bool:
    """Return whether two texts have nearly the same words and exactly the same numbers and telling signs."""
    return one[1] == other[1] and len(one[0] & other[0]) >= _ALIKE * len(one[0] | other[0])
