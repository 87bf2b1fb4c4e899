"""Read `patterns.yaml`: ways of splitting a task, with how they went, and ways of failing. `offer` decides which way is
offered.

A try is a line that a person can write: `2026-11-20T14:30 good, 12000 tokens, 340 s: the cache was the cause`. Each
is an item of a list, so that git can merge those of two machines. `usage_count` and `success_rate` sum up the tries
before those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from memcli.errors import MemError, UsageError
from memcli.features.ways.feature import FILE, RESTS
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import files, yaml_read
from memcli.vault.setting import Section, setting
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault
from memcli.vault.yaml_list import Record

WAYS, FAILURES = "patterns", "failures"  # the two lists in the file
LISTED = 60  # tries that are listed one by one; older ones are counted
SEQUENTIAL, PARALLEL = "sequential", "parallel"
GOOD, BAD = "good", "bad"

_TRY = re.compile(
    r"(?P<at>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?) (?P<how>good|bad)(?:, (?P<tokens>\d+) tokens)?(?:, (?P<seconds>\d+) s)?"
    r"(?:: (?P<note>.*))?",
    re.S,
)


class WayFields(Section):
    """Define what a record under `patterns` may say; other keys are kept."""

    pattern: Any = setting("", "what it is a way to; needed")
    subtasks: tuple[str, ...] = setting((), "its steps, in their order")
    strategy: str = setting(SEQUENTIAL, "whether steps wait for each other", choices=(SEQUENTIAL, PARALLEL))
    tools: tuple[str, ...] = setting((), "what it is done with")
    agents: tuple[str, ...] = setting((), "who does what")
    usage_count: int = setting(0, "how often it was tried before the `tries`")
    success_rate: float = setting(1.0, "the share of those that went well", most=1)
    tries: tuple[str, ...] = setting((), "each try, a line with its day and `good` or `bad`")
    last_used: date = setting("", "the day it was last tried or offered and taken")


class FailureFields(Section):
    """Define what a record under `failures` may say; other keys are kept."""

    pattern: Any = setting("", "what it looked like; needed")
    indicators: tuple[str, ...] = setting((), "words by which it is known beforehand")
    went_wrong: Any = setting("", "what went wrong")
    mitigation: Any = setting("", "how to avoid it")
    severity: int = setting(3, "how bad it is", least=1, most=5)
    usage_count: int = setting(1, "how often it happened")
    last_used: date = setting("", "the day it last happened")


@dataclass(frozen=True)
class Try:
    """Hold the result of one try of a way."""

    at: str  # a day, or a minute
    good: bool
    tokens: int = 0
    seconds: int = 0
    note: str = ""

    @property
    def line(self) -> str:
        cost = f", {self.tokens} tokens" * bool(self.tokens) + f", {self.seconds} s" * bool(self.seconds)
        return f"{self.at} {GOOD if self.good else BAD}{cost}" + (f": {self.note}" if self.note else "")


@dataclass(frozen=True)
class Way:
    """Hold one way to a goal."""

    goal: str
    steps: tuple[str, ...] = ()
    strategy: str = SEQUENTIAL
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    before: int = 0  # tries that are only counted
    good_before: float = 0.0  # computed from the rate, so not always whole
    tries: tuple[Try, ...] = ()  # oldest first
    last_used: str = ""
    path: str = FILE
    record: Record = field(default_factory=dict, compare=False)

    @property
    def id(self) -> str:
        """Return an id made from the way itself, not from its tries: it is the same on every machine."""
        return _id(self.goal, *self.steps, self.strategy)

    @property
    def count(self) -> int:
        return self.before + len(self.tries)

    @property
    def good(self) -> int:
        return round(self.good_before) + sum(each.good for each in self.tries)

    @property
    def place(self) -> str:
        return f"{self.path} {self.id}"

    @property
    def summary(self) -> str:
        """Return its steps in a line."""
        return (" + " if self.strategy == PARALLEL else " → ").join(map(one_line, self.steps))


@dataclass(frozen=True)
class Failure:
    """Hold a way of failing."""

    what: str
    indicators: tuple[str, ...] = ()
    went_wrong: str = ""
    mitigation: str = ""
    severity: int = 3
    count: int = 1
    last_used: str = ""
    path: str = FILE
    record: Record = field(default_factory=dict, compare=False)

    @property
    def id(self) -> str:
        return _id("failure", self.what)

    @property
    def place(self) -> str:
        return f"{self.path} {self.id}"


@dataclass(frozen=True)
class Patterns:
    """Hold all the patterns of a vault that the caller may see."""

    ways: tuple[Way, ...] = ()
    failures: tuple[Failure, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ways or self.failures)


def read_patterns(vault: Vault) -> Patterns:
    """Return the shared patterns, and those of the agent who asks."""
    ways: list[Way] = []
    failures: list[Failure] = []
    for path in dict.fromkeys((FILE, f"{vault.space}{FILE}")):
        text = files.read_or_empty(files.inside(vault.root, path), path).text
        for section, record in listed_records(yaml_read.load(text, path)):
            if section == FAILURES and (failure := failure_of(record)):
                failures.append(replace(failure, path=path))
            elif section == WAYS and (way := way_of(record)):
                ways.append(replace(way, path=path))
    return Patterns(tuple(ways), tuple(failures))


def listed_records(found: Any) -> list[tuple[str, Record]]:
    """Return each record with the name of its list; a bare list holds ways."""
    lists = found.items() if isinstance(found, dict) else [(WAYS, found)]
    return [
        (str(name), each) for name, listed in lists if isinstance(listed, list)
        for each in listed if isinstance(each, dict)
    ]  # fmt: skip


def way_of(record: Record) -> Way | None:
    """Return a way from a record, with defaults for what is missing or odd; None if it has no goal."""
    if not (goal := one_line(str(record.get("pattern") or ""))):
        return None
    before = record.get("usage_count")
    before = before if isinstance(before, int) and before > 0 else 0
    rate = record.get("success_rate", 1.0)
    rate = min(1.0, max(0.0, float(rate))) if isinstance(rate, (int, float)) else 0.0
    tries = [made for _, made in _tries(record) if made]
    return Way(
        goal, _texts(record.get("subtasks")), PARALLEL if record.get("strategy") == PARALLEL else SEQUENTIAL,
        _texts(record.get("tools")), _texts(record.get("agents")), before, before * rate,
        tuple(sorted(tries, key=lambda each: each.at)), str(record.get("last_used") or ""), record=record,
    )  # fmt: skip


def unread_tries(record: Record) -> list[Any]:
    """Return items in the list of tries that can't be read as a try."""
    return [item for item, made in _tries(record) if made is None]


