"""Fit the chain of `memcli/features/learn/likelihood.py`: a conditional random field over the parts of sentences, with
weights that are drawn to nothing, by L-BFGS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from learn_cases import OF_SOURCE, Case

from memcli.features.learn.likelihood import ANY, BEGINS, COLUMNS, LETTERS, ON
from memcli.features.learn.schema import BEHIND_MEMORY

SEEN = 2  # a feature of fewer sentences tells nothing
HELD_BACK = 1.0  # how far a weight is drawn to nothing
OF_A_KIND = 1.5  # how much farther where it speaks for one kind more than for others
STEPS = 100
HIGHEST = 30.0  # a score of a part: no number overflows
Array = np.ndarray
Weights = dict[str, dict[str, float]]


def fitted(cases: Sequence[Case], steps: int = STEPS) -> Weights:
    """What each feature counts in each column."""
    seen = Counter(feature for case in cases for feature in {each for part in case.told for each in part})
    names = [feature for feature, number in seen.items() if number >= SEEN]
    chain = _Chain(cases, {name: row for row, name in enumerate(names)})
    rows = len(names)
    drawn = HELD_BACK * np.array([OF_A_KIND if column in LETTERS else 1.0 for column in COLUMNS])
    edge = np.array([name.startswith("|") for name in names])
    free = np.zeros((rows, len(COLUMNS)), bool)
    free[edge, BEGINS:], free[~edge, :BEGINS] = True, True

    def loss(flat: Array) -> tuple[float, Array]:
        weights, behind = flat[:-1].reshape(rows, -1), flat[-1]
        value, slope, slope_behind = chain.loss(weights, behind)
        value += 0.5 * float((drawn * weights**2).sum())
        return value, np.append(((slope + drawn * weights) * free).ravel(), slope_behind + 0.01 * behind)

    found = _lowest(loss, np.zeros(rows * len(COLUMNS) + 1), steps)
    weights = found[:-1].reshape(rows, -1)
    table = {name: dict(zip(COLUMNS, map(float, row), strict=True)) for name, row in zip(names, weights, strict=True)}
    table = {name: row for name, row in table.items() if not name.startswith(OF_SOURCE)}
    return {**table, BEHIND_MEMORY: {"b": float(found[-1])}}


class _Chain:
    """Sentences as arrays, those of like length together."""

    def __init__(self, cases: Sequence[Case], at: dict[str, int]) -> None:
        cases = sorted(cases, key=lambda case: len(case.told))
        parts = [[at[each] for each in part if each in at] for case in cases for part in case.told]
        counts = np.array([len(part) for part in parts])
        self.columns = np.concatenate([np.array(part, dtype=np.int64) for part in parts])
        self.starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self.of = np.repeat(np.arange(len(parts)), counts)
        self.rows = len(at)
        self.blocks = []
        first = 0
        for low, high in pairwise((0, 1, 2, 3, 5, 8, 99)):
            block = [case for case in cases if low < len(case.told) <= high]
            if block:
                self.blocks.append((first, _Block(block)))
                first += sum(len(case.told) for case in block)

    def loss(self, weights: Array, behind: float) -> tuple[float, Array, float]:
        sums = np.add.reduceat(weights[self.columns], self.starts, axis=0)
        value, slope_behind, told = 0.0, 0.0, np.zeros_like(sums)
        for first, block in self.blocks:
            last = first + len(block.there)
            worth, told[first:last], bent = block.loss(sums[first:last], behind)
            value, slope_behind = value + worth, slope_behind + bent
        columns = [np.bincount(self.columns, told[self.of, column], self.rows) for column in range(len(COLUMNS))]
        return value, np.stack(columns, axis=1), slope_behind


class _Block:
    """Sentences padded to the longest of them; a part beyond the end holds nothing, for sure."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.size, self.longest = len(cases), max(len(case.told) for case in cases)
        self.there = np.array([(row, place) for row, case in enumerate(cases) for place in range(len(case.told))])
        self.weight = np.array([case.weight for case in cases])
        shape = (self.size, self.longest, len(LETTERS))
        self.may_begin, self.may_go_on = np.zeros(shape), np.zeros(shape)
        self.may_be_none = np.ones(shape[:2])
        self.mask = np.zeros((*shape[:2], 1))
        self.mask[self.there[:, 0], self.there[:, 1]] = 1.0
        for row, case in enumerate(cases):
            for place, label in enumerate(case.labels):
                self.may_be_none[row, place] = float(label.nothing)
                self.may_begin[row, place, [LETTERS.index(kind) for kind in label.begins]] = 1.0
                self.may_go_on[row, place, [LETTERS.index(kind) for kind in label.goes_on]] = 1.0

    def loss(self, sums: Array, behind: float) -> tuple[float, Array, float]:
        scores = np.zeros((self.size, self.longest, len(COLUMNS)))
        scores[self.there[:, 0], self.there[:, 1]] = sums
        kinds = scores[..., : len(LETTERS)] + scores[..., ANY : ANY + 1]
        begin, on = (np.exp(np.minimum(kinds + scores[..., edge, None], HIGHEST)) * self.mask for edge in (BEGINS, ON))
        total, begun, went_on, again = self._shares(begin, on, np.ones_like(self.may_be_none), behind)
        right, *known = self._shares(begin * self.may_begin, on * self.may_go_on, self.may_be_none, behind)
        off_begin, off_on = begun - known[0], went_on - known[1]
        off = off_begin + off_on
        slopes = np.concatenate(
            [off, off.sum(2, keepdims=True), off_begin.sum(2, keepdims=True), off_on.sum(2, keepdims=True)], axis=2
        ) * self.weight[:, None, None]  # fmt: skip
        value = float((self.weight * (total - right)).sum())
        return value, slopes[self.there[:, 0], self.there[:, 1]], float((self.weight * (again - known[2])).sum())

    def _shares(self, begin: Array, on: Array, nothing: Array, behind: float) -> tuple[Array, Array, Array, Array]:
        """The logarithm of the sum over all ways to cut the sentences, and what share of it begins and goes on where.
        All is scaled place by place, so that no number runs away."""
        again = np.exp(behind)
        none, held = np.ones(self.size), np.zeros((self.size, len(LETTERS)))
        before, scales = [], []
        for at in range(self.longest):
            some = held.sum(1)
            before.append((none + again * some, held, some))
            held = begin[:, at] * before[-1][0][:, None] + on[:, at] * held
            none = (none + some) * nothing[:, at]
            scales.append(none + held.sum(1))
            none, held = none / scales[-1], held / scales[-1][:, None]
        after_none, after = np.ones(self.size), np.ones((self.size, len(LETTERS)))
        begun, went_on, followed = np.empty_like(begin), np.empty_like(on), np.zeros(self.size)
        for at in reversed(range(self.longest)):
            into, held, some = before[at]
            scale = scales[at]
            onwards = on[:, at] * after / scale[:, None]
            starts = begin[:, at] * after / scale[:, None]
            fresh, passed = starts.sum(1), nothing[:, at] * after_none / scale
            begun[:, at], went_on[:, at] = starts * into[:, None], onwards * held
            followed += again * some * fresh
            after_none, after = passed + fresh, (passed + again * fresh)[:, None] + onwards
        return np.log(np.stack(scales)).sum(0), begun, went_on, followed


def _lowest(loss: Callable[[Array], tuple[float, Array]], start: Array, steps: int) -> Array:
    """Where a smooth loss is lowest, by L-BFGS with a step that is halved until it helps."""
    at, (value, slope) = start, loss(start)
    known: list[tuple[Array, Array]] = []
    for _ in range(steps):
        way, shares = slope.copy(), []
        for moved, bent in reversed(known):
            share = moved @ way / (moved @ bent)
            shares.append(share)
            way -= share * bent
        way *= known[-1][0] @ known[-1][1] / (known[-1][1] @ known[-1][1]) if known else 1 / np.abs(slope).sum()
        for (moved, bent), share in zip(known, reversed(shares), strict=True):
            way += moved * (share - bent @ way / (moved @ bent))
        length = 1.0
        while True:
            there = at - length * way
            lower, bend = loss(there)
            if lower <= value - 1e-4 * length * (slope @ way) or length < 1e-6:
                break
            length /= 2
        if (there - at) @ (bend - slope) > 1e-10:
            known = [*known[-7:], (there - at, bend - slope)]
        done = value - lower < 1e-5 * abs(value)
        at, value, slope = there, lower, bend
        if done:
            break
    return at
