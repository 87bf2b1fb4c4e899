"""Find what holds now: when an older note is shown, the newest note on the same subject is shown with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain, islice

from memcli.recall import nature
from memcli.recall.paths import semantic
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch, idf
from memcli.text import phrases, tokens, words
from memcli.text.later import compile_later
from memcli.text.words import Term
from memcli.vault import layout
from memcli.vault.entries import Entry

MOST_FILES = 60  # files that are read for what superseded a memory
MOST_STEPS = 5  # the most steps from a superseded memory to the one in force
MOST_CHECKED = 3  # for so many of the best memories a newer one is searched
MOST_SUPERSEDED = 10  # for so many of the others, what superseded it
MOST_CANDIDATES = 40  # the newer one is searched among so many of the best memories
LEAST_SHARE = 0.3  # two notes with at least this share of common words are on one subject
# With a model: a change is looked for among the so many later memories most like the best one, if they are so like.
MOST_ALIKE, MOST_LATER, LEAST_ALIKE = 24, 3, 0.3
# By words: so many of the rarest words of the best memory are looked for in later ones, those that are so rare in the
# language and stand in so few of the memories read. A pair of Chinese characters is less than a word.
MOST_RARE, LEAST_RARE, MOST_HAVING, PAIR = 5, 0.3, 8, 0.6
LETTERS = 4  # a word with fewer is often part of another
# What two memories on one subject share at least, in words that only they have. Of several, what tells of a change
# counts as sharing so much more.
LEAST_SHARED, CHANGE = 0.95, 0.4
MOST_FILES_OF_CHANGES = 3
_COUNT = compile_later(r"\d{1,3}|(?:19|20)\d\d")  # an amount, a day or a year, and not the number of a port


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
    return found


def add_told_later(
    search: VaultSearch, shown: list[ScoredMemory], newer: dict[Entry, ScoredMemory], best: ScoredMemory
) -> tuple[list[ScoredMemory], dict[Entry, ScoredMemory]]:
    """Return the memories to show and the newer ones, with the one that goes on with the story of the best memory, if
    any: it is very like it in meaning and tells of a change, or has its rare words. It comes last, as it has no more
    to do with the question than the best one."""
    if best.entry in newer:
        return shown, newer
    told = _find_alike_change(search, best.entry) or _find_with_rare_words(search, best.entry)
    if not told:
        return shown, newer
    later = next((each for each in shown if each.entry == told), best._replace(entry=told, matched=()))
    later = later._replace(score=best.score)
    return [*(each for each in shown if each.entry != told), later], newer | {best.entry: later}


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


def _find_with_rare_words(search: VaultSearch, old: Entry) -> Entry | None:
    """Return the later memory with most rare words of another, if these are enough to be its story: Mrs Wooldridge
    settled on burgundy, and Mrs Wooldridge changed her mind."""
    terms = _find_rare_terms(search, old)  # in a conversation names are everywhere
    if not (old.day and terms) or nature.find_conversation_traits(search).is_talk:
        return None
    paths = [path for path in search.paths if (layout.day_of(path) or date.max) >= old.day]
    found, memories = search.vault.search(paths, terms, (), tells=False).tally(terms), len(search.paths) * 10
    worth = [
        term.weight * idf(memories, count) / idf(memories, 2) for term, count in zip(terms, found.entries, strict=True)
    ]
    later: dict[Entry, float] = {}
    for _, path in found.best(worth, [0], 0.0, MOST_FILES_OF_CHANGES):
        lines = found.lines(path)
        for entry in search.whole_file(path):
            own = range(entry.line, entry.last_line + 1)
            shared = sum(value for value, having in zip(worth, lines, strict=True) if any(map(having.get, own)))
            if shared >= LEAST_SHARED and _is_later(entry, old):
                later[entry] = shared
    if len(later) > 1:
        return max(later, key=lambda entry: later[entry] + CHANGE * _tells_of_a_change(entry))
    return next(iter(later), None)


def _find_rare_terms(search: VaultSearch, entry: Entry) -> list[Term]:
    """Return the words of a memory that are rarest in the language, and rare in what was read; their weight is how rare
    they are."""
    read = [each.raw.lower() for path in search.opened for each in search.entries(path)]
    weights = {
        word: tokens.rarity(word) * (1.0 if word.isascii() else PAIR)
        for word in words.features(entry.words)
        if len(word) > 1 and not (_COUNT.fullmatch(word) or words.is_stop(word))
    }
    terms: list[Term] = []
    for word in sorted(weights, key=lambda word: (-weights[word], word)):
        if len(terms) == MOST_RARE or weights[word] < LEAST_RARE:
            break
        if sum(word in text for text in read) <= MOST_HAVING:
            form = words.whole(word) if word.isascii() and len(word) < LETTERS else words.literal(word)
            terms.append(Term(word, (form,), weights[word]))
    return terms


def _find_scored(ranked: Sequence[ScoredMemory], entry: Entry, old: ScoredMemory) -> ScoredMemory:
    """Return an entry as it is ranked, or with the score of the older memory that it is shown with."""
    return next((each for each in ranked if each.entry == entry), old._replace(entry=entry, matched=()))


def find_successors(
    search: VaultSearch, best: Sequence[ScoredMemory], ranked: Sequence[ScoredMemory]
) -> dict[Entry, ScoredMemory]:
    """Map each of the best memories that is superseded to the one in force."""
    superseded = [each for each in best if each.entry.superseded][:MOST_SUPERSEDED]
    return find_newer(search, superseded, ranked)


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
    return len(mine & theirs) >= LEAST_SHARE * len(mine | theirs)


def _tells_of_a_change(entry: Entry) -> bool:
    return phrases.find_phrase("recall", "tells of a change", entry.body.lower()) is not None
