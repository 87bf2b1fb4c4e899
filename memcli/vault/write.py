"""Change a vault's files, always in this way: under the lock, whole or not at all, journalled, undoable, committed.

A change is a function from a file's text to its new text. When an editor saves in between, the function is applied
again to what the editor wrote, so nothing is overwritten.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from memcli import system
from memcli.errors import MemError, MissingPart, Refused
from memcli.message import Message
from memcli.text.digest import digest
from memcli.vault import cache_files, changes, files, journal, layout, opener, trust
from memcli.vault.changes import FileChange, Move
from memcli.vault.files import FileContent, stamp_of
from memcli.vault.git import locks, repository
from memcli.vault.git.commit import BY_HAND
from memcli.vault.git.commit import commit as commit_files
from memcli.vault.git.repository import is_repository
from memcli.vault.layout import JOURNAL
from memcli.vault.lock import lock_vault
from memcli.vault.vault import Vault

TRIES = 20  # attempts; a program that saves so often meanwhile is not an editor
SAVING = 0.2  # seconds; an editor that saves in place empties the file first
NAMED = 8  # files named in a commit message
AT_ONCE = 1000  # paths on one command line of git

T = TypeVar("T")
# takes the text, "" for an absent file; returns the new text, or None to remove the file
Edit = Callable[[str], str | None]


@dataclass(frozen=True)
class WriteResult:
    action: str
    changes: tuple[FileChange, ...]
    commit: str = ""
    moves: tuple[Move, ...] = ()

    @property
    def paths(self) -> list[str]:
        return [*(change.path for change in self.changes), *(path for move in self.moves for path in move)]


def write_vault(
    vault: Vault,
    action: str,
    edits: Sequence[tuple[str, Edit]],
    ids: Sequence[str] = (),
    undoes: Sequence[dict[str, Any]] = (),
    moves: Sequence[Move] = (),
) -> WriteResult:
    """Apply `edits` in order, then `moves`, record the write, and return it.

    Order them so that a crash between two repeats something and never loses anything. An edit may add the ids of
    what it made to the list given as `ids`: they are known only when it is applied.
    """
    with lock_vault(vault, action):
        cache_files.sweep(vault.cache)
        applied: list[FileChange] = []
        moved: list[Move] = []
        try:
            _check_whose(vault, [*(path for path, _ in edits), *(path for move in moves for path in move)])
            with suppress(MemError, OSError):  # only undo needs this, and a failure must not stop the write
                _save(vault, action, [path for path, _ in edits], [old for old, _ in moves])
            for path, edit in edits:
                applied.append(_apply(vault, path, edit))
            for old, new in moves:
                files.move(files.inside(vault.root, old), files.inside(vault.root, new))
                moved.append((old, new))
        except MemError:
            _withdraw(vault, applied, moved)
            raise
        first = {change.path: change.before for change in reversed(applied)}
        last = {change.path: change.after for change in applied}
        done = [FileChange(path, first[path], after) for path, after in last.items() if first[path] != after]
        if not done and not moved:
            return WriteResult(action, ())
        written = WriteResult(action, tuple(done), "", tuple(moved))
        _remember(vault, written, ids, undoes)
        return replace(written, commit=_commit(vault, written, ids))


def _check_whose(vault: Vault, paths: Sequence[str]) -> None:
    """Raise Refused when an agent that is confined to its own space would change anything else."""
    for path in paths if vault.confined else ():
        file = vault.named(path)
        if file is None or layout.agent_of(file.path) != vault.confined:
            why = "{place} is not in the space of {agent}"
            raise Refused(why, "its token writes there alone", place=path, agent=vault.confined)


def record_edit(vault: Vault, action: str, change: FileChange) -> WriteResult:
    """Record a change that a person made in an editor opened by us, and return it as a write."""
    if change.before == change.after:
        return WriteResult(action, ())
    with lock_vault(vault, action):
        written = WriteResult(action, (change,))
        _remember(vault, written, (), ())
        return replace(written, commit=_commit(vault, written, ()))


def _apply(vault: Vault, name: str, edit: Edit) -> FileChange:
    path = vault.place(name)
    name = path.relative_to(vault.root.resolve()).as_posix()
    for _ in range(TRIES):
        source = _read_filled(lambda: files.read_or_empty(path, name), lambda now: bool(now.text or now.stamp is None))
        existed = source.stamp is not None
        before = source.text if existed else None
        after = edit(source.text)
        if after == before or (after is None and not existed):
            return FileChange(name, before, before)
        limit = layout.LARGEST_NOTE if layout.is_note(name) else files.LARGEST  # a larger file would not be recalled
        if after is not None and len(after) > len(before or "") and len(after.encode()) > limit:
            why = "{name} would grow beyond {n} MB"
            raise Refused(why, "another file, or a shorter text", name=name, n=limit // 2**20)
        if after is None:
            if files.unchanged(path, source):
                files.remove(path)
                opener.sync_folder(path.parent)
                return FileChange(name, before, None)
        elif put := _replace_file(vault, path, edit, source, after):
            return FileChange(name, put[0] if existed else None, put[1])
    raise Refused("{name} is being changed by another program all the time", "close it there and try again", name=name)


def _read_filled(read: Callable[[], T], is_filled: Callable[[T], bool]) -> T:
    """Return what `read` returns. While a file is empty, wait for the editor that may be saving it in place."""
    found, deadline = read(), time.monotonic() + SAVING
    while not is_filled(found) and time.monotonic() < deadline:
        time.sleep(SAVING / 20)
        found = read()
    return found


def _replace_file(vault: Vault, path: Path, edit: Edit, source: FileContent, after: str) -> tuple[str, str] | None:
    """Replace a file and return its old text and its new one, edited again if another program wrote late; or None."""
    with _kept_open(path, source) as late:
        if not files.replace(path, after, source, vault.cache):
            return None
        missed = late()
    again = edit(missed) if missed is not None else None
    if missed is not None and again is not None:
        ours = files.read_file(path)
        if ours.text == after and files.replace(path, again, ours, vault.cache):
            return missed, again
    return source.text, after


@contextmanager
def _kept_open(path: Path, source: FileContent) -> Iterator[Callable[[], str | None]]:
    """Keep the file that `source` was read from open, and yield a function that returns late writes to it, or None.

    Between our last check and the rename another program may have it open; its writes then go to a file without a name.
    On Windows there are none, because an open file can't be replaced there.
    """
    handle = -1
    if source.stamp is not None and not system.WINDOWS:
        with suppress(OSError):
            handle = opener.descriptor(path)

    def late() -> str | None:
        info = os.fstat(handle) if handle >= 0 else None
        if info is None or source.stamp is None or info.st_ino != source.stamp[0] or stamp_of(info) == source.stamp:
            return None
        size = _read_filled(lambda: os.fstat(handle).st_size, bool)
        with suppress(UnicodeDecodeError):
            os.lseek(handle, 0, os.SEEK_SET)
            return os.read(handle, size).decode("utf-8")
        return None

    try:
        yield late
    finally:
        if handle >= 0:
            os.close(handle)


def _withdraw(vault: Vault, applied: list[FileChange], moved: list[Move]) -> None:
    """Restore the files changed so far when another can't be changed: a write happens whole or not at all."""
    for old, new in reversed(moved):
        with suppress(MemError):
            files.move(files.inside(vault.root, new), files.inside(vault.root, old))
    for change in reversed(applied):
        with suppress(MemError):
            _apply(vault, change.path, _back(change))


