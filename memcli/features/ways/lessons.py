"""Learn from failures: a way that failed twice for the same reason becomes a way of failing, whose record names a
better way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from memcli.features.ways import patterns
from memcli.features.ways.likeness import Word, share, task_words
from memcli.features.ways.patterns import Failure, Try, Way
from memcli.text import phrases
from memcli.text.clean import one_line
from memcli.text.sentences import sentences

SHARED = 0.5  # share of the shorter of two reasons that the other must name, too
GRAVEST = 5
NOTE = 120  # characters of a reason as it is shown


class Lesson(NamedTuple):
    """Hold a proposed way of failing, and the tries it was learnt from."""

    failure: Failure
    places: tuple[str, ...]
    at: str  # time of the last of them


def lessons(ways: Sequence[Way]) -> list[Lesson]:
    """Return the lessons from failures of some ways to one goal, at most one for each way."""
    found = []
    for way in ways:
        failed = [each for each in way.tries if not each.good and each.note]
        if alike := _same_reason(failed):
            last = alike[-1]
            better = _mitigation(way, alike, ways)
            how = "at once" if way.strategy == patterns.PARALLEL else f"by {way.steps[0]}" if way.steps else ""
            what = f"{way.goal}: {how}" if how else way.goal
            severity = min(GRAVEST, 1 + len(alike))
            failure = Failure(
                what, (), _reason(last), better, severity, len(alike), last.at[:10], way.path,
            )  # fmt: skip
            found.append(
                Lesson(failure, tuple(dict.fromkeys(f"{way.place} {each.at[:10]}" for each in alike)), last.at)
            )
    return found


def _same_reason(failed: Sequence[Try]) -> list[Try]:
    """Return the latest failures that share a reason; empty if none repeats."""
    for one, other in sorted(combinations(failed, 2), key=lambda pair: pair[1].at, reverse=True):
        if _shares(task_words(one.note), task_words(other.note)) >= SHARED:
            return [each for each in failed if _shares(task_words(each.note), task_words(other.note)) >= SHARED]
    return []


def _shares(first: tuple[Word, ...], second: tuple[Word, ...]) -> float:
    """Return the share of the shorter reason that the other one also names, from 0 to 1."""
    short, long = sorted((first, second), key=lambda each: sum(word.weight for word in each))
    return share(short, long)


def _reason(failed: Try) -> str:
    """Return the reason of a failure, without the advice in it."""
    reasons = [each for each in sentences(failed.note) if not _next_time(each)]
    return one_line(" ".join(reasons) or failed.note, NOTE)


def _mitigation(way: Way, failed: Sequence[Try], ways: Sequence[Way]) -> str:
    """Return the advice in a failure's note, else the way that went well. Otherwise return "one after the other" if too
    much was done at once, else ""."""
    advice = [each for one in reversed(failed) for each in sentences(one.note) if _next_time(each)]
    if advice:
        return one_line(advice[0], NOTE)
    better = [each for each in ways if each is not way and each.good * 2 > each.count]
    if better:
        best = max(better, key=lambda each: (each.good / each.count, each.good))
        return f"{best.summary} (went well {best.good} of {best.count} times)"
    crowded = any(phrases.find_phrase("ways/outcomes", "too much at once", each.note) for each in failed)
    return "one after the other, not at once" if crowded and way.strategy == patterns.PARALLEL else ""


def _next_time(sentence: str) -> bool:
    return phrases.find_phrase("ways/outcomes", "next time", sentence) is not None


def words_of_haste(text: str) -> Iterator[str]:
    """Yield the words of haste in a request: signs of a coming failure."""
    found = phrases.pattern("ways/outcomes", "haste", phrases.languages(text)).finditer(text)
    yield from dict.fromkeys(match[0].lower() for match in found)
