"""Decide when snapshots of a conversation expire, and which few of them a question gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from memcli.text.entities import named_in_both
from memcli.vault import layout
from memcli.vault.entries import Document

HOLDS = timedelta(days=7)  # lifetime of a snapshot whose file gives no expiry
MOST, AMONG = 2, 10  # the most snapshots of a question, and the candidates they are chosen from


def ends(document: Document) -> datetime | None:
    """Return when a file expires: as it says, or a week after a snapshot was made. None means never."""
    until = moment(document.front.get("expires"), whole=True)
    if until or layout.kind_of(document.path) != "snapshot":
        return until
    made = moment(document.front.get("created")) or moment(layout.day_of(document.path))
    return made + HOLDS if made else None


def expired(document: Document, today: date) -> bool:
    """Return whether a file's last day is over, so that a question has the same answer all day."""
    over = ends(document)
    return over is not None and over.date() < today


def best(
    question: str, likest: Iterable[str], decayed: Callable[[str], float], text: Callable[[str], str]
) -> list[str]:
    """Return the snapshots that a question gets, best first: of the most similar, those recent or of the same
    entities."""
    worth = {path: decayed(path) * (1 + named_in_both(question, text(path))) for path in islice(likest, AMONG)}
    return sorted(worth, key=lambda path: -worth[path])[:MOST]


def moment(value: Any, whole: bool = False) -> datetime | None:
    """Return a time from YAML or JSON in local time, or None; a day, or with `whole` a time on it, means the day's
    end."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00")) if ":" in value else layout.day_in(value)
        except ValueError:
            value = layout.day_in(value)
    if isinstance(value, datetime):
        try:
            local = value.astimezone().replace(tzinfo=None) if value.tzinfo else value
        except OverflowError:  # the last day there is, which programs write for never
            local = value.replace(tzinfo=None)
        return datetime.combine(local.date(), time.max) if whole else local
    return datetime.combine(value, time.max) if isinstance(value, date) else None
