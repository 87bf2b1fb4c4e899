"""The bytes of a vault: reading with clear refusals, and writing that can't tear. Nobody else opens memory files to write."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import Refused, UsageError, VaultError

_TEMPORARY = ".mem-tmp"
LARGEST = 16 * 1024 * 1024  # bytes; a larger file is no note, and reading it would stall every command


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read: its text, and the stamp that tells whether it is still the same."""

    text: str
    stamp: tuple[int, ...] | None  # None: there was no file

    @property
    def newline(self) -> str:
        """The file's own line end, for what gets added to it."""
        return "\r\n" if "\r\n" in self.text[:4096] else "\n"


def inside(root: Path, name: str) -> Path:
    """The real path of `name` in the vault; Refused when it would leave it, by `..`, by being absolute or by a link."""
    if "\0" in name or not name.strip():
        raise UsageError(f"not a file name: {name!r}")
    path = Path(name) if os.path.isabs(name) else root / name
    home = root.resolve()
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:
        raise Refused(f"{name}: a link that leads round in a circle") from error
    if real == home or not real.is_relative_to(home):
        raise Refused(f"{name} lies outside the vault", f"name a file below {root}")
    if any(part.lower() in (".git", ".mem") for part in real.relative_to(home).parts):
        raise Refused(f"{name} is not a place for memories")
    return real


def read(path: Path, name: str = "") -> Source:
    """Read a text file whole; VaultError says why when it can't be text of a sensible size."""
    name = name or path.name
    try:
        with open(path, "rb", opener=_at_once) as handle:
            info = os.fstat(handle.fileno())
            if not stat.S_ISREG(info.st_mode):
                raise VaultError(f"{name}: not a regular file")
            if info.st_size > LARGEST:
                raise VaultError(
                    f"{name}: {info.st_size // 2**20} MB is too large for a note, left out (limit {LARGEST // 2**20} MB)"
                )
            data = handle.read()
    except FileNotFoundError:
        raise VaultError(f"{name}: no such file") from None
    except OSError as error:
        raise VaultError(f"{name}: can't be read: {error.strerror}") from error
    return Source(_decode(data, name), stamp_of(info))


def is_text(path: str) -> bool:
    """Whether `read` would succeed, told as cheaply as can be."""
    try:
        with open(path, "rb", opener=_at_once) as handle:
            data = handle.read(LARGEST + 1)
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return len(data) <= LARGEST and b"\0" not in data[:8192]


def read_or_empty(path: Path, name: str = "") -> Source:
    """As `read`, but a file that isn't there yet is an empty one."""
    return read(path, name) if os.path.lexists(path) else Source("", None)


def stamp_of(info: os.stat_result) -> tuple[int, ...]:
    return (info.st_ino, info.st_size, info.st_mtime_ns)


def unchanged(path: Path, source: Source) -> bool:
    """Whether the file is still the one that was read."""
    try:
        return stamp_of(os.stat(path)) == source.stamp
    except FileNotFoundError:
        return source.stamp is None


def replace(path: Path, text: str, before: Source, spool: Path | None = None) -> bool:
    """Put `text` in place of what `before` was read from, whole or not at all; it is prepared in `spool`, else beside it.

    False, and nothing done, when the file changed since: the caller reads again and applies its change to the new text.
    """
    temporary = (spool or path.parent) / f".{os.getpid()}{_TEMPORARY}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_synced(temporary, text.encode("utf-8"), path)
            if not unchanged(path, before):
                return False
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        if error.errno == errno.EXDEV and spool:  # a linked folder on another disk
            return replace(path, text, before)
        raise unwritable(str(path), error) from error
    return True


def move(old: Path, new: Path) -> None:
    """Give a file another place, whole and whatever is in it; nothing that is there already is overwritten."""
    if os.path.lexists(new):
        raise Refused(f"{new} is there already", "move or rename it first; nothing was changed")
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        os.rename(old, new)
    except OSError as error:
        raise unwritable(str(old), error) from error
    sync_folder(new.parent)
    sync_folder(old.parent)


def append(path: Path, line: str) -> None:
    """Add one whole line to an append-only file; a line torn by an earlier crash is closed first."""
    data = line.rstrip("\n").encode("utf-8", "replace") + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab+") as handle:
            if handle.tell():
                handle.seek(-1, os.SEEK_END)
                if handle.read(1) != b"\n":
                    data = b"\n" + data
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
    except OSError as error:
        raise unwritable(str(path), error) from error


def tail(path: Path, size: int) -> str:
    """The last whole lines of a file, at most `size` bytes of them; empty without a file."""
    try:
        with open(path, "rb") as handle:
            whole = handle.seek(0, os.SEEK_END)
            handle.seek(max(0, whole - size))
            data = handle.read()
    except OSError:
        return ""
    return (data if len(data) == whole else data.partition(b"\n")[2]).decode("utf-8", "replace")


def make_cache(folder: Path) -> None:
    """Make the cache folder, and have it ignored by any git repository the vault may lie in."""
    mark = folder / ".gitignore"
    if folder.is_symlink():  # a vault from a stranger must not choose where we write
        raise Refused(f"{folder.name} is a link", "remove it: it is a cache, mem makes it anew")
    if mark.exists():
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise unwritable(str(folder), error) from error


def unlinked(folder: Path) -> Path:
    """The folder of a cache, without links in its upper floors: a vault from a stranger must not choose where we write."""
    for path in (folder, *folder.glob("*"), *folder.glob("*/*")):
        if path.is_symlink():
            path.unlink()
    return folder


def sweep(spool: Path) -> None:
    """Remove what a killed writer left half prepared; called under the lock, so none of it is in use."""
    for path in spool.glob(f".*{_TEMPORARY}"):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut where the system allows a folder to be synced."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse it; the rename itself is still whole
        pass
    finally:
        os.close(handle)


def _write_synced(temporary: Path, data: bytes, model: Path) -> None:
    """Write and sync `temporary`, with the permissions of the file it will replace."""
    mode = stat.S_IMODE(os.stat(model).st_mode) if model.exists() else 0o644
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as out:
        if hasattr(os, "fchmod") and model.exists():
            os.fchmod(out.fileno(), mode)
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _at_once(path: str, flags: int) -> int:
    """Opens without waiting for somebody at the other end, should the file be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _decode(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise VaultError(f"{name}: is UTF-16, left out", f"save {name} as UTF-8")
    if b"\0" in data[:8192]:
        raise VaultError(f"{name}: is binary, left out")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise VaultError(f"{name}:{line}: is not UTF-8, left out", f"save {name} as UTF-8") from error


def unwritable(name: str, error: OSError) -> VaultError:
    """What a failed write looks like to a person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "the disk is full; nothing was changed"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = "the folder is read-only for you; nothing was changed"
    else:
        hint = "nothing was changed"
    return VaultError(f"{name}: can't be written: {error.strerror or error}", hint)
