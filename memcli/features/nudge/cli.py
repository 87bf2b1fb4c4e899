"""Define `mem nudge list|accept|decline|pass`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from memcli.cli.command import Result, command
from memcli.cli.looks import DIM, YELLOW
from memcli.cli.terminal import Terminal
from memcli.features.nudge import outcomes, propose
from memcli.features.nudge.propose import TimelyNudge
from memcli.message import Message

Ids = Annotated[list[str], "ID", "The memory it is about: the id before it; or the beginning."]


@command("nudge list", "mem nudge", "mem nudge --brief", "mem nudge --json | jq -r '.nudges[0].citation'")
def list_(
    terminal: Terminal,
    brief: Annotated[bool, "Today in 200 tokens: these, and what else is due today or tomorrow."] = False,
    look: Annotated[bool, "Only look: it does not count as brought up."] = False,
) -> Result:
    """Show what is worth bringing up now: at most three things a day, with why, from when and where it stands."""
    vault = terminal.vault()
    if brief:
        shown = propose.brief(vault, terminal.translate)
        outcomes.note_brought(vault, () if look else shown.nudges)
        data = {
            "text": shown.text,
            "tokens": shown.tokens,
            "nudges": [_as_json(each) for each in shown.nudges],
        }
        note = Message("{n} more did not fit", n=shown.left_out) if shown.left_out else ""
        return Result({**data, "left_out": shown.left_out}, shown.text.split("\n"), note)
    found = propose.proposals(vault)
    outcomes.note_brought(vault, () if look else found)
    lines = [line for each in found for line in _lines(terminal, each)]
    note = "nothing to bring up now" if not found else ""
    return Result({"nudges": [_as_json(each) for each in found]}, lines, note)


@command("nudge accept", "mem nudge accept 3f2a9c1", json="")
def accept(terminal: Terminal, id: Ids, /) -> None:
    """Mark a nudge as useful; nudges of its kind are not shown less often."""
    _answer(terminal, id, "accepted")


@command("nudge decline", "mem nudge decline 3f2a9c1", json="")
def decline(terminal: Terminal, id: Ids, /) -> None:
    """Say that it was not: it never comes again, and its kind comes less often."""
    _answer(terminal, id, "declined")


@command("nudge pass", "mem nudge pass 3f2a9c1", json="")
def pass_(terminal: Terminal, id: Ids, /) -> None:
    """Not now: it is gone for today."""
    _answer(terminal, id, "passed")


def _answer(terminal: Terminal, ids: list[str], outcome: str) -> None:
    for id in ids:
        kind = outcomes.record_answer(terminal.vault(), id, outcome)
        done = {
            "accepted": Message("{id} accepted ({KIND})", id=id, KIND=kind),
            "declined": Message("{id} declined ({KIND})", id=id, KIND=kind),
            "passed": Message("{id} passed ({KIND})", id=id, KIND=kind),
        }
        terminal.tell(done[outcome])


def _lines(terminal: Terminal, each: TimelyNudge) -> list[str]:
    head = f"{terminal.paint(each.memory, YELLOW)} {each.text}"
    since = [Message("noted on {day}", day=each.since)] if each.since else []
    told = terminal.speech.semicolon.join(map(terminal.translate, [each.why, *since]))
    kind, citation = terminal.translate(each.kind), terminal.paint(f"({each.citation})", DIM)
    return [head, f"        {kind}{terminal.speech.colon}{told} {citation}"]


def _as_json(each: TimelyNudge) -> dict[str, object]:
    days = {key: str(day) if day else None for key, day in (("since", each.since), ("due", each.due))}
    return {**{key: value for key, value in asdict(each).items() if key not in ("stage", "mark")}, **days}
