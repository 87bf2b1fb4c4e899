"""Interpret the words of notes (`language/*/nudge.txt`): what they say, their subject, and the days they name."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from memcli.text import dates, phrases, words
from memcli.text.dates import NO_DATE, DateSpan

NEAR = 150  # a date without a year means the coming one if it is at most so many days ahead
NUMBER = re.compile(r"[0-9]")
CLAUSE_END = re.compile(r"[,;，；。.]")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


@lru_cache(maxsize=65536)
def says(sign: str, text: str) -> re.Match[str] | None:
    """Return the first match in a text for a sign of the tables, or None."""
    return phrases.find_phrase("nudge/nudge", sign, text)


@lru_cache(maxsize=8192)
def keys(text: str) -> frozenset[str]:
    """Return the keys of a text's subject, in the form that `Note.low` is searched for: roots of words, and pairs of
    Chinese characters."""
    latin = (word for word in words.words(text) if len(word) > 2 and not words.is_stop(word) and not word[0].isdigit())
    return frozenset(f" {_root(word)}" for word in latin) | words.pairs(text)


@lru_cache(maxsize=8192)
def what_was_done(text: str) -> frozenset[str]:
    """Return the keys of the clause that says what was done, without its verb; or none."""
    clause = next((part for part in CLAUSE_END.split(text) if says("done", part)), "")
    match = says("done", clause)
    return keys(f"{clause[: match.start()]} {clause[match.end() :]}") if match else frozenset()


@lru_cache(maxsize=16384)
def _root(word: str) -> str:
    """Return the beginning that a word shares with its stem, so that it is found in both."""
    stem = words.stem(word)
    return word[
        : next((at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem))
    ]


@lru_cache(maxsize=8192)
def ahead(text: str, written: date) -> list[DateSpan]:
    """Return the days that a plan or a rule names, without those of a plan that was dropped. A recurring day means its
    next turn."""
    try:
        return dates.find_coming_dates(_blanked(text, "monthly", "former"), written)  # 每月5号 is the coming 5号
    except NO_DATE:
        return []


@lru_cache(maxsize=8192)
def days_told(text: str, written: date) -> list[DateSpan]:
    """Return the days that a note mentions, each interpreted in the tense of its sentence, without those of a plan that
    was dropped."""
    try:
        return dates.find_asked_dates(_blanked(text, "former"), written)
    except NO_DATE:
        return []


def is_off(text: str) -> bool:
    """Return whether a text says that its plan was dropped, and names none in its place."""
    return says("cancelled", _blanked(text, "former")) is not None


def _blanked(text: str, *signs: str) -> str:
    """Return a text with blanks where it says one of these."""
    for aside in (says(sign, text) for sign in signs):
        if aside:
            text = text[: aside.start()] + " " * len(aside[0]) + text[aside.end() :]
    return text


@lru_cache(maxsize=8192)
def plans(text: str, written: date) -> list[DateSpan]:
    """Return the coming days that a note mentions: those interpreted in the tense of its sentence, and near dates with
    a number. Somebody who "rang the vet, jab on 12 May" in April means the coming May, whatever the tense."""
    known = days_told(text, written)
    near = [
        span for span in ahead(text, written)
        if NUMBER.search(span.text) and 0 <= (span.first - written).days <= NEAR and span not in known
    ]  # fmt: skip
    return sorted([*known, *near])


def sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part.strip()]
