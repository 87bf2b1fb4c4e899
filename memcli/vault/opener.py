"""The one place that opens files: regular ones only, nothing waits, and no link that a stranger could lay is followed.

Below `.mem` and `.git` the way down is gone folder by folder and no link is followed at any level. A memory may be a
link within its vault: `files.inside` says where it leads before it is opened. What is to be written is never a link.
"""

from __future__ import annotations

import errno
import os
import stat
from _thread import get_ident  # `threading` would cost every command a millisecond
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from memcli import system
from memcli.vault.discover import CACHE

GUARDED = (CACHE, ".git")
TEMPORARY = ".mem-tmp"
LINK = "is a link, and none is followed here"


class Place(NamedTuple):
    """A name in a folder that stays open: what is done to it can't be led elsewhere."""

    name: str  # the whole path where the system knows no other way
    folder: int | None
    follow: bool  # whether the name itself may be a link, to be read


@contextmanager
def place(path: Path, make: bool = False) -> Iterator[Place]:
    """Where a file lies, or is to lie; `make` its folders. OSError when a step is a link where none may be."""
    top, steps = _way(path)
    if not steps:
        if make:
            top.mkdir(parents=True, exist_ok=True)
        yield Place(str(path), None, True)
        return
    folder = _entered(top, steps[:-1], make)
    try:
        yield Place(steps[-1] if system.STEPWISE else str(path), folder, False)
    finally:
        if folder is not None:
            os.close(folder)


def descriptor(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """A regular file, opened; with O_CREAT made, its folders too. OSError says why not."""
    writing = flags & (os.O_WRONLY | os.O_RDWR)
    with place(path, bool(flags & os.O_CREAT)) as here:
        follow = here.follow and not writing
        try:
            if not follow and not system.NO_LINK:
                _no_link(path, flags & os.O_EXCL)
            links = 0 if follow else system.NO_LINK
            handle = system.patiently(
                lambda: os.open(here.name, flags | system.AT_ONCE | links, mode, dir_fd=here.folder)
            )
        except OSError as error:
            raise _plainly(error, path) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return handle


def _way(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder from which on no link is followed, and the steps from there: none where links are nobody's trap."""
    parts = path.parts
    for at in range(len(parts) - 1, 0, -1):
        if parts[at] in GUARDED:
            return Path(*parts[:at]), parts[at:]
    return path.parent, ()


def _entered(top: Path, steps: tuple[str, ...], make: bool) -> int | None:
    """The folder that the steps lead to, opened; None where the system opens no folders: there each step is looked at
    before the whole path is used."""
    folder = None
    if system.STEPWISE:
        if make and not top.is_dir():
            top.mkdir(parents=True, exist_ok=True)
        folder = os.open(top, system.FOLDER)
    reached = top
    try:
        for step in steps:
            reached /= step
            if make:
                _made(step if system.STEPWISE else str(reached), folder)
            if not system.STEPWISE:
                _no_link(reached)
                continue
            below = os.open(step, system.FOLDER | system.NO_LINK, dir_fd=folder)
            if folder is not None:
                os.close(folder)
            folder = below
    except OSError as error:
        if folder is not None:
            os.close(folder)
        raise _plainly(error, reached) from error
    return folder


def _made(name: str, folder: int | None) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=folder)


def _no_link(path: Path, must_be_new: int = 0) -> None:
    """What the system does by itself where it knows `NO_LINK`."""
    with suppress(FileNotFoundError):
        if system.is_link(os.lstat(path)):
            raise OSError(errno.EEXIST if must_be_new else errno.ELOOP, LINK)


def _plainly(error: OSError, path: Path) -> OSError:
    """The same with words for a person: what the system says of pipes and links helps nobody."""
    if error.errno == errno.ENXIO:
        return OSError(errno.EINVAL, "not a regular file", str(path))
    if error.errno in (errno.ELOOP, errno.ENOTDIR) and path.is_symlink():
        return OSError(errno.ELOOP, f"{path.name} {LINK}", str(path))
    return error


def put(path: Path, data: bytes, spool: Path | None = None, ready: Callable[[], bool] = lambda: True) -> bool:
    """The whole of a file, with the permissions of the old one: written and synced beside its place or in `spool`, then
    renamed, if all is `ready` for that."""
    # A name for each thread: a server writes and works through its queue at the same time.
    temporary = (spool or path.parent) / f".{os.getpid()}-{get_ident()}{TEMPORARY}"
    with place(path, make=True) as target, place(temporary) as draft:
        mode = _mode(target)
        try:
            _unlinked(draft)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.AT_ONCE
            handle = os.open(draft.name, flags, 0o644 if mode is None else mode, dir_fd=draft.folder)
            fill(handle, data, mode)
            if not ready():
                return False
            folders = {"src_dir_fd": draft.folder, "dst_dir_fd": target.folder}
            system.patiently(lambda: os.replace(draft.name, target.name, **folders))
        finally:
            _unlinked(draft)
    sync_folder(path.parent)
    return True


def fill(handle: int, data: bytes, mode: int | None = None) -> None:
    """Write and sync a file that was opened."""
    with os.fdopen(handle, "wb") as out:
        if mode is not None:
            system.set_mode(handle, mode)
        out.write(data)
        out.flush()
        os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut where the system allows a folder to be synced."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # it may be written to and not read, and Windows opens none
        return
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse it; the rename itself is still whole
        pass
    finally:
        os.close(handle)


def _mode(here: Place) -> int | None:
    """The permissions of the file that lies there."""
    try:
        found = os.stat(here.name, dir_fd=here.folder, follow_symlinks=here.follow).st_mode
    except OSError:
        return None
    return stat.S_IMODE(found) if stat.S_ISREG(found) else None


def _unlinked(here: Place) -> None:
    with suppress(FileNotFoundError):
        system.patiently(lambda: os.unlink(here.name, dir_fd=here.folder))
