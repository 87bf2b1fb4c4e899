"""`mem work`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from memcli.cli.face import DIM, RED, YELLOW, Face
from memcli.errors import CheckFailed, UsageError
from memcli.text.clean import one_line
from memcli.vault.queue import Job

app = typer.Typer(rich_markup_mode=None)


@app.command(
    epilog="""\b
Examples:
  mem work
  mem work --dry-run         what waits, and what failed
  mem work --retry           what failed too, at once
"""
)
def work(
    ctx: typer.Context,
    retry: Annotated[bool, typer.Option("--retry", help="Also what waits for its next try, or was set aside.")] = False,
    drop: Annotated[str, typer.Option("--drop", metavar="ID", help="Take this job out of the queue, undone.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what waits.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Do the work that waits in the queue, once; `mem watch` does the same all the time. Exit 1 when something failed."""
    from memcli.remember import work as do
    from memcli.vault import queue

    face: Face = ctx.obj
    vault = face.vault()
    if drop and not queue.drop(vault, drop):
        raise UsageError(f"no job is called '{drop}'", "mem work --dry-run shows what waits")
    ran = queue.Drained(waiting=tuple(queue.jobs(vault))) if drop or dry_run else do(vault, retry)
    if as_json:
        parts = {name: [_job(job) for job in jobs] for name, jobs in vars(ran).items()}
        face.json({"schema": 1, **parts})
    else:
        if not (drop or dry_run):
            face.out(f"{len(ran.done)} done, {len(ran.failed)} failed, {len(ran.waiting)} waiting")
        rows = [[job.kind, one_line(job.id), job.at[:16].replace("T", " "), _fate(job)] for job in ran.waiting]
        face.table(rows, (YELLOW, "", DIM, RED), clip=True)
    if ran.failed:
        raise CheckFailed(f"{len(ran.failed)} of {len(ran.done) + len(ran.failed)} failed", "mem work --retry")


def _job(job: Job) -> dict[str, object]:
    """All of a job but what it works on, which may be a whole conversation."""
    return {name: value for name, value in asdict(job).items() if name != "payload"}


def _fate(job: Job) -> str:
    when = "set aside" if job.aside else f"again {job.due[:16].replace('T', ' ')}" if job.due else ""
    return one_line(f"{when}: {job.error}" if job.error else when)
