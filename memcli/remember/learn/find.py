"""How rules find memories in what was said: sentences and clauses, what lasts, keys and values, what was confirmed.

What people say in each language is in `rules_en` and `rules_zh`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from types import ModuleType

from memcli.remember.learn import rules_en, rules_zh
from memcli.remember.learn.atoms import PASSING, Atom, Rule, distinct
from memcli.remember.learn.transcript import USER, Message
from memcli.text import words
from memcli.text.clean import one_line

KEYED = frozenset({"profile", "label", "preference"})
_SURE = 0.8  # a rule less sure than this makes no memory of the rest of a sentence
_NEVER = re.compile(r"(?!)")
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\b[DM]r\.)(?<!\bM[rs]s\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\be\.g\.)(?<!\bi\.e\.)[\"'”’)]*\s+|(?<=[。！？!?；;])|\n+"
)
_CITED = re.compile(r"[^\s()\[\]]+\.(?:md|markdown):\d+")  # quotes a memory, so it is known already
_LONGEST = 500  # characters of a sentence; beyond it is pasted material


def find(messages: Sequence[Message]) -> list[Atom]:
    """The memories of a conversation by rules: what the user said, and what they confirmed of what was said to them."""
    found: list[Atom] = []
    asked: list[str] = []
    for message in messages:
        if message.role != USER:
            asked = [sentence for sentence, _ in sentences(message.text)][-3:]
            continue
        if asked and (said := _agreed(message.text)):
            for sentence in asked:
                if proposal := _language(sentence).proposed(sentence):
                    found += _in_sentence(proposal, message.line, message.at, f"you confirmed it: {said}")
        asked = []
        for sentence, line in sentences(message.text):
            found += _in_sentence(sentence, message.line + (0 if message.escaped else line), message.at)
    return distinct(found)


def sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, each with how many line feeds stand before it."""
    at = 0
    for cut in [*_SENTENCE.finditer(text), None]:
        stop = cut.start() if cut else len(text)
        if said := text[at:stop].strip(" \t\n-*•"):
            start = at + len(text[at:stop]) - len(text[at:stop].lstrip())
            yield said, text.count("\n", 0, start)
        at = cut.end() if cut else stop


def _in_sentence(sentence: str, line: int, at: datetime | None, why: str = "") -> Iterator[Atom]:
    """One memory for each clause that says one; clauses that say none belong to the memory before them."""
    language = _language(sentence)
    said = language.LEAD.sub("", sentence).strip()
    if len(said) > _LONGEST or _CITED.search(said) or language.NOTHING.search(said):
        return
    clauses = _clauses(said, language)
    if not any(_first(clause, said, language)[0] for clause in clauses):
        clauses = [said]
    groups: list[tuple[str, Rule | None, re.Match[str] | None]] = []  # text, what it says, and where
    for clause in clauses:
        rule, match = _first(clause, said, language)
        if rule is None and groups and groups[-1][1] and groups[-1][1].type == "label":
            rule, match = language.MORE, language.MORE.pattern.search(clause)
            rule = rule if match else None
        if rule and rule.confidence < _SURE and groups and groups[-1][1]:
            rule = match = None
        if groups and (rule is None or (groups[-1][1] and groups[-1][1].type == rule.type and rule.type not in KEYED)):
            groups[-1] = (groups[-1][0] + clause, *groups[-1][1:])
        elif groups and groups[-1][1] is None:
            groups[-1] = (groups[-1][0] + clause, rule, match)
        else:
            groups.append((clause, rule, match))
    for clause, rule, match in groups:
        if rule and match:
            whole = one_line(language.JOINT.sub("", clause)).strip(" ,，;；、")
            if language.MORE.pattern.match(whole):  # who "she" is stands before it
                whole = one_line(said)
            for key, value in _named(rule, match, whole):
                lasting = rule.type not in PASSING and not rule.once
                part = rule.key if rule.type == "label" else ""
                yield Atom(
                    rule.type, whole, key, value, part, lasting, rule.confidence, one_line(sentence), line,
                    why or rule.why, rule.stated, at,
                )  # fmt: skip


def _clauses(said: str, language: ModuleType) -> list[str]:
    """The sentence cut where a new statement may begin; joined they give it back."""
    cuts = [0, *(match.start() for match in language.CLAUSE.finditer(said)), len(said)]
    return [said[a:b] for a, b in pairwise(cuts) if b > a]


def _first(clause: str, sentence: str, language: ModuleType) -> tuple[Rule | None, re.Match[str] | None]:
    bare = language.JOINT.sub("", clause).strip(" ,，;；.。!！~～")
    asks = sentence.rstrip(" \"'”’)").endswith(("?", "？"))
    once = language.ONCE.search(bare) and not language.EVER.search(bare)
    for each in language.RULES:
        if asks and not (each.type == "question" or language.ORDER.search(bare)):
            continue
        if each.once and not once:
            continue
        if (match := each.pattern.search(bare)) and not language.BARRED.get(each.type, _NEVER).search(bare):
            if once and each.type in ("preference", "decision", "fact"):
                each = replace(each, once=True)
            return each, match
    return None, None


def _named(rule: Rule, match: re.Match[str], whole: str) -> list[tuple[str, str]]:
    """Key and value of what a rule found; several when a sentence tells several things of a profile."""
    parts = {
        name.rstrip("23456789"): one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }
    if rule.type == "profile":
        return list(parts.items())
    if rule.type == "label":
        return [(parts["who"], parts["what"])] if parts.get("what") else []
    if rule.type == "preference":
        return [
            (
                rule.key or slug(parts.get("about") or match.string) or slug(whole) or "wish",
                parts.get("value") or whole.rstrip(".。!！"),
            )
        ]
    return [("", "")]


def slug(text: str) -> str:
    """A short name for what a preference is about: its first words that carry meaning."""
    language = _language(text)
    kept = [each for each in words.WORD.findall(language.EMPTY.sub(" ", text.lower())) if not words.is_stop(each)]
    if not kept or not text.isascii():
        kept = re.findall(rf"[{words.CJK}]+|[^\W_]+", language.EMPTY.sub(" ", text.lower()))
    return "_".join(kept[:3])[:40]


def _agreed(text: str) -> str:
    """The words by which the user said yes, if that is how the message begins."""
    for language in (rules_en, rules_zh):
        if match := language.YES.match(text.strip()):
            return one_line(match[0])
    return ""


def _language(text: str) -> ModuleType:
    return rules_zh if words.CJK_RUN.search(text) else rules_en
