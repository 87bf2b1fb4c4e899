"""Define `mem log`, `mem diff`, `mem undo` and `mem sync`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Annotated

from memcli.cli import options
from memcli.cli.broken_settings import open_with_broken_settings
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, RED, YELLOW
from memcli.cli.options import Limit
from memcli.cli.terminal import Terminal
from memcli.message import Message
from memcli.text.clean import harmless, one_line
from memcli.vault import history
from memcli.vault import sync as syncing

ALL = 10**9  # more changes than any vault has


@command("log", "mem log", "mem log MEMORY.md -n 5")
def log(
    terminal: Terminal,
    path: Annotated[str, "[FILE]", "Only changes of this file.", options.files] = "",
    /,
    limit: Limit = 20,
) -> Result:
    steps = history.log(terminal.vault(), limit or ALL, path)
    rows = []
    for step in steps:
        counts = f"+{step.added} -{step.removed}" if step.id else ""
        what = terminal.translate(step.what) if isinstance(step.what, Message) else step.what  # else a person wrote it
        rows.append([step.id, f"{step.at:%Y-%m-%d %H:%M}", counts, one_line(what), one_line(step.words, 200)])
    data = [{**asdict(step), "at": step.at.isoformat()} for step in steps]
    note = "" if steps else "no history yet"
    return Result({"changes": data}, Table(rows, (YELLOW, GREEN, DIM, DIM, ""), clip=True), note)


@command(
    "diff",
    "mem diff                   edits since the last commit",
    "mem diff yesterday         what changed since that day; 2026-11-01 too",
    "mem diff HEAD~3 MEMORY.md",
)
def diff(
    terminal: Terminal,
    since: Annotated[str, "[SINCE]", "A commit or a day; by default the last commit."] = "",
    path: Annotated[str, "[FILE]", "Only this file."] = "",
    /,
) -> Result:
    vault = terminal.vault()
    if day := _day(since, vault.today):
        since = day.isoformat()
    text = harmless(history.diff(vault, since, path))
    styles = {"+": GREEN, "-": RED, "@": CYAN}
    lines = [
        terminal.paint(line, styles.get(line[:1], "")) if line[:1] in styles else line for line in text.splitlines()
    ]
    return Result({"since": since or None, "diff": text}, lines, "" if text else "no changes")


def _day(text: str, today: date) -> date | None:
    """Return the first day that a text means, or None unless the whole text is a date. The name of a commit is no
    date."""
    from memcli.text import dates

    spans = dates.find_dates(text, today) if text else []
    return spans[0].first if spans and (spans[0].start, spans[0].stop) == (0, len(text)) else None


@command("undo", "mem undo                   undo the last change; again for the one before")
def undo(terminal: Terminal) -> Result:
    """Only changes made with mem; edits that followed elsewhere stay."""
    with open_with_broken_settings(terminal) as vault:
        action, written = history.undo(vault)
    told = one_line(terminal.translate("undid `{ACTION}`: {paths}", ACTION=action, paths=", ".join(written.paths)))
    words = terminal.paint(one_line(history.words_of(written), 60), DIM)
    return Result(
        {"undone": action, "paths": written.paths, "commit": written.commit or None}, f"{told}  {words}".rstrip()
    )


@command("sync", 'git -C "$MEM_VAULT" remote add origin git@example.org:me/memory.git    once', "mem sync")
def sync(terminal: Terminal) -> Result:
    """Your edits are committed first. Logs keep the lines of both sides; a conflict changes nothing."""
    done = syncing.sync(terminal.vault())
    note = "committed what was not committed yet" if done.saved else ""
    if not done.remote:
        terminal.tell("no remote to sync with; once, in the vault's folder: git remote add origin ADDRESS")
        return Result(asdict(done), terminal.translate(note))
    moved = (
        Message("{n} pulled, {pushed} pushed", n=done.pulled, pushed=done.pushed)
        if done.pulled or done.pushed
        else "up to date"
    )
    return Result(asdict(done), f"{done.remote}: {terminal.translate(moved)}", note)
