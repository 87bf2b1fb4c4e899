"""Read what was counted while the memory was used: recalls, proposals, refusals, and how many recalled memories were
cited."""

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


class RecallCount(NamedTuple):
    """Describes one recall."""

    at: str
    way: str
    milliseconds: float
    tokens: int
    budget: int
    matched: bool
    shown: tuple[str, ...]  # the marks of its memories


@dataclass(frozen=True)
class Recalls:
    """Holds the number of recalls of one kind, and the milliseconds they took in the process that answered."""

    number: int = 0
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True)
class Blocks:
    """Holds what blocks of memories cost in tokens."""

    number: int = 0
    matched: int = 0  # how many of them found something
    tokens: int | None = None  # the median of a block
    budget: int = 0  # the sum over all blocks
    used: int = 0
    saved: int = 0  # tokens that were left free


@dataclass(frozen=True)
class CitationCount:
    """Counts how many of the memories shown were cited."""

    shown: int = 0  # different memories that were shown
    cited: int = 0  # how many of them were cited after they were shown
    citations: int = 0  # all citations, also of memories found in other ways


@dataclass(frozen=True)
class Rate:
    """Compares how often something succeeded with the share that was promised."""

    number: int
    of: int
    goal: float  # the promised share


def recalled(lines: Sequence[Sequence[str]], since: date | None) -> list[RecallCount]:
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


def goals(found: Sequence[RecallCount], nudges: Mapping[str, Mapping[str, int]]) -> dict[str, Rate]:
    """Return the measured rates beside what was promised. A rate without any counts is left out."""
    taken, left = (sum(events.get(name, 0) for events in nudges.values()) for name in ("accepted", "declined"))
    told = {
        "recalls that found something": Rate(sum(one.matched for one in found), len(found), FOUND),
        "nudges that were taken up": Rate(taken, taken + left, TAKEN_UP),
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
