"""What tries tell of a way: how often it went well of late, and how sure that is. Pure numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

SUCCESS = 0.9  # what a way has to reach to be offered as proven: not its rate, but the lower bound of it
SURE = 1.2816  # one-sided 90 %, in standard deviations: one way in ten that is called proven may be worse
FADES = 0.995  # what a try counts less for each later one of any way to the same goal: the world changes


class Evidence(NamedTuple):
    """Tries as they count today: those long ago count less."""

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
        """What the rate surely is at least, after Wilson: 0 without a try, near the rate after many."""
        if not self.tries:
            return 0.0
        n, square = self.tries, SURE * SURE
        middle = self.rate + square / (2 * n)
        spread = SURE * math.sqrt(self.rate * (1 - self.rate) / n + square / (4 * n * n))
        return max(0.0, (middle - spread) / (1 + square / n))

    @property
    def proven(self) -> bool:
        return self.bound > SUCCESS

    def faded(self, later: int = 1, fades: float = FADES) -> Evidence:
        """What is left of it after so many later tries."""
        share = fades**later
        return Evidence(self.good * share, self.bad * share)

    def with_try(self, good: bool) -> Evidence:
        return Evidence(self.good + good, self.bad + (not good))


def enough(failures: int = 0, fades: float = FADES) -> int:
    """How many tries in a row, with so many failures at the beginning, make a way proven; 0: none ever do."""
    found = Evidence()
    for number in range(1, 1000):
        found = found.faded(fades=fades).with_try(number > failures)
        if found.proven:
            return number
    return 0


def chosen(ways: Sequence[Evidence], seed: str) -> int:
    """Which way to take: the surest of those that are proven; of unproven ones that which wins when each draws a rate
    that its tries allow (Thompson): what is good comes up often, what is little known sometimes."""
    proven = [at for at, each in enumerate(ways) if each.proven]
    if proven:
        return max(proven, key=lambda at: ways[at].bound)
    chance = random.Random(seed)
    draws = [chance.betavariate(1 + each.good, 1 + each.bad) for each in ways]
    return draws.index(max(draws))
