"""`mem log`, `mem diff`, `mem undo`, `mem sync`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from memcli.cli import complete
from memcli.cli.options import AsJson, examples
from memcli.cli.show import in_words
from memcli.cli.terminal import CYAN, DIM, GREEN, RED, YELLOW, Terminal
from memcli.text.clean import harmless, one_line
from memcli.vault import history
from memcli.vault import sync as syncing

app = typer.Typer(rich_markup_mode=None)


@app.command(epilog=examples("mem log", "mem log MEMORY.md -n 5"))
def log(
    ctx: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Only changes of this file.", autocompletion=complete.files)
    ] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show how the memory changed, latest first."""
    terminal: Terminal = ctx.obj
    steps = history.log(terminal.vault(), max(1, limit), path)
    if as_json:
        terminal.json([{**asdict(step), "at": step.at.isoformat()} for step in steps])
        return
    rows = []
    for step in steps:
        counts = f"+{step.added} -{step.removed}" if step.id else ""
        rows.append([step.id, f"{step.at:%Y-%m-%d %H:%M}", counts, one_line(step.what)])
    terminal.table(rows, (YELLOW, GREEN, DIM, ""), clip=True)
    if not steps:
        terminal.tell("no history yet")


@app.command(
    epilog=examples(
        "mem diff                   edits since the last commit",
        "mem diff yesterday         what changed since that day; 2026-11-01 too",
        "mem diff HEAD~3 MEMORY.md",
    )
)
def diff(
    ctx: typer.Context,
    since: Annotated[
        str, typer.Argument(metavar="[SINCE]", help="A commit or a day; by default the last commit.")
    ] = "",
    path: Annotated[str, typer.Argument(metavar="[FILE]", help="Only this file.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show what changed since the last commit, another commit or a day."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if day := in_words(since, vault.today):
        since = day.isoformat()
    text = harmless(history.diff(vault, since, path))
    if as_json:
        terminal.json({"schema": 1, "since": since or None, "diff": text})
        return
    styles = {"+": GREEN, "-": RED, "@": CYAN}
    terminal.lines(
        terminal.paint(line, styles.get(line[:1], "")) if line[:1] in styles else line for line in text.splitlines()
    )
    if not text:
        terminal.tell("no changes")


@app.command(epilog=examples("mem undo                   take the last write back; again for the one before"))
def undo(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Take back the last write of mem, even when other edits followed elsewhere."""
    terminal: Terminal = ctx.obj
    action, written = history.undo(terminal.vault())
    if as_json:
        terminal.json({"schema": 1, "undone": action, "paths": written.paths, "commit": written.commit or None})
        return
    terminal.out(one_line(f"took back `{action}`: {', '.join(written.paths)}"))


@app.command(epilog=examples('git -C "$MEM_VAULT" remote add origin git@example.org:me/memory.git    once', "mem sync"))
def sync(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Commit what lies around, pull, merge and push. Logs merge by union; a conflict changes nothing."""
    terminal: Terminal = ctx.obj
    done = syncing.sync(terminal.vault())
    if as_json:
        terminal.json({"schema": 1, **asdict(done)})
        return
    if done.saved:
        terminal.tell("committed edits made by hand")
    terminal.out(
        f"{done.remote}: {done.pulled} pulled, {done.pushed} pushed"
        if done.pulled or done.pushed
        else f"{done.remote}: up to date"
    )
