"""Find memories by the words of the question: the text path.

Ripgrep's matches show how common a word is and which files have it; only the best files are read. An entry gets one
value for its own words, and separate ones for matches in its neighbours and in its file, which the score weighs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from memcli.recall import nature, properties
from memcli.recall.characters import has_character, value_characters
from memcli.recall.query import PHRASE, Query
from memcli.recall.search_state import VaultSearch, cached_per_search, idf
from memcli.recall.search_state import tally as tally
from memcli.recall_path import RecallPath
from memcli.text.later import compile_later
from memcli.text.tokens import rarity
from memcli.text.words import CJK_RUN, SINGLE, Term
from memcli.vault.entries import REACH, Entry

MOST_FILES = 32
MOST_NAMED = 8  # the most files that are read because their name has a word of the question
KNOWS = 0.3  # factor on the matches in the whole file, beside those in its best lines
K1, B = 1.2, 0.5  # BM25's own: how fast a repeated word saturates, how much a long entry pays for its length
NAMED = 0.25  # factor on a match in the file's name, for each of its entries
# Headings of the templates: they say nothing of the lines below, or only to what kind these belong.
TEMPLATE_TITLES = frozenset({"memory", "other facts", "记忆", "其他事实"})
TEMPLATE_SECTIONS = frozenset({
    "people", "work", "home", "decisions", "insights", "projects", "人", "工作", "家", "决定", "心得", "项目",
})  # fmt: skip
HEADING = 0.5  # factor on a match in a heading, for the entries below it
WITHIN = 0.36  # factor on how much of a question a character covers that stands in a word which the memory has
COMMONPLACE = 0.2  # factor on the commonest words of the language, relative to a rare word
_IS_DAY = compile_later(r"\d{4}-\d\d-\d\d(?:\s+\S{1,9})?\Z")  # the heading of a log: its `Wed` must not match "wed"
NEIGHBOURS = ((1, 1.0), (-1, 1.0), (2, 0.6), (-2, 0.6))  # distance in entries, and the factor for it


class WordMatch(NamedTuple):
    """Hold how one entry matches the words of the question."""

    words: float = 0.0  # score of its own words, relative to the best in the vault
    near: float = 0.0  # the same for its best neighbour
    file: float = 0.0  # share of the question's words that its file has
    covers: float = 0.0  # share of the question's words that it has itself
    matched: tuple[str, ...] = ()  # the words that stand in the entry itself


def find_entries(search: VaultSearch) -> Iterator[Entry]:
    """Yield the entries of the files that match the question best."""
    rarest = sorted(find_terms_in_names(search).items(), key=lambda named: (-sum(named[1].values()), named[0]))
    by_name = [path for path, _ in rarest[:MOST_NAMED]]
    for path in dict.fromkeys([*by_name, *find_best_files(search)]):
        yield from search.entries(path)


@cached_per_search
def find_terms_in_names(search: VaultSearch) -> dict[str, dict[int, float]]:
    """Return the notes whose name has words of the question: path → number of the term → its rarity."""
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


def find_best_files(search: VaultSearch) -> list[str]:
    """Return the files to read, ranked by their best few lines and then by all their matches."""
    found = tally(search)
    rarity = [idf(len(search.paths) * 10, count) for count in found.entries]
    return [path for _, path in found.best(rarity, [step for step, _ in REACH], KNOWS, MOST_FILES)]


def find_starting_words(search: VaultSearch) -> tuple[str, ...]:
    """Return question words that start an entry, as in `Anna: …`."""
    leads = nature.find_conversation_traits(search).leads
    return tuple(name for term in search.query.terms if (name := term.text.lower()) in leads)


def find_speakers(search: VaultSearch) -> tuple[str, ...]:
    """Return names that start most of the lines of a conversation they occur in. They select a speaker and add nothing
    to the score."""
    talk, opened = nature.find_conversation_traits(search), search.opened
    if not talk.tells:
        return ()
    lines = [tally(search).lines(path) for path in opened]
    counts = [(term.text.lower(), sum(len(own[at]) for own in lines)) for at, term in enumerate(search.query.terms)]
    return tuple(name for name, entries in counts if 2 < talk.leads.get(name, 0) >= entries / 2)


@cached_per_search
def match_words(search: VaultSearch) -> dict[Entry, WordMatch]:
    """Match the words against every entry of the opened files: BM25 over the entry, its headings and the name of its
    note. Single CJK characters count only beside another match. Call this after all paths, since they open the
    files."""
    counts = zip(search.query.terms, tally(search).entries, strict=True)
    if not (find_terms_in_names(search) or any(term.weight > SINGLE and count for term, count in counts)):
        return {}
    opened = _read_opened(search)
    if not opened:
        return {}
    values = _value_terms(search, [entry for entries in opened.values() for entry in entries])
    files = {path: _match_file(search, values, path, entries) for path, entries in opened.items()}
    best = max(max(file.words) for file in files.values()) or 1.0
    return {
        entry: WordMatch(
            files[path].words[at] / best,
            _best_neighbour(entries, files[path].words, at) / best,
            min(1.0, files[path].covers),
            min(1.0, files[path].covers_of_entries[at]),
            tuple(files[path].matched[at]),
        )
        for path, entries in opened.items()
        for at, entry in enumerate(entries)
    }


class _TermValues(NamedTuple):
    """Hold how much each word of the question says in this vault."""

    values: list[float]  # by the number of the term
    total: float  # of the terms that belong to the subject
    found: list[int]  # the terms to match; numbers come last, since they count less without another match
    characters: dict[str, float]  # how much each character of a short Chinese question says
    mean_size: float  # of the entries


def _value_terms(search: VaultSearch, entries: list[Entry]) -> _TermValues:
    terms, speaker_names = search.query.terms, find_speakers(search)
    by_name = Counter(chain.from_iterable(find_terms_in_names(search).values()))
    counts = [count + by_name[at] for at, count in enumerate(tally(search).entries)]
    vault_size = estimate_size(search)
    values = [
        0.0 if term.text.lower() in speaker_names else word_value(term) * idf(vault_size, count)
        for term, count in zip(terms, counts, strict=True)
    ]
    found = [at for at in range(len(terms)) if values[at] and counts[at]]
    return _TermValues(
        values,
        sum(values[at] for at in range(len(terms)) if is_telling(search.query, counts, at)) or 1.0,
        sorted(found, key=lambda at: terms[at].text.isdigit()),
        value_characters(search.query, entries),
        sum(map(size_of, entries)) / len(entries),
    )


class _FileMatch(NamedTuple):
    """Hold how one file matches the words of the question. The lists have an item for each of its entries."""

    words: list[float]
    covers_of_entries: list[float]
    matched: list[list[str]]
    covers: float  # share of the question's words that the whole file has


def _match_file(search: VaultSearch, known: _TermValues, path: str, entries: list[Entry]) -> _FileMatch:
    terms, lines_of_terms = search.query.terms, tally(search).lines(path)
    document, terms_in_name = search.document(path), find_terms_in_names(search).get(path, {})
    titles = properties.find_titles(document) if document else []
    only_numbers = all(term.text.isdigit() for term in terms)
    words, covers = [0.0] * len(entries), [0.0] * len(entries)
    matched: list[list[str]] = [[] for _ in entries]
    terms_of_file: set[int] = set()
    for at in known.found:
        term, value = terms[at], known.values[at]
        if not lines_of_terms[at] and at not in terms_in_name:
            continue
        is_common_name = term.weight > PHRASE
        needs_another = term.text.isdigit() and not only_numbers  # "RFC 12" does not mean every 12
        own = _count_by_entry(entries, lines_of_terms[at])
        for place in own:
            is_another_word = is_common_name and term.text.capitalize() not in entries[place].raw  # not "£7 a go"
            if is_another_word or (needs_another and not matched[place]):
                own[place] *= SINGLE
            else:
                matched[place].append(term.text)
        name_count, is_only = sum(map(term.times_in, titles)), len(terms) == 1
        for place, times in _add_headings(entries, own, term, name_count, is_only).items():
            size = K1 * (1 - B + B * size_of(entries[place]) / known.mean_size)
            words[place] += value * times * (K1 + 1) / (times + size)
            covers[place] += value / known.total
            terms_of_file.add(at)
    worth = sum(known.values[at] for at in terms_of_file)
    for written, value in known.characters.items():
        having = [place for place, entry in enumerate(entries) if has_character(entry, written)]
        alone = [place for place in having if not any(written[0] in word for word in matched[place])]
        worth += value if alone and alone == having else 0.0
        for place in having:
            size = K1 * (1 - B + B * size_of(entries[place]) / known.mean_size)
            words[place] += value * (K1 + 1) / (1 + size)
            covers[place] += value / known.total * (1.0 if place in alone else WITHIN)
        for place in alone:
            matched[place].append(written[0])
    return _FileMatch(words, covers, matched, worth / known.total)


def _read_opened(search: VaultSearch) -> dict[str, list[Entry]]:
    return {path: entries for path in search.opened if (entries := search.entries(path))}


def estimate_size(search: VaultSearch) -> int:
    """Estimate how many entries the vault has, from the files that were read."""
    opened = _read_opened(search)
    return round(sum(map(len, opened.values())) / max(1, len(opened)) * len(search.paths))


def is_telling(query: Query, counts: Sequence[int], at: int) -> bool:
    """Return whether a term belongs to the subject of a question. Single characters, seams of two words, and words for
    the kind of answer that no note has do not."""
    term = query.terms[at]
    if term.weight <= SINGLE or is_seam(query.terms, counts, at):
        return False
    return counts[at] > 0 or not query.asks_by(term.text)


def is_seam(terms: Sequence[Term], counts: Sequence[int], at: int) -> bool:
    """Return whether a pair of CJK characters is only the seam of two words: no note has it, but a note has another
    pair of the question that shares a character with it."""
    pair = terms[at].text
    if counts[at] or len(pair) != 2 or not CJK_RUN.fullmatch(pair):
        return False
    return any(
        count and other != at and {*pair} & {*terms[other].text}
        for other, count in enumerate(counts)
        if len(terms[other].text) > 1
    )


def word_value(term: Term) -> float:
    """Return the weight of a question word before any search. Common words get little."""
    return term.weight * (COMMONPLACE + (1 - COMMONPLACE) * rarity(term.text.strip('"')))


def size_of(entry: Entry) -> int:
    return len(entry.raw) if entry.raw.isascii() else len(entry.raw.encode("utf-8", "replace"))


def _count_by_entry(entries: list[Entry], lines: Mapping[int, float]) -> dict[int, float]:
    """Return how often a term occurs in each entry of a file, by the number of the entry, without its headings."""
    own: dict[int, float] = {}
    starts = [entry.line for entry in entries] if lines else []
    for line, times in lines.items():
        at = bisect_right(starts, line) - 1
        if at >= 0 and line <= entries[at].last_line:  # skips headings and lines between entries
            own[at] = own.get(at, 0.0) + times
    return own


def _add_headings(
    entries: list[Entry], counts: Mapping[int, float], term: Term, name_count: float, is_only: bool
) -> dict[int, float]:
    """Return how often a term stands in each entry, with the headings above it and what its note is called. A heading
    of the templates counts where its word is the only one of the question, as in "people"."""
    counted = dict(counts)
    silent = TEMPLATE_TITLES if is_only else TEMPLATE_TITLES | TEMPLATE_SECTIONS
    titles = {title for entry in entries for title in entry.trail if title.lower() not in silent}
    title_counts = {title: 0.0 if _IS_DAY.match(title) else term.times_in(title.lower()) for title in titles}
    if name_count or any(title_counts.values()):
        for at, entry in enumerate(entries):
            if times := NAMED * name_count + HEADING * sum(title_counts.get(title, 0.0) for title in entry.trail):
                counted[at] = counted.get(at, 0.0) + times
    return counted


def _best_neighbour(entries: list[Entry], words: list[float], at: int) -> float:
    """Return the score of the best neighbour under the same heading."""
    known = 0.0
    for step, share in NEIGHBOURS:
        other = at + step
        if 0 <= other < len(entries) and words[other] * share > known and entries[other].trail == entries[at].trail:
            known = words[other] * share
    return known


def strength(search: VaultSearch, entry: Entry) -> float:
    match = match_words(search).get(entry)
    return match.words if match else 0.0


PATH = RecallPath("text", "text", 1.0, find_entries, strength, leads=True)
