"""Find what holds now: of several notes on one subject the newest has a place, and an older one never lacks it."""

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
CHAIN = 5  # times that what superseded it was itself superseded
LOOKED = 3  # best memories for which a newer one is looked for
AMONG = 40  # memories among which it is
ALIKE = 0.3  # share of their words that two notes on one subject have in common


def find_newer(
    search: VaultSearch, best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]
) -> dict[Entry, ScoredMemory]:
    """Return, for each of the best memories that has one, what superseded it, or else the newest memory on the same
    subject. It may be `ranked` too low to be shown by itself."""
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
    """Return the memories with each newer one right before the one that it follows."""
    order: dict[Entry, ScoredMemory] = {}
    for each in ranked:
        for one in (newer.get(each.entry), each):
            if one:
                order.setdefault(one.entry, one)
    return list(order.values())


def _successor(search: VaultSearch, entry: Entry, led_to: Sequence[Entry]) -> Entry | None:
    """Return the memory that holds in place of a superseded one. It may share no word with the question, so that files
    are read for it when it is not among those that the question leads to."""
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
    """Yield memories in the order in which one that supersedes this is likely: its own file, later logs, the rest."""
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
