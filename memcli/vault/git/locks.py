"""Remove the locks of a git that was killed.

While git runs for `mem`, a file under `.mem/` records it. `mem` holds a lock on this record, and every git that it
starts inherits it. A process that finds a record without a holder has the vault's lock, so the recorded command and its
git have ended, and did not end well.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memcli import system
from memcli.vault import files, opener
from memcli.vault.git import program
from memcli.vault.git.repository import git_dir

RECORD = "git.lock"  # a file in the cache
SETTLES = 1.0  # seconds; a running git holds a lock for less
PATIENCE = 5.0  # seconds to wait for a git that has outlived the `mem` that started it


@contextmanager
def recorded(root: Path, cache: Path) -> Iterator[None]:
    """Keep a record while git works for a command. Call it under the lock of the vault."""
    clear(root, cache)
    try:
        handle = opener.descriptor(cache / RECORD, os.O_RDWR | os.O_CREAT)
    except OSError:  # without a record, only the clean-up is lost
        yield
        return
    before = program.INHERITED.set(() if system.WINDOWS else (handle,))
    try:
        system.lock(handle)
        yield
    finally:
        program.INHERITED.reset(before)
        os.close(handle)
        files.remove(cache / RECORD)


def clear(root: Path, cache: Path) -> None:
    """Remove the locks that a killed git left, so that git works again."""
    if not os.path.lexists(cache / RECORD):
        return
    with suppress(OSError):  # a stranger's vault may have anything in its place
        handle = opener.descriptor(cache / RECORD, os.O_RDWR)
        try:
            deadline = time.monotonic() + PATIENCE
            while not system.lock(handle):
                if time.monotonic() > deadline:
                    return
                time.sleep(0.05)
        finally:
            os.close(handle)
    seen = {lock: _changed(lock) for lock in left(root, cache)}
    time.sleep(SETTLES if seen else 0)
    for lock, at in seen.items():
        if at == _changed(lock):
            lock.unlink(missing_ok=True)
    files.remove(cache / RECORD)


def left(root: Path, cache: Path) -> list[Path]:
    """Return git's locks that were taken since the recorded command began."""
    since = _changed(cache / RECORD)
    return [lock for lock in present(root) if since is not None and lock.lstat().st_mtime >= since - 0.01]


def present(root: Path) -> list[Path]:
    """Return the lock files of a repository."""
    home = git_dir(root)
    found = [*home.glob("*.lock"), *home.glob("next-index-*"), *home.glob("refs/**/*.lock")]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def _changed(path: Path) -> float | None:
    info = files.stat_of(path, follow=False)
    return info.st_mtime if info else None
