"""The file path: the files that matter by name, best first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from memcli.recall.search import Field
from memcli.vault.entries import Entry


def find(field: Field) -> Iterator[Entry]:
    """Entries of the files with a priority."""
    priorities = field.vault.settings.recall.priorities
    for path in sorted(priorities, key=lambda name: (-priorities[name], name)):
        at = bisect_left(field.paths, path)
        if field.paths[at : at + 1] == [path]:
            yield from field.entries(path)


def priority(path: str, field: Field) -> float:
    return min(1.0, max(0.0, field.vault.settings.recall.priorities.get(path, 0.0)))
