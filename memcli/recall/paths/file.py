"""Find candidates in files with a priority, such as `MEMORY.md`, best first: the file path."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from memcli.recall.search_state import VaultSearch
from memcli.recall_path import RecallPath
from memcli.vault import layout
from memcli.vault.entries import Entry


def find_entries(search: VaultSearch) -> Iterator[Entry]:
    """Yield the entries of the files with a priority."""
    priorities = search.vault.settings.recall.priorities
    ranked = sorted(priorities, key=lambda name: (-priorities[name], name))
    for path in dict.fromkeys(f"{space}{name}" for name in ranked for space in ("", search.vault.space)):
        at = bisect_left(search.paths, path)
        if search.paths[at : at + 1] == [path]:
            yield from search.entries(path)


def priority(search: VaultSearch, entry: Entry) -> float:
    return search.vault.settings.recall.priorities.get(layout.split(entry.path)[1], 0.0)


PATH = RecallPath("file", "file", 0.05, find_entries, priority, leads=False)
