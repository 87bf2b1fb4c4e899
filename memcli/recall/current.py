"""Find what holds now: of several notes on one subject the newest has a place, and an older one never lacks it."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.recall.score import ScoredMemory
from memcli.text import words
from memcli.vault.entries import Entry

LOOKED = 3  # best memories for which a newer one is looked for
AMONG = 40  # memories among which it is
ALIKE = 0.3  # share of their words that two notes on one subject have in common


def newer_ones(best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]) -> dict[Entry, ScoredMemory]:
    """Return, for each of the best memories that has one, the newest memory on the same subject. It may be `ranked` too
    low to be shown by itself."""
    found = {}
    for old in best[:LOOKED]:
        later = [each for each in ranked[:AMONG] if _is_later(each.entry, old.entry) and _is_of_one_subject(old, each)]
        if later:
            found[old.entry] = max(
                later, key=lambda each: (str(each.entry.day), each.entry.time or "", each.entry.line)
            )
    return found


def newest_first(ranked: Sequence[ScoredMemory], newer: dict[Entry, ScoredMemory]) -> list[ScoredMemory]:
    """Return the memories with each newer one right before the one that it follows."""
    order: list[ScoredMemory] = []
    for each in ranked:
        for one in (newer.get(each.entry), each):
            if one and one not in order:
                order.append(one)
    return order


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
