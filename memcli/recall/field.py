"""The field a recall looks over: which files count, what ripgrep found in them, and documents read once.

The only module that talks to ripgrep. No index: the matches themselves tell how common each word is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from memcli.errors import MemError
from memcli.recall.query import Query
from memcli.vault import layout
from memcli.vault.entries import Document, Entry
from memcli.vault.vault import Filter, Vault

_FIELD = "\x1f"  # between line number and text
OPEN_BOX = r"^\s*(?:[-*+]|\d+[.)])\s+\[ \]"  # of a task
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Hit(NamedTuple):
    """A line of a file in which something was found."""

    line: int
    text: str


@dataclass
class Field:
    """What one recall knows of the vault. Documents are parsed at most once."""

    vault: Vault
    query: Query
    want: Filter
    paths: list[str]
    hits: dict[str, list[Hit]]  # by file; files without a match are absent
    notes: dict[str, object] = field(default_factory=dict)  # what a path worked out and others use
    _documents: dict[str, Document | None] = field(default_factory=dict)

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
        document = self.document(path)
        if document is None or expired(document, self.vault.today):
            return []
        return [entry for entry in document.entries if self.want.admits(entry)]

    @property
    def opened(self) -> list[str]:
        return sorted(path for path, document in self._documents.items() if document)


def look(vault: Vault, query: Query, want: Filter) -> Field:
    """One pass of ripgrep over the vault for all that the query asks for."""
    paths = vault.files(want)
    return Field(vault, query, want, paths, search(vault, paths, list(_patterns(query))))


def search(vault: Vault, paths: list[str], patterns: list[str]) -> dict[str, list[Hit]]:
    """Matching lines by file. Files are given by name, so what .gitignore says does not hide a memory."""
    if not paths or not patterns:
        return {}
    import python_ripgrep

    root = f"{vault.root}/"
    known = set(paths)
    one = "(?i)(?:" + "|".join(f"(?:{each})" for each in patterns) + ")"
    found: dict[str, list[Hit]] = {}
    blocks = python_ripgrep.search(
        [one], [root + path for path in paths], line_number=True, separator_field_match=_FIELD,
        heading=True,  # said in any case: by itself it depends on whether stdout is a terminal
    )  # fmt: skip
    for block in blocks:
        lines = block.split("\n")
        path = paths[0] if len(paths) == 1 else lines[0][len(root) :]  # a single file is searched without naming it
        parts = [line.split(_FIELD, 1) for line in lines]
        hits = [Hit(int(each[0]), each[1]) for each in parts if len(each) == 2 and each[0].isdigit()]
        if hits and path in known:
            found.setdefault(path, []).extend(hits)
    return found


def expired(document: Document, today: date) -> bool:
    """Whether a snapshot's time is over."""
    until = document.front.get("expires")
    day = layout.day_in(str(until)) if until else None
    return day is not None and day < today


def _patterns(query: Query) -> Iterable[str]:
    for term in query.terms:
        yield from (form.regex for form in term.forms)
    for tag in (*query.tags, *query.hinted):
        yield re.escape(tag)  # with its `#` in a note, without in front matter
    if query.kind == "task":
        yield OPEN_BOX
    for span in query.spans:
        yield from _days(span.first, span.last)


def _days(first: date, last: date) -> Iterable[str]:
    """Days written in headings or fields, so that a date finds its notes in files that carry none in their name.
    Of a span longer than two months only the text path reads those."""
    length = (last - first).days
    if length > 62:
        return
    days = [*(first + timedelta(step) for step in range(0, length, 28)), last]
    for year, month in sorted({(day.year, day.month) for day in days}):
        name = _MONTHS[month - 1]
        # Each begins with letters or digits that are sure, so that ripgrep skips most text without trying.
        yield rf"{year}(?:[-/._年]\s?0?{month}[-/._月]|{month:02}[0-3]\d\b)"
        yield rf"{name}[a-z]*\.?,?\s+(?:\d+(?:st|nd|rd|th)?,?\s+)?{year}"
