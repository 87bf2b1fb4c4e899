"""Find what holds now: when an older note is shown, the newest note on the same subject is shown with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain

from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.text import words
from memcli.vault import layout
from memcli.vault.entries import Entry

READ = 60  # files that are read for what superseded a memory
CHAIN = 5  # the most steps from a superseded memory to the one in force
LOOKED = 3  # for so many of the best memories a newer one is searched
AMONG = 40  # the newer one is searched among so many of the best memories
ALIKE = 0.3  # two notes with at least this share of common words are on one subject


def find_newer(
    search: VaultSearch, best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]
) -> dict[Entry, ScoredMemory]:
    """Map each of the best memories to the one that superseded it, or else to the newest memory on the same subject.
    Memories without a newer one are left out. The newer one may be `ranked` too low to be shown otherwise."""
    found = {}
    likely, led_to = {each.entry for each in best}, [each.entry for each in ranked]
    for old in best[:LOOKED]:
        if (by := _successor(search, old.entry, led_to)) and by not in likely:
            found[old.entry] = next((each for each in ranked if each.entry == by), old._replace(entry=by, matched=()))
            continue
        later = [each for each in ranked[:AMONG] if _is_later(each.entry, old.entry) and _is_of_one_subject(old, each)]
        if later:
            found[old.entry] = max(
                later, key=lambda each: (str(each.entry.day), each.entry.time or "", each.entry.line)
            )
    return found


def newest_first(ranked: Sequence[ScoredMemory], newer: dict[Entry, ScoredMemory]) -> list[ScoredMemory]:
    """Return the ranked memories, each preceded by its newer memory if it has one."""
    order: dict[Entry, ScoredMemory] = {}
    for each in ranked:
        for one in (newer.get(each.entry), each):
            if one:
                order.setdefault(one.entry, one)
    return list(order.values())


def _successor(search: VaultSearch, entry: Entry, led_to: Sequence[Entry]) -> Entry | None:
    """Return the memory in force that replaced a superseded one, or None. Other files are read when it is not among the
    search results, since it may share no word with the question."""
    found: Entry | None = None
    for _ in range(CHAIN):
        name = ((found or entry).superseded or "").removeprefix("^")
        every = chain(led_to, _written_since(search, entry))
        new = name and next((each for each in every if _is_called(each, name)), None)
        if not new or new == entry:
            break
        found = new
    return found


def _written_since(search: VaultSearch, entry: Entry) -> Iterator[Entry]:
    """Yield memories that may supersede this one, the likeliest first: its own file, later logs, the rest."""
    first = entry.day or date.min
    days = {path: layout.day_of(path) for path in search.paths}
    order = sorted(
        days, key=lambda path: (path != entry.path, (days[path] or date.max) < first, days[path] or date.max)
    )
    return (each for path in order[:READ] for each in search.entries(path))


def _is_called(entry: Entry, name: str) -> bool:
    return entry.block_id == name or (len(name) >= 7 and entry.hash.startswith(name))


def _is_later(one: Entry, other: Entry) -> bool:
    """Return whether a memory was noted on a later day than another, or below it in the log of one day."""
    if not (one.day and other.day) or one.day != other.day:
        return bool(one.day and other.day and one.day > other.day)
    return one.path == other.path and one.line > other.line


def _is_of_one_subject(one: ScoredMemory, other: ScoredMemory) -> bool:
    """Return whether two memories share a word of the question and much of their own."""
    if not set(one.matched) & set(other.matched):
        return False
    mine, theirs = words.features(one.entry.words), words.features(other.entry.words)
    return len(mine & theirs) >= ALIKE * len(mine | theirs)
