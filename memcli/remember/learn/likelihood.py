"""Where the memories of a sentence begin and end, of what kind they are, and how likely that is.

A sentence is a chain of parts, each of which holds nothing, begins a memory of some kind, or goes on with the one
before it (a conditional random field). What each feature of a part counts stands, in hundredths, in
`memcli/language/*/learn_weights.txt`; `tests/bench/learn_weights.py` fits it on talks whose memories are marked, and
that is all there is to tune.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memcli.remember.learn.atoms import SURE
from memcli.text.tables import LANGUAGE, written

LEAST = 0.35  # likelihood below which nothing is proposed
KEPT = 0.5  # likelihood from which what a rule took was right, of talks that the weights had not seen
KEPT_BY_WORDS = 0.97  # the same of what is only told by its words
# The kinds of memories, and the types that are one.
KINDS = {
    "F": frozenset({"fact", "profile", "label", "event"}), "P": frozenset({"preference"}), "D": frozenset({"decision"}),
    "T": frozenset({"task", "event"}), "L": frozenset({"label", "profile", "fact"}), "O": frozenset({"opinion"}),
    "Q": frozenset({"question"}),
}  # fmt: skip
LETTERS = "".join(KINDS)
ANY, BEGINS, ON = len(LETTERS), len(LETTERS) + 1, len(LETTERS) + 2  # columns behind those of the kinds
COLUMNS = LETTERS + "*bi"
BEHIND = "behind a memory"  # what it counts that a memory begins right behind another
Table = dict[str, tuple[tuple[int, float], ...]]  # feature → what it counts in which columns
_HIGHEST = 25.0  # a score of a part, either way: enough to be sure, and no number overflows


@dataclass(frozen=True)
class Span:
    """Neighbouring parts that hold one memory."""

    start: int
    end: int
    kind: str
    likely: float  # that it is of this kind, and begins and ends there


@dataclass(frozen=True)
class Judged:
    """How likely each part holds each kind of memory, and the memories that follow."""

    held: tuple[tuple[float, ...], ...]
    spans: tuple[Span, ...]

    def of_type(self, type: str, at: int) -> float:
        """How likely a part holds a memory of this type."""
        return sum(held for held, types in zip(self.held[at], KINDS.values(), strict=True) if type in types)


def judged(language: str, told: Sequence[Sequence[str]]) -> Judged | None:
    """By the features of each part; None where the language has no weights yet."""
    table = weights(language)
    return _judged([_scores(features, table) for features in told], _behind(table)) if table else None


def confidence(language: str, likely: float, by_words: bool) -> float:
    """How sure a memory is of this likelihood: what is not to be kept unasked is less than sure."""
    sure = not weights(language) or likely >= (KEPT_BY_WORDS if by_words else KEPT)
    return max(likely, SURE) if sure else min(likely, SURE - 0.01)


def _scores(features: Sequence[str], table: Table) -> list[float]:
    sums = [0.0] * len(COLUMNS)
    for feature in features:
        for column, weight in table.get(feature, ()):
            sums[column] += weight
    return sums


def _behind(table: Table) -> float:
    return sum(weight for _, weight in table.get(BEHIND, ()))


def _judged(scores: Sequence[Sequence[float]], behind: float) -> Judged:
    """All ways to cut the chain are summed, from its beginning and from its end; each memory is worth its share."""
    size, kinds = len(scores), range(len(LETTERS))
    begin = [[_odds(row[kind] + row[ANY] + row[BEGINS]) for kind in kinds] for row in scores]
    go_on = [[_odds(row[kind] + row[ANY] + row[ON]) for kind in kinds] for row in scores]
    again = math.exp(behind)
    free, within = [1.0], [[0.0] * len(LETTERS)]  # sums of what ends before a part: with nothing, with a memory
    for at in range(size):
        last, held = free[-1], within[-1]
        into = last + again * sum(held)
        free.append(last + sum(held))
        within.append([begin[at][kind] * into + go_on[at][kind] * held[kind] for kind in kinds])
    total = free[-1] + sum(within[-1])
    after_none, after = [1.0] * (size + 1), [[1.0] * len(LETTERS) for _ in range(size + 1)]
    leave = [1.0] * (size + 1)  # of what follows a memory that is over
    for at in reversed(range(size)):
        fresh = sum(begin[at][kind] * after[at + 1][kind] for kind in kinds)
        after_none[at] = after_none[at + 1] + fresh
        leave[at] = after_none[at + 1] + again * fresh
        after[at] = [leave[at] + go_on[at][kind] * after[at + 1][kind] for kind in kinds]
    shares = tuple(tuple(within[at + 1][kind] * after[at + 1][kind] / total for kind in kinds) for at in range(size))
    begun = []
    for at in range(size):
        into = (free[at] + again * sum(within[at])) / total
        begun.append(into * sum(begin[at][kind] * after[at + 1][kind] for kind in kinds))

    def span(start: int, end: int) -> Span:
        kind = max(kinds, key=lambda kind: sum(row[kind] for row in shares[start:end]))
        likely = (free[start] + again * sum(within[start])) / total * begin[start][kind] * leave[end]
        return Span(start, end, LETTERS[kind], likely * math.prod(go_on[at][kind] for at in range(start + 1, end)))

    filled = [sum(row) for row in shares]
    return Judged(shares, tuple(span(start, end) for start, end in _held(filled, begun)))


def _held(held: Sequence[float], begun: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Neighbouring parts that likely hold something, parted where a memory rather begins than goes on."""
    start = None
    for at, share in enumerate(held):
        ends = share < LEAST or begun[at] > share / 2
        if start is not None and ends:
            yield start, at
            start = None
        if start is None and share >= LEAST:
            start = at
    if start is not None:
        yield start, len(held)


def _odds(score: float) -> float:
    return math.exp(max(-_HIGHEST, min(_HIGHEST, score)))


@cache
def weights(language: str) -> Table:
    """Each line is a feature, a tab, and what it counts for which kinds: `F12 P-30`."""
    path = LANGUAGE / language / "learn_weights.txt"
    return read(written(path).split("\n")) if path.exists() else {}


def read(lines: Iterable[str]) -> Table:
    found = {}
    for line in lines:
        feature, tab, counts = line.partition("\t")
        if tab:
            found[feature] = tuple((COLUMNS.index(count[0]), int(count[1:]) / 100) for count in counts.split(" "))
    return found
