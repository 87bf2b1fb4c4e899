"""The text path: what the words of the question say about each entry.

Ripgrep's matches tell how common a word is and which files have it; only the best files are read. There an entry is
judged by its own words and by its neighbours', because in notes as in talk the answer often stands next to the word
that is asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.recall.nature import cohesion
from memcli.recall.paths.path import RecallPath
from memcli.recall.search import Search, once
from memcli.text.words import SINGLE, Term
from memcli.vault.entries import REACH, Entry
from memcli.vault.search import Tally

MOST_FILES = 32
KNOWS = 0.3  # what counts of all that a file knows, beside its best lines
K1, B = 1.2, 0.5  # BM25's own: how fast a repeated word saturates, how much a long entry pays for its length
HEADING = 0.5  # what a heading gives to the entries below it


@dataclass(frozen=True)
class WordMatch:
    """What the words of the question say of one entry, each in [0, 1] of the best."""

    words: float = 0.0  # over itself and its neighbours
    file: float = 0.0  # how much of the question its file knows
    said: tuple[str, ...] = ()  # the words that stand in the entry itself


def find(search: Search) -> Iterator[Entry]:
    """Entries of the files that know most of the question's words."""
    for path in best_files(search, tally(search)):
        yield from search.entries(path)


@once
def tally(search: Search) -> Tally:
    """Every term counted in the matching lines."""
    return search.findings.tally(search.query.terms)


def best_files(search: Search, found: Tally) -> list[str]:
    """The files to read: by the best few lines in them, then by all that they know of the question."""
    rarity = [_idf(len(search.paths) * 10, count) for count in found.entries]
    return [path for _, path in found.best(rarity, [step for step, _ in REACH], KNOWS, MOST_FILES)]


def names(search: Search, found: Tally) -> tuple[str, ...]:
    """Words of the question that are the lead of entries, as in `Anna: …`."""
    return tuple(term.text.lower() for term, leads in zip(search.query.terms, found.leads, strict=True) if leads)


def speakers(search: Search, found: Tally) -> tuple[str, ...]:
    """Names that lead most of what they stand in: they tell whose words are wanted, and nothing more."""
    counts = zip(search.query.terms, found.leads, found.entries, strict=True)
    return tuple(term.text.lower() for term, leads, entries in counts if leads > 2 and leads * 2 >= entries)


@once
def matches(search: Search) -> dict[Entry, WordMatch]:
    """What the words say of every entry that any path has opened. To be asked when all paths have named theirs."""
    found = tally(search)
    return weigh(search, found, speakers(search, found))


def strength(search: Search, entry: Entry) -> float:
    match = matches(search).get(entry)
    return match.words if match else 0.0


def weigh(search: Search, found: Tally, ignored: tuple[str, ...] = ()) -> dict[Entry, WordMatch]:
    """BM25 over entries and their neighbours, for every file that was opened by any path. Single signs of CJK words
    only support: where nothing else was found, nothing was."""
    if not any(term.weight > SINGLE and count for term, count in zip(search.query.terms, found.entries, strict=True)):
        return {}
    opened = {path: search.entries(path) for path in search.opened}
    opened = {path: entries for path, entries in opened.items() if entries}
    every = [entry for entries in opened.values() for entry in entries]
    if not every:
        return {}
    number = round(len(every) / len(opened) * len(search.paths))  # entries of the vault, by those that were read
    sizes = {entry: size_of(entry) for entry in every}
    mean = sum(sizes.values()) / len(every)
    words: dict[Entry, float] = dict.fromkeys(every, 0.0)
    said: dict[Entry, list[str]] = {entry: [] for entry in every}
    files: dict[str, float] = dict.fromkeys(opened, 0.0)
    where = {path: found.lines(path) for path in opened}
    near = cohesion(search)
    for at, term in enumerate(search.query.terms):
        if term.text.lower() in ignored or not found.entries[at]:
            continue
        rarity = term.weight * _idf(number, found.entries[at])
        in_file = term.weight * _idf(len(search.paths), found.files[at])
        for path, entries in opened.items():
            lines = where[path][at]
            felt = _felt(entries, lines, said, term, near)
            if lines:
                files[path] += in_file
            for entry, times in felt.items():
                words[entry] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * sizes[entry] / mean))
    best, best_file = max(words.values()) or 1.0, max(files.values()) or 1.0
    return {entry: WordMatch(words[entry] / best, files[entry.path] / best_file, tuple(said[entry])) for entry in every}


def size_of(entry: Entry) -> int:
    return len(entry.raw) if entry.raw.isascii() else len(entry.raw.encode("utf-8", "replace"))


def _felt(
    entries: list[Entry], lines: dict[int, float], said: dict[Entry, list[str]], term: Term, near: float
) -> dict[Entry, float]:
    """How often each entry of a file feels the term: its own matches, its neighbours' and its headings'."""
    felt: dict[Entry, float] = defaultdict(float)
    if lines:
        starts = [entry.line for entry in entries]
        for line, times in lines.items():
            at = bisect_right(starts, line) - 1
            if at < 0 or line > entries[at].last_line:
                continue  # a heading, or a line between entries
            if not said[entries[at]] or said[entries[at]][-1] != term.text:
                said[entries[at]].append(term.text)
            for step, share in REACH:
                other = at + step
                if 0 <= other < len(entries) and entries[other].trail == entries[at].trail:
                    felt[entries[other]] += share * times * (1.0 if step == 0 else near)
        titles = {title for entry in entries for title in entry.trail}
        if told := {title: times for title in titles if (times := term.count(title.lower()))}:
            for entry in entries:
                for title in entry.trail:
                    if title in told:
                        felt[entry] += HEADING * told[title]
    return felt


def _idf(number: int, having: int) -> float:
    """How much a word tells that `having` of `number` have."""
    return math.log(1 + max(0.0, number - having + 0.5) / (having + 0.5))


PATH = RecallPath("text", "text", 1.0, find, strength, leads=True)
