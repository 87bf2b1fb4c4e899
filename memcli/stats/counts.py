"""What was counted while the memory was used: recalls, proposals, refusals, and what of the recalled was cited."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from memcli.vault import journal
from memcli.vault.vault import Vault

WAYS = ("cold", "watched", "hook")  # a process of its own, one that stays, beside a prompt
FOUND, TAKEN_UP = 0.8, 0.6  # promised shares: of recalls that find something, of nudges that are taken up
ANSWERS = ("accepted", "declined", "unasked")


class Recalled(NamedTuple):
    """One recall."""

    at: str
    way: str
    milliseconds: float
    tokens: int
    budget: int
    matched: bool
    shown: tuple[str, ...]  # the marks of its memories


@dataclass(frozen=True)
class Recalls:
    """Recalls of one kind: how many, and how long they took in the process that answered."""

    number: int = 0
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True)
class Blocks:
    """What they cost."""

    number: int = 0
    matched: int = 0  # of them found something
    tokens: int | None = None  # in the middle
    budget: int = 0  # of all together
    used: int = 0
    saved: int = 0  # tokens that were left free


@dataclass(frozen=True)
class Cited:
    """What became of what was shown."""

    shown: int = 0  # memories, each once
    cited: int = 0  # of them, after they were shown
    citations: int = 0  # in all, also of what was found otherwise


@dataclass(frozen=True)
class Rate:
    """How often something went as it was promised to."""

    number: int
    of: int
    goal: float  # the share that was promised to be passed


def recalled(lines: Sequence[Sequence[str]], since: date | None) -> list[Recalled]:
    found = []
    for kind, at, *facts in lines:
        if kind == "recall" and len(facts) in (5, 6) and _is_since(at, since):
            way, spent, tokens, budget, matched, *shown = facts
            try:
                memories = tuple(filter(None, "".join(shown).split(",")))
                one = Recalled(at, way, float(spent), int(tokens), int(budget), matched == "1", memories)
            except ValueError:  # torn, or of another version
                continue
            if one.way in WAYS and math.isfinite(one.milliseconds):
                found.append(one)
    return found


def latency(found: Sequence[Recalled]) -> dict[str, Recalls]:
    return {way: _spread([one.milliseconds for one in found if one.way == way]) for way in WAYS}


def blocks(found: Sequence[Recalled]) -> Blocks:
    budget, used = sum(one.budget for one in found), sum(one.tokens for one in found)
    middle = int(_at(sorted(one.tokens for one in found), 0.5)) if found else None
    matched = sum(one.matched for one in found)
    return Blocks(len(found), matched, middle, budget, used, budget - used)


def cited(vault: Vault, found: Sequence[Recalled], since: date | None, marks: Mapping[str, str]) -> Cited:
    """By whatever notes it in the journal, as `mem cite` does; `marks` of the memories there are, by their hashes."""
    first: dict[str, str] = {}
    for one in found:
        for memory in one.shown:
            first.setdefault(memory, one.at)
    used = [
        record for record in journal.read(vault.root, journal.USE, vault.notice) if _is_since(record.get("at"), since)
    ]
    after = {
        mark
        for record in used
        if (mark := marks.get(str(record.get("id")))) and str(record.get("at")) >= first.get(mark, "9")
    }
    return Cited(len(first), len(after), len(used))


def goals(found: Sequence[Recalled], nudges: Mapping[str, Mapping[str, int]]) -> dict[str, Rate]:
    """The rates beside what was promised of them; none where nothing was counted."""
    taken, left = (sum(events.get(name, 0) for events in nudges.values()) for name in ("accepted", "declined"))
    told = {
        "recalls that found something": Rate(sum(one.matched for one in found), len(found), FOUND),
        "nudges that were taken up": Rate(taken, taken + left, TAKEN_UP),
    }
    return {name: rate for name, rate in told.items() if rate.of}


def proposals(lines: Sequence[Sequence[str]], since: date | None) -> dict[str, int]:
    """What was learnt: agreed to, turned down, and kept without asking because it is sure."""
    answers = Counter(facts[0] for kind, at, *facts in lines if kind == "proposal" and facts and _is_since(at, since))
    return {answer: answers[answer] for answer in ANSWERS}


def refusals(lines: Sequence[Sequence[str]], since: date | None) -> dict[str, int]:
    """What the gates turned away, by gate."""
    return dict(Counter(facts[0] for kind, at, *facts in lines if kind == "refused" and facts and _is_since(at, since)))


def nudges(vault: Vault, since: date | None) -> dict[str, dict[str, int]]:
    """What was brought up of mem's own accord and what was said to it, by kind; questions about the user are one."""
    found: dict[str, Counter[str]] = {}
    for record in journal.read(vault.root, "nudges", vault.notice):
        event = record.get("event")
        if isinstance(event, str) and _is_since(record.get("at"), since):
            found.setdefault(str(record.get("kind") or "question"), Counter())[event] += 1
    return {kind: dict(events) for kind, events in sorted(found.items())}


def _spread(numbers: list[float]) -> Recalls:
    numbers.sort()
    return Recalls(len(numbers), _at(numbers, 0.5), _at(numbers, 0.95)) if numbers else Recalls()


def _at(ordered: Sequence[float], share: float) -> float:
    """The number below or at which such a share of them lies."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _is_since(at: object, since: date | None) -> bool:
    try:
        return since is None or datetime.fromisoformat(str(at)).date() >= since
    except ValueError:
        return False
