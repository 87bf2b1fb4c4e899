"""Find what holds now: when an older note is shown, the newest note on the same subject is shown with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain, islice

from memcli.recall.paths import semantic
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.text import phrases, words
from memcli.vault import layout
from memcli.vault.entries import Entry

MOST_FILES = 60  # files that are read for what superseded a memory
MOST_STEPS = 5  # the most steps from a superseded memory to the one in force
MOST_CHECKED = 3  # for so many of the best memories a newer one is searched
MOST_SUPERSEDED = 10  # for so many of the others, what superseded it
MOST_CANDIDATES = 40  # the newer one is searched among so many of the best memories
LEAST_NAMED, NAME = 2, 4  # names and numbers that a note of a change has of what it changes, and their least length
LEAST_SHARE = 0.3  # two notes with at least this share of common words are on one subject
# With a model: a change is looked for among the so many later memories most like the best one, if they are so like.
MOST_ALIKE, MOST_LATER, LEAST_ALIKE = 24, 3, 0.3


def find_newer(
    search: VaultSearch, best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]
) -> dict[Entry, ScoredMemory]:
    """Map each of the best memories to the one that superseded it, or else to the newest memory on the same subject.
    Memories without a newer one are left out. The newer one may be `ranked` too low to be shown otherwise."""
    found = {}
    ranked_entries = [each.entry for each in ranked]
    superseded = [each for each in best[MOST_CHECKED:] if each.entry.superseded][:MOST_SUPERSEDED]
    places = {each.entry: at for at, each in enumerate(best)}
    for at, old in enumerate([*best[:MOST_CHECKED], *superseded]):
        successor = _find_successor(search, old.entry, ranked_entries)
        if successor and places.get(successor, len(best)) > places[old.entry]:
            found[old.entry] = _find_scored(ranked, successor, old)
        if successor or at >= MOST_CHECKED:
            continue
        later = [
            each
            for each in ranked[:MOST_CANDIDATES]
            if _is_later(each.entry, old.entry) and _is_of_one_subject(old, each)
        ]
        if later:
            found[old.entry] = max(
                later, key=lambda each: (str(each.entry.day), each.entry.time or "", each.entry.line)
            )
        elif at == 0 and (change := _find_alike_change(search, old.entry)):
            found[old.entry] = _find_scored(ranked, change, old)
    return found


def _find_alike_change(search: VaultSearch, entry: Entry) -> Entry | None:
    """Return the later memory that tells of a change and is very like another in meaning, without words in common."""
    if not entry.day:
        return None
    later = (
        other
        for near in semantic.find_alike(search, entry, MOST_ALIKE)
        if near.likeness >= LEAST_ALIKE and (layout.day_of(near.path) or date.max) >= entry.day
        for other in search.whole_file(near.path)
        if other.hash == near.hash and _is_later(other, entry)
    )
    return next(filter(_tells_of_a_change, islice(later, MOST_LATER)), None)


def _find_scored(ranked: Sequence[ScoredMemory], entry: Entry, old: ScoredMemory) -> ScoredMemory:
    """Return an entry as it is ranked, or with the score of the older memory that it is shown with."""
    return next((each for each in ranked if each.entry == entry), old._replace(entry=entry, matched=()))


def find_successors(
    search: VaultSearch, best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]
) -> dict[Entry, ScoredMemory]:
    """Map each of the best memories that is superseded to the one in force."""
    superseded = [each for each in best if each.entry.superseded][:MOST_SUPERSEDED]
    return find_newer(search, superseded, ranked)


def find_changes(best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]) -> dict[Entry, ScoredMemory]:
    """Map each of the best memories for a prompt to the newest later one that tells of a change and has two words of
    the prompt, one of them in common. In the block of a question it would take the place of better lines."""
    found = {}
    for old in best[:MOST_CHECKED]:
        later = [
            each for each in ranked[:MOST_CANDIDATES]
            if _is_later(each.entry, old.entry)
            and {*each.matched} & {*old.matched}
            and sum(len(word) > 1 for word in each.matched) > 1
            and _tells_of_a_change(each.entry)
        ]  # fmt: skip
        if later:
            found[old.entry] = max(later, key=lambda each: (str(each.entry.day), each.entry.line))
    return found


def put_newest_first(ranked: Sequence[ScoredMemory], newer: dict[Entry, ScoredMemory]) -> list[ScoredMemory]:
    """Return the ranked memories, each preceded by its newer memory if it has one."""
    order: dict[Entry, ScoredMemory] = {}
    for each in ranked:
        for one in (newer.get(each.entry), each):
            if one:
                order.setdefault(one.entry, one)
    return list(order.values())


def _find_successor(search: VaultSearch, entry: Entry, ranked_entries: Sequence[Entry]) -> Entry | None:
    """Return the memory in force that replaced a superseded one, or None."""
    found: Entry | None = None
    for _ in range(MOST_STEPS):
        new = find_superseding(search, found or entry, ranked_entries)
        if not new or new == entry:
            break
        found = new
    return found


def find_superseding(search: VaultSearch, entry: Entry, ranked_entries: Sequence[Entry]) -> Entry | None:
    """Return the memory that an entry's mark names, or None. Other files are read when it is not among the search
    results, since it may share no word with the question."""
    name = (entry.superseded or "").removeprefix("^")
    candidates = chain(ranked_entries, _read_later_memories(search, entry)) if name else ()
    return next((each for each in candidates if _has_name(each, name)), None)


def _read_later_memories(search: VaultSearch, entry: Entry) -> Iterator[Entry]:
    """Yield memories that may supersede this one, the likeliest first: its own file, later logs, the rest."""
    first = entry.day or date.min
    days = {path: layout.day_of(path) for path in search.paths}
    order = sorted(
        days, key=lambda path: (path != entry.path, (days[path] or date.max) < first, days[path] or date.max)
    )
    return (each for path in order[:MOST_FILES] for each in search.entries(path))


def _has_name(entry: Entry, name: str) -> bool:
    return entry.block_id == name or (len(name) >= 7 and entry.hash.startswith(name))


def _is_later(new: Entry, old: Entry) -> bool:
    """Return whether a memory was noted on a later day than another, or below it in the log of one day."""
    if not (new.day and old.day) or new.day != old.day:
        return bool(new.day and old.day and new.day > old.day)
    return new.path == old.path and new.line > old.line


def _is_of_one_subject(first: ScoredMemory, second: ScoredMemory) -> bool:
    """Return whether two memories share a word of the question and much of their own."""
    if not set(first.matched) & set(second.matched):
        return False
    mine, theirs = words.features(first.entry.words), words.features(second.entry.words)
    return len(mine & theirs) >= LEAST_SHARE * len(mine | theirs) or _is_change_of(second.entry, first.entry)


def _is_change_of(new: Entry, old: Entry) -> bool:
    """Return whether a Chinese memory tells of a change and has foreign names or numbers of another: Jupyter 的 8899
    被占了，以后改用 8866."""
    if not all(words.CJK_RUN.search(each.words) for each in (new, old)):
        return False
    shared = {*words.sequence(old.words)} & {*words.sequence(new.words)}
    if sum(word.isascii() and len(word) >= NAME for word in shared) < LEAST_NAMED:
        return False
    return _tells_of_a_change(new)


def _tells_of_a_change(entry: Entry) -> bool:
    return phrases.pattern("recall", "tells of a change", phrases.LANGUAGES).search(entry.body.lower()) is not None
