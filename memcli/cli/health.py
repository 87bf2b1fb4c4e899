"""`mem status`, `mem doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from memcli import llm
from memcli.cli.terminal import BOLD, DIM, GREEN, RED, YELLOW, Terminal, clock_of
from memcli.cli.watch import watcher
from memcli.errors import CheckFailed, MemError
from memcli.index.status import checks as index_checks
from memcli.index.status import state as index_state
from memcli.index.status import told
from memcli.knowledge import status as shelf
from memcli.text.clean import one_line
from memcli.vault import health
from memcli.vault.settings import Resolved, Settings
from memcli.vault.vault import Vault

app = typer.Typer(rich_markup_mode=None)


@app.command(
    epilog="""\b
Examples:
  mem status
  mem status --json | jq .memories
"""
)
def status(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show the vault on one screen: where it is, what it holds, when it was last written, git."""
    terminal: Terminal = ctx.obj
    here = health.status(terminal.vault())
    sidecar = index_state(terminal.vault())
    watching = watcher(terminal.where(), terminal.environ)
    if as_json:
        rest = {"index": asdict(sidecar), "watcher": watching[0], "knowledge": asdict(shelf.state(terminal.vault()))}
        terminal.json({"schema": 1, **asdict(here), **rest})
        return
    total = sum(here.memories.values())
    rows = [["vault", here.root], ["memories", f"{total} in {here.files} files"]]
    rows += [[f"  {kind}", str(number)] for kind, number in here.memories.items() if number]
    rows += [["last write", here.last_write.replace("T", " ") or "never"]]
    rows += [["index", told(sidecar)], ["watcher", watching[1]]]
    if (documents := shelf.state(terminal.vault())) != shelf.DocumentsStatus():
        rows += [["knowledge", documents.told]]
    if here.repository:
        rows += [["git", f"{here.branch or 'detached'}, {here.uncommitted or 'no'} uncommitted"]]
        if here.last_commit:
            rows += [["last commit", one_line(here.last_commit)]]
    else:
        rows += [["git", "not a repository"]]
    if here.waiting:
        rows += [["queue", f"{here.waiting} waiting, {here.aside or 'none'} of them failed for good; mem work"]]
    terminal.table(rows, (DIM, ""))


@app.command(
    epilog="""\b
Examples:
  mem doctor
  mem doctor --json
"""
)
def doctor(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check what works and what does not, each with how to mend it; exit 1 if something is broken."""
    from memcli import deep
    from memcli.prompt import roles

    terminal: Terminal = ctx.obj
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
    if as_json:
        terminal.json(
            {"schema": 1, "vault": str(vault.root), "broken": broken, "checks": [asdict(check) for check in checks]}
        )
    else:
        terminal.out(terminal.paint(str(vault.root), BOLD))
        marks = {health.OK: ("✓", GREEN), health.NOTE: ("·", YELLOW), health.BROKEN: ("✗", RED)}
        for check in checks:
            sign, style = marks[check.state]
            terminal.out(f"{terminal.paint(sign, style)} {check.name}: {one_line(check.detail)}")
            if check.mend:
                terminal.out(terminal.paint(f"    → {one_line(check.mend)}", DIM))
    if broken:
        raise CheckFailed(f"{broken} thing{'s' if broken > 1 else ''} broken, listed above with how to mend them")
