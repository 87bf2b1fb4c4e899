"""Hold the state of one search, which all paths share: the files in scope, the matches, and each parsed document."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from functools import cached_property
from typing import Any, TypeVar

from memcli.errors import MemError
from memcli.recall import large
from memcli.recall.properties import read_properties
from memcli.recall.query import Query
from memcli.vault import layout, snapshots
from memcli.vault.entries import Document, Entry
from memcli.vault.search import Findings, Tally
from memcli.vault.vault import Filter, Vault

T = TypeVar("T")


class VaultSearch:
    """Hold everything that one recall has read from the vault. Documents are parsed at most once."""

    def __init__(
        self, vault: Vault, query: Query, want: Filter, paths: list[str], findings: Findings, semantic: bool = False
    ) -> None:
        self.vault, self.query, self.want, self.findings = vault, query, want, findings
        self.paths = paths  # in order
        self.semantic = semantic  # whether meaning is asked for
        self.known: dict[Callable[..., Any], Any] = {}  # results of `cached_per_search`
        self._documents: dict[str, Document | None] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._large: set[str] = set()

    def document(self, path: str) -> Document | None:
        """Return the parsed file, or only the matching parts of a large one. Return None, with a notice, when it can't
        be read."""
        if path not in self._documents:
            self._documents[path] = self._parse(path, lambda text: self._excerpt(path, text))
        return self._documents[path]

    def entries(self, path: str) -> list[Entry]:
        """Return the document's entries that the filters admit and that are still in force."""
        if path not in self._entries:
            self._entries[path] = self._filter(self.document(path))
        return self._entries[path]

    def text(self, path: str) -> str:
        """Return the words of the file's entries, joined."""
        return "\n".join(entry.raw for entry in self.entries(path))

    def whole_file(self, path: str) -> list[Entry]:
        """Return the entries of the whole file, even if it is large, for callers that don't search by words."""
        entries = self.entries(path)
        return self._filter(self._parse(path)) if path in self._large else entries

    def _parse(self, path: str, cut: Callable[[str], str] = str) -> Document | None:
        try:
            return self.vault.document(path, cut)
        except MemError as error:
            self.vault.notice(error.message)
            return None

    def _excerpt(self, path: str, text: str) -> str:
        if len(text) <= large.LARGE:
            return text
        self._large.add(path)
        return large.cut_to_matches(text, rate_lines(self, path))

    def _filter(self, document: Document | None) -> list[Entry]:
        if document is None or snapshots.expired(document, self.today):
            return []
        return [entry for entry in (*read_properties(document), *document.entries) if self.want.admits(entry)]

    @property
    def opened(self) -> list[str]:
        return sorted(path for path, document in self._documents.items() if document)

    @cached_property
    def today(self) -> date:
        """Return today's date. It stays the same during a question, even past midnight."""
        return self.vault.today

    def age_factor(self, day: date) -> float:
        """Return the factor for age: 1 / (1 + decay * days). A day in the future counts like a day in the past."""
        return 1 / (1 + max(0.0, self.vault.settings.recall.decay) * abs((self.today - day).days))

    def snapshot_factor(self, path: str) -> float:
        """Return the factor for the age of a snapshot; 1 for any other file."""
        day = layout.day_of(path) if layout.kind_of(path) == "snapshot" else None
        return self.age_factor(day) if day else 1.0


def cached_per_search(work: Callable[[VaultSearch], T]) -> Callable[[VaultSearch], T]:
    """Cache the result of `work` for each search."""

    def known(search: VaultSearch) -> T:
        if work not in search.known:
            search.known[work] = work(search)
        result: T = search.known[work]
        return result

    return known


@cached_per_search
def tally(search: VaultSearch) -> Tally:
    """Return how often each term of the question stands in the matching lines."""
    return search.findings.tally(search.query.terms)


def idf(number: int, having: int) -> float:
    """Return the inverse document frequency of a word that `having` of `number` lines contain."""
    having = min(having, number)  # a match in the file's name is counted in addition to its lines
    return math.log(1 + (number - having + 0.5) / (having + 0.5))


def rate_lines(search: VaultSearch, path: str) -> dict[int, float]:
    """Return how well each line of a file matches the question; rare words count more."""
    found = tally(search)
    commonest = max(found.entries, default=0)
    known: dict[int, float] = defaultdict(float)
    for term, count, lines in zip(search.query.terms, found.entries, found.lines(path), strict=True):
        rarity = term.weight * idf(commonest, count)
        for line in lines:
            known[line] += rarity
    return known
