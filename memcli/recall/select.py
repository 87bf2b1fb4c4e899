"""Choose what goes into the block: nothing twice, no near-repeats of what was said better, never over budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from memcli.recall.score import ScoredMemory
from memcli.text import novelty
from memcli.text.excerpt import LONGEST, Spots, best_excerpt

POOL = 3  # times as many candidates as will fit are compared with each other
SMALLEST = 8  # tokens of room below which nothing worth reading fits
MISSES = 12  # in a row that do not fit; what ranks below them would only fill up
BRIEF, MORE = 60, 120  # tokens of a long memory that is not the best, and what it gets more when it is as likely
BEST = 300  # tokens of the best, where others are likely, too


class Choice(NamedTuple):
    """Hold a memory of the block, with the words that are shown of it."""

    scored: ScoredMemory
    text: str
    cut: bool = False


def diverse(ranked: list[ScoredMemory], keep: int, balance: float) -> list[ScoredMemory]:
    """Choose by maximal marginal relevance from the best `POOL * keep`: relevance against likeness to what is chosen
    already."""
    pool = ranked[: POOL * keep]
    order = novelty.order_by_novelty([each.score for each in pool], [each.entry.words for each in pool], balance)
    return [pool[at] for at in order] + ranked[POOL * keep :]


def pack(
    ranked: Sequence[ScoredMemory],
    room: int,
    most: int,
    cost: Callable[[ScoredMemory, str, bool], int],
    shown: Callable[[ScoredMemory], str],
    head: Callable[[ScoredMemory], str],
    spots: Callable[[str], Spots] = lambda text: (),
    odds: Callable[[ScoredMemory], float] | None = None,
    least: Callable[[int], float] = float,
) -> list[Choice]:
    """Return the memories that fit, best first; what does not fit is passed over. `cost` counts tokens of a memory,
    with its group's head or without; `spots` tells where to cut a long one.

    `odds` tells how likely a memory is to answer, beside the best, and `least` what it takes after so many tokens.
    Where odds are given, a long memory gets the more room the likelier it is, and is shown by the sentences around the
    words of the question; without them only the best is cut, to fit at all."""
    chosen: list[Choice] = []
    opened: set[str] = set()
    said: set[str] = set()
    misses = spent = 0
    for each in ranked:
        left = room - spent
        if len(chosen) >= most or left < SMALLEST or misses >= MISSES:
            break
        text = shown(each)
        same = " ".join(each.entry.words.split()).casefold()
        if not text or same in said or (chosen and odds and odds(each) < least(spent)):
            continue
        new = head(each) not in opened
        brief = BRIEF + int(MORE * odds(each)) if odds else room
        if not chosen:
            brief = BEST if odds and len(ranked) > 1 else left
        most_of_it = min(left, brief)
        need = cost(each, text, new) if len(text) <= most_of_it * LONGEST else most_of_it + 1
        cut = False
        if need > most_of_it:
            if chosen and (odds is None or left < brief):
                misses += 1
                continue
            text, need = best_excerpt(text, most_of_it, partial(_cost_of, cost, each, new), spots)
            cut = True
            if not text:
                continue
        misses = 0
        spent += need
        opened.add(head(each))
        said.add(same)
        chosen.append(Choice(each, text, cut))
    return chosen


def _cost_of(cost: Callable[[ScoredMemory, str, bool], int], scored: ScoredMemory, with_head: bool, text: str) -> int:
    return cost(scored, text, with_head)
