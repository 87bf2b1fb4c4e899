"""`mem status`, `mem doctor`."""

from __future__ import annotations

from dataclasses import asdict

from memcli import llm
from memcli.cli.command import Result, Table, command
from memcli.cli.terminal import BOLD, DIM, GREEN, RED, YELLOW, Terminal, clock_of
from memcli.cli.watch import watcher
from memcli.errors import CheckFailed, MemError
from memcli.index.health import checks as index_checks
from memcli.index.health import told
from memcli.index.status import state as index_state
from memcli.knowledge import status as shelf
from memcli.text.clean import one_line
from memcli.vault import health
from memcli.vault.settings import Resolved, Settings
from memcli.vault.vault import Vault


@command("status", "mem status", "mem status --json | jq .memories")
def status(terminal: Terminal) -> Result:
    """Where it is, what it holds, when it was last written, the state of index and git."""
    vault = terminal.vault()
    here, index, documents = health.status(vault), index_state(vault), shelf.state(vault)
    process, watching = watcher(terminal.where(), terminal.environ)
    total = sum(here.memories.values())
    rows = [["vault", here.root], ["memories", f"{total} in {here.files} files"]]
    rows += [[f"  {kind}", str(number)] for kind, number in here.memories.items() if number]
    rows += [["last write", here.last_write.replace("T", " ") or "never"]]
    rows += [["index", told(index)], ["watcher", watching]]
    rows += [["knowledge", documents.told]] if documents != shelf.State() else []
    if here.repository:
        rows += [["git", f"{here.branch or 'detached'}, {here.uncommitted or 'no'} uncommitted"]]
        rows += [["last commit", one_line(here.last_commit)]] if here.last_commit else []
    else:
        rows += [["git", "not a repository"]]
    if here.waiting:
        rows += [["queue", f"{here.waiting} waiting, {here.aside or 'none'} of them failed for good; mem work"]]
    data = {**asdict(here), "index": asdict(index), "watcher": process, "knowledge": asdict(documents)}
    return Result(data, Table(rows, (DIM, "")))


@command("doctor", "mem doctor", "mem doctor --json")
def doctor(terminal: Terminal) -> Result:
    """Exit 1 if something is broken."""
    from memcli import deep
    from memcli.prompt import roles

    try:
        vault = terminal.vault()
    except MemError:  # broken settings are one of the things to be told
        root = terminal.where()
        if not root.is_dir():
            raise
        vault = Vault(root, Resolved(Settings(), {}), clock_of(terminal.environ), environ=terminal.environ)
    checks = [
        *health.checks(vault),
        *index_checks(vault),
        *shelf.checks(vault),
        *llm.check(vault),
        *roles.checks(vault),
        *deep.checks(vault),
    ]
    vault.notices.clear()  # every one of them is a line of the page
    broken = sum(check.state == health.BROKEN for check in checks)
    marks = {health.OK: ("✓", GREEN), health.NOTE: ("·", YELLOW), health.BROKEN: ("✗", RED)}
    lines = [terminal.paint(str(vault.root), BOLD)]
    for check in checks:
        lines.append(f"{terminal.paint(*marks[check.state])} {check.name}: {one_line(check.detail)}")
        lines += [terminal.paint(f"    → {one_line(check.mend)}", DIM)] if check.mend else []
    things = f"{broken} thing{'s' if broken > 1 else ''} broken"
    return Result(
        {"vault": str(vault.root), "broken": broken, "checks": [asdict(check) for check in checks]},
        lines,
        failure=CheckFailed(f"{things}, listed above with how to mend them") if broken else None,
    )
