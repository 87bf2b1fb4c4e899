"""Keep work that can wait: one file for each job in `journal/queue/`, until it is done.

A waiting job can't be derived from anything else, so it must not lie in the cache, which anybody may delete. It is
this machine's own work, so git never sees the folder: two machines must not both do it. A job is done at least once.
Its id keeps it from being queued or done a second time. But a process killed between the work and the note that it
is done leaves the job to be done again, so a handler must add nothing on a second run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import MemError, Refused, UsageError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import cache_files, files
from memcli.vault.layout import JOURNAL
from memcli.vault.lock import hold_lock, lock_vault
from memcli.vault.vault import Vault

DELAYS = (60, 300, 1800, 7200, 21600)  # seconds before the second try, the third …; after the last one it is set aside
AGENT = "agent"  # key in a payload: the agent whose job it is
KEPT = 1000  # the least number of ids of done jobs that are remembered

Handler = Callable[[Vault, Any], object]  # gets the payload, with the id of the job as `job`


class Job(NamedTuple):
    id: str
    kind: str
    payload: dict[str, Any]
    at: str  # when it was queued
    tries: int = 0
    due: str = ""  # not before this time; "" means at once
    error: str = ""  # why the last try failed, or ""
    aside: bool = False  # failed for good, kept for a person to look at

    @property
    def name(self) -> str:
        """Return the name of its file: an id can be any text, a file name can't."""
        return _named(self.kind, self.id)


class QueueReport(NamedTuple):
    done: tuple[Job, ...] = ()
    failed: tuple[Job, ...] = ()  # failed in this pass: tried again later, or set aside
    waiting: tuple[Job, ...] = ()  # everything in the queue now, set aside or not


def queue_job(vault: Vault, kind: str, id: str, payload: dict[str, Any]) -> bool:
    """Queue a job, to run as the agent who queues it; return False when one of this kind and id waits or was done."""
    if vault.agent:
        id, payload = f"{id}@{vault.agent}", {**payload, AGENT: vault.agent}
    job = Job(id, kind, payload, vault.now.isoformat())
    if len(json.dumps(payload, ensure_ascii=False).encode()) > files.LARGEST // 2:
        hint = Message("at most {n} MB", n=files.LARGEST // 2**21)
        raise Refused("{KIND} {id}: too large for the queue", hint, KIND=kind, id=id)
    folder = _folder(vault)
    files.make_cache(folder)
    with lock_vault(vault, "work"):
        if _file(folder, job).exists() or job.name in _done(folder):
            return False
        _store(folder, job)
    return True


def jobs(vault: Vault) -> list[Job]:
    """Return the jobs in the queue, oldest first; a file that is no valid job is left alone, with a notice."""
    found = []
    folder = _folder(vault)
    try:
        names = cache_files.names(folder, ".json")
    except MemError as error:
        vault.notice(f"{JOURNAL}/{error.message}")
        return []
    for path in [folder / name for name in names]:
        try:
            job = Job(**json.loads(files.read_file(path).text))
            datetime.fromisoformat(job.due or job.at)
            if path.stem != job.name or not isinstance(job.payload, dict) or not isinstance(job.tries, int):
                raise ValueError
        except (MemError, ValueError, TypeError, RecursionError):
            vault.notice("{place} is not a job that can be read, left alone", place=f"{JOURNAL}/queue/{path.name}")
        else:
            found.append(job)
    return sorted(found, key=lambda job: (job.at, job.id))


def drain(vault: Vault, handlers: Mapping[str, Handler], again: bool = False) -> QueueReport:
    """Do the jobs that are due, or with `again` all, each with the handler of its kind, and return what happened. Only
    one process works at a time; a second one returns at once with a notice."""
    folder, waiting = _folder(vault), jobs(vault)
    for job in waiting:
        if job.kind not in handlers:
            vault.notice("{KIND} {id} waits: this mem does not know such work", KIND=job.kind, id=job.id)
    if not any(_is_next(job, handlers, vault.now, again) for job in waiting):
        # taking a lock changes a file, and a watcher of the vault would never rest
        return QueueReport(waiting=tuple(waiting))
    done: list[Job] = []
    failed: list[Job] = []
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(folder / "lock", 0, "work"))
        except Refused:
            vault.notice("another process is working through the queue already")
            return QueueReport(waiting=tuple(jobs(vault)))
        finished = _done(folder)
        for job in jobs(vault):
            if job.name in finished:  # its worker was killed right after recording that it was done
                files.remove(_file(folder, job))
            elif _is_next(job, handlers, vault.now, again):
                after = _tried(vault, folder, job._replace(tries=0, aside=False) if again else job, handlers[job.kind])
                (failed if after.error else done).append(after)
        if len(finished) > 2 * KEPT:
            file = folder / "done"
            files.replace(file, "\n".join(_done(folder)[-KEPT:]), files.read_or_empty(file))
    return QueueReport(tuple(done), tuple(failed), tuple(jobs(vault)))


