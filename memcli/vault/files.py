"""Read the files of a vault with clear refusals, and write them so that no write tears. `opener` opens them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from memcli import filenames, system
from memcli.errors import Refused, UnreadableFile, UsageError, VaultError
from memcli.message import Message
from memcli.vault import layout, opener
from memcli.vault.markdown import newline_of

LARGEST = 16 * 2**20  # bytes; reading a larger file whole would stall every command


class FileContent(NamedTuple):
    """Hold a file as it was read: its text, and the stamp that shows whether it is still the same."""

    text: str
    stamp: tuple[int, ...] | None  # None: there was no file

    @property
    def newline(self) -> str:
        """Return the file's own line end, for text that is added to it."""
        return newline_of(self.text)


class Circle(Refused):
    """Report a link that leads back to itself."""


def inside(root: Path, name: str) -> Path:
    """Return the real path of `name`, which must not leave the vault: by `..`, as an absolute path or by a link."""
    if "\0" in name or not name.strip():
        raise UsageError("not a file name: {name}", name=repr(name))
    path = filenames.as_stored(root, name)
    home, real = real_path(root), real_path(path)
    if not os.path.exists(real) and any(map(os.path.islink, (real, *real.parents))):
        raise Circle("{path}: a link that leads round in a circle", path=name)
    if real == home or not real.is_relative_to(home):
        raise Refused("{name} lies outside the vault", "name a file in it: logs/2026-11-21.md", name=name)
    parts = real.relative_to(home).parts
    if any(part.lower() in opener.GUARDED for part in parts):
        raise Refused("{name} is not a place for memories", name=name)
    if why := next(filter(None, map(filenames.impossible, parts)), ""):
        raise Refused("{place}: {WHY}", place=name, WHY=why)
    return real


def real_path(path: Path) -> Path:
    """Return a path without links; a circle of links is followed as far as possible."""
    return Path(os.path.realpath(path))  # before Python 3.13, `resolve` raises RuntimeError at a circle


# -- reading -----------------------------------------------------------------------------------------------------------


def read_file(path: Path, name: str = "") -> FileContent:
    """Read a text file whole. Raise VaultError with the reason when it is not text or too large."""
    name = name or path.name
    with reading(name):
        data, info = loaded(path)
    return FileContent(_decode(data, name), stamp_of(info))


def read_or_empty(path: Path, name: str = "") -> FileContent:
    """Read like `read_file`, but return an empty FileContent when the file doesn't exist yet."""
    return read_file(path, name) if os.path.lexists(path) else FileContent("", None)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes. Raise VaultError with the reason when it can't be read."""
    with reading(path.name):
        return loaded(path)[0]


def is_text(path: Path) -> bool:
    """Return whether `read_file` would succeed."""
    try:
        read_file(path)
    except VaultError:
        return False
    return True


def tail(path: Path, size: int, name: str = "") -> str:
    """Return the last whole lines of a file, at most `size` bytes of them, or "" when there is no file."""
    with reading(name or path.name):
        try:
            handle = opener.descriptor(path)
        except FileNotFoundError:
            return ""
        with os.fdopen(handle, "rb") as file:
            whole = file.seek(0, os.SEEK_END)
            file.seek(max(0, whole - size))
            data = file.read(size)
    return (data if len(data) == whole else data.partition(b"\n")[2]).decode("utf-8", "replace")


def stat_of(path: Path, follow: bool = True) -> os.stat_result | None:
    """Return the system's status of a file, or None when it can't be had."""
    try:
        return os.stat(path, follow_symlinks=follow)
    except OSError:
        return None


def size_of(path: Path) -> int:
    """Return how many bytes a file has; 0 when there is none."""
    info = stat_of(path)
    return info.st_size if info else 0


def loaded(path: Path) -> tuple[bytes, os.stat_result]:
    """Return the bytes of a file and its status. Raise OSError when it can't be read or is too large."""
    handle = opener.descriptor(path)
    try:
        info = os.fstat(handle)
        if info.st_size > LARGEST:
            raise OSError(errno.EFBIG, layout.too_large(info.st_size, LARGEST))
        data = part = os.read(handle, info.st_size + 1)
        while part and len(data) <= LARGEST:  # it may grow while it is read
            part = os.read(handle, 2**16)
            data += part
    finally:
        os.close(handle)
    return data, info


def _decode(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(name, "is UTF-16, left out", Message("save {name} as UTF-8", name=name))
    if b"\0" in data[:8192]:
        raise UnreadableFile(name, "is binary, left out")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            f"{name}:{line}", "is not UTF-8, left out", Message("save {name} as UTF-8", name=name)
        ) from error


def stamp_of(info: os.stat_result) -> tuple[int, ...]:
    return (info.st_ino, info.st_size, info.st_mtime_ns)


