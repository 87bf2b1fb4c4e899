"""Define `mem status` and `mem doctor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from memcli import contributions, extras
from memcli.cli.clock import clock_of
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import BOLD, DIM, GREEN, RED, YELLOW
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, MemError, MissingPart
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import health
from memcli.vault.check import BROKEN, NOTE, OK
from memcli.vault.settings import ResolvedSettings, Settings
from memcli.vault.vault import Vault

State = tuple[Any, str]  # the data for JSON and one line of text; an empty line is not shown


def _index(terminal: Terminal) -> State:
    from memcli.index import status

    here = status.state(terminal.vault())
    return asdict(here), status.status_line(here)


def _watcher(terminal: Terminal) -> State:
    from memcli.cli.watch import watcher_state

    return watcher_state(terminal.where(), terminal.environ)


STATES = {"index": _index, "watcher": _watcher}


def _asked(ask: Callable[[Terminal], State], terminal: Terminal) -> State:
    """Return the state of an optional part, or (None, message) if that part is not installed."""
    try:
        with extras.wanted():
            return ask(terminal)
    except MissingPart as error:
        return None, error.message


@command("status", "mem status", "mem status --json | jq .memories")
def status(terminal: Terminal) -> Result:
    """Where it is, what it holds, when it was last written, the state of index and git."""
    here = health.status(terminal.vault())
    extra = {name: _asked(ask, terminal) for name, ask in STATES.items()} | contributions.states(terminal.vault())
    said, total = terminal.translate, sum(here.memories.values())
    rows = [["vault", here.root], ["memories", said(Message("{n} in {files} files", n=total, files=here.files))]]
    part = terminal.speech.translate_part  # a kind: a note is no hint
    rows += [[f"  {part(kind)}", str(number)] for kind, number in here.memories.items() if number]
    rows += [["last write", here.last_write.replace("T", " ") or said("never")]]
    rows += [[name, said(line)] for name, (_, line) in extra.items() if line]
    if here.repository:
        how: str = Message(
            "{branch}, uncommitted edits: {n}", branch=here.branch or said("detached"), n=here.uncommitted
        )
        how = how if here.asked else "not asked"
        rows += [["git", said(how)]]
        rows += [["last commit", one_line(said(here.last_commit))]] if here.last_commit else []
    else:
        rows += [["git", said("not a repository")]]
    if here.waiting:
        rows += [
            [
                "queue",
                said(Message("{n} waiting, {N} of them failed for good; mem work", n=here.waiting, N=here.aside)),
            ]
        ]
    data = {**asdict(here), **{name: value for name, (value, _) in extra.items()}}
    return Result(data, Table([[said(name), line] for name, line in rows], (DIM, "")))


@command("doctor", "mem doctor", "mem doctor --json")
def doctor_(terminal: Terminal) -> Result:
    """Exit 1 if something is broken."""
    from memcli import doctor

    try:
        vault = terminal.vault()
    except MemError:  # the vault opens all the same, because doctor reports broken settings
        root = terminal.where()
        if not root.is_dir():
            raise
        vault = Vault(root, ResolvedSettings(Settings(), {}), clock_of(terminal.environ), environ=terminal.environ)
    checks = doctor.checks(vault)
    vault.notices.clear()  # the page already shows each of them
    broken = sum(check.state == BROKEN for check in checks)
    marks = {OK: ("✓", GREEN), NOTE: ("·", YELLOW), BROKEN: ("✗", RED)}
    said, colon, lines = terminal.translate, terminal.speech.colon, [terminal.paint(str(vault.root), BOLD)]
    for check in checks:
        lines.append(f"{terminal.paint(*marks[check.state])} {said(check.name)}{colon}{one_line(said(check.detail))}")
        lines += [terminal.paint(f"    → {one_line(said(check.fix))}", DIM)] if check.fix else []
    return Result(
        {"vault": str(vault.root), "broken": broken, "checks": [asdict(check) for check in checks]},
        lines,
        failure=CheckFailed("{n} thing{s} broken; each is listed above with its fix", n=broken) if broken else None,
    )
