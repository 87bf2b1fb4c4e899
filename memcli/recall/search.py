"""The field a recall looks over: which files count, what was found in them, and documents read once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from memcli.errors import MemError
from memcli.recall.query import Query
from memcli.vault import layout, snapshots
from memcli.vault.entries import Document, Entry
from memcli.vault.search import Findings, Look
from memcli.vault.vault import Filter, Vault

OPEN_BOX = r"^\s*(?:[-*+]|\d+[.)])\s+\[ \]"  # of a task
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass
class Field:
    """What one recall knows of the vault. Documents are parsed at most once."""

    vault: Vault
    query: Query
    want: Filter
    paths: list[str]  # in order
    findings: Findings
    semantic: bool = False  # whether meaning is asked for
    notes: dict[str, object] = field(default_factory=dict)  # what a path worked out and others use
    _documents: dict[str, Document | None] = field(default_factory=dict)
    _entries: dict[str, list[Entry]] = field(default_factory=dict)

    def document(self, path: str) -> Document | None:
        """The parsed file; None, with a notice, when it vanished or can't be read."""
        if path not in self._documents:
            try:
                self._documents[path] = self.vault.document(path)
            except MemError as error:
                self.vault.notice(error.message)
                self._documents[path] = None
        return self._documents[path]

    def entries(self, path: str) -> list[Entry]:
        """The file's entries that the filters admit and that are still in force."""
        if path not in self._entries:
            document = self.document(path)
            there = document is not None and not snapshots.expired(document, self.vault.today)
            self._entries[path] = [e for e in document.entries if self.want.admits(e)] if document and there else []
        return self._entries[path]

    @property
    def opened(self) -> list[str]:
        return sorted(path for path, document in self._documents.items() if document)


def look(vault: Vault, query: Query, want: Filter, semantic: bool = False) -> Field:
    """One search of the vault for all that the query asks for."""
    paths = vault.files(want)
    return Field(vault, query, want, paths, vault.search(paths, query.terms, list(_looks(query))), semantic)


def decayed(field: Field, day: date) -> float:
    """What time leaves of something: 1 / (1 + decay * days)."""
    days = max(0, (field.vault.today - day).days)
    return 1 / (1 + max(0.0, field.vault.settings.recall.decay) * days)


def left(field: Field, path: str) -> float:
    """What time leaves of a snapshot; of anything else, all."""
    day = layout.day_of(path) if layout.kind_of(path) == "snapshot" else None
    return decayed(field, day) if day else 1.0


def _looks(query: Query) -> Iterable[Look]:
    for tag in (*query.tags, *query.hinted):
        yield Look(tag.lower(), re.escape(tag))  # with its `#` in a note, without in front matter
    if query.kind == "task":
        yield Look("[ ]", OPEN_BOX)
    for span in query.spans:
        yield from _days(span.first, span.last)


def _days(first: date, last: date) -> Iterable[Look]:
    """Days written in headings or fields, so that a date finds its notes in files that carry none in their name.
    Of a span longer than two months only the text path reads those."""
    length = (last - first).days
    if length > 62:
        return
    days = [*(first + timedelta(step) for step in range(0, length, 28)), last]
    for year, month in sorted({(day.year, day.month) for day in days}):
        name = _MONTHS[month - 1]
        # Each begins with letters or digits that are sure, so that ripgrep skips most text without trying.
        yield Look(f"{year}", rf"{year}(?:[-/._年]\s?0?{month}[-/._月]|{month:02}[0-3]\d\b)")
        yield Look(f"{year}", rf"{name}[a-z]*\.?,?\s+(?:\d+(?:st|nd|rd|th)?,?\s+)?{year}")
