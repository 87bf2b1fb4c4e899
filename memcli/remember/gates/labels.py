"""What people call a secret, and how they say one: the tables `labels.txt` and `prose.txt`, and where their words stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memcli.text import tables
from memcli.text.simplified import simplified

LABELS, PROSE = (Path(__file__).with_name(name) for name in ("labels.txt", "prose.txt"))

_PUBLIC = re.compile(r"public[ _-]?\Z", re.I)
_BY_ITSELF = 4  # a word of so many letters is taken by itself only: `pin`, not `shipping`


@dataclass(frozen=True)
class Label:
    """A name for a secret: its kind for the gate, and how what it names looks."""

    word: str
    kind: str
    value: str


@dataclass(frozen=True)
class Place:
    """Where a label stands in a text."""

    label: Label
    start: int
    stop: int


@lru_cache(maxsize=1)
def labels() -> dict[str, Label]:
    """All labels by their words. A word that the table writes in capitals is only taken in capitals."""
    known: dict[str, Label] = {}
    for row in tables.rows(LABELS):
        for word in map(simplified, comma_separated(row["words"])):
            known.setdefault(word, Label(word, row["kind"][0], row["value"][0]))
    return known


@lru_cache(maxsize=1)
def cues() -> tuple[str, ...]:
    """The words, in lower case, one of which every labelled secret has; those that hold another of them are left out."""
    kept: list[str] = []
    for word in sorted({word.lower() for word in labels()}, key=len):
        if not any(short in word for short in kept):
            kept.append(word)
    return tuple(kept)


def places(text: str, low: str) -> Iterator[Place]:
    """Where labels stand, the longest where several begin; `low` is the text in lower case."""
    known = labels()
    there = sorted((word for word in known if word.lower() in low), key=len, reverse=True)
    if not there:
        return
    by_word = {word.lower(): known[word] for word in reversed(there)}
    for match in _any_of(tuple(there)).finditer(text):
        word = match[0].lower()
        label = next(by_word[form] for form in (word, word[:-1], word[:-2]) if form in by_word)
        if label.kind != "api_key" or not _PUBLIC.search(text, max(0, match.start() - 8), match.start()):
            yield Place(label, *match.span())


@lru_cache(maxsize=64)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_shape, words)))


def _shape(word: str) -> str:
    """A word as it may stand in a text: `db_password`, `adminPassword`, `API-Key`, but not `tokenizer`."""
    capitals = word.isupper()
    shape = re.escape(word) if capitals else f"(?i:{re.escape(word)})"
    if not word[-1].isascii() and not word[-1].isalpha() or "\u3040" <= word[-1]:
        return shape
    alone = len(word) <= _BY_ITSELF or capitals
    before = "(?<![A-Za-zÀ-ÿ])" if alone else "(?<![a-zà-ÿ](?-i:(?=[a-zà-ÿ])))"
    plural = "" if alone else "(?:e?s)?"
    return f"{before}{shape}{plural}(?-i:(?![a-zà-ÿ]))"


def comma_separated(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from filter(None, (word.strip() for word in line.split(", ")))


@lru_cache(maxsize=8)
def said(way: str) -> frozenset[str]:
    """The words of all languages under one key of `prose.txt`: says, first, talk, units."""
    rows = tables.rows(PROSE)
    return frozenset(simplified(word).lower() for row in rows for word in comma_separated(row.get(way, ())))
