"""A recall path that suggests places for questions with 'where'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.extend import LinePattern, RecallPath


def asks(query: Any) -> bool:
    return "where" in query.raw.lower()


def looks(query: Any) -> Iterator[LinePattern]:
    """Yield what the one search of the vault is to find besides the words of the question."""
    if asks(query):
        yield LinePattern("#place", "#place")


def find(search: Any) -> Iterator[Any]:
    if asks(search.query):
        for path in search.findings.files_with(lambda line: "#place" in line):
            yield from (entry for entry in search.entries(path) if "place" in entry.tags)


def strength(search: Any, entry: Any) -> float:
    return 1.0 if asks(search.query) and "place" in entry.tags else 0.0


PATH = RecallPath("places", "places", 2.0, find, strength, leads=True, looks=looks)
