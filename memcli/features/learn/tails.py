"""Extend a memory by clauses after a comma that mean nothing alone. The house belongs to its street, the second hour
to the first: `长河路475号，和瑞科技园`, `六点半集合，七点出发`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memcli.features.learn.clause import analysed
from memcli.features.learn.hits import bare
from memcli.features.learn.language import Language, heard
from memcli.remember.atoms import Atom
from memcli.text import words

_MOST = 2  # clauses that are added, at most
_LONGEST = 9  # words, or pairs of Chinese characters, of a clause, at most
_CLAUSE = re.compile(r"[，,、]\s*([^，,、。;；!?！？:：]+)")
_NAMES = frozenset({"a name in it", "a number in it", "number told", "place", "a place by name", "schedule"})
_KEYED = frozenset({"profile", "preference"})
_TYPES = frozenset({"fact", "event"})


def with_tails(found: Sequence[Atom], sentence: str, language: Language) -> list[Atom]:
    """Return the memories of a sentence, each with the clauses behind it that only go on."""
    return [_with_tail(atom, found, sentence, language) for atom in found]


def _with_tail(atom: Atom, found: Sequence[Atom], sentence: str, language: Language) -> Atom:
    begun = atom.value if atom.type == "label" else atom.text if atom.type in _TYPES else ""
    street = bool(language.signs["street"].search(begun))
    if atom.type == "label" and not street:
        return atom
    at = sentence.find(begun)
    if not begun or at < 0:
        return atom
    end = at + len(begun)
    for _ in range(_MOST):
        match = _CLAUSE.match(sentence, end)
        if not match or not _goes_on(match[1], atom, found, street, language):
            break
        end = match.end()
    told = sentence[at:end].rstrip(" .")
    if told == begun:
        return atom
    return replace(atom, value=told) if atom.type == "label" else replace(atom, text=told)


def _goes_on(clause: str, atom: Atom, found: Sequence[Atom], street: bool, language: Language) -> bool:
    """Report whether a clause only continues a memory. It has no subject and mood of its own, names something or
    continues a street, and is in no other memory."""
    plain = bare(heard(clause), language)
    if not plain or len(words.features(plain)) > _LONGEST:
        return False
    said = analysed(plain, "", language)
    taken = any(plain in f"{heard(other.text)} {heard(other.value)}" for other in found if other.type in _KEYED)
    names = _NAMES & said.about if not street else not any(rule.pattern.search(plain) for rule in language.rules)
    return not (said.whose or said.mood or taken or language.signs["own"].match(plain)) and bool(names)