def _tries(record: Record) -> Iterator[tuple[Any, Try | None]]:
    """Yield each item in the list of tries, with the try that it describes. Without quotes YAML makes a mapping of
    `2026-11-20 good: why`."""
    listed = record.get("tries")
    for item in listed if isinstance(listed, list) else ():
        pairs = [f"{key}: {said}" for key, said in item.items()] if isinstance(item, dict) else [str(item)]
        yield item, try_of(one_line(pairs[0])) if len(pairs) == 1 else None


def failure_of(record: Record) -> Failure | None:
    if not (what := one_line(str(record.get("pattern") or ""))):
        return None
    severity, count = record.get("severity"), record.get("usage_count")
    return Failure(
        what, _texts(record.get("indicators")), one_line(str(record.get("went_wrong") or "")),
        one_line(str(record.get("mitigation") or "")), min(5, max(1, severity)) if isinstance(severity, int) else 3,
        count if isinstance(count, int) and count > 0 else 1, str(record.get("last_used") or ""), record=record,
    )  # fmt: skip


def try_of(line: str) -> Try | None:
    """Return the try that a line describes, or None."""
    match = _TRY.fullmatch(line.strip())
    if not match:
        return None
    return Try(
        match["at"].replace(" ", "T"), match["how"] == GOOD, int(match["tokens"] or 0), int(match["seconds"] or 0),
        one_line(match["note"] or ""),
    )  # fmt: skip


def flaws(vault: Vault) -> Iterator[tuple[UsageError, str]]:
    """Yield the lines of the shared file that tell of no try, each with the command that puts it right."""
    try:
        text = files.read_or_empty(files.inside(vault.root, FILE), FILE).text
        found = listed_records(yaml_read.load(text, FILE))
    except MemError:
        return
    for _, record in found:
        where = f"{FILE}: {record.get('pattern')}"
        for line in unread_tries(record):
            told = UsageError("{place}: '{goal}' tells of no try", "2026-11-20 good: why", place=where, goal=line)
            yield told, f"mem edit {FILE}"


def is_resting(pattern: Way | Failure, now: datetime) -> bool:
    """Return whether a pattern was not used for so long that it is no longer offered. One without a day does not
    rest."""
    used = moment(pattern.last_used)
    return used is not None and used < now - RESTS


def _texts(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(filter(None, (one_line(str(each)) for each in listed if not isinstance(each, (dict, list)))))


def _id(*parts: str) -> str:
    return digest("\n".join(map(str.casefold, parts)), 7)
