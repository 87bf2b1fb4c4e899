"""Fill a budget with what a question found."""

from __future__ import annotations

from collections.abc import Callable, Container
from datetime import date

from memcli.recall import block, direct, likelihood, nature, select
from memcli.recall.block import Block
from memcli.recall.direct import Fact
from memcli.recall.likelihood import BlockEnding
from memcli.recall.paths import text as text_path
from memcli.recall.readings import dates_line
from memcli.recall.request import SearchResult
from memcli.recall.score import PRESETS, ScoredMemory, kinds, weights
from memcli.recall.select import Choice
from memcli.vault.entries import Entry

DATES_SHARE = 0.25  # the line about dates is left out when it needs more than this share of the budget


def unscored(entry: Entry, path: str) -> ScoredMemory:
    """Return an entry as a memory without a score, for entries that are shown without matching the question."""
    return ScoredMemory(entry, 0.0, dict.fromkeys(PRESETS["default"], 0.0), (path,), ())


def pack(result: SearchResult, budget: int, count: Callable[[str], int], said: Container[str] = ()) -> Block:
    """Fill the budget, best memories first. Then count the whole block, and drop memories until it fits. Preferences
    whose keys are in `said` are left out, since the caller shows them already."""
    request, shape, ranked, note = result.request, result.shape, result.ranked, result.note
    facts = [fact for fact in result.facts if fact.preference not in said]

    def cost(scored: ScoredMemory, text: str, opens: bool) -> int:
        return count(block.memory_piece(shape, Choice(scored, text), opens))

    def fact_cost(fact: Fact) -> int:
        return count(block.fact_piece(shape, fact))

    def packed(ranked: list[ScoredMemory], room: int, most: int = result.most) -> list[Choice]:
        head = lambda each: block.heading_of(each.entry)  # noqa: E731
        spots = asked.spots
        likely = odds if result.ends_early else None
        return select.pack(ranked, room, most, cost, block.memory_text, head, spots, likely, least)

    best = max(ranked, key=lambda each: each.score, default=None)

    def odds(scored: ScoredMemory) -> float:
        return likelihood.odds_beside(scored, best) if best else 1.0

    asked, memories, talk = (
        result.search.query,
        text_path.size_of_vault(result.search),
        nature.talk_traits(result.search).share,
    )

    def least(spent: int) -> float:
        return likelihood.least_odds(spent, asked, memories, talk)

    rank = {each.entry: float(at) for at, each in enumerate(ranked)}
    for old, new in result.newer.items():  # shown in order of time, so that a reader sees what replaced what
        rank[old] = rank[new.entry] - 0.5

    by_entry = {each.entry: each for each in ranked}

    def place(choice: Choice) -> tuple[float, date, str, int]:
        entry = choice.scored.entry
        return rank.get(entry, len(rank)), entry.day or date.min, entry.time or "", entry.line

    def rendered() -> tuple[list[Choice], str, int]:
        every = sorted([*chosen, *selected], key=place)
        text = block.render(shape, facts, every, note, dates)
        return every, text, count(text)

    dates = dates_line(result.dates)
    if dates and count(block.render(shape, [], [], note, dates)) > budget * DATES_SHARE:
        dates = ""
    if count(block.render(shape, [], [], note)) > budget:
        return Block(request.query, request.format, "", 0, (), (), result.matched, len(ranked))
    facts = direct.facts_within(facts, budget, fact_cost)
    room = budget - count(block.render(shape, facts, [], note, dates))
    known = [by_entry[entry] if entry in by_entry else unscored(entry, "direct") for entry in result.fresh]
    selected = [found for each in known for found in packed([each], min(room, int(budget * direct.FRESH_SHARE)))]
    selected = [each for each in selected if not each.cut or each.text.endswith(" …")]  # half a sentence helps nobody
    room -= sum(cost(each.scored, each.text, True) for each in selected)
    whole = {each.scored.entry for each in selected if not each.cut}
    chosen = packed([each for each in ranked if each.entry not in whole], room, result.most - len(selected))
    selected = [each for each in selected if each.scored.entry not in {other.scored.entry for other in chosen}]
    every, text, used = rendered()
    while used > budget and every + facts:  # the parts were counted separately; only the total must fit
        if len(chosen) > 1:
            chosen = chosen[:-1]
        elif chosen:
            room -= used - budget
            chosen = packed([chosen[0].scored], room)
        elif selected:
            selected = selected[:-1]
        else:
            facts = facts[:-1]
        every, text, used = rendered()
    ending = result.ending
    shown = {each.scored.entry for each in every}
    if left := [each for each in ranked if each.entry not in shown]:
        likeliest = max(odds(each) for each in left)
        unlikely = result.ends_early and likeliest < least(used)
        why = "unlikely" if unlikely else "budget" if request.most is None else "number"
        ending = BlockEnding(why, len(left) + ending.left, likeliest if unlikely else ending.likeliest)
    return Block(
        request.query, request.format, text, used, tuple(facts), tuple(every), result.matched,
        len({*rank, *result.fresh}), weights(result.search), tuple(kinds(result.search.query)), ending, result.dates,
    )  # fmt: skip
