"""How rules find memories in what was said: sentences and clauses, what lasts, keys and values, what was confirmed.

What people say in each language stands in `memcli/language/*/learn.txt`, which `language` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from memcli.remember.learn.atoms import PASSING, Atom, distinct
from memcli.remember.learn.language import Language, Rule, language_of, spoken
from memcli.remember.learn.transcript import USER, Message
from memcli.text import sentences as ends
from memcli.text import words
from memcli.text.clean import one_line

KEYED = frozenset({"profile", "label", "preference"})
_SURE = 0.8  # a rule less sure than this makes no memory of the rest of a sentence
_CITED = re.compile(r"[^\s()\[\]]+\.(?:md|markdown):\d+")  # quotes a memory, so it is known already
_LONGEST = 500  # characters of a sentence; beyond it is pasted material
_OFFERS = 3  # sentences at the end of a message that a yes may answer

Hit = tuple[Rule, re.Match[str]]


def find(messages: Sequence[Message]) -> list[Atom]:
    """The memories of a conversation by rules: what the user said, and what they confirmed of what was said to them."""
    atoms: list[Atom] = []
    offers: list[str] = []
    for message in messages:
        if message.role != USER:
            offers = [sentence for sentence, _ in sentences(message.text)][-_OFFERS:]
            continue
        if offers and (agreement := _agreement(message.text)):
            why = f"you confirmed it: {agreement}"
            for offer in offers:
                if proposal := language_of(offer).proposed(offer):
                    atoms += [atom for _, atom in in_sentence(proposal, message.line, message.at, why)]
        offers = []
        for sentence, line in sentences(message.text):
            line = message.line + (0 if message.escaped else line)
            atoms += [atom for _, atom in in_sentence(sentence, line, message.at)]
    return distinct(atoms)


def sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, each with how many line feeds stand before it."""
    line = 0
    for piece in ends.sentences(text):
        if sentence := piece.strip(" \t\n-*•"):
            yield sentence, line + piece[: len(piece) - len(piece.lstrip())].count("\n")
        line += piece.count("\n")


def in_sentence(sentence: str, line: int, at: datetime | None, why: str = "") -> Iterator[tuple[Rule, Atom]]:
    """The memories of a sentence, each with the rule that took it."""
    language = language_of(sentence)
    statement = language.signs["opening"].sub("", sentence).strip()
    if len(statement) > _LONGEST or _CITED.search(statement) or language.signs["not_meant"].search(statement):
        return
    for clause, hit in _grouped(statement, language):
        if not hit:
            continue
        rule, match = hit
        text = one_line(language.signs["joint"].sub("", clause)).strip(" ,，;；、")
        if any(follows.pattern.match(text) for follows in language.follows.values()):  # who "she" is stands before it
            text = one_line(statement)
        lasting = rule.type not in PASSING and not rule.once
        for key, value in _values(rule, match, text):
            yield rule, Atom(
                rule.type, text, key, value, rule.part, lasting, rule.confidence, one_line(sentence), line,
                why or rule.why, rule.stated, at,
            )  # fmt: skip


def _grouped(statement: str, language: Language) -> list[tuple[str, Hit | None]]:
    """The clauses of a statement, each with what it says; those that say nothing belong to the one before them."""
    clauses = _clauses(statement, language)
    hits = [_hit(clause, statement, language) for clause in clauses]
    if not any(hits):
        clauses, hits = [statement], [_hit(statement, statement, language)]
    groups: list[tuple[str, Hit | None]] = []
    for clause, hit in zip(clauses, hits, strict=True):
        text, before = groups[-1] if groups else ("", None)
        if before and not hit and (more := language.follows.get(before[0].type)):
            match = more.pattern.search(clause)
            hit = (more, match) if match else None
        if before and hit and hit[0].confidence < _SURE:
            hit = None
        goes_on = before and hit and before[0].type == hit[0].type and hit[0].type not in KEYED
        if groups and (not hit or not before or goes_on):
            groups[-1] = (text + clause, before or hit)
        else:
            groups.append((clause, hit))
    return groups


def _clauses(statement: str, language: Language) -> list[str]:
    """The statement cut where a new one may begin; joined they give it back."""
    cuts = [0, *(match.start() for match in language.signs["break"].finditer(statement)), len(statement)]
    return [statement[a:b] for a, b in pairwise(cuts) if b > a]


def _hit(clause: str, statement: str, language: Language) -> Hit | None:
    """The first rule that fits a clause, and where."""
    signs = language.signs
    bare = signs["joint"].sub("", clause).strip(" ,，;；.。!！~～")
    asks = statement.rstrip(" \"'”’)").endswith(("?", "？")) and not signs["order"].search(bare)
    once = bool(signs["once"].search(bare) and not signs["lasting"].search(bare))
    for rule in language.rules:
        if (asks and rule.type != "question") or (rule.once and not once):
            continue
        if (match := rule.pattern.search(bare)) and not language.is_barred(rule.type, bare):
            passing = once and rule.type in ("preference", "decision", "fact")
            return replace(rule, once=rule.once or passing), match
    return None


def _values(rule: Rule, match: re.Match[str], text: str) -> list[tuple[str, str]]:
    """Key and value of what a rule took; several when a sentence tells several things of a profile."""
    parts = {
        name.partition("__")[0]: one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }
    if rule.type == "profile":
        return list(parts.items())
    if rule.type == "label":
        return [(parts["who"], parts["what"])] if parts.get("what") else []
    if rule.type == "preference":
        key = rule.key or slug(parts.get("about") or match.string) or slug(text) or "wish"
        return [(key, parts.get("value") or text.rstrip(".。!！"))]
    return [("", "")]


def slug(text: str) -> str:
    """A short name for what a preference is about: its first words that carry meaning."""
    rest = language_of(text).signs["aside"].sub(" ", text.lower())
    kept = [word for word in words.WORD.findall(rest) if not words.is_stop(word)]
    if not kept or not text.isascii():
        kept = re.findall(rf"[{words.CJK}]+|[^\W_]+", rest)
    return "_".join(kept[:3])[:40]


def _agreement(text: str) -> str:
    """The words by which the user said yes, if that is how the message begins."""
    for language in spoken(text):
        if match := language.signs["yes"].match(text.strip()):
            return one_line(match[0])
    return ""
