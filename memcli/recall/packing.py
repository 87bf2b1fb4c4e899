"""Fill a budget with what a question found."""

from __future__ import annotations

from collections.abc import Callable, Container
from datetime import date
from functools import partial
from typing import NamedTuple

from memcli.recall import block, current, direct, likelihood, nature, select
from memcli.recall.block import Block
from memcli.recall.direct import Fact
from memcli.recall.likelihood import BlockEnding
from memcli.recall.paths import text as text_path
from memcli.recall.readings import dates_line
from memcli.recall.request import SearchResult
from memcli.recall.score import PRESETS, ScoredMemory, find_kinds, find_weights
from memcli.recall.select import Choice, PackingRules
from memcli.recall.value_kinds import find_words_and_values
from memcli.vault.entries import Entry

DATES_SHARE = 0.25  # the line about dates is left out when it needs more than this share of the budget


def make_unscored(entry: Entry, path: str) -> ScoredMemory:
    """Return an entry as a memory without a score, for entries that are shown without matching the question."""
    return ScoredMemory(entry, 0.0, dict.fromkeys(PRESETS["default"], 0.0), (path,), ())


def pack(
    result: SearchResult, budget: int, count: Callable[[str], int], shown_preferences: Container[str] = ()
) -> Block:
    """Fill the budget, best memories first. Then count the whole block, and drop memories until it fits. Leave out the
    preferences whose keys the caller shows already."""
    packer = _Packer(result, budget, count)
    if count(packer.render(_Draft())) > budget:
        return Block(
            result.request.query, result.request.format, "", 0, (), (), result.matched, len(result.ranked)
        )  # fmt: skip
    draft = packer.make_draft([fact for fact in result.facts if fact.preference not in shown_preferences])
    text = packer.render(draft)
    while (used := count(text)) > budget and draft.has_parts:  # parts were counted separately; the total must fit
        draft = packer.shrink(draft, used - budget)
        text = packer.render(draft)
    choices = packer.sort_choices(draft)
    return Block(
        result.request.query, result.request.format, text, used, tuple(draft.facts), tuple(choices), result.matched,
        len({*packer.ranks, *result.fresh}), find_weights(result.search), tuple(find_kinds(result.search.query)),
        packer.find_ending(choices, used), result.dates,
    )  # fmt: skip


class _Draft(NamedTuple):
    """Hold the parts of a block that is being packed."""

    dates: str = ""
    facts: list[Fact] = []
    fresh: list[Choice] = []  # the latest snapshots
    ranked: list[Choice] = []  # the other memories, best first
    room: int = 0  # tokens for `ranked`

    @property
    def has_parts(self) -> bool:
        return bool(self.facts or self.fresh or self.ranked)


