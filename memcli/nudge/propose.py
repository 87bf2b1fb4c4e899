"""What to bring up now: at most so many a day, each with why, from when and where it stands. The door is `proposals`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, time

from memcli.errors import MemError
from memcli.nudge import duties, lasting, returning
from memcli.nudge.candidate import KINDS, Candidate
from memcli.nudge.notes import Notes
from memcli.nudge.outcomes import Outcomes, order
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

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


def proposals(vault: Vault, quick: bool = False) -> list[Nudge]:
    """What may be brought up today, the most urgent first. What was brought today already counts and stays.
    Who has little time leaves out what has no day."""
    most = vault.settings.nudge.most
    if most <= 0:
        return []
    outcomes, today = Outcomes(vault), vault.today
    now, resting, rates = outcomes.brought_on(today), outcomes.resting(today), outcomes.rates()
    kinds = [kind for kind in KINDS if getattr(vault.settings.nudge, kind) and not (quick and kind in UNDATED)]
    notes = Notes(vault)
    found = {
        each.id: each for kind in kinds for each in _of(vault, kind, notes)
        if outcomes.by_id[each.id].may_come(each, today) and (each.id in now or kind not in resting)
    }  # fmt: skip
    ranked = order(list(found.values()), rates, today)
    kept = [each for each in ranked if each.id in now]
    left = most - len(now)
    seen = {each.note.entry.place for each in kept}
    for each in ranked:
        if left > 0 and each not in kept and each.note.entry.place not in seen:
            kept.append(each)
            seen.add(each.note.entry.place)
            left -= 1
    return [_nudge(each) for each in ranked if each in kept]


UNDATED = ("topic", "disagree", "person", "insight")


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
    )  # fmt: skip