def unchanged(path: Path, source: FileContent) -> bool:
    """Return whether the file is still the one that was read."""
    try:
        return stamp_of(os.stat(path)) == source.stamp
    except FileNotFoundError:
        return source.stamp is None


# -- writing -----------------------------------------------------------------------------------------------------------


def replace(path: Path, text: str, before: FileContent, spool: Path | None = None) -> bool:
    """Replace a file whole or not at all. Return False and do nothing when it changed since `before` was read."""
    # The draft lies in `spool`, else beside the file. After False the caller reads again and applies its change anew.
    try:
        return opener.replace_file(path, [text.encode("utf-8")], spool, lambda: unchanged(path, before)) is not None
    except OSError as error:
        if error.errno == errno.EXDEV and spool:  # the folder is a link to another disk
            return replace(path, text, before)
        raise unwritable(str(path), error) from error


def write_file(path: Path, data: str | bytes, private: bool = False) -> None:
    """Write a whole file or nothing of it, in place of what had that name. Only its owner can read a private one."""
    with writing(path):
        opener.replace_file(path, [data.encode("utf-8") if isinstance(data, str) else data], private=private)


def create_exclusive(path: Path, data: str | bytes = b"", mode: int = 0o644) -> bool:
    """Create a new file. Return False and do nothing when the name is taken, even by a link that leads nowhere."""
    with writing(path):
        try:
            handle = opener.descriptor(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            return False
        try:
            opener.fill(handle, [data.encode("utf-8") if isinstance(data, str) else data])
        except OSError:
            remove(path)
            raise
    return True


def append(path: Path, line: str) -> None:
    """Add one whole line to an append-only file. A line torn by an earlier crash is ended first."""
    data = line.rstrip("\n").encode("utf-8", "replace") + b"\n"
    with writing(path), os.fdopen(opener.descriptor(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), "ab+") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                data = b"\n" + data
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def extend(path: Path, text: str) -> None:
    """Add text to a file that nobody reads yet. It is not synced here."""
    with writing(path), os.fdopen(opener.descriptor(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as file:
        file.write(text.encode("utf-8", "replace"))


def move(old: Path, new: Path) -> None:
    """Move a file, whole and with its content as it is. Refuse to overwrite anything but folders without files."""
    if os.path.lexists(new) and not opener.removed_folder(new):
        raise Refused("{path} is there already", "move or rename it first; nothing was changed", path=new)
    with writing(old):
        new.parent.mkdir(parents=True, exist_ok=True)
        system.patiently(lambda: os.rename(old, new))
        opener.sync_folder(new.parent)
        opener.sync_folder(old.parent)


def remove(path: Path) -> None:
    """Remove a file. Do nothing when it is gone already."""
    with writing(path), suppress(FileNotFoundError), opener.place(path) as here:
        system.patiently(lambda: os.unlink(here.name, dir_fd=here.folder))


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it."""
    with writing(folder):
        folder.mkdir(mode, parents=True, exist_ok=True)


def make_cache(folder: Path) -> None:
    """Make a folder of mem's own, ignored by any git repository that the vault may lie in."""
    if os.path.islink(folder):  # a vault from a stranger must not choose where we write
        raise Refused("{name} is a link", "remove it: it is a cache, mem makes it anew", name=folder.name)
    mark = folder / ".gitignore"
    if _is_kept(mark):
        return
    make_folder(folder)
    # `write_file` won't do: nobody holds a lock yet, and the holder of the lock sweeps drafts away.
    if not create_exclusive(mark, "*\n") and not _is_kept(mark):  # a full disk left it empty, or it is a link or a pipe
        remove(mark)
        create_exclusive(mark, "*\n")


def _is_kept(mark: Path) -> bool:
    info = stat_of(mark, follow=False)
    return info is not None and stat.S_ISREG(info.st_mode) and info.st_size > 0


# -- what went wrong ---------------------------------------------------------------------------------------------------


def unreadable(name: str, error: OSError) -> UnreadableFile:
    """Return the error that tells a person why a read failed."""
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(name, "no such file")
    if error.errno in (errno.EFBIG, errno.EINVAL):
        return UnreadableFile(name, str(error.strerror))
    return UnreadableFile(name, Message("can't be read: {WHY}", WHY=error.strerror))


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise an error that tells a person why the block can't read a file."""
    try:
        yield
    except OSError as error:
        raise unreadable(name, error) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise an error that tells a person why the block can't write a file or folder."""
    try:
        yield
    except OSError as error:
        raise unwritable(str(path), error) from error


def unwritable(name: str, error: OSError) -> VaultError:
    """Return the error that tells a person why a write failed."""
    hint = "nothing was changed"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "the disk is full; nothing was changed"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = "the folder is read-only for you; nothing was changed"
    return VaultError("{name}: can't be written: {WHY}", hint, name=name, WHY=error.strerror or str(error))
