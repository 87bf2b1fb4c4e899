"""Taking memories out: what a filter says, in a format that others read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time

from memcli.errors import UsageError
from memcli.move.formats import FORMATS, Format, load
from memcli.move.items import Statement
from memcli.remember import redacted
from memcli.vault.entries import Entry
from memcli.vault.gates import KINDS, REDACT
from memcli.vault.vault import Filter, Vault

_TAGS = re.compile(r"(?:[ \t]+#[^\s#]+)*[ \t]*(?=\n|\Z)")  # behind the words; they are told apart from them


def exportable() -> list[str]:
    """The names of the formats that can be written."""
    return [name for name in FORMATS if load(name).write]


def export(vault: Vault, want: Filter, to: str, redact: bool = False) -> tuple[Format, Iterator[str]]:
    """The format, and the pieces of its text; `redact` blacks out all that the gates know."""
    format = load(to)
    if not format.write:
        raise UsageError(f"mem does not write {to}", f"one of {', '.join(exportable())}")
    return format, format.write(statements(vault, want, redact))


def statements(vault: Vault, want: Filter, redact: bool = False) -> Iterator[Statement]:
    """The memories, oldest first within each file."""
    rules = dict.fromkeys(KINDS, REDACT)
    for entry in vault.entries(want):
        text = redacted(entry.words, rules)[0] if redact else entry.words
        if text:
            yield _statement(entry, text)


def _statement(entry: Entry, text: str) -> Statement:
    fields = entry.fields
    at = None
    if entry.day:
        clock = time.fromisoformat(entry.time) if entry.time else _clock(fields.get("date", ""))
        at = datetime.combine(entry.day, clock)
        text = text.removeprefix(f"{entry.time} ") if entry.time else text
    return Statement(
        _TAGS.sub("", text), fields.get("source") or f"mem:{entry.id.lstrip('^')}", entry.type or "", at, entry.tags,
        _number(fields.get("confidence")), entry.importance, fields.get("author", ""),
        f"mem:{entry.superseded}" if entry.superseded and ":" not in entry.superseded else entry.superseded or "",
    )  # fmt: skip


def _clock(date: str) -> time:
    """The time behind a date, as imported memories have it."""
    try:
        return datetime.fromisoformat(date.strip()).time()
    except ValueError:
        return time()


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
