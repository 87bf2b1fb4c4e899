"""Define a request, and its results before they are packed into a budget."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from memcli.recall.direct import Fact
from memcli.recall.likelihood import BlockEnding
from memcli.recall.readings import DateReading
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault


class Request(NamedTuple):
    """Hold a question with its budget, filters and flags."""

    query: str
    budget: int | None = None
    most: int | None = None  # memories
    since: date | None = None
    until: date | None = None
    tags: tuple[str, ...] = ()
    path: str = ""
    format: str = "md"
    semantic: bool | None = None  # None: as `recall.semantic` says
    fill: bool | None = None  # fill the budget even with unlikely memories; None: as `recall.fill` says


class SearchResult(NamedTuple):
    """Hold the ranked results of a question, before they are packed into a budget."""

    vault: Vault
    request: Request
    budget: int
    facts: list[Fact]
    fresh: list[Entry]
    ranked: list[ScoredMemory]
    most: int
    matched: bool
    note: str  # says what memory lacks, or ""
    search: VaultSearch
    ending: BlockEnding
    dates: tuple[DateReading, ...] = ()
    ends_early: bool = False  # after the likely memories, even when the budget is not full
    newer: dict[Entry, ScoredMemory] = {}  # what a newer memory says on the subject of an older one

    @property
    def shape(self) -> str:
        return self.request.format if self.request.format != "json" else "md"
