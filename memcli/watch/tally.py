"""Provide the results of a search in memory, with the interface of `vault.search`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memcli.text.words import Term
from memcli.vault.search import LinePattern, matches
from memcli.watch.postings import GAP, NO_LINES, Ids, Postings

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class MemoryFindings:
    """Hold the results of one search, like `vault.search.Findings`, without reading any file."""

    postings: Postings
    paths: Sequence[str]
    terms: Sequence[Term]
    looks: Sequence[LinePattern]

    def tally(self, terms: Sequence[Term]) -> MemoryTally:
        mask = self.postings.admitted(self.paths)
        lines_of_terms = []
        for term in terms:
            forms: list[tuple[Ids, Weights]] = []
            for form in term.forms:
                ids = self.postings.having(form)
                lines, times = _counted(ids[mask[ids]])
                forms.append((lines, form.weight * times.astype(np.float64)))
            lines_of_terms.append(_summed(forms))
        return MemoryTally(self.postings, tuple(lines_of_terms))

    def touched(self) -> set[str]:
        tally = self.tally(self.terms)
        return {path for path, _ in self._looked}.union(*map(tally.paths, range(len(self.terms))))

    def files_with(self, test: Callable[[str], bool]) -> list[str]:
        """Return the files with a line of `looks` that passes.

        A line that merely has one of the words is not a tag or task.
        """
        return list(dict.fromkeys(path for path, line in self._looked if test(line)))

    @cached_property
    def _looked(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._look())

    def _look(self) -> Iterator[tuple[str, str]]:
        mask = self.postings.admitted(self.paths)
        for look in self.looks:
            has = matches(look)
            ids = self.postings.candidates(look.needle)
            for at in ids[mask[ids]].tolist():
                if has(line := self.postings.line(at)):
                    yield self.postings.path(at), line


@dataclass(frozen=True)
class MemoryTally:
    """Hold for each term its lines, in order, and how often it is in each, weighted."""

    postings: Postings
    terms: tuple[tuple[Ids, Weights], ...]

    @property
    def entries(self) -> tuple[int, ...]:
        return tuple(len(lines) for lines, _ in self.terms)

    def paths(self, term: int) -> list[str]:
        numbers = _once(_files(self.postings.starts(), self.terms[term][0]))
        return [self.postings.path_of(number) for number in numbers.tolist()]

    def lines(self, path: str) -> Sequence[dict[int, float]]:
        if path not in self.postings:
            return [{} for _ in self.terms]
        start, stop = self.postings.span(path)
        per_term: list[dict[int, float]] = []
        for lines, weights in self._lists:
            first = bisect_left(lines, start)
            last = bisect_left(lines, stop, first)
            per_term.append({lines[at] - start + 1: weights[at] for at in range(first, last)})
        return per_term

    @cached_property
    def _lists(self) -> list[tuple[list[int], list[float]]]:
        return [(lines.tolist(), weights.tolist()) for lines, weights in self.terms]

    def best(self, rarity: Sequence[float], reach: Sequence[int], knows: float, most: int) -> list[tuple[float, str]]:
        starts = self.postings.starts()
        if not len(starts):
            return []
        near = np.zeros(self.postings.size)
        known = np.zeros(len(starts))
        having = np.zeros(len(starts), dtype=bool)
        for (lines, _), rare in zip(self.terms, rarity, strict=True):
            if len(lines):
                touched = np.zeros(len(near), dtype=bool)
                for step in reach:
                    touched[lines + step] = True
                near[touched] += rare
                numbers = _once(_files(starts, lines))
                known[numbers] += rare
                having[numbers] = True
        has = np.flatnonzero(having)
        if not len(has):
            return []
        # A file begins in the middle of the gap before it, into which its first line reaches.
        worth = np.maximum.reduceat(near, starts - GAP // 2)[has] + knows * known[has]
        least = np.partition(worth, -most)[-most] if len(worth) > most else 0.0
        ranked = [
            (value, self.postings.path_of(number))
            for number, value in zip(has.tolist(), worth.tolist(), strict=True)
            if value >= least
        ]
        return sorted(ranked, key=lambda scored: (-scored[0], scored[1]))[:most]


def _files(starts: Ids, lines: Ids) -> Ids:
    """Return for each line the position of its file."""
    return np.searchsorted(starts, lines, side="right") - 1


def _firsts(ordered: Ids) -> Ids:
    """Return where each number of an ordered list first stands; `np.unique` would sort the list again."""
    return np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else ordered


def _once(ordered: Ids) -> Ids:
    return ordered[_firsts(ordered)]


def _counted(ordered: Ids) -> tuple[Ids, Ids]:
    """Return each of the numbers once, and how often it occurs."""
    firsts = _firsts(ordered)
    return ordered[firsts], np.diff(np.append(firsts, len(ordered)))


def _summed(forms: Sequence[tuple[Ids, Weights]]) -> tuple[Ids, Weights]:
    """Return the lines of all forms, each with its summed weights.

    A line's weights are added in the order of the forms, as for ripgrep, so that the sums are equal.
    """
    forms = [form for form in forms if len(form[0])]
    if len(forms) < 2:
        return forms[0] if forms else (NO_LINES, np.zeros(0))
    lines = np.unique(np.concatenate([lines for lines, _ in forms]))
    sums = np.zeros(len(lines))
    for some, weights in forms:
        sums[np.searchsorted(lines, some)] += weights
    return lines, sums
