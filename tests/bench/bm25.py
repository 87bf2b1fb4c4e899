"""Plain BM25, the yardstick: lines of a vault ranked by the words of a question, as any textbook has it.

No neighbours, no dates, no names: stemmed words without stop words, and pairs of characters where a script has no
spaces. The block is the best lines without their places, which makes it shorter than one that cites.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from memcli.text import tokens, words

K1, B = 1.2, 0.75


class Ranking:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line for line in lines if line.strip()]
        self.costs = [tokens.count(f"{line}\n") for line in self.lines]
        self.counts = [Counter(_words(line)) for line in self.lines]
        self.having = Counter(word for counted in self.counts for word in counted)
        self.sizes = [sum(counted.values()) for counted in self.counts]
        self.mean = sum(self.sizes) / max(1, len(self.sizes)) or 1.0

    def block(self, question: str, budget: int) -> str:
        """The best lines that fit, best first."""
        asked = set(_words(question))
        scores = [self._score(asked, at) for at in range(len(self.lines))]
        block, room = [], budget
        for at in sorted(range(len(scores)), key=lambda at: -scores[at]):
            if scores[at] > 0 and self.costs[at] <= room:
                block.append(self.lines[at])
                room -= self.costs[at]
        return "\n".join([*block, ""])

    def _score(self, asked: set[str], at: int) -> float:
        counted, score = self.counts[at], 0.0
        for word in asked & counted.keys():
            rarity = math.log(1 + (len(self.lines) - self.having[word] + 0.5) / (self.having[word] + 0.5))
            share = K1 * (1 - B + B * self.sizes[at] / self.mean)
            score += rarity * counted[word] * (K1 + 1) / (counted[word] + share)
        return score


def _words(text: str) -> list[str]:
    low = text.lower()
    found = [words.stem(word) for word in words.words(low) if not words.is_stop(word)]
    for run in words.CJK_RUN.findall(low):
        found += map("".join, pairwise(run)) if len(run) > 1 else [run]
    return found
