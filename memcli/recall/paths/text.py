"""The text path: what the words of the question say about each entry.

Ripgrep's matches tell how common a word is and which files have it; only the best files are read. There an entry is
judged by its own words and by its neighbours', because in notes as in talk the answer often stands next to the word
that is asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain
from typing import NamedTuple

from memcli.recall import properties
from memcli.recall.nature import cohesion
from memcli.recall.paths.path import RecallPath
from memcli.recall.searched import Searched, idf, once
from memcli.recall.searched import tally as tally
from memcli.text.words import SINGLE, Term
from memcli.vault.entries import REACH, Entry
from memcli.vault.search import Tally

MOST_FILES = 32
MOST_NAMED = 8  # files that are read because they are called so
KNOWS = 0.3  # what counts of all that a file knows, beside its best lines
K1, B = 1.2, 0.5  # BM25's own: how fast a repeated word saturates, how much a long entry pays for its length
NAMED = 0.25  # what a file's name gives to its entries
HEADING = 0.5  # what a heading gives to the entries below it


class WordMatch(NamedTuple):
    """What the words of the question say of one entry, each in [0, 1] of the best."""

    words: float = 0.0  # over itself and its neighbours
    file: float = 0.0  # how much of the question its file knows
    said: tuple[str, ...] = ()  # the words that stand in the entry itself


def find(search: Searched) -> Iterator[Entry]:
    """Entries of the files that know most of the question's words."""
    rarest = sorted(named_so(search).items(), key=lambda named: (-sum(named[1].values()), named[0]))
    by_name = [path for path, _ in rarest[:MOST_NAMED]]
    for path in dict.fromkeys([*by_name, *best_files(search, tally(search))]):
        yield from search.entries(path)


@once
def named_so(search: Searched) -> dict[str, dict[int, float]]:
    """Notes whose name has words of the question: path → number of the term → how rare it is among the names."""
    names = [properties.name_of(path) for path in search.paths]
    every = "\n".join(names)
    if not every.strip():
        return {}
    starts = list(accumulate((len(name) + 1 for name in names), initial=0))
    named: dict[str, dict[int, float]] = {}
    for at, term in enumerate(search.query.terms):
        hits = {bisect_right(starts, place) - 1 for place in term.places(every)} if term.weight > SINGLE else ()
        for hit in hits:
            named.setdefault(search.paths[hit], {})[at] = term.weight * idf(len(names), len(hits))
    return named


def best_files(search: Searched, found: Tally) -> list[str]:
    """The files to read: by the best few lines in them, then by all that they know of the question."""
    rarity = [idf(len(search.paths) * 10, count) for count in found.entries]
    return [path for _, path in found.best(rarity, [step for step, _ in REACH], KNOWS, MOST_FILES)]


def names(search: Searched, found: Tally) -> tuple[str, ...]:
    """Words of the question that are the lead of entries, as in `Anna: …`."""
    return tuple(term.text.lower() for term, leads in zip(search.query.terms, found.leads, strict=True) if leads)


def speakers(search: Searched, found: Tally) -> tuple[str, ...]:
    """Names that lead most of what they stand in: they tell whose words are wanted, and nothing more."""
    counts = zip(search.query.terms, found.leads, found.entries, strict=True)
    return tuple(term.text.lower() for term, leads, entries in counts if leads > 2 and leads * 2 >= entries)


@once
def matches(search: Searched) -> dict[Entry, WordMatch]:
    """What the words say of every entry that any path has opened. To be asked when all paths have named theirs."""
    found = tally(search)
    return weigh(search, found, speakers(search, found))


def strength(search: Searched, entry: Entry) -> float:
    match = matches(search).get(entry)
    return match.words if match else 0.0


def weigh(search: Searched, found: Tally, ignored: tuple[str, ...] = ()) -> dict[Entry, WordMatch]:
    """BM25 over entries and their neighbours, for every file that was opened by any path. Single signs of CJK words
    only support: where nothing else was found, nothing was."""
    named = named_so(search)
    by_name = Counter(chain.from_iterable(named.values()))
    sure = (term.weight > SINGLE and count for term, count in zip(search.query.terms, found.entries, strict=True))
    if not (named or any(sure)):
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
    titles = {path: properties.titles(document) for path in opened if (document := search.document(path))}
    near = cohesion(search)
    terms = sorted(enumerate(search.query.terms), key=lambda numbered: numbered[1].text.isdigit())
    only_numbers = all(term.text.isdigit() for term in search.query.terms)
    for at, term in terms:
        if term.text.lower() in ignored or not (found.entries[at] or by_name[at]):
            continue
        rarity = term.weight * idf(number, found.entries[at] + by_name[at])
        in_file = term.weight * idf(len(search.paths), max(found.files[at], by_name[at]))
        for path, entries in opened.items():
            own = _own(entries, where[path][at])
            alone = term.text.isdigit() and not only_numbers  # "RFC 12" does not ask for every 12
            for place in own:
                if not alone or said[entries[place]]:
                    said[entries[place]].append(term.text)
                else:
                    own[place] *= SINGLE
            called = sum(map(term.count, titles[path])) if where[path][at] or at in named.get(path, ()) else 0.0
            if called or where[path][at]:
                files[path] += in_file
                for entry, times in _felt(entries, own, called, term, near).items():
                    words[entry] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * sizes[entry] / mean))
    best, best_file = max(words.values()) or 1.0, max(files.values()) or 1.0
    return {entry: WordMatch(words[entry] / best, files[entry.path] / best_file, tuple(said[entry])) for entry in every}


def size_of(entry: Entry) -> int:
    return len(entry.raw) if entry.raw.isascii() else len(entry.raw.encode("utf-8", "replace"))


def _own(entries: list[Entry], lines: Mapping[int, float]) -> dict[int, float]:
    """How often a term stands in each entry of a file itself, by the entry's number."""
    own: dict[int, float] = {}
    starts = [entry.line for entry in entries] if lines else []
    for line, times in lines.items():
        at = bisect_right(starts, line) - 1
        if at >= 0 and line <= entries[at].last_line:  # no heading, nor a line between entries
            own[at] = own.get(at, 0.0) + times
    return own


def _felt(entries: list[Entry], own: Mapping[int, float], called: float, term: Term, near: float) -> dict[Entry, float]:
    """How often each entry of a file feels the term: by its own matches, its neighbours, headings and file's name."""
    felt: dict[Entry, float] = defaultdict(float)
    for at, times in own.items():
        for step, share in REACH:
            other = at + step
            if 0 <= other < len(entries) and entries[other].trail == entries[at].trail:
                felt[entries[other]] += share * times * (1.0 if step == 0 else near)
    told = {title: term.count(title.lower()) for title in {title for entry in entries for title in entry.trail}}
    if called or any(told.values()):
        for entry in entries:
            if times := NAMED * called + HEADING * sum(told[title] for title in entry.trail):
                felt[entry] += times
    return felt


PATH = RecallPath("text", "text", 1.0, find, strength, leads=True)
