"""Count the memories, and collect all the numbers of `mem stats`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from memcli.features.stats import counts
from memcli.features.stats.counts import Blocks, CitationCount, Rate, Recalls
from memcli.vault import journal
from memcli.vault.vault import Vault

AGES = {"week": 7, "month": 31, "quarter": 92, "year": 366}  # a memory has an age if it is younger than so many days
OLDER, UNDATED = "older", "undated"
TYPED = "you"  # the source of memories that name none


@dataclass(frozen=True)
class Stats:
    """Holds what the vault contains, and how it was used since the day `since`."""

    memories: int
    days: dict[str, int]  # how many memories belong to each day
    kinds: dict[str, int]
    ages: dict[str, int]
    sources: dict[str, int]
    counting: bool  # whether use is counted
    since: str | None  # the first use that was counted, or the day that was asked for
    latency: dict[str, Recalls]
    blocks: Blocks
    cited: CitationCount
    proposals: dict[str, int]
    refused: dict[str, int]
    nudges: dict[str, dict[str, int]]
    goals: dict[str, Rate]  # the measured rates beside those promised


def stats(vault: Vault, since: date | None = None) -> Stats:
    """Return all the numbers. `since` limits those about use to that day and later. Use is not counted by agent, so an
    agent gets no numbers about it."""
    days, kinds, ages, sources = Counter[date](), Counter[str](), Counter[str](), Counter[str]()
    marks = {}
    for entry in vault.entries():
        marks[entry.hash] = journal.mark(entry.raw)
        kinds[entry.type or entry.kind] += 1
        sources[entry.fields.get("source") or TYPED] += 1
        ages[_age(entry.day, vault.today)] += 1
        if entry.day:
            days[entry.day] += 1
    lines = [] if vault.agent else list(journal.counted(vault))
    found = counts.recalled(lines, since)
    nudges = {} if vault.agent else counts.nudges(vault, since)
    return Stats(
        memories=ages.total(),
        days={str(day): days[day] for day in sorted(days)},
        kinds=dict(kinds.most_common()),
        ages={age: ages[age] for age in (*AGES, OLDER, UNDATED)},
        sources=dict(sources.most_common()),
        counting=vault.settings.stats.count,
        since=str(since) if since else next((at[:10] for _, at, *_ in lines), None),
        latency=counts.latency(found),
        blocks=counts.blocks(found),
        cited=CitationCount() if vault.agent else counts.cited(vault, found, since, marks),
        proposals=counts.proposals(lines, since),
        refused=counts.refusals(lines, since),
        nudges=nudges,
        goals=counts.goals(found, nudges),
    )


def _age(day: date | None, today: date) -> str:
    if day is None:
        return UNDATED
    return next((age for age, days in AGES.items() if (today - day).days < days), OLDER)
