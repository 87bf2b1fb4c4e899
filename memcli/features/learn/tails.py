"""Extend a memory by clauses that mean nothing alone. The house belongs to its street, the second hour to the
first, the last item to its list: `长河路475号，和瑞科技园`, `六点半集合，七点出发`. A reason belongs to its decision."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memcli.features.learn.clauses import analyse_clause, cut_statement
from memcli.features.learn.hits import strip_joints
from memcli.features.learn.language import Language, normalized
from memcli.remember.atoms import Atom
from memcli.text import words

_MOST = 2  # clauses that are added, at most
_LONGEST = 9  # words, or pairs of Chinese characters, of a clause, at most
_CLAUSE = re.compile(r"(?:[，,、]\s*|\s+(?=(?:and|or)\s))((?:[^，,、。;；!?！？:：]|(?<=\d)[:：](?=\d))+)")
_THING = "named thing"  # the subject of a clause that names no person
_LAST_ITEM = re.compile(r"(?:and|or)\s|[^，,]{0,6}也(?!许)")  # 坚果也过敏 behind 我海鲜过敏
_NAMES = frozenset({"a name in it", "a number in it", "number told", "place", "a place by name", "schedule"})
_KEYED = frozenset({"profile", "preference"})
_TYPES = frozenset({"fact", "event"})


def with_tails(found: Sequence[Atom], sentence: str, language: Language) -> list[Atom]:
    """Return the memories of a sentence, each extended by clauses that only continue it, and a decision by its
    reason."""
    return [
        _with_reason(atom, sentence, language)
        if atom.type == "decision"
        else _with_tail(atom, found, sentence, language)
        for atom in found
    ]


def _with_reason(atom: Atom, sentence: str, language: Language) -> Atom:
    """Return a decision with the clause right before or after it that gives the reason."""
    at, because = sentence.find(atom.text), language.signs["because"]
    end = at + len(atom.text)
    if at < 0:
        return atom
    start = 0 if because.match(sentence[:at]) else at
    behind = cut_statement(sentence[end:], language)
    filler = behind.pop(0) if len(behind) > 1 and len(behind[0]) == 1 else ""  # the 了 of `不租了，因为太吵`
    if behind and because.match(behind[0]):
        end += len(filler + behind[0])
    text = sentence[start:end].rstrip(" .。!！")
    return replace(atom, text=text) if len(text) > len(atom.text) else atom


def _with_tail(atom: Atom, found: Sequence[Atom], sentence: str, language: Language) -> Atom:
    wish = atom.type == "preference" and atom.value == atom.text
    begun = atom.value if atom.type == "label" else atom.text if wish or atom.type in _TYPES else ""
    street = bool(language.signs["street"].search(begun))
    if atom.type == "label" and not street:
        return atom
    at = sentence.find(begun)
    if not begun or at < 0:
        return atom
    end = at + len(begun)
    for _ in range(_MOST):
        match = _CLAUSE.match(sentence, end)
        ends_list = match and _LAST_ITEM.match(match[1])
        if not match or (wish and not ends_list) or not _goes_on(match[1], found, street, language):
            break
        end = match.end()
    told = sentence[at:end].rstrip(" .")
    if told == begun:
        return atom
    if atom.type == "label":
        return replace(atom, value=told)
    return replace(atom, text=told, value=told if wish else atom.value)


def _goes_on(clause: str, found: Sequence[Atom], street: bool, language: Language) -> bool:
    """Return whether a clause only continues a memory. It has no subject and mood of its own, names something, ends a
    list or continues a street, and is in no other memory."""
    plain = strip_joints(normalized(clause), language)
    if not plain or len(words.features(plain)) > _LONGEST:
        return False
    clause_read = analyse_clause(plain, "", language)
    taken = any(
        plain in f"{normalized(other.text)} {normalized(other.value)}" for other in found if other.type in _KEYED
    )
    if (
        _LAST_ITEM.match(clause)
        and clause_read.length == "a word or two"
        and clause_read.whose in ("", _THING)
        and not clause_read.mood
    ):
        return not any(plain in normalized(other.text) for other in found)
    names = _NAMES & clause_read.about if not street else not any(rule.pattern.search(plain) for rule in language.rules)
    return not (clause_read.whose or clause_read.mood or taken or language.signs["own"].match(plain)) and bool(names)
