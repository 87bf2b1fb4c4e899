"""Choosing what goes into the block: nothing twice, no near-repeats of what is better said already, never over budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from memcli.recall.score import Scored
from memcli.text import words
from memcli.text.clean import sentences

POOL = 3  # times as many candidates as will fit are compared with each other
SAME = 0.9  # likeness from which two memories say the same
SMALLEST = 8  # tokens of room below which nothing worth reading fits
MISSES = 12  # in a row that do not fit; what ranks below them would only fill up
LONGEST = 40  # characters a token can at most be thought to stand for, when a text is too long to count


@dataclass(frozen=True)
class Chosen:
    """A memory that made it into the block, with the words that are shown of it."""

    scored: Scored
    text: str
    cut: bool = False


def diverse(ranked: list[Scored], keep: int, balance: float) -> list[Scored]:
    """Maximal marginal relevance over the best `POOL * keep`: relevance against likeness to what is chosen already."""
    pool = ranked[: POOL * keep]
    best = pool[0].score if pool and pool[0].score > 0 else 1.0
    features = [words.features(each.entry.words) for each in pool]
    likeness = [0.0] * len(pool)
    left = list(range(len(pool)))
    order: list[Scored] = []
    while left:
        at = max(left, key=lambda i: (balance * pool[i].score / best - (1 - balance) * likeness[i], -i))
        left.remove(at)
        if likeness[at] >= SAME:
            continue  # it says nothing new
        order.append(pool[at])
        for other in left:
            likeness[other] = max(likeness[other], alike(features[at], features[other]))
    return order + ranked[POOL * keep :]


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's likeness of two sets of words."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def pack(
    ranked: Iterable[Scored],
    room: int,
    most: int,
    cost: Callable[[Scored, str, bool], int],
    shown: Callable[[Scored], str],
    head: Callable[[Scored], str],
) -> list[Chosen]:
    """Best first, what does not fit is passed over. `cost` counts tokens of a memory, with its group's head or without.

    Only the best memory is cut to fit: half a sentence of the tenth best helps nobody.
    """
    chosen: list[Chosen] = []
    opened: set[str] = set()
    said: set[str] = set()
    misses = 0
    for each in ranked:
        if len(chosen) >= most or room < SMALLEST or misses >= MISSES:
            break
        text = shown(each)
        same = " ".join(each.entry.words.split()).casefold()
        if not text or same in said:
            continue
        new = head(each) not in opened
        need = cost(each, text, new) if len(text) <= room * LONGEST else room + 1
        cut = False
        if need > room:
            if chosen:
                misses += 1
                continue
            text, need = _shortened(text, room, partial(_cost_of, cost, each, new))
            cut = True
            if not text:
                continue
        misses = 0
        room -= need
        opened.add(head(each))
        said.add(same)
        chosen.append(Chosen(each, text, cut))
    return chosen


def _cost_of(cost: Callable[[Scored, str, bool], int], scored: Scored, with_head: bool, text: str) -> int:
    return cost(scored, text, with_head)


def _shortened(text: str, room: int, count: Callable[[str], int]) -> tuple[str, int]:
    """As many whole sentences as fit, else as many characters, with `…`; empty when not even that fits."""
    text = text[: room * LONGEST]
    parts = sentences(text)
    low, high = 0, len(parts)
    while low < high:  # the most sentences that fit
        middle = (low + high + 1) // 2
        if count("".join(parts[:middle]).rstrip() + " …") <= room:
            low = middle
        else:
            high = middle - 1
    if low:
        kept = "".join(parts[:low]).rstrip() + " …"
        return kept, count(kept)
    low, high = 0, len(parts[0]) if parts else 0
    while low < high:
        middle = (low + high + 1) // 2
        if count(parts[0][:middle].rstrip() + "…") <= room:
            low = middle
        else:
            high = middle - 1
    kept = parts[0][:low].rstrip() + "…" if low else ""
    return kept, count(kept) if kept else 0
