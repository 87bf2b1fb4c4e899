"""Find the beginnings, ends, kinds and likelihoods of the memories in a sentence.

A sentence is a chain of parts. Each part holds nothing, begins a memory of some kind, or continues the one before it (a
conditional random field). The weight of each feature is in `language/*/learn_weights.txt`, in hundredths;
`tests/features/learn/measures/learn_weights.py` fits it on conversations whose memories are marked. Nothing else is
tuned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memcli.features.learn import schema
from memcli.features.learn.language import FOLDER
from memcli.remember.atoms import SURE
from memcli.text.tables import read_table_text

LEAST = 0.35  # below this likelihood nothing is proposed
KEPT = 0.5  # from this likelihood on a rule's match was right, on conversations not used for fitting
KEPT_BY_WORDS = 0.97  # the same for memories found by their words alone
# The kinds of memories, with the types of each.
KINDS = {
    "F": frozenset({"fact", "profile", "label", "event"}), "P": frozenset({"preference"}), "D": frozenset({"decision"}),
    "T": frozenset({"task", "event"}), "L": frozenset({"label", "profile", "fact"}), "O": frozenset({"opinion"}),
    "Q": frozenset({"question"}),
}  # fmt: skip
LETTERS = "".join(KINDS)
ANY, BEGINS, ON = len(LETTERS), len(LETTERS) + 1, len(LETTERS) + 2  # columns after those of the kinds
COLUMNS = LETTERS + "*bi"
Table = dict[str, tuple[tuple[int, float], ...]]  # feature → (column, weight) pairs
HEAD_LINES = 3  # of a file of weights
_HIGHEST = 25.0  # largest score of a part, either way: practically certain, and no number overflows


@dataclass(frozen=True)
class Span:
    """Hold the range of neighbouring parts that make one memory."""

    start: int
    end: int
    kind: str
    likely: float  # likelihood of this kind with these ends


@dataclass(frozen=True)
class Likelihoods:
    """Hold how likely each part holds each kind of memory, and the memories that follow from it."""

    held: tuple[tuple[float, ...], ...]
    spans: tuple[Span, ...]

    def of_type(self, type: str, at: int) -> float:
        """Return how likely a part holds a memory of this type."""
        return sum(held for held, types in zip(self.held[at], KINDS.values(), strict=True) if type in types)


def judge_parts(language: str, features_of_parts: Sequence[Sequence[str]]) -> Likelihoods:
    """Return the likelihoods for the features of each part."""
    table = weights(language)
    behind = sum(weight for _, weight in table.get(schema.BEHIND_MEMORY, ()))
    return _judged([_scores(features, table) for features in features_of_parts], behind)


def confidence(likely: float, by_words: bool) -> float:
    """Return the confidence in a memory of this likelihood. It stays below `SURE` if the memory must not be kept
    unasked."""
    sure = likely >= (KEPT_BY_WORDS if by_words else KEPT)
    return max(likely, SURE) if sure else min(likely, SURE - 0.01)


def _scores(features: Sequence[str], table: Table) -> list[float]:
    sums = [0.0] * len(COLUMNS)
    for feature in features:
        for column, weight in table.get(feature, ()):
            sums[column] += weight
    return sums


def _judged(scores: Sequence[Sequence[float]], behind: float) -> Likelihoods:
    """Sum all ways to cut the chain, from its beginning and from its end, and give each memory its share."""
    size, kinds = len(scores), range(len(LETTERS))
    begin = [[_odds(row[kind] + row[ANY] + row[BEGINS]) for kind in kinds] for row in scores]
    go_on = [[_odds(row[kind] + row[ANY] + row[ON]) for kind in kinds] for row in scores]
    again = math.exp(behind)
    free, within = [1.0], [[0.0] * len(LETTERS)]  # forward sums up to a part: outside a memory, inside one
    for at in range(size):
        last, held = free[-1], within[-1]
        into = last + again * sum(held)
        free.append(last + sum(held))
        within.append([begin[at][kind] * into + go_on[at][kind] * held[kind] for kind in kinds])
    total = free[-1] + sum(within[-1])
    after_none, after = [1.0] * (size + 1), [[1.0] * len(LETTERS) for _ in range(size + 1)]
    leave = [1.0] * (size + 1)  # backward sums after a finished memory
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
    return Likelihoods(shares, tuple(span(start, end) for start, end in _find_ranges(filled, begun)))


def _find_ranges(shares: Sequence[float], begun: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield ranges of neighbouring parts that probably belong to a memory. Split them where a new memory probably
    begins."""
    start = None
    for at, share in enumerate(shares):
        ends = share < LEAST or begun[at] > share / 2
        if start is not None and ends:
            yield start, at
            start = None
        if start is None and share >= LEAST:
            start = at
    if start is not None:
        yield start, len(shares)


def _odds(score: float) -> float:
    return math.exp(max(-_HIGHEST, min(_HIGHEST, score)))


@cache
def weights(language: str) -> Table:
    """Return the weights of a language. Each line is a feature of `schema`, a tab, and its weights
    by kind: `F12 P-30`."""
    path = FOLDER / language / "learn_weights.txt"
    lines = read_table_text(path).split("\n")
    if schema.HEAD not in lines[:HEAD_LINES]:
        raise ValueError(f"{path.name} of {language} was not fitted on features of version {schema.VERSION}")
    return read_table(lines)


def read_table(lines: Iterable[str]) -> Table:
    found = {}
    for line in lines:
        feature, tab, counts = line.partition("\t")
        if tab:
            found[feature] = tuple((COLUMNS.index(count[0]), int(count[1:]) / 100) for count in counts.split(" "))
    return found
