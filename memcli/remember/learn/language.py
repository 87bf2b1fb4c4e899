"""How learning hears a language: the table `memcli/language/*/learn.txt`, read when a sentence of that language comes.

The head of each table explains its rows; `text/tables.py` makes regular expressions of what they say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memcli.text import words
from memcli.text.tables import LANGUAGE, Row, expression, rows

# What a sentence is asked beside the rules; a language that has no row for one of them never finds it.
SIGNS = (
    "opening", "break", "joint", "once", "lasting", "order", "not_meant", "yes", "aside", "offer", "asked",
)  # fmt: skip
_NEVER = re.compile(r"(?!)")
_LATIN = re.compile("[A-Za-z]")


@dataclass(frozen=True)
class Rule:
    """How one kind of memory is said. What it captures are keys of a profile, `who` and `what` of a label, `about` and
    `value` of a preference."""

    name: str
    type: str
    pattern: re.Pattern[str]
    why: str
    once: bool = False  # holds for one occasion only, or not at all
    stated: bool = True  # false: concluded from what the user does
    confidence: float = 0.8
    key: str = ""  # of a preference that is always about the same thing
    part: str = ""  # of a label: phone or address, if it is that
    after: str = ""  # only in a clause that follows a memory of this type


@dataclass(frozen=True)
class Language:
    signs: dict[str, re.Pattern[str]]
    barred: dict[str, re.Pattern[str]]  # type → what is no memory of it, though it looks like one
    rules: tuple[Rule, ...]  # the first that fits a clause names it
    follows: dict[str, Rule]  # type → what a clause behind such a memory says more about it
    turns: tuple[tuple[re.Pattern[str], str], ...]  # what was proposed, put into the mouth of the one who agrees

    def is_barred(self, type: str, clause: str) -> bool:
        return type in self.barred and bool(self.barred[type].search(clause))

    def proposed(self, sentence: str) -> str:
        """What somebody else proposed to the user, in the user's own words; empty when it is no proposal."""
        if not self.signs["offer"].search(sentence):
            return ""
        for pattern, turned in self.turns:
            sentence = pattern.sub(turned, sentence)
        return "" if self.signs["asked"].match(sentence) else sentence


def language_of(text: str) -> Language:
    """The language a sentence is in."""
    return named("zh" if words.CJK_RUN.search(text) else "en")


def spoken(text: str) -> list[Language]:
    """The languages a text has letters of."""
    return [named(name) for name, letter in (("en", _LATIN), ("zh", words.CJK_RUN)) if letter.search(text)]


@cache
def named(name: str) -> Language:
    signs: dict[str, list[str]] = {sign: [] for sign in SIGNS}
    barred: dict[str, list[str]] = {}
    found: list[Rule] = []
    turns: list[tuple[re.Pattern[str], str]] = []
    pieces: dict[str, str] = {}
    for row in rows(LANGUAGE / name / "learn.txt"):
        kind, (title, *_) = next(iter(row.items()))
        if kind == "piece":
            pieces[title] = f"(?:{expression(row['is'], pieces)})"
            continue
        says = expression(row["says"], pieces)
        if kind == "sign":
            signs[title].append(says)
        elif kind == "never":
            barred.setdefault(title, []).append(says)
        elif kind == "turn":
            turns.append((_compiled(says), row["into"][0]))
        else:
            found.append(_rule(row, _compiled(says)))
    return Language(
        {sign: _compiled("|".join(ways)) if ways else _NEVER for sign, ways in signs.items()},
        {type: _compiled("|".join(ways)) for type, ways in barred.items()},
        tuple(rule for rule in found if not rule.after),
        {rule.after: rule for rule in found if rule.after},
        tuple(turns),
    )


def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.I)


def _rule(row: Row, pattern: re.Pattern[str]) -> Rule:
    said = {column: lines[0] for column, lines in row.items()}
    return Rule(
        said["rule"], said["type"], pattern, said["why"], said.get("holds") == "once", "inferred" not in row,
        float(said.get("sure", 0.8)), said.get("key", ""), said.get("part", ""), said.get("after", ""),
    )  # fmt: skip
