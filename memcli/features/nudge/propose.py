"""Choose the nudges for now: a limited number a day, each with its reason, date and place.

`look_at_notes` reads all notes and stores the nudges of today. `unsaid_nudges` returns them to hooks and prompts, which
can't wait.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Any, NamedTuple

from memcli.errors import MemError
from memcli.features.nudge import commitments, duties, recurrence
from memcli.features.nudge.candidate import KINDS, OVER, NudgeCandidate
from memcli.features.nudge.notes import Notes
from memcli.features.nudge.outcomes import Outcomes
from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import files, queue, vault_language
from memcli.vault.vault import Vault

JOB = "nudge"  # the kind of job that looks at the notes
KEPT = "nudges.json"  # the file in .mem/ with what was found today
OF_A_KIND = 2  # nudges of one kind in a day, as long as there are others
LATE = 1.95  # the urgency of the latest overdue task: between what is tomorrow and what is two days ahead
LITTLE = 100_000  # bytes of notes that are read within a fifth of a second
LONGEST = 160  # characters of a line that are shown
BRIEF, BRIEF_LINE = 200, 90  # tokens of the brief, headings included, and characters of a memory in it
FINDERS: dict[str, Callable[[Notes], Iterator[NudgeCandidate]]] = {
    "task": duties.tasks,
    "day": duties.days,
    "decision": commitments.decisions,
    "topic": recurrence.topics,
    "disagree": commitments.disagreements,
    "person": commitments.quiet_people,
    "insight": recurrence.insights,
}
assert tuple(FINDERS) == KINDS


@dataclass(frozen=True)
class TimelyNudge:
    """Hold one thing that is worth bringing up. Its `id` stands for the reason to bring it up, not for the memory."""

    id: str
    kind: str
    text: str
    why: str
    since: date | None  # the day it was written
    citation: str
    due: date | None = None
    others: tuple[str, ...] = ()  # the places of further lines that it rests on
    stage: int = 0
    mark: str = ""  # the hash of the cited line, to notice a change
    memory: str = ""  # the id of the memory that it cites


class NudgeChoice(NamedTuple):
    """Hold today's findings from the notes, in order."""

    chosen: list[TimelyNudge]  # what to bring up
    near: list[TimelyNudge]  # what else is due today or tomorrow


@dataclass(frozen=True)
class Brief:
    """Hold today in a few lines: what to bring up, and what else is due."""

    text: str
    tokens: int
    nudges: tuple[TimelyNudge, ...]  # the nudges that it shows and that count as brought up
    left_out: int


def proposals(vault: Vault) -> list[TimelyNudge]:
    """Return today's nudges. Those shown already today are included and count towards the limit."""
    return look_at_notes(vault).chosen


def unsaid_nudges(vault: Vault) -> list[TimelyNudge]:
    """Return the stored nudges of today whose line is unchanged and that were not shown yet. Read the notes if nobody
    did today; of more than `LITTLE` return [] and leave them to `mem work`, because callers can't wait."""
    if is_quiet(vault) or vault.settings.of_feature("nudge.most") <= 0:
        return []
    try:
        found = json.loads(files.read_or_empty(vault.cache / KEPT).text or "{}")
        if found.get("day") == vault.today.isoformat():
            nudges = [_of_json(record) for record in found["nudges"]]
        elif _has_little(vault):
            nudges = look_at_notes(vault).chosen
        else:
            queue.queue_job(vault, JOB, vault.today.isoformat(), {})
            return []
    except (MemError, ValueError, TypeError, KeyError, AttributeError):
        return []
    outcomes = Outcomes(vault)
    over = outcomes.brought_on(vault.today)
    over |= {each.id for each in nudges if outcomes.by_id[each.id].is_over(vault.today)}
    declined = outcomes.declined_memories(vault.today)
    return [
        each for each in nudges
        if each.id not in over and each.memory not in declined and _is_still_due(vault, each)
    ]  # fmt: skip


def _has_little(vault: Vault) -> bool:
    """Return whether the notes are few and short enough to be read while somebody waits."""
    left = LITTLE
    for path in vault.files():
        left -= files.size_of(vault.root / path)
        if left < 0:
            return False
    return True


def _of_json(record: dict[str, Any]) -> TimelyNudge:
    days = {key: date.fromisoformat(record[key]) if record[key] else None for key in ("since", "due")}
    return TimelyNudge(**{**record, **days, "others": tuple(record["others"])})


def _is_still_due(vault: Vault, found: TimelyNudge) -> bool:
    """Return whether its kind is switched on, and its line is unchanged."""
    path, _, line = found.citation.rpartition(":")
    try:
        lines = files.read_file(files.inside(vault.root, path), path).text.split("\n")
    except MemError:
        return False
    there = lines[int(line) - 1] if line.isdecimal() and int(line) <= len(lines) else ""
    return found.kind in KINDS and vault.settings.of_feature(f"nudge.{found.kind}") and mark(there) == found.mark


def mark(line: str) -> str:
    return digest(line.strip(), 8)


