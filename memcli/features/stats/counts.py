"""Count the memories, and read what was counted while they were used: recalls, proposals, refusals, citations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from memcli.vault import journal
from memcli.vault.vault import Vault

WAYS = ("cold", "watched", "hook")  # answered by a new process, by a watcher, by a hook beside a prompt
FOUND, TAKEN_UP = 0.8, 0.6  # the promised shares of recalls that find something and of nudges that are accepted
ANSWERS = ("accepted", "declined", "unasked")
AGES = {"week": 7, "month": 31, "quarter": 92, "year": 366}  # a memory has an age if it is younger than so many days
OLDER, UNDATED = "older", "undated"
TYPED = "you"  # the source of memories that name none


class RecallCount(NamedTuple):
    """Describe one recall."""

    at: str
    way: str
    milliseconds: float
    tokens: int
    budget: int
    matched: bool
    shown: tuple[str, ...]  # the marks of its memories


@dataclass(frozen=True)
class Recalls:
    """Hold the number of recalls of one kind, and the milliseconds they took in the process that answered."""

    number: int = 0
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True)
class Blocks:
    """Hold what blocks of memories cost in tokens."""

    number: int = 0
    matched: int = 0  # how many of them found something
    tokens: int | None = None  # the median of a block
    budget: int = 0  # the sum over all blocks
    used: int = 0
    saved: int = 0  # tokens that were left free


@dataclass(frozen=True)
class CitationCount:
    """Count how many of the memories shown were cited."""

    shown: int = 0  # different memories that were shown
    cited: int = 0  # how many of them were cited after they were shown
    citations: int = 0  # all citations, also of memories found in other ways


@dataclass(frozen=True)
class GoalRate:
    """Compares how often something succeeded with the share that was promised."""

    number: int
    of: int
    goal: float  # the promised share


@dataclass(frozen=True)
class MemoryStats:
    """Hold what the vault contains, and how it was used since the day `since`."""

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
    goals: dict[str, GoalRate]  # the measured rates beside those promised


def count_all(vault: Vault, since: date | None = None) -> MemoryStats:
    """Return all the numbers. `since` limits those about use to that day and later."""
    days, kinds, ages, sources = Counter[date](), Counter[str](), Counter[str](), Counter[str]()
    marks = {}
    for entry in vault.entries():
        marks[entry.hash] = journal.mark(entry.raw)
        kinds[entry.type or entry.kind] += 1
        sources[(entry.fields.get("source") or TYPED).partition(":")[0]] += 1  # of csv:notes.csv/4c1143 the format
        ages[_age(entry.day, vault.today)] += 1
        if entry.day:
            days[entry.day] += 1
    lines = list(journal.counted(vault))
    found = recalls(lines, since)
    nudged = nudges(vault, since)
    return MemoryStats(
        memories=ages.total(),
        days={str(day): days[day] for day in sorted(days)},
        kinds=dict(kinds.most_common()),
        ages={age: ages[age] for age in (*AGES, OLDER, UNDATED)},
        sources=dict(sources.most_common()),
        counting=vault.settings.stats.count,
        since=str(since) if since else next((at[:10] for _, at, *_ in lines), None),
        latency=latency(found),
        blocks=blocks(found),
        cited=cited(vault, found, since, marks),
        proposals=proposals(lines, since),
        refused=refusals(lines, since),
        nudges=nudged,
        goals=goals(found, nudged),
    )


def _age(day: date | None, today: date) -> str:
    if day is None:
        return UNDATED
    return next((age for age, days in AGES.items() if (today - day).days < days), OLDER)


def recalls(lines: Sequence[Sequence[str]], since: date | None) -> list[RecallCount]:
    found = []
    for kind, at, *facts in lines:
        if kind == "recall" and len(facts) in (5, 6) and _is_since(at, since):
            way, spent, tokens, budget, matched, *shown = facts
            try:
                memories = tuple(filter(None, "".join(shown).split(",")))
                one = RecallCount(at, way, float(spent), int(tokens), int(budget), matched == "1", memories)
            except ValueError:  # the line is torn, or of another version
                continue
            if one.way in WAYS and math.isfinite(one.milliseconds):
                found.append(one)
    return found


def latency(found: Sequence[RecallCount]) -> dict[str, Recalls]:
    return {way: _spread([one.milliseconds for one in found if one.way == way]) for way in WAYS}


def blocks(found: Sequence[RecallCount]) -> Blocks:
    budget, used = sum(one.budget for one in found), sum(one.tokens for one in found)
    middle = int(_at(sorted(one.tokens for one in found), 0.5)) if found else None
    matched = sum(one.matched for one in found)
    return Blocks(len(found), matched, middle, budget, used, budget - used)


def cited(vault: Vault, found: Sequence[RecallCount], since: date | None, marks: Mapping[str, str]) -> CitationCount:
    """Count the citations in the journal, such as those of `mem cite`. `marks` maps the hash of each memory to its
    mark."""
    first: dict[str, str] = {}
    for one in found:
        for memory in one.shown:
            first.setdefault(memory, one.at)
    used = [
        record
        for record in journal.read_journal(vault.root, journal.USE, vault.notice)
        if _is_since(record.get("at"), since)
    ]
    after = {
        mark
        for record in used
        if (mark := marks.get(str(record.get("id")))) and str(record.get("at")) >= first.get(mark, "9")
    }
    return CitationCount(len(first), len(after), len(used))


def goals(found: Sequence[RecallCount], nudges: Mapping[str, Mapping[str, int]]) -> dict[str, GoalRate]:
    """Return the measured rates beside what was promised. A rate without any counts is left out."""
    taken, left = (sum(events.get(name, 0) for events in nudges.values()) for name in ("accepted", "declined"))
    told = {
        "recalls that found something": GoalRate(sum(one.matched for one in found), len(found), FOUND),
        "nudges that were taken up": GoalRate(taken, taken + left, TAKEN_UP),
    }
    return {name: rate for name, rate in told.items() if rate.of}


def proposals(lines: Sequence[Sequence[str]], since: date | None) -> dict[str, int]:
    """Return how many learnt memories were accepted, declined, or kept without asking because they were certain."""
    answers = Counter(facts[0] for kind, at, *facts in lines if kind == "proposal" and facts and _is_since(at, since))
    return {answer: answers[answer] for answer in ANSWERS}


def refusals(lines: Sequence[Sequence[str]], since: date | None) -> dict[str, int]:
    """Return how many texts each gate refused."""
    return dict(Counter(facts[0] for kind, at, *facts in lines if kind == "refused" and facts and _is_since(at, since)))


def nudges(vault: Vault, since: date | None) -> dict[str, dict[str, int]]:
    """Return how often each event (brought up, accepted, declined …) happened, by kind of nudge. Questions are one
    kind."""
    found: dict[str, Counter[str]] = {}
    for record in journal.read_journal(vault.root, "nudges", vault.notice):
        event = record.get("event")
        if isinstance(event, str) and _is_since(record.get("at"), since):
            found.setdefault(str(record.get("kind") or "question"), Counter())[event] += 1
    return {kind: dict(events) for kind, events in sorted(found.items())}


def _spread(numbers: list[float]) -> Recalls:
    numbers.sort()
    return Recalls(len(numbers), _at(numbers, 0.5), _at(numbers, 0.95)) if numbers else Recalls()


def _at(ordered: Sequence[float], share: float) -> float:
    """Return the number at or below which this share of the ordered numbers lies."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _is_since(at: object, since: date | None) -> bool:
    try:
        return since is None or datetime.fromisoformat(str(at)).date() >= since
    except ValueError:
        return False
