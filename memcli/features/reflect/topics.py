"""Find what comes up again and again: names and rare words that memories of several days share."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from memcli.text import dates, lexicon, phrases, tokens, words
from memcli.text.entities import entities
from memcli.vault.entries import Entry

THRICE = 3  # days on which it must come up
CITED = 3  # memories that a topic cites: one of each of its last days
COMMON = 3000  # rank of a word that is too common to be a topic alone
SIGNS = (2, 6)  # characters of a Chinese word that may be a topic
SAME = 0.6  # share of common memories from which two topics are one

_NUMBER = re.compile(r"[\d.,:%/ -]+")


@dataclass(frozen=True)
class Topic:
    """Hold something that came up on several days."""

    name: str
    entries: tuple[Entry, ...]

    @property
    def days(self) -> int:
        return len({entry.day for entry in self.entries})

    @property
    def cited(self) -> tuple[Entry, ...]:
        """Return the latest memory of each of its last days."""
        by_day = {entry.day: entry for entry in self.entries}
        return tuple(list(by_day.values())[-CITED:])


def topics(found: Sequence[Entry], before: Iterable[Entry] = (), but: str = "") -> list[Topic]:
    """Return the topics of some memories, first those that come up on most days and were rare before. Leave out the
    project `but`, which they are about anyway."""
    where: dict[str, list[Entry]] = defaultdict(list)
    shown: dict[str, str] = {}
    for entry in found:
        for name, written in _named(entry):
            where[name].append(entry)
            shown.setdefault(name, written)
    often = Counter(name for entry in before for name in {name for name, _ in _named(entry)} & where.keys())
    made = [
        Topic(name, tuple(entries))
        for name, entries in where.items()
        if len({e.day for e in entries}) >= THRICE and not (but and name in but.casefold())
    ]
    made.sort(key=lambda topic: (-_worth(topic, often[topic.name]), -len(topic.name), topic.name))
    kept: list[Topic] = []
    for topic in made:
        if not any(_is_part(topic, other) for other in kept):
            kept.append(topic)
    return [Topic(_complete(shown[topic.name], topic.entries), topic.entries) for topic in kept]


def _complete(name: str, entries: Sequence[Entry]) -> str:
    """Return a Chinese name with the signs that stand around it everywhere: 蔺老师 for 蔺老."""
    grown = ""
    while words.CJK_RUN.fullmatch(name) and grown != name and len(name) < SIGNS[1]:
        grown = name
        for around in (f"(.?){name}", f"{name}(.?)"):
            signs = {sign for entry in entries for sign in re.findall(around, entry.words)}
            sign = signs.pop() if len(signs) == 1 else ""
            if words.CJK_RUN.fullmatch(sign) and sign not in lexicon.stop_words("zh"):
                name = sign + name if around.startswith("(") else name + sign
    return name


def _worth(topic: Topic, before: int) -> float:
    """Return the number of days on which it came up, reduced if it always did."""
    long = 1.0 if len(topic.name) > 2 else 0.8
    return topic.days * long / math.log2(2 + before)


def _is_part(topic: Topic, whole_name: Topic) -> bool:
    """Return whether a topic is another word for one in the list."""
    mine, theirs = set(topic.entries), set(whole_name.entries)
    return len(mine & theirs) >= SAME * min(len(mine), len(theirs))


@cache
def _ordinals() -> frozenset[str]:
    """Return the ordinal words: they name no topic."""
    found = (line for row in phrases.table("differs", "en") for line in row.get("counting", ()))
    return frozenset(" ".join(found).split())


def _named(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what a memory may be about: a normalized name, and how it is written here. A day, a month and the word that
    something was decided are none."""
    text = phrases.pattern("reflect/reflect", "decided", phrases.LANGUAGES).sub(" ", entry.words)
    for span in dates.find_dates(text, entry.day or date.min):
        text = text.replace(span.text, " ")
    names = {name: name for name in entities(text) if not _NUMBER.fullmatch(name)}
    stop = lexicon.stop_words("en")
    for word in words.WORD.findall(text):
        low = words.normal_form(word)
        counts = low in phrases.words_of("differs", "number", ("en",)) or low in _ordinals()
        rare = len(low) > 3 and low not in stop and not low.isdigit() and tokens.rank(f" {low}") > COMMON and not counts
        if counts:
            names.pop(low, None)
        elif rare or low in names:
            names.pop(low, None)
            names.setdefault(words.stem(low), word)
    names |= {tag.casefold(): f"#{tag}" for tag in entry.tags}
    for run in words.CJK_RUN.findall(text):
        for stop_word in lexicon.chinese_by_length():
            run = run.replace(stop_word, " ")
        for part in run.split():
            if SIGNS[0] <= len(part) <= SIGNS[1]:
                names.setdefault(part, part)
            names |= {part[at : at + 2]: part[at : at + 2] for at in range(len(part) - 1) if len(part) > 2}
    yield from names.items()
