"""Open every file of a vault: regular files only, without waiting, and without following a stranger's links.

Below `.mem` and `.git` the way down is opened folder by folder, and no link is followed at any level. A memory may
be a link within its vault: `files.inside` says where it leads before it is opened. A file to write is never a link.
"""

from __future__ import annotations

import errno
import os
import stat
from _thread import get_ident  # `threading` would cost every command a millisecond
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from memcli import system
from memcli.vault.discover import CACHE

GUARDED = (CACHE, ".git")
TEMPORARY = ".mem-tmp"
LINK = "is a link, and none is followed here"


class Place(NamedTuple):
    """Hold a name in a folder that stays open, so that what is done to it can't be led elsewhere."""

    name: str  # the whole path where the system can't name files in an open folder
    folder: int | None
    follow: bool  # whether the name itself may be a link when it is read


@contextmanager
def place(path: Path, make: bool = False) -> Iterator[Place]:
    """Yield the place of a file, with `make` after creating its folders; no step may be a link where none is
    allowed."""
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
    """Open a regular file and return its descriptor; with O_CREAT, create it and its folders."""
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
    """Return the folder below which no link is followed, and the steps from there; none where links are harmless."""
    parts = path.parts
    for at in range(len(parts) - 1, 0, -1):
        if parts[at] in GUARDED:
            return Path(*parts[:at]), parts[at:]
    return path.parent, ()


def _entered(top: Path, steps: tuple[str, ...], make: bool) -> int | None:
    """Return the descriptor of the folder that the steps lead to, or None where the system can't open folders."""
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
                with suppress(FileExistsError):
                    os.mkdir(step if system.STEPWISE else str(reached), dir_fd=folder)
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


def _no_link(path: Path, must_be_new: int = 0) -> None:
    """Raise OSError when the path is a link, as the system itself does where it knows `NO_LINK`."""
    with suppress(FileNotFoundError):
        if system.is_link(os.lstat(path)):
            raise OSError(errno.EEXIST if must_be_new else errno.ELOOP, LINK)


def _plainly(error: OSError, path: Path) -> OSError:
    """Return the error with a message for a person, because the system's messages about pipes and links help nobody."""
    if error.errno == errno.ENXIO:
        return OSError(errno.EINVAL, "not a regular file", str(path))
    if error.errno in (errno.ELOOP, errno.ENOTDIR) and path.is_symlink():
        return OSError(errno.ELOOP, f"{path.name} {LINK}", str(path))
    return error


def replace_file(
    path: Path,
    pieces: Iterable[bytes],
    spool: Path | None = None,
    ready: Callable[[], bool] = lambda: True,
    private: bool = False,
) -> os.stat_result | None:
    """Write a whole file, piece by piece, and return its status; None when `ready` returned False and nothing changed.

    The draft is written and synced beside its place or in `spool`, and then renamed. The new file has the permissions
    of the old one; a private one can be read by its owner alone. Raise OSError if it fails; then the old file stays.
    """
    # Each thread has its own name: a server writes and works through its queue at the same time.
    temporary = (spool or path.parent) / f".{os.getpid()}-{get_ident()}{TEMPORARY}"
    with place(path, make=True) as target, place(temporary) as draft:
        mode = 0o600 if private else _mode(target)
        try:
            _unlinked(draft)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.AT_ONCE
            handle = os.open(draft.name, flags, 0o644 if mode is None else mode, dir_fd=draft.folder)
            fill(handle, pieces, mode)
            if not ready():
                return None
            folders = {"src_dir_fd": draft.folder, "dst_dir_fd": target.folder}
            system.patiently(lambda: os.replace(draft.name, target.name, **folders))
            info = os.stat(target.name, dir_fd=target.folder, follow_symlinks=False)
        finally:
            _unlinked(draft)
    sync_folder(path.parent)
    return info


def fill(handle: int, pieces: Iterable[bytes], mode: int | None = None) -> None:
    """Write and sync an open file, then close it."""
    with os.fdopen(handle, "wb") as out:
        if mode is not None:
            system.set_mode(handle, mode)
        for piece in pieces:
            out.write(piece)
        out.flush()
        os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename survives a power cut where the system allows that."""
    with suppress(OSError):  # it may not be readable, Windows opens no folder, and some network file systems sync none
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def removed_folder(folder: Path) -> bool:
    """Remove a folder with those in it, and return whether it is gone. One that holds any file stays as it is."""
    try:
        below = list(os.walk(folder, topdown=False))
        if folder.is_symlink() or not below or any(names for _, _, names in below):
            return False
        for place, _, _ in below:
            os.rmdir(place)
    except OSError:  # a link to a folder lies in it
        return False
    return True


def _mode(here: Place) -> int | None:
    """Return the permissions of the file at a place, or None when there is no regular file."""
    try:
        found = os.stat(here.name, dir_fd=here.folder, follow_symlinks=here.follow).st_mode
    except OSError:
        return None
    return stat.S_IMODE(found) if stat.S_ISREG(found) else None


def _unlinked(here: Place) -> None:
    with suppress(FileNotFoundError):
        system.patiently(lambda: os.unlink(here.name, dir_fd=here.folder))
