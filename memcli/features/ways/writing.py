"""Write ways of working and of failing. Change `patterns.yaml` one record at a time, and queue findings in
`journal/patterns.jsonl` until `mem review` has asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from memcli.errors import NotKept, Refused, UsageError
from memcli.features.ways import patterns
from memcli.features.ways.feature import FILE
from memcli.features.ways.patterns import FAILURES, WAYS, Failure, Patterns, Try, Way
from memcli.message import Message
from memcli.remember.change import archive_path
from memcli.remember.conflicts import change_queue
from memcli.remember.gates.gate import sensitive_in
from memcli.text.clean import one_line
from memcli.vault import journal, layout, yaml_edit, yaml_list, yaml_read
from memcli.vault.vault import Vault
from memcli.vault.write import WriteResult, write_vault
from memcli.vault.yaml_list import Record

HEARD = "patterns"  # the journal of what was heard
LONGEST = 300  # characters of a step, a goal, a note
STEPS = 20

Change = Callable[[list[Any]], None]  # changes the records of one list in place


@dataclass(frozen=True)
class WayFinding:
    """Hold a finding about a way of working, from a conversation, a session or failures. Nothing is written before
    somebody agrees."""

    kind: str  # way: how it was done and how it ended; tried: how a known way ended; failure: what to beware of
    goal: str  # the goal, or what a failure looked like
    good: bool = True
    steps: tuple[str, ...] = ()
    strategy: str = patterns.SEQUENTIAL
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    note: str = ""  # a remark, or what went wrong in a failure
    tokens: int = 0
    seconds: int = 0
    way: str = ""  # the id of the way that was tried
    indicators: tuple[str, ...] = ()
    mitigation: str = ""
    severity: int = 3
    at: str = ""  # when it ended
    agent: str = ""  # the agent it belongs to; "" means everybody

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the values that distinguish it from other questions."""
        return self.kind, self.way, self.at, self.summary

    @property
    def summary(self) -> str:
        """Return it in a line, for the question to the user."""
        if self.kind == "failure":
            instead = f" → {self.mitigation}" if self.mitigation else ""
            return Message("beware: {what}", what=f"{self.goal}: {self.note}{instead}")
        done = Way(self.goal, self.steps, self.strategy).summary
        how = f"{patterns.GOOD if self.good else patterns.BAD}" + (f", {self.note}" if self.note else "")
        return f"{self.goal}: {done} ({how})" if done else f"{self.goal} ({how})"


_EMPTY = WayFinding("", "")


# -- by hand -----------------------------------------------------------------------------------------------------------


def keep_way(
    vault: Vault, goal: str, steps: Iterable[str], *, strategy: str = patterns.SEQUENTIAL, tools: Iterable[str] = (),
    agents: Iterable[str] = (),
) -> tuple[Way, WriteResult]:  # fmt: skip
    """Keep a way to a goal and return it. If the same steps are known, update only its tools and agents."""
    named = [_line(step, "a step has words") for step in steps]
    way = Way(
        _line(goal, "a way has a goal"), tuple(named), strategy, _lines(tools), _lines(agents),
        path=f"{vault.space}{FILE}",
    )  # fmt: skip
    if not 0 < len(way.steps) <= STEPS:
        raise UsageError(
            "a way has 1 to {n} steps", 'mem pattern add "speed up an API" --step measure --step cache', n=STEPS
        )
    _admitted(vault, way.goal, *way.steps, *way.tools, *way.agents)
    record: Record = {"pattern": way.goal, "subtasks": way.steps, "strategy": way.strategy}
    record |= {name: texts for name, texts in (("tools", way.tools), ("agents", way.agents)) if texts}

    def change(records: list[Any]) -> None:
        known = _known(records, patterns.way_of, way.id)
        if known is None:
            records.append(yaml_edit.plain({**record, "last_used": vault.today}))
            return
        for name in ("tools", "agents"):
            if name in record:
                known[name] = yaml_edit.plain(record[name])

    return way, _written(vault, WAYS, change, way.id)