def _back(done: FileChange) -> Edit:
    return lambda text: done.before if text == done.after else text


def _remember(vault: Vault, done: WriteResult, ids: Sequence[str], undoes: Sequence[dict[str, Any]]) -> None:
    record = {
        "at": vault.now.isoformat(timespec="seconds"),
        "by": vault.actor,
        "action": done.action,
        "paths": done.paths,
        **({"ids": list(ids)} if ids else {}),
        **({"undoes": undoes[0]["action"]} if undoes else {}),
    }
    try:
        journal.append(vault.root, journal.AUDIT, record)
        if undoes:
            changes.remove_undo_records(vault.cache, undoes)
        else:
            known = {**record, "batch": vault.batch} if vault.batch else record
            known |= {"moved": digests} if (digests := changes.digests_of_moved(vault.root, done.moves)) else {}
            changes.add_undo_record(vault.cache, known, done.changes, done.moves)
    except MemError as error:  # the memory is safe on disk, so failed bookkeeping must not report a failure
        vault.notice("written, but not journalled: {WHY}", WHY=error.message)


def _save(vault: Vault, action: str, edited: Sequence[str], moved: Sequence[str]) -> None:
    """Commit what was changed by hand in these files first: without the cache, undo takes back a whole commit."""
    if not vault.settings.write.commit or not is_repository(vault.root):
        return
    left, home = changes.last_digests(vault.cache), vault.root.resolve()
    paths = [old for old in moved if layout.is_memory(old)]
    for file in map(vault.place, dict.fromkeys(edited)):
        name = file.relative_to(home).as_posix()
        source = files.read_or_empty(file, name)
        if source.stamp and left.get(name) != digest(source.text):
            paths.append(name)
    if not paths or trust.why_no_git(vault.root, vault.environ):
        return
    with locks.recorded(vault.root, vault.cache):
        starts = range(0, len(paths), AT_ONCE)
        changed = [name for at in starts for name in repository.uncommitted(vault.root, paths[at : at + AT_ONCE])]
        if changed:
            commit_files(vault.root, changed, f"mem {action}: {BY_HAND}", vault.now)


def _commit(vault: Vault, done: WriteResult, ids: Sequence[str]) -> str:
    """Commit a write and return the commit's id, or "": the memory is on disk, so a failure of git is only a notice."""
    if not vault.settings.write.commit or not is_repository(vault.root):
        return ""
    commit, why_not = "", trust.why_no_git(vault.root, vault.environ)
    try:
        if not why_not:
            named = ", ".join(done.paths[:NAMED])
            named += f" and {len(done.paths) - NAMED} more" if len(done.paths) > NAMED else ""
            message = f"mem {done.action}: {named}" + (f" ({', '.join(ids)})" if ids else "")
            paths = [*_files_of(vault, done), f"{JOURNAL}/{journal.AUDIT}.jsonl"]
            with locks.recorded(vault.root, vault.cache):
                commit, why_not = commit_files(vault.root, list(dict.fromkeys(paths)), message, vault.now)
    except MissingPart as error:
        why_not = Message("{WHY}: {HINT}", WHY=error.message, HINT=error.hint)
    except MemError as error:
        why_not = error.message
    except OSError as error:
        why_not = str(error)
    if why_not:
        vault.notice("written, not committed: {WHY}", WHY=why_not)
    return commit


def _files_of(vault: Vault, done: WriteResult) -> list[str]:
    """Return the files of a write; for a folder that was moved, all its files by their old and new names."""
    paths = [change.path for change in done.changes]
    for old, new in done.moves:
        below = [f"/{path}" for path in layout.walk(vault.root / new, ("",))] if (vault.root / new).is_dir() else [""]
        paths += [f"{place}{rest}" for rest in below for place in (old, new)]
    return paths
