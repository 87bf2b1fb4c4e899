"""What the notes are like: a talk or single facts, told by themselves and not by a setting.

In talk the answer stands next to the word that is asked for, who speaks matters, and short lines say little. In notes
that were jotted down one by one nothing of this holds. Only the files that were opened are looked at.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import chain, pairwise
from typing import NamedTuple

from memcli.recall.searched import Searched, once
from memcli.text.words import features, lead_of
from memcli.vault.entries import ASIDE

PAIRS, FEW = 40, 8  # neighbours that are compared; of fewer nothing can be told
ALIKE = 0.08  # likeness from which neighbours tell of each other fully: that of turns of a talk
SPEAKS = 3  # lines from which on a `Name:` is somebody who speaks, no label


class Talk(NamedTuple):
    share: float  # of the lines, that somebody says to somebody else
    tells: Mapping[str, float]  # by speaker: how much it tells that a line is theirs; nothing when all are


@once
def talk(search: Searched) -> Talk:
    leads = [lead_of(entry.raw) for path in search.opened for entry in search.entries(path)]
    shares = {lead: times / len(leads) for lead, times in Counter(leads).items() if lead and times >= SPEAKS}
    tells = {lead: min(1.0, 2 - 2 * share) for lead, share in shares.items()}
    return Talk(sum(share * tells[lead] for lead, share in shares.items()), tells)


@once
def cohesion(search: Searched) -> float:
    """How far entries that stand side by side are about the same thing, as the opened files show: 0 for facts jotted
    down one by one, 1 where each goes on with the last. By the rare words they share (cosine)."""
    pairs = [
        pair for path in search.opened for pair in pairwise(search.entries(path)) if pair[0].trail == pair[1].trail
    ]
    pairs = pairs[:: len(pairs) // PAIRS + 1]
    if len(pairs) < FEW:
        return ASIDE
    texts = [(features(one.words), features(other.words)) for one, other in pairs]
    number = Counter(chain.from_iterable(chain.from_iterable(texts)))
    weight = {word: math.log(2 * len(texts) / count) ** 2 for word, count in number.items()}
    total = 0.0
    for one, other in texts:
        shared = sum(weight[word] for word in one & other)
        if shared:
            total += shared / math.sqrt(sum(weight[word] for word in one) * sum(weight[word] for word in other))
    return min(1.0, total / len(texts) / ALIKE)