def record_try(vault: Vault, way: Way, outcome: Try) -> tuple[Way, WriteResult]:
    """Record how a way went and return it. Tries older than the latest ones are only counted."""
    outcome = replace(outcome, note=one_line(outcome.note, LONGEST))
    _admitted(vault, outcome.note)

    def change(records: list[Any]) -> None:
        record = _known(records, patterns.way_of, way.id)
        if record is None:
            raise UsageError(
                "the way {id} is no longer in {place}",
                "mem pattern list shows what there is",
                id=way.id,
                place=way.path,
            )
        now = patterns.way_of(record) or way
        unread = patterns.unread_tries(record)
        tries = [*now.tries, outcome]
        old = tries[: -patterns.LISTED]
        if old:
            count, good = now.before + len(old), now.good_before + sum(each.good for each in old)
            record["usage_count"], record["success_rate"] = count, round(good / count, 4)
        record["tries"] = yaml_edit.plain([*unread, *(each.line for each in tries[-patterns.LISTED :])])
        record["last_used"] = vault.today

    done = write_vault(vault, "pattern", [(way.path, partial(_edited, way.path, WAYS, change))], [way.id])
    return next((each for each in patterns.read_patterns(vault).ways if each.place == way.place), way), done


def keep_failure(vault: Vault, new: Failure) -> tuple[Failure, WriteResult]:
    """Keep a way of failing and return it. If the name is known, count it once more and add what is new."""
    what = _line(new.what, "a way of failing has a name")
    if not 1 <= new.severity <= 5:
        raise UsageError("severity {n} is not between 1 and 5", "5 is what must never happen again", n=new.severity)
    new = replace(
        new, what=what, indicators=_lines(new.indicators), went_wrong=one_line(new.went_wrong, LONGEST),
        mitigation=one_line(new.mitigation, LONGEST),
    )  # fmt: skip
    _admitted(vault, what, *new.indicators, new.went_wrong, new.mitigation)
    texts: Record = {"indicators": new.indicators, "went_wrong": new.went_wrong, "mitigation": new.mitigation}
    texts = {name: value for name, value in texts.items() if value}

    def change(records: list[Any]) -> None:
        known = _known(records, patterns.failure_of, new.id)
        if known is None:
            record = {"pattern": what, **texts, "severity": new.severity, "last_used": vault.today}
            records.append(yaml_edit.plain(record))
            return
        had = patterns.failure_of(known) or new
        both = tuple(dict.fromkeys([*had.indicators, *new.indicators]))
        again = {**texts, **({"indicators": both} if both else {}), "severity": max(had.severity, new.severity)}
        for name, value in {**again, "usage_count": had.count + 1}.items():
            known[name] = yaml_edit.plain(value)
        known["last_used"] = vault.today

    return new, _written(vault, FAILURES, change, new.id)


def forget_pattern(vault: Vault, known: Way | Failure) -> WriteResult:
    """Archive a way, or a way of failing."""
    section, read = (WAYS, patterns.way_of) if isinstance(known, Way) else (FAILURES, patterns.failure_of)

    def change(records: list[Any]) -> None:
        if (record := _known(records, read, known.id)) is not None:  # type: ignore[arg-type]
            records.remove(record)

    archive = yaml_list.archiving(vault, archive_path(known.path), "pattern", lambda: [known.record])
    edit = (known.path, partial(_edited, known.path, section, change))
    return write_vault(vault, "pattern", [archive, edit], [known.id])


# -- heard -------------------------------------------------------------------------------------------------------------


def hear_pattern(vault: Vault, heard: WayFinding) -> bool:
    """Queue a finding, so that `mem review` asks about it. Return False if it was queued before or holds something
    sensitive."""
    heard = heard if heard.at else replace(heard, at=f"{vault.now:%Y-%m-%dT%H:%M}")
    if _key(heard) in map(_key, _all_heard(vault)) or sensitive_in(vault, heard.summary):
        return False
    record = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, "heard": asdict(heard)}
    write_vault(vault, "learn", [change_queue.journal_line(HEARD, record)], [])
    return True


def heard_patterns(vault: Vault) -> list[WayFinding]:
    """Return queued findings that are not written yet, without ways that are gone, and for an agent without those of
    others."""
    found = [finding for finding in _all_heard(vault) if not vault.agent or finding.agent in ("", vault.agent)]
    stored = {agent: patterns.read_patterns(vault.seen_by(agent)) for agent in {finding.agent for finding in found}}
    return [finding for finding in found if not _settled(finding, stored[finding.agent])]


