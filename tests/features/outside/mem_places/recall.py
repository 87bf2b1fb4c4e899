"""A recall path that suggests places for questions with 'where'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.extend import RecallPath


def find(search: Any) -> Iterator[Any]:
    if "where" in search.query.raw.lower():
        yield from (entry for path in search.paths for entry in search.entries(path) if "place" in entry.tags)


def strength(search: Any, entry: Any) -> float:
    return 1.0 if "where" in search.query.raw.lower() and "place" in entry.tags else 0.0


PATH = RecallPath("places", "places", 2.0, find, strength, leads=True)
