"""Choosing what goes into the block: nothing twice, no near-repeats of what was said better, never over budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from memcli.recall.score import Scored
from memcli.text import novelty
from memcli.text.excerpt import LONGEST, Spots, shortened

POOL = 3  # times as many candidates as will fit are compared with each other
SMALLEST = 8  # tokens of room below which nothing worth reading fits
MISSES = 12  # in a row that do not fit; what ranks below them would only fill up


class Chosen(NamedTuple):
    """A memory that made it into the block, with the words that are shown of it."""

    scored: Scored
    text: str
    cut: bool = False


def diverse(ranked: list[Scored], keep: int, balance: float) -> list[Scored]:
    """Maximal marginal relevance over the best `POOL * keep`: relevance against likeness to what is chosen already."""
    pool = ranked[: POOL * keep]
    order = novelty.order([each.score for each in pool], [each.entry.words for each in pool], balance)
    return [pool[at] for at in order] + ranked[POOL * keep :]


def pack(
    ranked: Iterable[Scored],
    room: int,
    most: int,
    cost: Callable[[Scored, str, bool], int],
    shown: Callable[[Scored], str],
    head: Callable[[Scored], str],
    spots: Callable[[str], Spots] = lambda text: (),
) -> list[Chosen]:
    """Best first, what does not fit is passed over. `cost` counts tokens of a memory, with its group's head or without.

    Only the best memory is cut to fit: half a sentence of the tenth best helps nobody. `spots` tells where to cut.
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
            text, need = shortened(text, room, partial(_cost_of, cost, each, new), spots)
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
