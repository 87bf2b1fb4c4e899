"""Open a file, a folder, a zip or a tar as a `Tree`.

No name leads out of the tree, no link is followed, and a hostile archive causes only an error message.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
from pathlib import Path
from typing import IO, BinaryIO, cast

from memcli.errors import UsageError, VaultError
from memcli.file_tree import Tree
from memcli.message import Message
from memcli.vault import opener

MOST = 500_000  # the most files of one tree
_NESTED = 1  # the most levels of archives in archives
_DEEPEST = 40  # the most levels of folders

_ZIPS = (".zip", ".textpack")

Zipped = tuple[zipfile.ZipFile, zipfile.ZipInfo]


def open_tree(path: Path) -> Tree:
    """Return the tree at a path. Raise UsageError when nothing is there, VaultError when an archive can't be read."""
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise UsageError("{place}: no such file or folder", "name a file, a folder or a zip", place=path)
    if zipfile.is_zipfile(path):
        return _of_zip(path)
    if path.suffix.lower() in (".tar", ".jex"):
        try:
            return _of_tar(path)
        except (OSError, tarfile.TarError, ValueError) as error:
            raise VaultError("{name}: is not a tar that can be read: {WHY}", name=path.name, WHY=error) from None
    tree = Tree(path.name, {path.name: path.stat().st_size}, lambda name: open_binary(path), [])
    if not path.suffix:
        tree.sizes = {f"{path.name}{_ending(tree.head(path.name).lstrip())}": path.stat().st_size}
    return tree


def _ending(head: str) -> str:
    """Return the suffix that a file without one should have, judged by its beginning; "" when nothing fits."""
    if head.startswith("{"):
        return ".jsonl" if re.search(r"\}\s*\n\s*\{", head) else ".json"
    low = head[:400].lower()
    return ".json" if head.startswith("[") else ".enex" if "<en-export" in low else ".html" if "<html" in low else ""


def _of_tar(path: Path) -> Tree:
    """Return the tree of an uncompressed tar, such as Joplin's `.jex`.

    Compressed ones are not supported, because no position in them can be read without everything before it.
    """
    left_out: list[tuple[str, str]] = []
    members: dict[str, tarfile.TarInfo] = {}
    archive = tarfile.open(fileobj=open_binary(path), mode="r:")  # noqa: SIM115  # it stays open as long as the tree
    for info in archive:
        name = safe_name(info.name)
        if info.isdir():
            continue
        if not name or not info.isreg() or name in members:
            why = "leads out of the archive" if not name else "is there twice" if info.isreg() else "is a link"
            left_out.append((info.name, why))
        else:
            members[name] = info
        if len(members) > MOST:
            raise VaultError(
                "{place}: more than {n} files",
                "unpack it, and bring its folders one by one",
                place=path.name,
                n=f"{MOST:,}",
            )
    sizes = {name: members[name].size for name in sorted(members)}
    return Tree(path.stem, sizes, lambda name: cast(BinaryIO, archive.extractfile(members[name])), left_out)


def open_binary(path: Path) -> BinaryIO:
    return os.fdopen(opener.descriptor(path), "rb")


def _of_folder(root: Path) -> Tree:
    """Return the tree of a folder.

    Links are not followed. Hidden files count, because tools keep memories in some, except those of version control.
    """
    sizes: dict[str, int] = {}
    left_out: list[tuple[str, str]] = []
    stack = [("", root, 0)]
    while stack:
        prefix, folder, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            left_out.append((prefix or ".", Message("can't be read: {WHY}", WHY=error.strerror)))
            continue
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in (".git", "node_modules", ".mem", ".trash") and depth < _DEEPEST:
                    stack.append((f"{name}/", Path(entry.path), depth + 1))
            elif entry.is_file(follow_symlinks=False):
                sizes[name] = entry.stat(follow_symlinks=False).st_size
            elif entry.is_symlink():
                left_out.append((name, "is a link"))
        if len(sizes) > MOST:
            raise VaultError("{place}: more than {n} files", "bring its folders one by one", place=root, n=f"{MOST:,}")
    packed = _numbered(root, sizes, left_out)
    sizes.update({name: info.file_size for name, (_, info) in packed.items()})

    def opened(name: str) -> BinaryIO:
        return cast(BinaryIO, packed[name][0].open(packed[name][1])) if name in packed else open_binary(root / name)

    tree = Tree(root.resolve().name, dict(sorted(sizes.items())), opened, left_out)
    tree.folder = root.resolve()
    return tree


def _numbered(root: Path, sizes: dict[str, int], left_out: list[tuple[str, str]]) -> dict[str, Zipped]:
    """Return the files in the zips of a folder, since large exports come as several numbered ones."""
    found: dict[str, Zipped] = {}
    for name in [name for name in sizes if name.lower().endswith(_ZIPS)]:
        try:
            inner = _zipped(open_binary(root / name), name, left_out)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            left_out.append((name, Message("can't be read: {WHY}", WHY=error)))
            continue
        del sizes[name]
        found.update((f"{name.rpartition('.')[0]}/{each}", place) for each, place in inner.items())
        if len(found) + len(sizes) > MOST:
            raise VaultError("{place}: more than {n} files", "bring its zips one by one", place=root, n=f"{MOST:,}")
    return found


def _of_zip(path: Path) -> Tree:
    left_out: list[tuple[str, str]] = []
    try:
        found = _zipped(open_binary(path), path.name, left_out)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise VaultError("{name}: is not a zip that can be read: {WHY}", name=path.name, WHY=error) from None
    sizes = {name: info.file_size for name, (_, info) in sorted(found.items())}
    return Tree(path.stem, sizes, lambda name: cast(BinaryIO, found[name][0].open(found[name][1])), left_out)


def _zipped(file: IO[bytes], title: str, left_out: list[tuple[str, str]], nested: int = 0) -> dict[str, Zipped]:
    """Return the files of an archive that may be read, by name."""
    archive = zipfile.ZipFile(file)
    found: dict[str, Zipped] = {}
    if len(archive.filelist) > MOST:
        raise VaultError(
            "{place}: more than {n} files", "unpack it, and bring its folders one by one", place=title, n=f"{MOST:,}"
        )
    for info in archive.filelist:
        if info.is_dir() or info.filename.startswith("__MACOSX/"):
            continue
        name = safe_name(info.filename)
        if not name:
            left_out.append((info.filename, "leads out of the archive"))
        elif stat.S_ISLNK(info.external_attr >> 16):
            left_out.append((name, "is a link"))
        elif info.flag_bits & 1:
            left_out.append((name, "is locked by a password"))
        elif name in found:
            left_out.append((name, "is there twice"))
        elif name.lower().endswith(_ZIPS) and nested < _NESTED:  # Notion's exports are zips of zips
            try:
                inner = _zipped(archive.open(info), name, left_out, nested + 1)
            except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError) as error:
                left_out.append((name, Message("can't be read: {WHY}", WHY=error)))
                continue
            found.update((f"{name.rpartition('.')[0]}/{each}", place) for each, place in inner.items())
        else:
            found[name] = (archive, info)
    return found


def safe_name(name: str) -> str:
    """Return a name in an archive as a path below it, or "" when it leads elsewhere."""
    parts = name.replace("\\", "/").split("/")
    if not name or name[0] in "/\\" or name[1:2] == ":" or "\0" in name or ".." in parts or len(parts) > _DEEPEST:
        return ""
    return "/".join(part for part in parts if part not in ("", "."))
