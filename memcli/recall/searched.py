"""What was searched for one question: which files count, what was found, documents read once. All paths work on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from memcli.errors import MemError
from memcli.recall.properties import properties
from memcli.recall.query import Query
from memcli.vault import layout, snapshots
from memcli.vault.entries import Document, Entry
from memcli.vault.search import Findings
from memcli.vault.vault import Filter, Vault

T = TypeVar("T")


@dataclass
class Searched:
    """What one recall knows of the vault. Documents are parsed at most once."""

    vault: Vault
    query: Query
    want: Filter
    paths: list[str]  # in order
    findings: Findings
    semantic: bool = False  # whether meaning is asked for
    known: dict[Callable[..., Any], Any] = field(default_factory=dict)  # what `once` has worked out
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
            every = (*properties(document), *document.entries) if document and there else ()
            self._entries[path] = [entry for entry in every if self.want.admits(entry)]
        return self._entries[path]

    def text(self, path: str) -> str:
        """What the file's entries say."""
        return "\n".join(entry.raw for entry in self.entries(path))

    @property
    def opened(self) -> list[str]:
        return sorted(path for path, document in self._documents.items() if document)

    def decayed(self, day: date) -> float:
        """What time leaves of something: 1 / (1 + decay * days). What is dated ahead is as far as it lies: no today."""
        days = abs((self.vault.today - day).days)
        return 1 / (1 + max(0.0, self.vault.settings.recall.decay) * days)

    def faded(self, path: str) -> float:
        """What time leaves of a snapshot; of anything else, all."""
        day = layout.day_of(path) if layout.kind_of(path) == "snapshot" else None
        return self.decayed(day) if day else 1.0


def once(work: Callable[[Searched], T]) -> Callable[[Searched], T]:
    """For what is worked out of a search at most once."""

    def known(search: Searched) -> T:
        if work not in search.known:
            search.known[work] = work(search)
        result: T = search.known[work]
        return result

    return known