def job_state(vault: Vault, id: str, kinds: Iterable[str]) -> str:
    """Return the state of a job: waiting, failed (and tried again), aside or done; "" when it is unknown."""
    for job in jobs(vault):
        if job.id == id:
            return "aside" if job.aside else "failed" if job.error else "waiting"
    done = set(_done(_folder(vault)))
    return "done" if any(_named(kind, id) in done for kind in kinds) else ""


def drop_jobs(vault: Vault, id: str) -> list[Job]:
    """Remove the jobs of this id from the queue without doing them, and return them."""
    gone = [job for job in jobs(vault) if job.id == id]
    for job in gone:
        files.remove(_file(_folder(vault), job))
    return gone


def _tried(vault: Vault, folder: Path, job: Job, handler: Handler) -> Job:
    """Try a job once and return it: done and removed (no error), or back in the queue with its error."""
    if job.tries > len(DELAYS):
        return _failed(vault, folder, job._replace(error=job.error or "its worker died each time"), True)
    job = job._replace(tries=job.tries + 1, error="")
    _store(folder, job)  # count beforehand: a job that kills its worker must not do so for ever
    own = vault.seen_by(job.payload.get(AGENT))
    try:
        handler(own, {**job.payload, "job": job.id})
    except KeyboardInterrupt:
        _store(folder, job._replace(tries=job.tries - 1))
        raise
    except Exception as error:
        why = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
        return _failed(vault, folder, job._replace(error=one_line(why, 200)), isinstance(error, UsageError))
    finally:
        own.batch = ""  # a batch that the handler began ends with it
    files.append(folder / "done", job.name)
    files.remove(_file(folder, job))
    return job


def _failed(vault: Vault, folder: Path, job: Job, for_good: bool) -> Job:
    if for_good or job.tries > len(DELAYS):
        job = job._replace(aside=True)
        told = "{KIND} {id} is set aside: {WHY}; mem work --retry tries it again"
        vault.notice(told, KIND=job.kind, id=job.id, WHY=job.error)
    else:
        wait = DELAYS[job.tries - 1]
        job = job._replace(due=(vault.now + timedelta(seconds=wait)).isoformat())
        told = "{KIND} {id} failed: {WHY}; tried again in {n} min"
        vault.notice(told, KIND=job.kind, id=job.id, WHY=job.error, n=wait // 60)
    _store(folder, job)
    return job


def _is_next(job: Job, handlers: Mapping[str, Handler], now: datetime, again: bool) -> bool:
    """Return whether a job can be done now. A due time too far ahead came from a wrong clock and is ignored."""
    if job.kind not in handlers or again:
        return job.kind in handlers
    if job.aside or not job.due:
        return not job.aside
    ahead = (datetime.fromisoformat(job.due) - now).total_seconds()
    return ahead <= 0 or ahead > DELAYS[-1]


def _folder(vault: Vault) -> Path:
    return files.inside(vault.root, f"{JOURNAL}/queue")


def _named(kind: str, id: str) -> str:
    return digest(f"{kind}\n{id}", 20)


def _file(folder: Path, job: Job) -> Path:
    return folder / f"{job.name}.json"


def _store(folder: Path, job: Job) -> None:
    """Write a job's file. Only the one draining process rewrites an existing file."""
    file = _file(folder, job)
    files.replace(file, json.dumps(job._asdict(), ensure_ascii=False) + "\n", files.read_or_empty(file))


def _done(folder: Path) -> list[str]:
    return files.read_or_empty(folder / "done").text.split("\n")
