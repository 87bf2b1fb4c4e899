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
SHORT = 120  # tokens of a memory that is cut only where the budget is full: its last sentence may be the answer
BRIEF, MORE = 55, 110  # tokens for a long memory that is not the best, and up to how many more by its odds
BEST = 200  # tokens for the best memory when others are likely, too


class Choice(NamedTuple):
    """Hold a memory of the block, with the words that are shown of it."""

    scored: ScoredMemory
    text: str
    cut: bool = False


def order_diverse(ranked: list[ScoredMemory], keep: int, balance: float) -> list[ScoredMemory]:
    """Reorder the best `POOL * keep` by maximal marginal relevance: the score against the likeness to those chosen
    before."""
    pool = ranked[: POOL * keep]
    order = novelty.order_by_novelty([each.score for each in pool], [each.entry.words for each in pool], balance)
    return [pool[at] for at in order] + ranked[POOL * keep :]


class PackingRules(NamedTuple):
    """Define how the block shows memories, what they cost, and how likely each must be to answer."""

    cost: Callable[[ScoredMemory, str, bool], int]  # tokens of a memory with this text; True: with a heading above it
    text: Callable[[ScoredMemory], str]
    heading: Callable[[ScoredMemory], str]
    spots: Callable[[str], Spots] = lambda text: ()  # the words of the question in a text: a cut leaves them in
    odds: Callable[[ScoredMemory], float] | None = None  # how likely a memory is to answer, relative to the best
    least_odds: Callable[[int], float] = float  # the odds that a memory needs after so many tokens


def pack(ranked: Sequence[ScoredMemory], budget: int, most: int, rules: PackingRules) -> list[Choice]:
    """Return at most `most` memories that fit into the budget, best first. Skip repeats and those that do not fit.

    Where the rules have odds, a long memory gets more tokens the likelier it is, and is cut to the sentences around the
    words of the question. Without odds, only the best memory is cut, so that at least it fits.
    """
    chosen: list[Choice] = []
    headings: set[str] = set()
    shown_words: set[str] = set()
    misses = spent = 0
    for memory in ranked:
        left = budget - spent
        if len(chosen) >= most or left < SMALLEST or misses >= MISSES:
            break
        text, words = rules.text(memory), " ".join(memory.entry.words.split()).casefold()
        is_unlikely = chosen and rules.odds and rules.odds(memory) < rules.least_odds(spent)
        if not text or words in shown_words or is_unlikely:
            continue
        count = partial(_cost_of, rules, memory, rules.heading(memory) not in headings)
        limit, may_cut = _find_limit(rules, memory, left, is_first=not chosen, is_only=len(ranked) == 1)
        need = count(text) if len(text) <= limit * LONGEST else limit + 1
        is_cut = need > limit
        if is_cut and not may_cut:
            misses += 1
            continue
        if is_cut:
            text, need = best_excerpt(text, limit, count, rules.spots)
            if not text:
                continue
        misses = 0
        spent += need
        headings.add(rules.heading(memory))
        shown_words.add(words)
        chosen.append(Choice(memory, text, is_cut))
    return _restore_short(chosen, budget - spent, rules)


def _restore_short(chosen: list[Choice], room: int, rules: PackingRules) -> list[Choice]:
    """Return the choices with those whole again that are short and fit into the room that was left, best first."""
    restored = []
    for choice in chosen:
        text = rules.text(choice.scored) if choice.cut else ""
        if text and len(text) <= SHORT * LONGEST:
            need, had = (rules.cost(choice.scored, each, False) for each in (text, choice.text))
            if need <= SHORT and need - had <= room:
                choice, room = Choice(choice.scored, text), room - (need - had)
        restored.append(choice)
    return restored


def _find_limit(
    rules: PackingRules, memory: ScoredMemory, left: int, is_first: bool, is_only: bool
) -> tuple[int, bool]:
    """Return the most tokens for a memory, and whether a longer one is cut and not skipped."""
    if rules.odds is None or is_only:
        return left, is_first
    if is_first:
        return min(left, BEST), True
    brief = BRIEF + int(MORE * rules.odds(memory))
    return min(left, brief), brief <= left


def _cost_of(rules: PackingRules, memory: ScoredMemory, has_heading: bool, text: str) -> int:
    return rules.cost(memory, text, has_heading)
