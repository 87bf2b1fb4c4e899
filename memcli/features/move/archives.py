"""Open a file, a folder, a zip or a tar as a `Tree`.

No name leads out of the tree, no link is followed, and a hostile archive causes only an error message.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, cast

from memcli.errors import UsageError, VaultError
from memcli.features.move.formats import own
from memcli.file_tree import Tree
from memcli.message import Message
from memcli.vault import opener

MOST = 500_000  # the most files of one tree
_DEEPEST = 40  # the most levels of folders

_ZIPS = (".zip", ".textpack")

_UNREADABLE = (OSError, RuntimeError, ValueError, NotImplementedError, tarfile.TarError, zipfile.BadZipFile)


def open_tree(path: Path) -> Tree:
    """Return the tree at a path. Raise UsageError when nothing is there, VaultError when an archive can't be read."""
    found = TreeFiles(path.name)
    if path.is_dir():
        found.add_folder(path)
        tree = found.tree(path.resolve().name)
        tree.folder = path.resolve()
        return tree
    if not path.is_file():
        raise UsageError("{place}: no such file or folder", "name a file, a folder or a zip", place=path)
    kind = "zip" if zipfile.is_zipfile(path) else "tar" if path.suffix.lower() in (".tar", ".jex") else ""
    if kind:
        try:
            (found.add_zip if kind == "zip" else found.add_tar)(open_binary(path))
        except _UNREADABLE as error:
            raise VaultError(
                "{name}: is not a {kind} that can be read: {WHY}", name=path.name, kind=kind, WHY=error
            ) from None
        return found.tree(path.stem)
    with open_binary(path) as file:
        head = file.read(2**16).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    name = path.name if path.suffix else f"{path.name}{_ending(head)}"
    if own.is_own(head):
        name = f"{path.stem}{'.json' if head.startswith('[') else '.jsonl'}"
    found.add(name, path.stat().st_size, partial(open_binary, path))
    return found.tree(path.name)


def _ending(head: str) -> str:
    """Return the suffix that a file without one should have, judged by its beginning; "" when nothing fits."""
    if head.startswith("{"):
        return ".jsonl" if re.search(r"\}\s*\n\s*\{", head) else ".json"
    low = head[:400].lower()
    return ".json" if head.startswith("[") else ".enex" if "<en-export" in low else ".html" if "<html" in low else ""


def open_binary(path: str | Path) -> BinaryIO:
    return os.fdopen(opener.descriptor(Path(path)), "rb")


class TreeFiles:
    """Collects the files of a tree, and the reason why each other one is left out."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._sizes: dict[str, int] = {}
        self._openers: dict[str, Callable[[], IO[bytes] | None]] = {}
        self._left_out: list[tuple[str, str]] = []

    def tree(self, name: str) -> Tree:
        sizes = dict(sorted(self._sizes.items()))
        return Tree(name, sizes, lambda name: cast(BinaryIO, self._openers[name]()), self._left_out)

    def add(self, name: str, size: int, opened: Callable[[], IO[bytes] | None], levels: int = 0) -> None:
        """Add a file; with `levels` of a zip its files, since large exports are several zips, and Notion's zips of
        zips."""
        if levels and name.lower().endswith(_ZIPS):
            try:
                self.add_zip(cast(BinaryIO, opened()), f"{name.rpartition('.')[0]}/", levels - 1)
            except _UNREADABLE as error:
                self._left_out.append((name, Message("can't be read: {WHY}", WHY=error)))
            return
        self._sizes[name], self._openers[name] = size, opened
        if len(self._sizes) > MOST:
            hint = "bring its folders one by one"
            raise VaultError("{place}: more than {n} files", hint, place=self._title, n=f"{MOST:,}")

    def add_zip(self, file: BinaryIO, above: str = "", levels: int = 1) -> None:
        archive = zipfile.ZipFile(file)
        for info in archive.filelist:
            if info.is_dir() or info.filename.startswith("__MACOSX/"):
                continue
            name = safe_name(info.filename)
            if not name:
                self._left_out.append((info.filename, "leads out of the archive"))
            elif stat.S_ISLNK(info.external_attr >> 16):
                self._left_out.append((name, "is a link"))
            elif info.flag_bits & 1:
                self._left_out.append((name, "is locked by a password"))
            elif above + name in self._sizes:
                self._left_out.append((name, "is there twice"))
            else:
                self.add(above + name, info.file_size, partial(archive.open, info), levels)

    def add_tar(self, file: BinaryIO) -> None:
        """Add the files of an uncompressed tar, such as Joplin's `.jex`.

        Compressed ones are not supported, because no position in them can be read without everything before it.
        """
        archive = tarfile.open(fileobj=file, mode="r:")  # noqa: SIM115  # it stays open as long as the tree
        for info in archive:
            name = safe_name(info.name)
            if info.isdir():
                continue
            if not name or not info.isreg() or name in self._sizes:
                why = "leads out of the archive" if not name else "is there twice" if info.isreg() else "is a link"
                self._left_out.append((info.name, why))
            else:
                self.add(name, info.size, partial(archive.extractfile, info))

    def add_folder(self, root: Path) -> None:
        """Add the files of a folder.

        Links are not followed. Hidden files count, because tools keep memories in some, except those of version
        control.
        """
        stack = [("", str(root), 0)]
        while stack:
            prefix, folder, depth = stack.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                self._left_out.append((prefix or ".", Message("can't be read: {WHY}", WHY=error.strerror)))
                continue
            for entry in entries:
                name = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in (".git", "node_modules", ".mem", ".trash") and depth < _DEEPEST:
                        stack.append((f"{name}/", entry.path, depth + 1))
                elif entry.is_file(follow_symlinks=False):
                    size = entry.stat(follow_symlinks=False).st_size
                    self.add(name, size, partial(open_binary, entry.path), 2)
                elif entry.is_symlink():
                    self._left_out.append((name, "is a link"))


def safe_name(name: str) -> str:
    """Return a name in an archive as a path below it, or "" when it leads elsewhere."""
    parts = name.replace("\\", "/").split("/")
    if not name or name[0] in "/\\" or name[1:2] == ":" or "\0" in name or ".." in parts or len(parts) > _DEEPEST:
        return ""
    return "/".join(part for part in parts if part not in ("", "."))
