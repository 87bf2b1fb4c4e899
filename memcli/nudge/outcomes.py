"""What came of what was brought up, kept in `journal/nudges.jsonl`, and how often each kind may come after that.

How much a kind is wanted is a Beta posterior over its answers. What nobody answered says nothing: a morning's list is
read without a word.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from memcli.errors import UsageError
from memcli.nudge.candidate import KINDS, Candidate
from memcli.vault import journal
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.nudge.propose import Nudge

JOURNAL = "nudges"
BROUGHT = "brought"
ANSWERS = ("accepted", "declined", "passed")
PRIOR = (3.0, 2.0)  # as if three of five had been accepted already
PASSED = 0.5  # what was passed over counts half as much as what was declined
WANTED = 0.5  # a kind that is accepted so often comes whenever there is something
LONGEST_GAP = 21  # days between two of a kind that nobody wants
AGAIN = 60  # days until what has no day may come again
OVERDUE_AGAIN = 14  # days until what is overdue may
MOST_TIMES = 2  # of what has no day, or is overdue


@dataclass
class History:
    """What was done with one nudge."""

    kind: str = ""
    brought: list[tuple[date, int]] = field(default_factory=list)  # day and stage
    answers: list[tuple[date, str]] = field(default_factory=list)

    def is_over(self, today: date) -> bool:
        """Whether it was declined for good, or answered today."""
        return any(answer == "declined" or day == today for day, answer in self.answers)

    def may_come(self, candidate: Candidate, today: date) -> bool:
        if self.is_over(today):
            return False
        if not self.brought:
            return True
        last, stage = self.brought[-1]
        if last == today or candidate.stage > stage:
            return True
        accepted = any(answer == "accepted" for _, answer in self.answers)
        if accepted or (candidate.due and candidate.stage < 2) or len(self.brought) >= MOST_TIMES:
            return False
        return (today - last).days >= (OVERDUE_AGAIN if candidate.due else AGAIN)


@dataclass(frozen=True)
class Rate:
    """How a kind is received."""

    kind: str
    brought: int = 0
    accepted: int = 0
    declined: int = 0
    passed: int = 0

    @property
    def wanted(self) -> float:
        """The mean of the posterior."""
        yes = PRIOR[0] + self.accepted
        return yes / (yes + PRIOR[1] + self.declined + PASSED * self.passed)

    @property
    def gap(self) -> int:
        """Days that lie between two of this kind, at least."""
        return min(LONGEST_GAP, round(7 * max(0.0, WANTED / self.wanted - 1)))


class Outcomes:
    """The journal, read."""

    def __init__(self, vault: Vault) -> None:
        self.by_id: dict[str, History] = defaultdict(History)
        for record in journal.read(vault.root, JOURNAL, vault.notice):
            id, event = record.get("nudge"), record.get("event")
            if not isinstance(id, str) or event not in (BROUGHT, *ANSWERS):
                continue  # a question, which `choose` reads
            try:
                day = date.fromisoformat(str(record.get("at"))[:10])
            except ValueError:
                continue
            history = self.by_id[id]
            history.kind = str(record.get("kind") or history.kind)
            if event == BROUGHT:
                stage = record.get("stage")
                history.brought.append((day, stage if isinstance(stage, int) else 0))
            else:
                history.answers.append((day, event))

    def brought_on(self, day: date) -> set[str]:
        return {id for id, history in self.by_id.items() if any(each == day for each, _ in history.brought)}

    def rates(self) -> dict[str, Rate]:
        """By kind, all of them."""
        brought, answers = Counter[str](), Counter[tuple[str, str]]()
        for history in self.by_id.values():
            brought[history.kind] += len(history.brought)
            answers.update((history.kind, answer) for _, answer in history.answers)
        return {kind: Rate(kind, brought[kind], *(answers[kind, answer] for answer in ANSWERS)) for kind in KINDS}

    def resting(self, today: date) -> set[str]:
        """Kinds that came lately, and are to come less often."""
        last = dict.fromkeys(KINDS, date.min)
        for history in self.by_id.values():
            if history.kind in last:
                last[history.kind] = max([last[history.kind], *(day for day, _ in history.brought if day < today)])
        gaps = {kind: rate.gap for kind, rate in self.rates().items()}
        return {kind for kind, day in last.items() if day > date.min and (today - day).days < gaps[kind]}


def rates(vault: Vault) -> dict[str, Rate]:
    """How each kind was received, for `mem stats`."""
    return Outcomes(vault).rates()


def brought(vault: Vault, shown: Iterable[Nudge], session: str = "") -> None:
    """Note what was put before the user, each once a day."""
    before = Outcomes(vault).brought_on(vault.today)
    for each in shown:
        if each.id not in before:
            _note(vault, each.id, each.kind, BROUGHT, session, stage=each.stage)


def said(vault: Vault, id: str, outcome: str, session: str = "") -> str:
    """Note what the user said to it; the kind of it."""
    if outcome not in ANSWERS:
        raise UsageError(f"'{outcome}' is no answer", f"one of {', '.join(ANSWERS)}")
    known = {name: history.kind for name, history in Outcomes(vault).by_id.items() if name.startswith(id) and id}
    if len(known) != 1:
        what = f"nothing was brought up as '{id}'" if not known else f"'{id}' could be any of {len(known)}"
        raise UsageError(what, "mem nudge shows the ids")
    ((name, kind),) = known.items()
    _note(vault, name, kind, outcome, session)
    return kind


def _note(vault: Vault, id: str, kind: str, event: str, session: str, **more: int) -> None:
    at = vault.now.isoformat(timespec="seconds")
    record = {"at": at, "session": session, "nudge": id, "kind": kind, "event": event, **more}
    journal.append(vault.root, JOURNAL, record)


def order(candidates: Sequence[Candidate], known: dict[str, Rate], today: date) -> list[Candidate]:
    """What has a day before what has none; the most urgent first, and of what is as urgent, what is wanted more."""
    return sorted(
        candidates,
        key=lambda each: (each.due is None, -each.urgency(today) * (0.4 + known[each.kind].wanted), each.id),
    )
