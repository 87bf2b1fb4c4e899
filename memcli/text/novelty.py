"""Order texts so that each adds something new to those before it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memcli.text import phrases, words
from memcli.text.later import compile_later

SAME = 0.9  # from this similarity on two texts are the same, unless `_same` finds a difference

_AT = compile_later(r"\A\d{1,2}:\d\d(?::\d\d)?\s+")  # a text repeated at another time of day is the same


def order_by_novelty(scores: Sequence[float], texts: Sequence[str], balance: float) -> list[int]:
    """Return the indices of the texts in the order of maximal marginal relevance.

    It weighs a text's score against its likeness to the texts chosen before it. `scores` come best first. A text that
    adds nothing new is left out.
    """
    best = scores[0] if scores and scores[0] > 0 else 1.0
    features = _as_bits([words.features(text) for text in texts])
    sizes = [each.bit_count() for each in features]
    likeness = [0.0] * len(texts)
    left = list(range(len(texts)))
    chosen: list[int] = []
    while left:
        at = max(left, key=lambda i: balance * scores[i] / best - (1 - balance) * likeness[i])
        left.remove(at)
        if likeness[at] >= SAME:
            continue  # it says nothing new
        chosen.append(at)
        mine, size = features[at], sizes[at]
        for other in left:
            shared = (mine & features[other]).bit_count()
            if not shared:
                continue
            like = shared / (size + sizes[other] - shared)  # the Jaccard index
            if like > likeness[other]:
                if like >= SAME and not _mean_the_same(texts[at], texts[other]):
                    like = max(likeness[other], math.nextafter(SAME, 0.0))
                likeness[other] = like
    return chosen


def _as_bits(sets: Sequence[frozenset[str]]) -> list[int]:
    """Return each set of words as a number with one bit a word, which makes thousands of comparisons fast."""
    number: dict[str, int] = {}
    return [sum(1 << number.setdefault(word, len(number)) for word in each) for each in sets]


def _mean_the_same(first: str, second: str) -> bool:
    """Return whether two texts with nearly the same words mean the same.

    Every number and day must agree, and the shared words must have the same order. Only a word that may open or close a
    sentence ("now the cache is redis") may move.
    """
    first, second = (_AT.sub("", text, count=1) for text in (first, second))
    telling = phrases.pattern("differs", "telling", phrases.LANGUAGES)
    if telling.findall(first.lower()) != telling.findall(second.lower()):
        return False
    shared = words.features(first) & words.features(second)
    mine, others = ([each for each in words.sequence(text) if each in shared] for text in (first, second))
    return others in (mine, mine[1:] + mine[:1], mine[-1:] + mine[:-1]) and (mine == others or len(mine) > 2)
