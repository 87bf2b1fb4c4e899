"""A vault's `.git` read and written without git: plain files only, no link followed at any level, nothing that blocks.

What lies in `.git` may come from a stranger. All opening of it is here, so that the rules stand in one place.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memcli import system
from memcli.errors import Refused
from memcli.vault import files

LARGEST = 256 * 1024 * 1024  # bytes of an index or of packed references; a larger one is no vault's
MOST_REFS = 20_000
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(r"refs(?:/(?!\.)(?:(?!\.\.|@\{|\.lock(?:/|$))[^\x00-\x20\x7f~^:?*\[\\/])+(?<!\.))+")
_UNFINISHED = {
    "MERGE_HEAD": "merge", "rebase-merge": "rebase", "rebase-apply": "rebase", "CHERRY_PICK_HEAD": "cherry-pick",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Head:
    """Where the repository stands: on a branch (that may have no commit yet), or on a commit alone."""

    ref: str  # empty when detached
    oid: str  # empty when nothing is committed yet

    @property
    def branch(self) -> str:
        return self.ref.removeprefix("refs/heads/")


def read_plain(path: Path, name: str, most: int = LARGEST) -> bytes | None:
    """The bytes of a regular file, None when there is none; Refused for links, pipes and what is too large."""
    try:
        handle = os.open(path, os.O_RDONLY | system.NO_LINK | system.AT_ONCE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Refused(f"{name} {'is a link' if path.is_symlink() else f'can not be read: {error.strerror}'}") from error
    with os.fdopen(handle, "rb") as source:
        info = os.fstat(source.fileno())
        if not stat.S_ISREG(info.st_mode):
            raise Refused(f"{name} is not a regular file")
        if info.st_size > most:
            raise Refused(f"{name} is too large ({info.st_size // 2**20} MB)")
        return source.read(most)


def is_ref(name: str) -> bool:
    """Whether this is a reference's name that leads nowhere else."""
    return bool(_REF.fullmatch(name))


def is_oid(text: str) -> bool:
    return bool(_OID.fullmatch(text))


def is_repository(root: Path) -> bool:
    """Whether the vault itself is a repository (a vault inside some other project's repository is not)."""
    return os.path.lexists(root / ".git")


