"""Define the command `mem reflect`."""

from __future__ import annotations

import os
from typing import Annotated, Any

from memcli.cli.command import Result, command
from memcli.cli.looks import CYAN, DIM, GREEN
from memcli.cli.options import Filters
from memcli.cli.terminal import Terminal
from memcli.errors import Refused, UsageError
from memcli.features.reflect import lookback
from memcli.features.reflect.lookback import HEADS, Line, Reflection
from memcli.message import Message
from memcli.text.clean import one_line

_QUESTION = "keep it in insights.md  (y)es, (n)o, (a)ll the rest, (q)uit"


@command(
    "reflect",
    "mem reflect                     the last seven days",
    "mem reflect --project tideline --since 2026-10-01",
    "mem reflect --keep              asks line by line what goes into insights.md",
    filters="since until project",
    agents=True,
)
def reflect(
    terminal: Terminal,
    filters: Filters,
    week: Annotated[bool, "The last seven days; as without anything."] = False,
    keep: Annotated[bool, "Ask of each line whether to keep it; without a terminal mem review does."] = False,
    rules: Annotated[bool, "By rules, even where a language model is set up."] = False,
) -> Result:
    """What was decided, what changed, what is open, what came up on three days: each line with where it stands.

    Nothing is written but what you agree to. A line of a model whose citation does not say so is dropped.
    """
    vault = terminal.vault()
    since, until = filters.days(vault.today)
    if week and (since or filters.project):
        raise UsageError("--week is the last seven days", "leave out --week, or --since and --project")
    looked = lookback.look_back(vault, since, until, filters.project, rules=rules)
    if not terminal.as_json:
        _show(terminal, looked)
    kept = _keep(terminal, looked.lines) if keep else {}
    lines = [{**_as_json(line), "kept": kept.get(at, "")} for at, line in enumerate(looked.lines)]
    facts = {"by": looked.by, "read": looked.read, "dropped": looked.dropped, "project": looked.project or None}
    days = {"since": looked.since and looked.since.isoformat(), "until": looked.until and looked.until.isoformat()}
    note = "" if looked.lines else Message("nothing to look back on; memories read: {n}", n=looked.read)
    return Result({**days, **facts, "lines": lines}, note=note)


def _show(terminal: Terminal, looked: Reflection) -> None:
    kind = ""
    for line in looked.lines:
        if line.kind != kind:
            kind = line.kind
            terminal.out(terminal.paint(terminal.translate(HEADS[kind]), CYAN))
        text = terminal.translate(line.text) if line.kind == "again" else line.text  # the others quote memories
        terminal.prose(f"- {one_line(text)} {terminal.paint(f'({_places(line)})', DIM)}")


def _keep(terminal: Terminal, lines: tuple[Line, ...]) -> dict[int, str]:
    """Ask about each line, or leave all to the review if nobody can be asked. Return what became of each, by its
    number."""
    vault = terminal.vault()
    vault.batch = f"reflect:{os.urandom(6).hex()}"
    if not terminal.interactive() or terminal.as_json:
        for line in lines:
            lookback.propose_line(vault, line)
        if lines:
            terminal.tell("{n} wait for you: mem review", n=len(lines))
        return dict.fromkeys(range(len(lines)), "review")
    done: dict[int, str] = {}
    everything = False
    for at, line in enumerate(lines):
        terminal.tell(terminal.paint(one_line(line.text), GREEN, terminal.stderr))
        answer = "y" if everything else terminal.key(_QUESTION, ["y", "n", "a", "q"])
        if answer == "q":
            break
        everything = everything or answer == "a"
        if answer == "n":
            continue
        try:
            done[at] = lookback.keep_line(vault, line).entry.place
            terminal.tell("in {place}", place=done[at])
        except Refused as error:
            terminal.tell("not kept: {WHY}", WHY=error.why)
    return done


def _places(line: Line) -> str:
    return ", ".join(map(one_line, line.places))


def _as_json(line: Line) -> dict[str, Any]:
    ids = [entry.id for entry in line.entries]
    return {"kind": line.kind, "text": line.text, "places": list(line.places), "ids": ids}
