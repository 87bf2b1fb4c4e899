"""A textbook BM25 over the lines of a vault: words as they stand, pairs of characters where a script has no spaces."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

from memcli.text import tokens

_LINE = re.compile(r"\s*- (?:\d\d:\d\d )?(.*)")
Where = tuple[str, int]


class Plain:
    """The lines of one vault, and how to rank them."""

    def __init__(self, root: Path) -> None:
        self.keys: list[Where] = []
        self.costs: list[int] = []
        self.having: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.sizes: list[int] = []
        for path in sorted(root.glob("logs/*.md")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if match := _LINE.match(line):
                    counted = Counter(_words(match[1]))
                    for word, times in counted.items():
                        self.having[word].append((len(self.keys), times))
                    self.keys.append((f"logs/{path.name}", number))
                    self.costs.append(tokens.count(match[1]) + 1)
                    self.sizes.append(sum(counted.values()))
        self.mean = sum(self.sizes) / max(1, len(self.sizes)) or 1.0

    @staticmethod
    @lru_cache(maxsize=24)
    def of(root: Path) -> Plain:
        return Plain(root)

    def ranked(self, question: str) -> list[int]:
        """Return the numbers of the best lines, best first."""
        scores: Counter[int] = Counter()
        for word in set(_words(question)):
            having = self.having.get(word, [])
            rare = math.log(1 + (len(self.keys) - len(having) + 0.5) / (len(having) + 0.5))
            for at, times in having:
                scores[at] += rare * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * self.sizes[at] / self.mean))
        return [at for at, _ in scores.most_common(400)]

    def block(self, order: list[int], budget: int, place: int) -> set[Where]:
        """Return the lines that fit a budget, each paying so many tokens for its place."""
        kept = set()
        for at in order:
            if self.costs[at] + place <= budget:
                budget -= self.costs[at] + place
                kept.add(self.keys[at])
        return kept


def _words(text: str) -> list[str]:
    low = text.lower()
    found = re.findall(r"[a-z0-9]+", low)
    for run in re.findall(r"[\u4e00-\u9fff]+", low):
        found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
    return found