class GitDir:
    """The `.git` folder of a vault."""

    def __init__(self, root: Path) -> None:
        self.path = root / ".git"

    def place(self, name: str, make: bool = False) -> Path:
        """The path of a file in here, once every folder on the way to it is a real one; `make` makes those missing."""
        folder = self.path
        for part in ("", *name.split("/")[:-1]):
            folder = folder / part
            with suppress(FileExistsError):
                if make and not os.path.lexists(folder):
                    os.mkdir(folder)
            try:
                info = os.lstat(folder)
            except OSError:
                break
            if not stat.S_ISDIR(info.st_mode):
                raise Refused(f"{self._named(folder)} {'is a link' if stat.S_ISLNK(info.st_mode) else 'is no folder'}")
        return self.path / name

    def read(self, name: str, most: int = LARGEST) -> bytes | None:
        return read_plain(self.place(name), f".git/{name}", most)

    def has(self, name: str) -> bool:
        return os.path.lexists(self.place(name))

    def names(self, folder: str) -> list[str]:
        """What lies in a folder, sorted; nothing when there is none."""
        try:
            return sorted(os.listdir(self.place(f"{folder}/x").parent))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def new(self, name: str, data: bytes, mode: int = 0o644) -> Path:
        """A file that must not exist yet."""
        path = self.place(name, make=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NO_LINK | system.AT_ONCE, mode)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        return path

    @contextmanager
    def locked(self, name: str) -> Iterator[Lock]:
        """Hold git's own lock on a file, `NAME.lock`, while the block runs."""
        try:
            lock = self.new(f"{name}.lock", b"")
        except FileExistsError:
            raise Refused(
                "another git is at work in the vault; if none is, remove .git/" + f"{name}.lock", "then try again"
            ) from None
        try:
            yield Lock(lock, self.path / name)
        finally:
            lock.unlink(missing_ok=True)

    def append(self, name: str, line: str) -> None:
        """Add a line to a log; a log that is anything but a plain file of its own is left alone."""
        try:
            path = self.place(name, make=True)
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.NO_LINK | system.AT_ONCE, 0o644)
        except (OSError, Refused):
            return
        with os.fdopen(handle, "ab") as log:
            info = os.fstat(log.fileno())
            if stat.S_ISREG(info.st_mode) and info.st_nlink == 1:
                log.write(line.encode("utf-8", "surrogateescape") + b"\n")

    # -- references --------------------------------------------------------------------------------------------------

    def head(self) -> Head:
        text = (self.read("HEAD", 4096) or b"").decode("utf-8", "surrogateescape").strip()
        if is_oid(text):
            return Head("", text)
        ref = text.removeprefix("ref:").strip()
        if not text.startswith("ref:") or not is_ref(ref):
            raise Refused(".git/HEAD names no branch and no commit")
        return Head(ref, self.ref(ref))

    def ref(self, name: str) -> str:
        """The commit a reference stands for; empty when there is none."""
        if (loose := self._loose_ref(name)) is not None:
            return loose
        return self._packed_refs().get(name, "")

    def refs(self) -> dict[str, str]:
        """All references that name an object; what replaces objects is none of them."""
        kept = dict(self._packed_refs())
        waiting = ["refs"]
        while waiting:
            folder = waiting.pop()
            for name in self.names(folder):
                full = f"{folder}/{name}"
                info = os.lstat(self.path / full)
                if stat.S_ISDIR(info.st_mode):
                    waiting.append(full)
                elif not name.endswith(".lock") and is_ref(full) and (oid := self._loose_ref(full)):
                    kept[full] = oid
                if len(kept) + len(waiting) > MOST_REFS:
                    raise Refused(f".git holds more than {MOST_REFS:,} references")
        return {name: oid for name, oid in kept.items() if not name.startswith("refs/replace/")}

    def _loose_ref(self, name: str) -> str | None:
        try:
            data = self.read(name, 4096)
        except IsADirectoryError:
            return None
        except Refused:
            if self.place(name).is_dir() and not self.place(name).is_symlink():
                return None
            raise
        text = (data or b"").decode("ascii", "replace").strip()
        if data is None or text.startswith("ref:"):  # refs/remotes/origin/HEAD
            return None
        if not is_oid(text):
            raise Refused(f".git/{name} names no commit")
        return text

    def _packed_refs(self) -> dict[str, str]:
        data = self.read("packed-refs", 16 * 2**20) or b""
        rows = (line.partition(" ") for line in data.decode("utf-8", "surrogateescape").splitlines())
        return {name: oid for oid, _, name in rows if is_oid(oid) and is_ref(name)}

    @contextmanager
    def moving(self, head: Head) -> Iterator[Callable[[str, str, str], None]]:
        """Hold the branch (or a detached HEAD) where `head` says it is, and be able to move it: to what, who, why."""
        with self.locked(head.ref or "HEAD") as lock:
            if self.head() != head:
                raise Refused("another git has committed in the meantime", "try again")

            def move(new: str, who: str, why: str) -> None:
                lock.put(f"{new}\n".encode())
                self.log_ref({"HEAD", head.ref} - {""}, head.oid, new, who, why)

            yield move

    def set_ref(self, name: str, old: str, new: str, who: str, why: str) -> None:
        """Let any other reference stand for `new`."""
        with self.locked(name) as lock:
            if self.ref(name) != old:
                raise Refused(f"{name} was changed by another git in the meantime", "try again")
            lock.put(f"{new}\n".encode())
        self.log_ref({name}, old, new, who, why)

    def log_ref(self, names: set[str], old: str, new: str, who: str, why: str) -> None:
        for name in sorted(names):
            self.append(f"logs/{name}", f"{old or '0' * len(new)} {new} {who}\t{why}".replace("\n", " "))

    # -- what git left behind ----------------------------------------------------------------------------------------

    def busy(self) -> str:
        """The name of a merge or rebase somebody left unfinished, or nothing."""
        return next((what for mark, what in _UNFINISHED.items() if self.has(mark)), "")

    def locks(self, since: float) -> list[str]:
        """The locks of `mem` itself that were taken when the commit begun at `since` was, and never given back."""
        names = ["index.lock", "HEAD.lock", "config.lock"]
        with suppress(Refused):
            names.append(f"{self.head().ref}.lock")
        taken = {name: files.stat_of(self.place(name), follow=False) for name in names}
        return [name for name, info in taken.items() if info and 0 <= info.st_mtime - since < 10]

    def unlock(self, since: float) -> None:
        """Give back the locks of a `mem` that was killed while it committed."""
        for name in self.locks(since):
            self.place(name).unlink(missing_ok=True)

    def _named(self, path: Path) -> str:
        return path.relative_to(self.path.parent).as_posix()


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is held; what is put goes whole in the place of what it locks."""

    path: Path
    target: Path

    def put(self, data: bytes) -> None:
        with open(self.path, "wb") as out:
            out.write(data)
        system.replace(self.path, self.target)