def _settled(heard: WayFinding, held: Patterns) -> bool:
    if heard.kind == "failure":
        id = Failure(heard.goal).id
        return any(each.id == id and each.last_used >= heard.at[:10] for each in held.failures)
    id = heard.way or Way(heard.goal, heard.steps, heard.strategy).id
    way = next((each for each in held.ways if each.id == id), None)
    if way is None:
        return heard.kind == "tried"
    counted = len(way.tries) >= patterns.LISTED and heard.at < way.tries[0].at  # older tries are no longer listed
    return counted or any(each.at == heard.at for each in way.tries)


def take_heard(vault: Vault, heard: WayFinding) -> WriteResult:
    """Write a finding that somebody agreed to."""
    vault = vault.seen_by(heard.agent)
    if heard.kind == "failure":
        made = Failure(heard.goal, heard.indicators, heard.note, heard.mitigation, heard.severity)
        return keep_failure(vault, made)[1]
    outcome = Try(heard.at, heard.good, heard.tokens, heard.seconds, heard.note)
    way = next((each for each in patterns.read_patterns(vault).ways if each.id == heard.way), None)
    if way is None:
        vault.batch = vault.batch or f"pattern:{heard.at} {heard.goal}"  # one change, for the person who agreed
        way, _ = keep_way(
            vault, heard.goal, heard.steps, strategy=heard.strategy, tools=heard.tools, agents=heard.agents
        )
    return record_try(vault, way, outcome)[1]


def _all_heard(vault: Vault) -> list[WayFinding]:
    found: list[WayFinding] = []
    for record in journal.read_journal(vault.root, HEARD, vault.notice):
        fields = record.get("heard")
        if isinstance(fields, dict) and fields.get("kind") in ("way", "tried", "failure") and fields.get("goal"):
            lists = {name: tuple(map(str, value)) for name, value in fields.items() if isinstance(value, list)}
            given = {**fields, **lists}  # JSON has no tuples
            found.append(replace(_EMPTY, **{name: value for name, value in given.items() if _fits(name, value)}))
    return list({_key(each): each for each in found}.values())


def _fits(name: str, value: Any) -> bool:
    if name not in WayFinding.__dataclass_fields__ or type(value) is not type(getattr(_EMPTY, name)):
        return False
    if name == "agent":
        return not value or layout.NAME.fullmatch(value) is not None
    return name != "severity" or value in range(1, 6)


def _key(heard: WayFinding) -> str:
    """Return a key that is equal for two findings that differ only in wording."""
    return json.dumps([heard.kind, heard.goal.casefold(), heard.steps, heard.way, heard.at], ensure_ascii=False)


# -- the file ----------------------------------------------------------------------------------------------------------


def _written(vault: Vault, section: str, change: Change, id: str) -> WriteResult:
    path = f"{vault.space}{FILE}"
    return write_vault(vault, "pattern", [(path, partial(_edited, path, section, change))], [id])


def _edited(path: str, section: str, change: Change, text: str) -> str:
    """Return the file with one of its lists changed; the other list and every comment keep their bytes."""
    found = yaml_read.load(text, path)
    if isinstance(found, list):
        raise Refused("{place} is a bare list", "write 'patterns:' above it, and the list below that", place=path)
    tree = yaml_read.mapping(text, path)
    if not isinstance(tree.get(section), (list, type(None))):
        raise Refused("{place}: {name} is not a list", "mem doctor shows what is wrong", place=path, name=section)
    if tree.get(section) is None:
        records: list[Any] = []
        change(records)
        return yaml_edit.with_value(text, path, [section], records) if records else text

    def changed(piece: Any) -> None:
        change(piece[section])
        if not piece[section]:  # an empty list can't be written below the comment of its last record
            piece[section] = []
            piece.ca.items.pop(section, None)

    return yaml_edit.change_pieces(text, path, {list(tree).index(section): changed})


def _known(records: list[Any], read: Callable[[Record], Way | Failure | None], id: str) -> Any:
    """Return the record of this id, to be changed in place, or None."""
    made = ((record, read(record)) for record in records if isinstance(record, dict))
    return next((record for record, each in made if each is not None and each.id == id), None)


def _admitted(vault: Vault, *texts: str) -> None:
    if what := sensitive_in(vault, "\n".join(texts)):
        raise NotKept(Message("it holds {KINDS}", KINDS=what), "write it without")


def _line(text: str, otherwise: str) -> str:
    if not (line := one_line(text, LONGEST)):
        raise UsageError(otherwise)
    return line


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (one_line(text, LONGEST) for text in texts))))
