"""Find memories that say the same or contradict each other, from their words.

Two facts disagree when they differ only in a number or a negation, or give one thing (`the office's address is …`,
`Office: …`, 办公室的地址是…) different values. The user is asked about each pair found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil

from memcli.remember.conflicts import same_words
from memcli.text import lexicon, phrases, words
from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.vault.entries import Entry

Pair = tuple[Entry, Entry]

FACTS = frozenset({"memory", "insight", "project", "profile", "note"})
TYPES = frozenset({"fact", "preference", "label", "profile", "decision"})
ALIKE = 0.75  # from this similarity of words (without numbers and negations) on two memories are compared
SAME_WITHIN = 7  # days; a repetition in a log after more days is a new event
SMALLEST = 3  # words and pairs of characters that a memory must have to be compared
NEIGHBOURS = 20  # the most memories with one word that are compared; a commoner word means nothing
_PRICED = 60  # the most characters of a note that only gives a thing a number
LONGEST = 300  # characters of a single fact, at most

# A time that a value belongs to, as in a series (电费：9 月 214), and words that make it the beginning of a change.
_MOMENT = compile_later(
    r"(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?[月日号]"
    r"|\b(?:20\d\d|q[1-4]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b",
    re.I,
)
_FROM_THEN = compile_later(r"从|自|起|开始|以后|\b(?:from|since|as of|starting)\b", re.I)
_LEAD = compile_later(r"^(?:\d{4}-\d\d-\d\d[ T,:：]*)?(?:\d{1,2}:\d\d\s+)?")
_VALUE = compile_later(r"\S*\d\S*(?:\s\S+){0,3}")
_NAME = compile_later(rf"[A-Z][\w'’-]*(?:\s+[A-Z\d][\w'’-]*){{0,3}}|[{words.CJK}]{{1,8}}")


def _pattern(sign: str, frame: str = "{}") -> re.Pattern[str]:
    """Return the pattern of a sign in `language/*/differs.txt`, for all languages."""
    return phrases.pattern("differs", sign, phrases.LANGUAGES, frame)


def number_pattern() -> re.Pattern[str]:
    """Return the pattern of a number, in figures or words."""
    return _pattern("number in notes")


def _not() -> re.Pattern[str]:
    return _pattern("not in notes")


@lru_cache(maxsize=1)
def _claim() -> re.Pattern[str]:
    """Return a pattern with three groups: a thing, the words between, and its value."""
    ways = "|".join(phrases.ways("differs", "gives a value", language) for language in phrases.LANGUAGES)
    return re.compile(rf"([^.:;!?。！？：；\n]{{2,60}}?)({ways}|\s*[:：=]\s*)([^\n]+?)(?:\s+now)?[.。!！]?")


def pairs(entries: Sequence[Entry], more: Iterable[Pair] = ()) -> dict[Pair, str]:
    """Return the pairs of `entries`, oldest first, that are a `conflict` or a `duplicate`. `more` are pairs that
    another method found alike."""
    return dict(_pairs(tuple(entries), tuple(more)))


@lru_cache(maxsize=2)  # a running process that asks again need not compare everything anew
def _pairs(entries: tuple[Entry, ...], more: tuple[Pair, ...]) -> dict[Pair, str]:
    short = [entry for entry in entries if len(entry.raw) <= LONGEST and not entry.task]
    facts = list(filter(is_fact, short))  # a repetition in a long log is a new event
    by_words = {*_alike(short, [*map(_core, short)]), *_alike(facts, [*map(_sense, facts)])}
    order = {entry: at for at, entry in enumerate(short)}
    alike = sorted(by_words | set(more), key=lambda pair: (order.get(pair[0], 0), order.get(pair[1], 0)))
    found = {pair: _between(*pair) for pair in alike} | dict.fromkeys(_claims(short), "conflict")
    found |= dict.fromkeys(_changes(short), "conflict")
    found |= {pair: _repeats(*pair) for pair in same_words.pairs(facts, [*map(plain_words, facts)])}
    return {pair: kind for pair, kind in found.items() if kind and not (kind == "conflict" and _are_of_a_series(*pair))}


def _are_of_a_series(first: Entry, second: Entry) -> bool:
    """Return whether two memories give values for two times, and neither says that one holds from then on."""
    texts = plain_words(first), plain_words(second)
    one, other = (Counter(_MOMENT.findall(text)) for text in texts)
    if not one or not other or one == other or any(map(_FROM_THEN.search, texts)):
        return False
    values = [frozenset(number_pattern().findall(_MOMENT.sub(" ", text))) for text in texts]
    return all(values) and values[0] != values[1]


def disagreeing(entries: Sequence[Entry]) -> list[Pair]:
    """Return the pairs of `entries`, oldest first, that give one thing two values."""
    return [pair for pair, kind in pairs(entries).items() if kind == "conflict"]


def _between(first: Entry, second: Entry) -> str:
    """Return how two memories with the same words relate: `conflict`, `duplicate` or "". An extra number in one is no
    conflict."""
    numbers, more = _numbers(first), _numbers(second)
    if numbers != more or bool(_not().search(plain_words(first))) != bool(_not().search(plain_words(second))):
        return "conflict" if bool(numbers) == bool(more) and is_fact(first) and is_fact(second) else ""
    is_same = _others(first) == _others(second) and _named_first(first) == _named_first(second)
    return _repeats(first, second) if is_same else ""


def _others(entry: Entry) -> frozenset[str]:
    """Return the words that refer to another person or time."""
    return frozenset(_pattern("another in notes").findall(plain_words(entry).lower()))


def _named_first(entry: Entry) -> str:
    return same_words.named_first(plain_words(entry))


def _repeats(first: Entry, second: Entry) -> str:
    """Return "duplicate" if two equal memories are near in time or outside the logs, else ""."""
    near = first.day and second.day and abs((second.day - first.day).days) <= SAME_WITHIN
    return "duplicate" if near or "log" not in (first.kind, second.kind) else ""


def is_fact(entry: Entry) -> bool:
    return entry.kind in FACTS or entry.type in TYPES


def plain_words(entry: Entry) -> str:
    """Return the words of a memory without the day and the time before them."""
    return _LEAD.sub("", entry.words)


def _numbers(entry: Entry) -> frozenset[str]:
    return frozenset(map(_digits, number_pattern().findall(plain_words(entry))))


def _digits(number: str) -> str:
    """Return a number in digits: 2nd, second and 二 are 2."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", number.lower())
    return phrases.numbers_in_words().get(plain, plain)


