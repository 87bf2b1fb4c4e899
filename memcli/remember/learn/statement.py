"""The memories of one sentence: what the `hits` in it say, and where the value in each begins and ends.

What people say in each language stands in `memcli/language/*/learn*.txt`, which `language` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memcli.remember.learn import likelihood
from memcli.remember.learn.atoms import PASSING, SURE, Atom
from memcli.remember.learn.hits import EDGES, KEYED, Hit, bare, hits, stripped, values, weighed
from memcli.remember.learn.language import Language, Rule, heard, language_of
from memcli.text import words
from memcli.text.clean import one_line

_CITED = re.compile(r"[^\s()\[\]]+\.(?:md|markdown):\d+")  # quotes a memory, so it is known already
_LONGEST = 500  # characters of a sentence; beyond it is pasted material
EVERY = False  # true while weights are fitted: what a clause could be as well is told, too


def in_sentence(
    sentence: str, line: int, at: datetime | None, why: str = "", place: frozenset[str] = frozenset()
) -> Iterator[tuple[Rule, Atom]]:
    """The memories of a sentence, each with the rule that took it; `place` is what is known of where it stands."""
    sentence = one_line(sentence)
    language = language_of(sentence)
    statement = language.signs["opening"].sub("", heard(sentence)).strip()
    if len(statement) > _LONGEST or _CITED.search(statement) or language.signs["not_meant"].search(statement):
        return
    if language.signs["light"].search(statement):
        place |= {"said lightly"}
    if language.signs["here"].search(statement):
        place |= {"said of the work here"}
    for hit in hits(statement, place, language):
        for way in (hit, *hit.rivals) if EVERY else (hit,):
            for atom in _atoms(way, statement, sentence, language):
                yield way.rule, replace(atom, line=line, at=at, why=why or way.rule.why)


def _atoms(hit: Hit, statement: str, sentence: str, language: Language) -> Iterator[Atom]:
    """The memories of one hit that are likely enough; several where a rule captures several values."""
    rule = hit.rule
    if rule.general and rule.type == "fact" and language.signs["habit"].search(hit.words):
        rule = replace(rule, type="preference", stated=False)
    text = _trimmed(hit.words, rule, language)
    if any(follows.pattern.match(text) for follows in language.follows.values()):  # who "she" is stands before it
        text = one_line(statement)
    lasting = rule.type not in PASSING and not rule.once
    for key, value in _values(rule, hit.match, text):
        looks_right = True
        if value and (shape := language.shapes.get("label" if rule.type == "label" else key)):
            value = shape.cut(value)
            looks_right = shape.is_sure(value)
        if rule.type in KEYED and not value:
            continue
        judged = weighed(hit, looks_right, language)
        stated = rule.stated and not (rule.type == "preference" and language.signs["habit"].search(text))
        confidence = likelihood.confidence(language.name, judged.likely)
        if not looks_right or "said lightly" in hit.place or not (rule.general or rule.confidence >= SURE):
            confidence = min(confidence, SURE - 0.01)  # whatever its words say
        if judged.likely >= likelihood.LEAST:
            yield Atom(
                rule.type, _as_said(text, sentence), key, _as_said(value, sentence), rule.part, lasting, confidence,
                sentence, stated=stated, scope=_scope(rule, statement, language), signs=judged.signs,
            )  # fmt: skip


def _scope(rule: Rule, statement: str, language: Language) -> str:
    """Where it holds: what is said of the work at hand holds for that project."""
    here = rule.here or language.signs["here"].search(statement)
    return "project" if here and not language.signs["everywhere"].search(statement) else ""


def _trimmed(piece: str, rule: Rule, language: Language) -> str:
    """The words that are kept of a piece: of a task what is to be done, and nothing that only sounds."""
    text = bare(piece, language) if rule.type != "preference" else piece
    text = language.signs["joint"].sub("", one_line(text)).strip(EDGES)
    text = language.signs["tail"].sub("", stripped(text)) or text
    if rule.type in ("task", "decision", "preference"):
        text = language.signs["lead"].sub("", text, count=1).strip(EDGES) or text
    return text


def _as_said(part: str, sentence: str) -> str:
    """Words that were looked for in what was heard, as they were said."""
    at = heard(sentence).find(part)
    return sentence[at : at + len(part)] if at >= 0 else part


def _values(rule: Rule, match: re.Match[str], text: str) -> list[tuple[str, str]]:
    """Key and value of what a rule took; several when a sentence tells several things of a profile."""
    found = values(match)
    if rule.type == "profile":
        return list(found.items())
    if rule.type == "label":
        return [(found["who"], found["what"])] if found.get("what") else []
    if rule.type == "preference":
        key = rule.key or slug(found.get("about") or text) or slug(text) or "wish"
        return [(key, found.get("value") or text.rstrip(".。!！"))]
    return [("", "")]


def slug(text: str) -> str:
    """A short name for what a preference is about: its first words that carry meaning, without the value."""
    rest = language_of(text).signs["aside"].sub(" ", text.lower())
    kept = [word for word in words.WORD.findall(rest) if not words.is_stop(word)]
    if not kept or not text.isascii():
        kept = re.findall(rf"[{words.CJK}]+|[^\W_]+", rest)
    plain = [word for word in kept if not word.isdigit()]
    return "_".join((plain or kept)[:3])[:40]
