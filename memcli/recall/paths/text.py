"""The text path: what the words of the question say about each entry.

Ripgrep's matches tell how common a word is and which files have it; only the best files are read. There an entry is
judged by its own words and by its neighbours', because in notes as in talk the answer often stands next to the word
that is asked for.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memcli.recall.field import Field
from memcli.recall.query import Query, Term
from memcli.text.words import SINGLE
from memcli.vault.entries import Entry

MOST_FILES = 32
K1, B = 1.2, 0.5  # BM25's own: how fast a repeated word saturates, how much a long entry pays for its length
# What an entry gives to those after and before it. Turns of a talk (`Name: …`) answer each other; other notes only
# happen to stand side by side.
REACH = ((0, 1.0), (1, 0.5), (2, 0.25), (-1, 0.5), (-2, 0.25))
ASIDE = 0.4  # how much of it is left between entries that are no talk
LEAD_WITHIN = 48  # characters of a line in which a lead ends
HEADING = 0.5  # what a heading gives to the entries below it

_BEFORE_LEAD = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:\[.\][ \t]*)?(?:\d{1,2}:\d\d(?::\d\d)?[ \t]+)?")
_LEAD = re.compile(r"(?:\*\*)?([^\W\d](?:[^:：\n*]{0,30}[^\s:：*])?)(?:\*\*)?[:：](?!//)")


@dataclass(frozen=True)
class Tally:
    """Where each term was found, before anything is read."""

    lines: dict[str, list[dict[int, float]]]  # file → for each term: line → how often, weighted
    entries: tuple[int, ...]  # for each term: lines that have it, all in all
    files: tuple[int, ...]  # for each term: files that have it
    leads: tuple[int, ...]  # for each term: lines that begin with it, `Name: …`


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
        field.notes["tally"] = _count(field)
    found = field.notes["tally"]
    assert isinstance(found, Tally)
    return found


def best_files(field: Field, found: Tally) -> list[str]:
    """The files to read: by the best few lines in them, then by all that they know of the question."""
    rarity = [_idf(len(field.paths) * 10, count) for count in found.entries]
    worth: list[tuple[float, str]] = []
    for path, terms in found.lines.items():
        near: dict[int, float] = defaultdict(float)
        knows = 0.0
        for at, lines in enumerate(terms):
            if lines:
                knows += rarity[at]
                for line in {line + step for line in lines for step, _ in REACH}:
                    near[line] += rarity[at]
        if near:
            worth.append((max(near.values()) + 0.3 * knows, path))
    worth.sort(key=lambda each: (-each[0], each[1]))
    return [path for _, path in worth[:MOST_FILES]]


def names(field: Field, found: Tally) -> tuple[str, ...]:
    """Words of the question that are the lead of entries, as in `Anna: …`."""
    return tuple(term.text.lower() for term, leads in zip(field.query.terms, found.leads, strict=True) if leads)


def speakers(field: Field, found: Tally) -> tuple[str, ...]:
    """Names that lead most of what they stand in: they tell whose words are wanted, and nothing more."""
    counts = zip(field.query.terms, found.leads, found.entries, strict=True)
    return tuple(term.text.lower() for term, leads, entries in counts if leads > 2 and leads * 2 >= entries)


@lru_cache(maxsize=8192)
def lead_of(raw: str) -> str:
    """The `Name:` an entry or line begins with, in lower case; nothing when there is none."""
    before = _BEFORE_LEAD.match(raw)
    match = _LEAD.match(raw, before.end() if before else 0)
    return match[1].lower() if match else ""


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
    mean = sum(size_of(entry) for entry in every) / len(every)
    words: dict[Entry, float] = dict.fromkeys(every, 0.0)
    said: dict[Entry, list[str]] = {entry: [] for entry in every}
    files: dict[str, float] = dict.fromkeys(opened, 0.0)
    for at, term in enumerate(field.query.terms):
        if term.text.lower() in ignored or not found.entries[at]:
            continue
        rarity = term.weight * _idf(number, found.entries[at])
        in_file = term.weight * _idf(len(field.paths), found.files[at])
        for path, entries in opened.items():
            lines = found.lines[path][at] if path in found.lines else {}
            felt = _felt(entries, lines, said, term, field.query)
            if lines:
                files[path] += in_file
            for entry, times in felt.items():
                words[entry] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * size_of(entry) / mean))
    best, best_file = max(words.values()) or 1.0, max(files.values()) or 1.0
    return {entry: Found(words[entry] / best, files[entry.path] / best_file, tuple(said[entry])) for entry in every}


def size_of(entry: Entry) -> int:
    return len(entry.raw.encode("utf-8", "replace"))


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
        for entry in entries:
            for title in entry.trail:
                if times := _in_title(title, term):
                    felt[entry] += HEADING * times
    return felt


@lru_cache(maxsize=4096)
def _in_title(title: str, term: Term) -> float:
    return term.count(title.lower())


def _count(field: Field) -> Tally:
    terms = field.query.terms
    texts = [term.text.lower() for term in terms]
    forms = [(at, form.literal, form) for at, term in enumerate(terms) for form in term.forms]
    query = field.query
    sure = not (query.tags or query.hinted or query.spans or query.kind == "task")  # only words were searched for
    lines: dict[str, list[dict[int, float]]] = {}
    entries, files = [0] * len(terms), [0] * len(terms)
    leads = [0] * len(terms)
    for path, hits in field.hits.items():
        per_term: list[dict[int, float]] = [{} for _ in terms]
        for hit in hits:
            low = hit.text.lower()
            near = [each for each in forms if each[1] in low]
            for at, literal, form in near:
                # Ripgrep matched the line; when only one form can be why, its regex need not be tried again.
                times = low.count(literal) if sure and len(near) == 1 else form.count(low)
                if times:
                    where = per_term[at]
                    where[hit.line] = where.get(hit.line, 0.0) + form.weight * times
                    if texts[at] in low[:LEAD_WITHIN] and lead_of(hit.text) == texts[at]:
                        leads[at] += 1
        if any(per_term):
            lines[path] = per_term
            for at, where in enumerate(per_term):
                entries[at] += len(where)
                files[at] += bool(where)
    return Tally(lines, tuple(entries), tuple(files), tuple(leads))


def _idf(number: int, having: int) -> float:
    """How much a word tells that `having` of `number` have."""
    return math.log(1 + max(0.0, number - having + 0.5) / (having + 0.5))
