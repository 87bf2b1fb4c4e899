"""Remove the locks of a git that was killed.

While git runs for `mem`, a file under `.mem/` records it: the command, its process and git's, and the current boot
of the machine. A process that finds the record holds the vault's lock, so the recorded command has ended, and did
not end well.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memcli import system
from memcli.errors import MemError
from memcli.vault import files, json_read, opener
from memcli.vault.git.repository import git_dir

RECORD = "git.json"  # a file in the cache
SETTLES = 1.0  # seconds; a running git holds a lock for less
PATIENCE = 5.0  # seconds to wait for a git that has outlived the `mem` that started it


@contextmanager
def recorded(root: Path, cache: Path, name: str) -> Iterator[Callable[[int], None]]:
    """Keep a record while git works for a command; yield a function that records each git process.

    Call it under the lock of the vault.
    """
    clear(root, cache)
    record: dict[str, object] = {"name": name, "pid": os.getpid(), "boot": _boot()}
    place = cache / RECORD

    def note(pid: int | None = None) -> None:
        with suppress(OSError):  # without a record, only the clean-up is lost
            handle = opener.descriptor(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            try:
                os.write(handle, json.dumps({**record, "git": pid}).encode())
                record.setdefault("since", os.fstat(handle).st_mtime)
            finally:
                os.close(handle)

    note()
    try:
        yield note
    finally:
        files.remove(place)


def clear(root: Path, cache: Path) -> None:
    """Remove the locks that a killed git left, so that git works again."""
    record = read_unfinished(cache)
    if record is None:
        return
    pid, deadline = record.get("git"), time.monotonic() + PATIENCE
    while record.get("boot") == _boot() and isinstance(pid, int) and _runs(pid):
        if time.monotonic() > deadline:
            return
        time.sleep(0.05)
    seen = {lock: _changed(lock) for lock in left(root, cache)}
    time.sleep(SETTLES if seen else 0)
    for lock, at in seen.items():
        if at == _changed(lock):
            lock.unlink(missing_ok=True)
    files.remove(cache / RECORD)


def left(root: Path, cache: Path) -> list[Path]:
    """Return git's locks that were taken since the recorded command began."""
    record = read_unfinished(cache)
    if record is None:
        return []
    since = record.get("since") or _changed(cache / RECORD)
    return [lock for lock in present(root) if isinstance(since, float) and lock.lstat().st_mtime >= since - 0.01]


def present(root: Path) -> list[Path]:
    """Return the lock files of a repository."""
    home = git_dir(root)
    found = [*home.glob("*.lock"), *home.glob("next-index-*"), *home.glob("refs/**/*.lock")]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def read_unfinished(cache: Path) -> dict[str, object] | None:
    """Return the record of a command that did not end, or None. An unreadable record is {}."""
    if not os.path.lexists(cache / RECORD):
        return None
    with suppress(MemError):
        return json_read.parse_mapping(files.read_file(cache / RECORD).text)
    return {}


def _runs(pid: int) -> bool:
    """Return whether a process runs, where the system shows it. A zombie does not count as running."""
    return system.shown(f"{pid}/stat").rpartition(")")[2].split()[:1] not in ([], ["Z"], ["X"])


def _boot() -> str:
    """Return an id of the machine's current boot, or "" where the system has none."""
    return system.shown("sys/kernel/random/boot_id")


def _changed(path: Path) -> float | None:
    info = files.stat_of(path, follow=False)
    return info.st_mtime if info else None
