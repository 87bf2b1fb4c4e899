"""What to bring up now: at most so many a day, each with why, from when and where it stands.

`look` reads all notes; what it finds is kept for today, and `unsaid` hands that to who can't wait: a hook, a prompt."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Any, NamedTuple

from memcli.errors import MemError
from memcli.nudge import duties, lasting, returning
from memcli.nudge.candidate import KINDS, Candidate
from memcli.nudge.notes import Notes
from memcli.nudge.outcomes import Outcomes, order
from memcli.text.clean import one_line
from memcli.vault import files, queue
from memcli.vault.vault import Vault

JOB = "nudge"  # the kind of job that looks
KEPT = "nudges.json"  # in .mem/: what was found today
OF_A_KIND = 2  # things of one kind that are brought up on a day, as long as there is another
LONGEST = 160  # characters of a line that are shown
FINDERS: dict[str, Callable[[Notes], Iterator[Candidate]]] = {
    "task": duties.tasks,
    "day": duties.days,
    "decision": lasting.decisions,
    "topic": returning.topics,
    "disagree": lasting.disagreements,
    "person": lasting.quiet,
    "insight": returning.insights,
}
assert tuple(FINDERS) == KINDS


@dataclass(frozen=True)
class Nudge:
    """One thing worth bringing up."""

    id: str
    kind: str
    text: str
    why: str
    since: date | None  # when it was written
    citation: str
    due: date | None = None
    others: tuple[str, ...] = ()  # further lines that it rests on
    stage: int = 0
    mark: str = ""  # of the line it cites, to know it again


class Look(NamedTuple):
    """What a look at the notes finds today, the most urgent first."""

    chosen: list[Nudge]  # to bring up
    near: list[Nudge]  # what else is due today or tomorrow


def proposals(vault: Vault) -> list[Nudge]:
    """What may be brought up today. What was brought today already counts and stays."""
    return look(vault).chosen


def unsaid(vault: Vault) -> list[Nudge]:
    """What an assistant may bring up by itself: what a look found today, as far as it still stands there and was not
    brought up yet. Nobody waits for a look here: where there was none today, it is left for `mem work`."""
    if is_quiet(vault) or vault.settings.nudge.most <= 0:
        return []
    try:
        found = json.loads(files.read_or_empty(vault.cache / KEPT).text or "{}")
        if found.get("day") != vault.today.isoformat():
            queue.put(vault, JOB, vault.today.isoformat(), {})
            return []
        nudges = [_of_json(record) for record in found["nudges"]]
    except (MemError, ValueError, TypeError, KeyError, AttributeError):
        return []
    outcomes = Outcomes(vault)
    over = outcomes.brought_on(vault.today)
    over |= {each.id for each in nudges if outcomes.by_id[each.id].is_over(vault.today)}
    return [each for each in nudges if each.id not in over and _stands(vault, each)]


def _of_json(record: dict[str, Any]) -> Nudge:
    days = {key: date.fromisoformat(record[key]) if record[key] else None for key in ("since", "due")}
    return Nudge(**{**record, **days, "others": tuple(record["others"])})


def _stands(vault: Vault, found: Nudge) -> bool:
    """Whether its kind is wanted, and its line is still as it was."""
    path, _, line = found.citation.rpartition(":")
    try:
        lines = files.read(files.inside(vault.root, path), path).text.split("\n")
    except MemError:
        return False
    there = lines[int(line) - 1] if line.isdigit() and int(line) <= len(lines) else ""
    return getattr(vault.settings.nudge, found.kind, False) is True and mark(there) == found.mark


def mark(line: str) -> str:
    return hashlib.sha1(line.strip().encode("utf-8", "replace")).hexdigest()[:8]


def _keep(vault: Vault, nudges: list[Nudge]) -> None:
    try:
        files.make_cache(vault.cache)
        record = {"day": vault.today, "nudges": [asdict(each) for each in nudges]}
        files.write(vault.cache / KEPT, json.dumps(record, ensure_ascii=False, default=str))
    except MemError as error:  # a vault that can't be written to is looked at all the same
        vault.notice(error.message)


def look(vault: Vault) -> Look:
    outcomes, today, most = Outcomes(vault), vault.today, vault.settings.nudge.most
    if most <= 0:
        return Look([], [])
    now, resting = outcomes.brought_on(today), outcomes.resting(today)
    kinds = [kind for kind in KINDS if getattr(vault.settings.nudge, kind)]
    notes = Notes(vault)
    candidates = {each.id: each for kind in kinds for each in _of(vault, kind, notes)}
    ranked = order(
        [each for each in candidates.values() if not outcomes.by_id[each.id].is_over(today)], outcomes.rates(), today
    )
    may = [each for each in ranked if outcomes.by_id[each.id].may_come(each, today)]
    chosen = [each for each in may if each.id in now]
    fresh = [each for each in may if each.id not in now and each.kind not in resting]
    chosen += _mixed(_apart(fresh, {each.note.entry.place for each in chosen}), chosen)[: max(0, most - len(now))]
    near = [each for each in ranked if each not in chosen and each.due and 0 <= (each.due - today).days <= 1]
    found = Look([_nudge(each) for each in ranked if each in chosen], [_nudge(each) for each in near])
    _keep(vault, found.chosen)
    return found


def _apart(candidates: list[Candidate], places: set[str]) -> list[Candidate]:
    """Those of other lines, one a line."""
    first = {each.note.entry.place: each for each in reversed(candidates)}
    return [each for each in candidates if first[each.note.entry.place] is each and each.note.entry.place not in places]


def _mixed(candidates: list[Candidate], chosen: list[Candidate]) -> list[Candidate]:
    """The same, those last of whose kind there are enough for a day, with what was chosen before: a day of three
    bills is one only where nothing else is there."""
    had = Counter(each.kind for each in chosen)
    kept: list[Candidate] = []
    rest: list[Candidate] = []
    for each in candidates:
        had[each.kind] += 1
        (kept if had[each.kind] <= OF_A_KIND else rest).append(each)
    return kept + rest


def is_quiet(vault: Vault) -> bool:
    """Whether it is a time in which nothing is brought up that nobody asked for."""
    first, _, last = vault.settings.nudge.quiet.partition("-")
    if not last:
        return False
    start, stop, now = time.fromisoformat(first), time.fromisoformat(last), vault.now.time()
    return start <= now < stop if start <= stop else now >= start or now < stop


def _of(vault: Vault, kind: str, notes: Notes) -> list[Candidate]:
    try:
        return list(FINDERS[kind](notes))
    except MemError as error:
        vault.notice(f"nothing of the kind {kind} is brought up: {error.message}")
        return []


def _nudge(found: Candidate) -> Nudge:
    entry = found.note.entry
    return Nudge(
        found.id, found.kind, one_line(found.note.text, LONGEST), one_line(found.why, LONGEST), found.note.day,
        entry.place, found.due, tuple(each.entry.place for each in found.more), found.stage,
        mark(entry.raw.split("\n")[0]),
    )  # fmt: skip
