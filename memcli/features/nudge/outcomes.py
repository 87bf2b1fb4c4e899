"""Record the outcome of each nudge in `journal/nudges.jsonl`, and compute how often each kind may come.

A Beta posterior over the answers estimates how much a kind is wanted. A nudge without an answer counts neither way,
because people often read the list without answering.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from memcli.errors import UsageError
from memcli.features.nudge.candidate import KINDS, OVER, NudgeCandidate
from memcli.message import Message
from memcli.vault import journal
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.features.nudge.propose import TimelyNudge

JOURNAL = "nudges"
BROUGHT = "brought"
ANSWERS = ("accepted", "declined", "passed")
PRIOR = (3.0, 2.0)  # starts as if three of five had been accepted
PASSED = 0.5  # a pass counts half as much as a decline
WANTED = 0.5  # a kind that is wanted this much may come every day
LONGEST_GAP = 21  # the most days between two nudges of a kind
DECLINED = 300  # days for which a memory is left alone, for whatever reason; its yearly day may come again
AGAIN = 60  # days until a nudge without a day may come again
OVERDUE_AGAIN = 14  # days until an overdue nudge may come again
MOST_TIMES = 2  # how often a nudge that is undated or overdue may come


@dataclass
class History:
    """Hold the history of one nudge."""

    kind: str = ""
    memory: str = ""  # the id of the memory that it cited when it was brought up last
    brought: list[tuple[date, int]] = field(default_factory=list)  # the day and the stage of each time
    answers: list[tuple[date, str]] = field(default_factory=list)

    def is_over(self, today: date) -> bool:
        """Return whether it was declined for good, or answered today."""
        return any(answer == "declined" or day == today for day, answer in self.answers)

    def may_come(self, candidate: NudgeCandidate, today: date) -> bool:
        if self.is_over(today):
            return False
        if not self.brought:
            return True
        last, stage = self.brought[-1]
        if last == today or candidate.stage > stage:
            return True
        accepted = any(answer == "accepted" for _, answer in self.answers)
        if accepted or (candidate.due and candidate.stage < OVER) or len(self.brought) >= MOST_TIMES:
            return False
        return (today - last).days >= (OVERDUE_AGAIN if candidate.due else AGAIN)


@dataclass(frozen=True)
class KindRate:
    """Count the answers to a kind of nudge."""

    kind: str
    brought: int = 0
    accepted: int = 0
    declined: int = 0
    passed: int = 0

    @property
    def wanted(self) -> float:
        """Return the mean of the posterior, 0 to 1."""
        yes = PRIOR[0] + self.accepted
        return yes / (yes + PRIOR[1] + self.declined + PASSED * self.passed)

    @property
    def gap(self) -> int:
        """Return the least number of days between two nudges of this kind."""
        return min(LONGEST_GAP, round(7 * max(0.0, WANTED / self.wanted - 1)))


class Outcomes:
    """Reads the journal into a history for each nudge."""

    def __init__(self, vault: Vault) -> None:
        self.by_id: dict[str, History] = defaultdict(History)
        for record in journal.read_journal(vault.root, JOURNAL, vault.notice):
            id, event = record.get("nudge"), record.get("event")
            if not isinstance(id, str) or event not in (BROUGHT, *ANSWERS):
                continue  # a record of a question belongs to `choose`
            try:
                day = date.fromisoformat(str(record.get("at"))[:10])
            except ValueError:
                continue
            history = self.by_id[id]
            history.kind = str(record.get("kind") or history.kind)
            history.memory = str(record.get("memory") or history.memory)
            if event == BROUGHT:
                stage = record.get("stage")
                history.brought.append((day, stage if isinstance(stage, int) else 0))
            else:
                history.answers.append((day, event))

    def brought_on(self, day: date) -> set[str]:
        return {id for id, history in self.by_id.items() if any(each == day for each, _ in history.brought)}

    def declined_memories(self, today: date) -> set[str]:
        """Return the ids of the memories of which a nudge was declined."""
        return {
            history.memory for history in self.by_id.values()
            if any(answer == "declined" and (today - day).days < DECLINED for day, answer in history.answers)
        }  # fmt: skip

    def rates(self) -> dict[str, KindRate]:
        """Return the rates of all kinds, by kind."""
        brought, answers = Counter[str](), Counter[tuple[str, str]]()
        for history in self.by_id.values():
            brought[history.kind] += len(history.brought)
            answers.update((history.kind, answer) for _, answer in history.answers)
        return {kind: KindRate(kind, brought[kind], *(answers[kind, answer] for answer in ANSWERS)) for kind in KINDS}

    def resting(self, today: date) -> set[str]:
        """Return the kinds that came lately and must wait, because they are wanted less."""
        last = dict.fromkeys(KINDS, date.min)
        for history in self.by_id.values():
            if history.kind in last:
                last[history.kind] = max([last[history.kind], *(day for day, _ in history.brought if day < today)])
        gaps = {kind: rate.gap for kind, rate in self.rates().items()}
        return {kind for kind, day in last.items() if day > date.min and (today - day).days < gaps[kind]}


def note_brought(vault: Vault, shown: Iterable[TimelyNudge], session: str = "") -> None:
    """Record that nudges were put to the user, each once a day."""
    before = Outcomes(vault).brought_on(vault.today)
    for each in shown:
        if each.id not in before:
            _note(vault, each.id, each.kind, BROUGHT, session, stage=each.stage, memory=each.memory)


def record_answer(vault: Vault, id: str, outcome: str) -> str:
    """Record the answer to a nudge, and return the nudge's kind. `id` begins its own id or that of its memory."""
    if outcome not in ANSWERS:
        raise UsageError(
            "'{answer}' is not an answer", Message("one of {names}", names=", ".join(ANSWERS)), answer=outcome
        )
    by_memory: dict[str, tuple[str, str]] = {}  # a memory that was brought up for two reasons means the latest one
    histories = Outcomes(vault).by_id.items()
    for name, history in sorted(histories, key=lambda each: each[1].brought[-1:]):
        if id and (name.startswith(id) or history.memory.startswith(id)):
            by_memory[history.memory or name] = name, history.kind
    if len(by_memory) != 1:
        what = (
            Message("nothing was brought up as '{id}'", id=id)
            if not by_memory
            else Message("'{id}' matches {n} notes", id=id, n=len(by_memory))
        )
        raise UsageError(what, "mem nudge shows the ids")
    ((name, kind),) = by_memory.values()
    _note(vault, name, kind, outcome, "")
    return kind


def _note(vault: Vault, id: str, kind: str, event: str, session: str, **more: int | str) -> None:
    at = vault.now.isoformat(timespec="seconds")
    record = {"at": at, "session": session, "nudge": id, "kind": kind, "event": event, **more}
    journal.append(vault.root, JOURNAL, record)
