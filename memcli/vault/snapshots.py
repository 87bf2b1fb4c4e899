"""Snapshots, what was done in a talk: how long they hold, and how few of them a question gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from memcli.text.entities import named_in_both
from memcli.vault import layout
from memcli.vault.entries import Document

HOLDS = timedelta(days=7)  # after it was made, when it does not say itself when it expires
MOST, AMONG = 2, 10  # so many of the likest so many, once time and names have had their share


def ends(document: Document) -> datetime | None:
    """Until when a file holds: what it says itself, and a snapshot that says nothing a week. None: for good."""
    until = moment(document.front.get("expires"), whole=True)
    if until or layout.kind_of(document.path) != "snapshot":
        return until
    made = moment(document.front.get("created")) or moment(layout.day_of(document.path))
    return made + HOLDS if made else None


def expired(document: Document, today: date) -> bool:
    """Whether its time is over. A question gets one answer all day long, so it is there until its last day ends."""
    over = ends(document)
    return over is not None and over.date() < today


def best(
    question: str, likest: Iterable[str], decayed: Callable[[str], float], text: Callable[[str], str]
) -> list[str]:
    """The snapshots a question gets of those it finds, the likest first: those of which time leaves most, and more of
    those that name what the question names."""
    worth = {path: decayed(path) * (1 + named_in_both(question, text(path))) for path in islice(likest, AMONG)}
    return sorted(worth, key=lambda path: -worth[path])[:MOST]


def moment(value: Any, whole: bool = False) -> datetime | None:
    """A time as YAML or JSON may give it; a day without a time, or with `whole` any day, lasts until its end."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00")) if ":" in value else layout.day_in(value)
        except ValueError:
            value = layout.day_in(value)
    if isinstance(value, datetime):
        local = value.astimezone().replace(tzinfo=None) if value.tzinfo else value
        return datetime.combine(local.date(), time.max) if whole else local
    return datetime.combine(value, time.max) if isinstance(value, date) else None
