"""Explain how the dates of a question were read, for the block, --explain, --verbose and --json."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from memcli.message import Message
from memcli.recall.paths import time
from memcli.recall.search_state import VaultSearch
from memcli.text.clean import one_line, tame
from memcli.text.dates import EPOCH, DateSpan
from memcli.vault import layout
from memcli.vault.entries import Entry

LONGEST = 40  # characters of a phrase
MOST = 4  # the most phrases in the block; a question with more is not about days


class DateReading(NamedTuple):
    phrase: str  # as the question has it
    days: tuple[tuple[date, date], ...]  # first and last, both inclusive
    noted: bool  # whether a note is from these days or has a plan for them

    @property
    def line(self) -> str:
        """Return the phrase with its days, as in `Thursday: 2026-11-19 and 2026-11-26`."""
        return f"{tame(one_line(self.phrase, LONGEST))}: {' and '.join(_period(*days) for days in self.days)}"

    def as_json(self) -> dict[str, Any]:
        return {
            "phrase": self.phrase,
            "days": [[first.isoformat(), last.isoformat()] for first, last in self.days],
            "noted": self.noted,
        }


def read_dates(search: VaultSearch, candidates: Iterable[Entry]) -> tuple[DateReading, ...]:
    """Return one DateReading for each time expression in the question, in order."""
    spans: dict[int, list[DateSpan]] = {}
    for span in time.asked_spans(search):
        spans.setdefault(span.start, []).append(span)
    entries = list(candidates) if spans else []
    return tuple(
        DateReading(
            turns[0].text,
            tuple((span.first, span.last) for span in turns),
            any(_is_noted(search, span, entries) for span in turns),
        )
        for turns in spans.values()
    )


def _is_noted(search: VaultSearch, span: DateSpan, entries: list[Entry]) -> bool:
    if layout.dated(search.paths, span.first, span.last):
        return True
    return any(time.is_about(entry, span, search.query) for entry in entries)


def dates_line(known: Iterable[DateReading]) -> str:
    """Return the block's line about dates, each once, or "" when the question names no day in words."""
    lines = dict.fromkeys(each.line for each in known if each.line != f"{each.phrase}: {each.phrase}")
    return "; ".join(list(lines)[:MOST])


def _period(first: date, last: date) -> str:
    if first == last:
        return str(first)
    return (
        Message("until {time}", time=last) if first == EPOCH else Message("{first} to {last}", first=first, last=last)
    )