def _core(entry: Entry) -> frozenset[str]:
    """Return the words of a memory without numbers and negations."""
    return words.features(_not().sub("", number_pattern().sub(" ", plain_words(entry))))


def _sense(entry: Entry) -> frozenset[str]:
    """Return the sense of a memory without numbers and negations. It is the stems of its words, with one stem for
    synonyms."""
    plain = simplified(_not().sub("", number_pattern().sub(" ", plain_words(entry)))).lower()
    roots = (
        min(map(words.stem, (word, *lexicon.synonyms("en", word))))
        for word in words.words(plain)
        if not words.is_stop(word)
    )
    return frozenset(roots) | words.pairs(plain)


def _alike(entries: list[Entry], cores: list[frozenset[str]]) -> Iterator[Pair]:
    """Yield pairs that share most of their words. Such pairs share two of their rarest words, so only those are
    compared."""
    common = Counter(word for core in cores for word in core)
    seen: dict[str, list[int]] = defaultdict(list)
    for at, core in enumerate(cores):
        if len(core) < SMALLEST:
            continue
        rarest = sorted(core, key=lambda word: (common[word], word))[: len(core) - ceil(ALIKE * len(core)) + 2]
        shares = Counter(each for word in rarest for each in seen[word][-NEIGHBOURS:])
        for before in sorted(each for each, number in shares.items() if number > 1):
            shared = len(core & cores[before])
            if shared >= ALIKE * (len(core) + len(cores[before]) - shared):
                yield entries[before], entries[at]
        for word in rarest:
            seen[word].append(at)


def _claims(entries: list[Entry]) -> Iterator[Pair]:
    """Yield pairs of facts that give one thing another name or number."""
    given: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
    # "X is …" may have many values, but something owned ("the office's address is …") has one.
    is_what, beside = _pattern("says what it is"), _pattern("beside the name", r"{}|\s+")
    for entry in filter(is_fact, entries):
        claim = _claim().fullmatch(number_pattern().sub(lambda found: _digits(found[0]), plain_words(entry)))
        if claim and (not is_what.fullmatch(claim[2].strip()) or _pattern("owned").match(claim[1])):
            value = " ".join(claim[3].split())
            kind = "number" if _VALUE.fullmatch(value) else "name" if _NAME.fullmatch(value) else ""
            thing = beside.sub("", claim[1]).casefold()
            if kind and thing:  # "Decided: …" names no thing
                given[f"{kind} {thing}"].append((value.casefold(), entry))
    for claims in given.values():
        for (first, one), (second, other) in pairwise(claims):
            if first not in second and second not in first:
                yield one, other


def _changes(entries: list[Entry]) -> Iterator[Pair]:
    """Yield pairs whose later memory says that a number has changed: `房租2600` and `房租涨到2800了`. A log counts as well as
    a fact: a price is noted when it is paid."""
    given: list[tuple[frozenset[str], str, Entry]] = []
    for entry in entries:
        text = plain_words(entry)
        numbers = list(number_pattern().finditer(text))
        if len(numbers) != 1 or len(text) > _PRICED:
            continue
        around = f"{text[: numbers[0].start()]} {text[numbers[0].end() :]}"
        changed = _pattern("changed in notes").search(around)
        thing = words.features(_pattern("beside a number").sub(" ", _pattern("changed in notes").sub(" ", around)))
        value = _digits(numbers[0][0])
        if changed and thing:
            before = next((each for each in reversed(given) if thing in (each[0], each[0] | thing)), None)
            if before and before[1] != value and not _others(before[2]) ^ _others(entry):
                yield before[2], entry
        given.append((thing, value, entry))
