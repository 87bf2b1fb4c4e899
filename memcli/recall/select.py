"""Choose the memories for the block: no repeats or near-repeats, and never more than the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from memcli.recall.score import ScoredMemory
from memcli.text import novelty
from memcli.text.excerpt import LONGEST, Spots, best_excerpt

POOL = 3  # diversity is checked among so many times the number that will fit
SMALLEST = 8  # with fewer tokens left, nothing worth reading fits
MISSES = 12  # after so many misfits in a row packing stops; lower ranks would add little
BRIEF, MORE = 60, 120  # tokens for a long memory that is not the best, and up to how many more by its odds
BEST = 300  # tokens for the best memory when others are likely, too


class Choice(NamedTuple):
    """Hold a memory of the block, with the words that are shown of it."""

    scored: ScoredMemory
    text: str
    cut: bool = False


def diverse(ranked: list[ScoredMemory], keep: int, balance: float) -> list[ScoredMemory]:
    """Reorder the best `POOL * keep` by maximal marginal relevance: the score against the likeness to those chosen
    before."""
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
    """Return the memories that fit, best first; skip those that do not. `cost` counts the tokens of a memory, with or
    without its group's heading. `spots` tells where to cut a long one.

    `odds` returns how likely a memory is to answer, relative to the best; `least` returns the odds required after so
    many tokens. With `odds`, a long memory gets more tokens the likelier it is, and is cut to the sentences around the
    words of the question. Without `odds`, only the best memory is cut, so that at least it fits.
    """
    chosen: list[Choice] = []
    opened: set[str] = set()
    shown_texts: set[str] = set()
    misses = spent = 0
    for each in ranked:
        left = room - spent
        if len(chosen) >= most or left < SMALLEST or misses >= MISSES:
            break
        text = shown(each)
        same = " ".join(each.entry.words.split()).casefold()
        if not text or same in shown_texts or (chosen and odds and odds(each) < least(spent)):
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
        shown_texts.add(same)
        chosen.append(Choice(each, text, cut))
    return chosen


def _cost_of(cost: Callable[[ScoredMemory, str, bool], int], scored: ScoredMemory, with_head: bool, text: str) -> int:
    return cost(scored, text, with_head)
