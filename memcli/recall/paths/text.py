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
from typing import cast

from memcli.recall.query import Query
from memcli.recall.search import Field
from memcli.text.words import SINGLE, Term, lead_of
from memcli.vault.entries import ASIDE, REACH, Entry
from memcli.vault.search import Tally

MOST_FILES = 32
KNOWS = 0.3  # what counts of all that a file knows, beside its best lines
K1, B = 1.2, 0.5  # BM25's own: how fast a repeated word saturates, how much a long entry pays for its length
HEADING = 0.5  # what a heading gives to the entries below it


@dataclass(frozen=True)
class Found:
    """What the words found in one entry, each in [0, 1] of the best."""

    words: float = 0.0  # over itself and its neighbours
    file: float = 0.0  # how much of the question its file knows
    said: tuple[str, ...] = ()  # the words that stand in the entry itself


def find(field: Field) -> Iterator[Entry]:
    """Entries of the files that know most of the question's words."""
    for path in best_files(field, tally(field)):
        yield from field.entries(path)


def tally(field: Field) -> Tally:
    """Count every term in the matching lines; counted once a recall."""
    if "tally" not in field.notes:
        field.notes["tally"] = field.findings.tally(field.query.terms)
    return cast(Tally, field.notes["tally"])


def best_files(field: Field, found: Tally) -> list[str]:
    """The files to read: by the best few lines in them, then by all that they know of the question."""
    rarity = [_idf(len(field.paths) * 10, count) for count in found.entries]
    return [path for _, path in found.best(rarity, [step for step, _ in REACH], KNOWS, MOST_FILES)]


def names(field: Field, found: Tally) -> tuple[str, ...]:
    """Words of the question that are the lead of entries, as in `Anna: …`."""
    return tuple(term.text.lower() for term, leads in zip(field.query.terms, found.leads, strict=True) if leads)


def speakers(field: Field, found: Tally) -> tuple[str, ...]:
    """Names that lead most of what they stand in: they tell whose words are wanted, and nothing more."""
    counts = zip(field.query.terms, found.leads, found.entries, strict=True)
    return tuple(term.text.lower() for term, leads, entries in counts if leads > 2 and leads * 2 >= entries)


def weigh(field: Field, found: Tally, ignored: tuple[str, ...] = ()) -> dict[Entry, Found]:
    """BM25 over entries and their neighbours, for every file that was opened by any path. Single signs of CJK words
    only support: where nothing else was found, nothing was."""
    if not any(term.weight > SINGLE and count for term, count in zip(field.query.terms, found.entries, strict=True)):
        return {}
    opened = {path: field.entries(path) for path in field.opened}
    opened = {path: entries for path, entries in opened.items() if entries}
    every = [entry for entries in opened.values() for entry in entries]
    if not every:
        return {}
    number = round(len(every) / len(opened) * len(field.paths))  # entries of the vault, by those that were read
    sizes = {entry: size_of(entry) for entry in every}
    mean = sum(sizes.values()) / len(every)
    words: dict[Entry, float] = dict.fromkeys(every, 0.0)
    said: dict[Entry, list[str]] = {entry: [] for entry in every}
    files: dict[str, float] = dict.fromkeys(opened, 0.0)
    where = {path: found.lines(path) for path in opened}
    for at, term in enumerate(field.query.terms):
        if term.text.lower() in ignored or not found.entries[at]:
            continue
        rarity = term.weight * _idf(number, found.entries[at])
        in_file = term.weight * _idf(len(field.paths), found.files[at])
        for path, entries in opened.items():
            lines = where[path][at]
            felt = _felt(entries, lines, said, term, field.query)
            if lines:
                files[path] += in_file
            for entry, times in felt.items():
                words[entry] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * sizes[entry] / mean))
    best, best_file = max(words.values()) or 1.0, max(files.values()) or 1.0
    return {entry: Found(words[entry] / best, files[entry.path] / best_file, tuple(said[entry])) for entry in every}


def size_of(entry: Entry) -> int:
    return len(entry.raw) if entry.raw.isascii() else len(entry.raw.encode("utf-8", "replace"))


def _felt(
    entries: list[Entry], lines: dict[int, float], said: dict[Entry, list[str]], term: Term, query: Query
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
                    talk = step == 0 or (lead_of(entries[at].raw) and lead_of(entries[other].raw))
                    felt[entries[other]] += share * times * (1.0 if talk else ASIDE)
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
