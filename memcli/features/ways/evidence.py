"""Compute the evidence for a way from its tries: its recent success rate, and how certain that is. All is pure
arithmetic."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

SUCCESS = 0.9  # lower bound of the rate from which a way is offered as proven
SURE = 1.2816  # one-sided 90 %, in standard deviations: one in ten ways called proven may be worse
FADES = 0.995  # factor on a try for each later one of any way to the same goal: the world changes


class TryEvidence(NamedTuple):
    """Hold the weighted number of good and bad tries; old ones count less."""

    good: float = 0.0
    bad: float = 0.0

    @property
    def tries(self) -> float:
        return self.good + self.bad

    @property
    def rate(self) -> float:
        return self.good / self.tries if self.tries else 0.0

    @property
    def bound(self) -> float:
        """Return the lower bound of the rate, after Wilson: 0 without a try, near the rate after many."""
        if not self.tries:
            return 0.0
        n, square = self.tries, SURE * SURE
        middle = self.rate + square / (2 * n)
        spread = SURE * math.sqrt(self.rate * (1 - self.rate) / n + square / (4 * n * n))
        return max(0.0, (middle - spread) / (1 + square / n))

    @property
    def proven(self) -> bool:
        return self.bound > SUCCESS

    def faded(self, later: int = 1, fades: float = FADES) -> TryEvidence:
        """Return the evidence reduced for so many later tries."""
        share = fades**later
        return TryEvidence(self.good * share, self.bad * share)

    def with_try(self, good: bool) -> TryEvidence:
        return TryEvidence(self.good + good, self.bad + (not good))


def index_to_take(ways: Sequence[TryEvidence], seed: str) -> int:
    """Return the index of the way to take: the surest proven one. If none is proven, each draws a rate that its
    tries allow (Thompson) and the highest wins: good ways come up often, little known ones sometimes."""
    proven = [at for at, each in enumerate(ways) if each.proven]
    if proven:
        return max(proven, key=lambda at: ways[at].bound)
    chance = random.Random(seed)
    draws = [chance.betavariate(1 + each.good, 1 + each.bad) for each in ways]
    return draws.index(max(draws))
