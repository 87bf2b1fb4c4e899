"""`mem work`, `mem audit`, `mem tidy`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from memcli.cli.options import AsJson, DryRun, Limit, Since, examples
from memcli.cli.show import day
from memcli.cli.terminal import DIM, GREEN, RED, YELLOW, Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.text.clean import one_line
from memcli.vault.queue import Job

app = typer.Typer(rich_markup_mode=None)

LOOKS = (YELLOW, GREEN, "", DIM)


@app.command(
    epilog=examples(
        "mem work",
        "mem work --dry-run         what waits, and what failed",
        "mem work --retry           what failed too, at once",
    )
)
def work(
    ctx: typer.Context,
    retry: Annotated[bool, typer.Option("--retry", help="Also what waits for its next try, or was set aside.")] = False,
    drop: Annotated[str, typer.Option("--drop", metavar="ID", help="Take this job out of the queue, undone.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what waits.")] = False,
    as_json: AsJson = False,
) -> None:
    """Do the work that waits in the queue and bring the index in line, once; `mem watch` does the same all the time."""
    from memcli.jobs import catch_up
    from memcli.jobs import work as do_waiting_work
    from memcli.vault import queue

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if drop and not queue.drop(vault, drop):
        raise UsageError(f"no job is called '{drop}'", "mem work --dry-run shows what waits")
    if drop or dry_run:
        ran, index = queue.Drained(waiting=tuple(queue.jobs(vault))), None
    else:
        ran, index = do_waiting_work(vault, retry), catch_up(vault)
    if as_json:
        parts = {name: [_job(job) for job in jobs] for name, jobs in vars(ran).items()}
        terminal.json({"schema": 1, **parts, "index": index and asdict(index)})
    else:
        if not (drop or dry_run):
            terminal.out(f"{len(ran.done)} done, {len(ran.failed)} failed, {len(ran.waiting)} waiting")
        if index and (index.changed or index.removed):
            terminal.out(f"index: {index.changed} changed, {index.removed} removed")
        rows = [[job.kind, one_line(job.id), job.at[:16].replace("T", " "), _fate(job)] for job in ran.waiting]
        terminal.table(rows, (YELLOW, "", DIM, RED), clip=True)
    if ran.failed:
        raise CheckFailed(f"{len(ran.failed)} of {len(ran.done) + len(ran.failed)} failed", "mem work --retry")


@app.command(epilog=examples("mem audit --since yesterday", "mem audit --id 3f2a9c1     what happened to one memory"))
def audit(
    ctx: typer.Context,
    since: Since = "",
    id: Annotated[str, typer.Option("--id", metavar="ID", help="Only what was done to this memory.")] = "",
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show who wrote, changed or archived what, and when; latest first. `mem doctor` tells whether it was tampered with."""
    from memcli.vault import journal

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    found = journal.writes(vault.root, day(since, vault.today, 0), id, vault.notice)
    shown = found[:limit] if limit > 0 else found
    if as_json:
        terminal.json(shown)
    else:
        terminal.table([_line(record) for record in shown], (GREEN, DIM, "", YELLOW), clip=True)
    if len(found) > len(shown):
        terminal.tell(f"{len(found) - len(shown)} more; -n 0 shows all")
    elif not found:
        terminal.tell("nothing was written")


@app.command(
    epilog=examples(
        "mem tidy                   shows what has had its time",
        "mem tidy --yes             archives it; mem undo brings it back",
    )
)
def tidy(
    ctx: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Archive without asking.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Archive what has had its time: snapshots, old talks, patterns out of use, preferences of one session. Shows it first."""
    from memcli import remember

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    things = remember.expired(vault)
    if not as_json:
        terminal.table(
            [[each.kind, each.since, one_line(each.what), f"→ {one_line(each.to)}"] for each in things], LOOKS
        )
    ask = things and not dry_run and not yes
    if ask and terminal.interactive() and not as_json:
        yes = terminal.confirm("Archive this?" if len(things) == 1 else f"Archive these {len(things)}?", False)
    done = remember.tidy(vault, things) if things and yes and not dry_run else None
    if as_json:
        rows = [{"kind": e.kind, "path": e.path, "since": e.since, "to": e.to, "what": e.what} for e in things]
        terminal.json(
            {"schema": 1, "old": rows, "archived": done is not None, "commit": (done and done.commit) or None}
        )
    elif done:
        terminal.tell(f"archived {len(things)}; mem undo brings them back")
    else:
        terminal.tell("nothing changed; --yes archives them" if things else "nothing has had its time")


def _line(record: dict[str, Any]) -> list[str]:
    listed = [" ".join(map(str, record.get(name) or ())) for name in ("ids", "paths")]
    when = str(record.get("at"))[:16].replace("T", " ")
    return [one_line(each) for each in (when, str(record.get("by")), str(record.get("action")), *listed)]


def _job(job: Job) -> dict[str, object]:
    """All of a job but what it works on, which may be a whole conversation."""
    return {name: value for name, value in vars(job).items() if name != "payload"}


def _fate(job: Job) -> str:
    when = "set aside" if job.aside else f"again {job.due[:16].replace('T', ' ')}" if job.due else ""
    return one_line(f"{when}: {job.error}" if job.error else when)