def _keep(vault: Vault, nudges: list[TimelyNudge]) -> None:
    try:
        files.make_cache(vault.cache)
        record = {"day": vault.today, "nudges": [asdict(each) for each in nudges]}
        files.write_file(vault.cache / KEPT, json.dumps(record, ensure_ascii=False, default=str))
    except MemError as error:  # a read-only vault is read all the same
        vault.notice(error.message)


def look_at_notes(vault: Vault) -> NudgeChoice:
    outcomes, today, most = Outcomes(vault), vault.today, vault.settings.of_feature("nudge.most")
    if most <= 0:
        return NudgeChoice([], [])
    now, resting = outcomes.brought_on(today), outcomes.resting(today)
    kinds = [kind for kind in KINDS if vault.settings.of_feature(f"nudge.{kind}")]
    notes = Notes(vault)
    candidates = {each.id: each for kind in kinds for each in _of(vault, kind, notes)}
    rates, declined = outcomes.rates(), outcomes.declined_memories(today)
    wanted = [
        each for each in candidates.values()
        if not outcomes.by_id[each.id].is_over(today) and each.note.entry.id not in declined
    ]  # fmt: skip
    mine = {each.id for each in wanted if outcomes.by_id[each.id].may_come(each, today)}
    overdue = [each for each in wanted if each.id in mine and each.stage == OVER and each.due]
    # The latest overdue task comes after what is tomorrow. If all did, they would crowd out what is still to come.
    latest = max(overdue, key=lambda each: (each.due, each.id), default=None)

    def place(each: NudgeCandidate) -> tuple[bool, float, str]:
        urgency = LATE if each is latest else each.urgency(today)
        return each.due is None, -urgency * (0.4 + rates[each.kind].wanted), each.id

    # Dated ones come first, then the more urgent, weighed by how much their kind is wanted.
    ranked = sorted(wanted, key=place)
    may = [each for each in ranked if each.id in mine]
    chosen = [each for each in may if each.id in now]
    fresh = [each for each in may if each.id not in now and each.kind not in resting]
    chosen += _mixed(_apart(fresh, _places(chosen)), chosen)[: max(0, most - len(now))]
    near = [each for each in ranked if each not in chosen and each.due and 0 <= (each.due - today).days <= 1]
    near = _apart(near, _places(chosen))
    found = NudgeChoice([_nudge(each) for each in ranked if each in chosen], [_nudge(each) for each in near])
    _keep(vault, found.chosen)
    return found


def brief(vault: Vault, say: Callable[[str], str] = str) -> Brief:
    """Return today in a few lines within BRIEF tokens. `say` translates messages for the reader."""
    count = tokens.counter(vault.settings.recall.encoding)
    found = look_at_notes(vault)
    lines = [vault_language.day_heading(vault, vault.today)]
    shown: list[TimelyNudge] = []
    wanted = [*found.chosen, *found.near]
    for each in wanted:
        line = f"- {one_line(each.text, BRIEF_LINE)} ({say(each.why)}; {each.citation})"
        if count("\n".join([*lines, line])) <= BRIEF:
            lines.append(line)
            shown.append(each)
    text = "\n".join(lines)
    chosen = tuple(each for each in shown if each in found.chosen)
    return Brief(text, count(text), chosen, len(wanted) - len(shown))


def _places(candidates: list[NudgeCandidate]) -> set[str]:
    return {each.note.entry.place for each in candidates}


def _apart(candidates: list[NudgeCandidate], places: set[str]) -> list[NudgeCandidate]:
    """Return the first candidate of each line, without lines at `places`."""
    first = {each.note.entry.place: each for each in reversed(candidates)}
    return [each for each in candidates if first[each.note.entry.place] is each and each.note.entry.place not in places]


def _mixed(candidates: list[NudgeCandidate], chosen: list[NudgeCandidate]) -> list[NudgeCandidate]:
    """Return the candidates with those moved to the end whose kind is already there often enough for a day. Three bills
    fill a day only if there is nothing else."""
    had = Counter(each.kind for each in chosen)
    first: list[NudgeCandidate] = []
    rest: list[NudgeCandidate] = []
    for each in candidates:
        had[each.kind] += 1
        (first if had[each.kind] <= OF_A_KIND else rest).append(each)
    return first + rest


def is_quiet(vault: Vault) -> bool:
    """Return whether it is a quiet hour, in which nothing is shown unasked."""
    first, _, last = vault.settings.of_feature("nudge.quiet").partition("-")
    if not last:
        return False
    start, stop, now = time.fromisoformat(first), time.fromisoformat(last), vault.now.time()
    return start <= now < stop if start <= stop else now >= start or now < stop


def _of(vault: Vault, kind: str, notes: Notes) -> list[NudgeCandidate]:
    try:
        return list(FINDERS[kind](notes))
    except MemError as error:
        vault.notice("nothing of the kind {KIND} is brought up: {WHY}", KIND=kind, WHY=error.message)
        return []


def _nudge(found: NudgeCandidate) -> TimelyNudge:
    entry = found.note.entry
    return TimelyNudge(
        found.id, found.kind, one_line(found.note.text, LONGEST), one_line(found.why, LONGEST), found.note.day,
        entry.place, found.due, tuple(each.entry.place for each in found.more), found.stage,
        mark(entry.raw.split("\n")[0]), entry.id,
    )  # fmt: skip