class _Packer:
    """Pack one result. All methods count with the same counter and judge memories by the same rules."""

    def __init__(self, result: SearchResult, budget: int, count: Callable[[str], int]) -> None:
        self.result, self.budget, self.count = result, budget, count
        self.best = max(result.ranked, key=lambda each: each.score, default=None)
        self.vault_size = text_path.estimate_size(result.search)
        self.talk_share = nature.find_conversation_traits(result.search).share
        self.ranks = {each.entry: float(at) for at, each in enumerate(result.ranked)}
        for old, new in result.newer.items():  # shown in order of time, so that a reader sees what replaced what
            if new.entry in self.ranks:  # a layer may leave out both
                first = min(self.ranks.get(old, len(self.ranks)), self.ranks[new.entry])
                self.ranks[old], self.ranks[new.entry] = first, first + 0.5
        self.successors: dict[Entry, Entry | None] = {}  # of those that were superseded
        self.rules = PackingRules(
            lambda scored, text, opens: count(block.memory_piece(result.shape, Choice(scored, text), opens)),
            lambda scored: block.memory_text(scored, self._find_successor(scored.entry)),
            lambda scored: block.heading_of(scored.entry),
            partial(find_words_and_values, result.search.query),
            self.odds if result.ends_early else None,
            self.least_odds,
        )

    def _find_successor(self, entry: Entry) -> Entry | None:
        if entry.superseded and entry not in self.successors:
            self.successors[entry] = current.find_superseding(self.result.search, entry, list(self.ranks))
        return self.successors.get(entry)

    def odds(self, scored: ScoredMemory) -> float:
        return likelihood.odds_beside(scored, self.best) if self.best else 1.0

    def least_odds(self, spent: int) -> float:
        return likelihood.least_odds(spent, self.result.search.query, self.vault_size, self.talk_share)

    def make_draft(self, facts: list[Fact]) -> _Draft:
        """Return the parts that fit, each counted separately: the line about dates, facts, snapshots, memories."""
        result = self.result
        dates = dates_line(result.dates)
        if dates and self.count(self.render(_Draft(dates))) > self.budget * DATES_SHARE:
            dates = ""
        facts = direct.fit_facts(facts, self.budget, lambda fact: self.count(block.fact_piece(result.shape, fact)))
        room = self.budget - self.count(self.render(_Draft(dates, facts)))
        fresh = self._choose_fresh(min(room, int(self.budget * direct.FRESH_SHARE)))
        room -= sum(self.rules.cost(each.scored, each.text, True) for each in fresh)
        shown_whole = {each.scored.entry for each in fresh if not each.cut}
        others = [each for each in result.ranked if each.entry not in shown_whole]
        ranked = select.pack(others, room, result.most - len(fresh), self.rules)
        shown = {each.scored.entry for each in ranked}
        return _Draft(dates, facts, [each for each in fresh if each.scored.entry not in shown], ranked, room)

    def _choose_fresh(self, room: int) -> list[Choice]:
        """Return the latest snapshots, each within its own room."""
        by_entry = {each.entry: each for each in self.result.ranked}
        fresh = [by_entry.get(entry) or make_unscored(entry, "direct") for entry in self.result.fresh]
        choices = [choice for each in fresh for choice in select.pack([each], room, self.result.most, self.rules)]
        return [each for each in choices if not each.cut or each.text.endswith(" …")]  # half a sentence helps nobody

    def shrink(self, draft: _Draft, excess: int) -> _Draft:
        """Return a smaller draft: without the last memory, with a shorter one, or without the last fact."""
        if len(draft.ranked) > 1:
            return draft._replace(ranked=draft.ranked[:-1])
        if draft.ranked:
            room = draft.room - excess
            ranked = select.pack([draft.ranked[0].scored], room, self.result.most, self.rules)
            return draft._replace(ranked=ranked, room=room)
        if draft.fresh:
            return draft._replace(fresh=draft.fresh[:-1])
        return draft._replace(facts=draft.facts[:-1])

    def sort_choices(self, draft: _Draft) -> list[Choice]:
        """Return the memories of a draft in the order of their ranks; the unranked follow in order of time."""

        def place(choice: Choice) -> tuple[float, date, str, int]:
            entry = choice.scored.entry
            return self.ranks.get(entry, len(self.ranks)), entry.day or date.min, entry.time or "", entry.line

        return sorted([*draft.ranked, *draft.fresh], key=place)

    def render(self, draft: _Draft) -> str:
        return block.render(self.result.shape, draft.facts, self.sort_choices(draft), self.result.note, draft.dates)

    def find_ending(self, choices: list[Choice], used: int) -> BlockEnding:
        """Return why the block ends after these choices, and how many memories it leaves out."""
        ending, shown = self.result.ending, {each.scored.entry for each in choices}
        left = [each for each in self.result.ranked if each.entry not in shown]
        if not left:
            return ending
        likeliest = max(self.odds(each) for each in left)
        if self.result.ends_early and likeliest < self.least_odds(used):
            return BlockEnding("unlikely", len(left) + ending.left, likeliest)
        why = "budget" if self.result.request.most is None else "number"
        return BlockEnding(why, len(left) + ending.left, ending.likeliest)
