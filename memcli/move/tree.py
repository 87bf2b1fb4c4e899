"""What somebody brings, a file, a folder or a zip, as named files: none of them leads out of it, and nothing is read
beyond its limits. A hostile archive costs a message."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from memcli.errors import UsageError, VaultError
from memcli.vault import opener

LARGEST = 16 * 2**20  # bytes of a file that is read whole
LARGEST_VALUE = 64 * 2**20  # characters of one value of a long JSON list
MOST = 500_000  # files of one tree
_CHUNK = 2**20
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_NESTED = 1  # archives in each other
_DEEPEST = 40  # folders in each other


class Tree:
    """Files by name. Who makes one says which there are, and how one is opened."""

    def __init__(
        self, name: str, sizes: dict[str, int], opened: Callable[[str], BinaryIO], left_out: list[tuple[str, str]]
    ) -> None:
        self.name = name  # what was brought is called so
        self.sizes = sizes
        self.left_out = left_out  # name and reason of what is not looked at
        self._opened = opened

    @property
    def names(self) -> list[str]:
        return list(self.sizes)

    @property
    def above(self) -> str:
        """The folder that all of it lies in, with its slash; archives often have one."""
        folder = os.path.commonpath([name.rpartition("/")[0] for name in self.sizes] or [""])
        return f"{folder}/" if folder else ""

    def ending(self, *suffixes: str) -> list[str]:
        return [name for name in self.sizes if name.lower().endswith(suffixes)]

    def called(self, *names: str) -> list[str]:
        """The files with one of these names, in whatever folder."""
        return [name for name in self.sizes if PurePosixPath(name).name.lower() in names]

    @contextmanager
    def opened(self, name: str) -> Iterator[BinaryIO]:
        """A file to be read piece by piece; VaultError when it can't be."""
        try:
            with self._opened(name) as handle:
                yield handle
        except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, EOFError, ValueError) as error:
            raise VaultError(f"{name}: can't be read: {error}") from None

    def data(self, name: str, most: int = LARGEST) -> bytes:
        with self.opened(name) as handle:
            data = handle.read(most + 1)
        if len(data) > most:  # whatever the archive says of its size
            raise VaultError(f"{name}: more than {most // 2**20} MB")
        return data

    def text(self, name: str) -> str:
        data = self.data(name)
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16", "replace")
        if b"\0" in data[:8192]:
            raise VaultError(f"{name}: is binary")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def head(self, name: str, size: int = 65536) -> str:
        """How a file begins, to know it by; empty where that can't be read."""
        try:
            with self.opened(name) as handle:
                return handle.read(size).decode("utf-8-sig", "replace")
        except VaultError:
            return ""

    def json(self, name: str) -> Any:
        try:
            return json.loads(self.text(name))
        except (ValueError, RecursionError) as error:
            raise VaultError(f"{name}: is no JSON: {error}") from None

    def lines(self, name: str) -> Iterator[str]:
        """The lines of a long file, one at a time; one that is too long is cut into several."""
        with self.opened(name) as handle:
            while line := handle.readline(LARGEST):
                yield line.decode("utf-8", "replace").rstrip("\r\n")

    def values(self, name: str) -> Iterator[Any]:
        """The values of a long JSON list one at a time; of an object, itself. None of them may be too large."""
        with self.opened(name) as handle:
            yield from _values(io.TextIOWrapper(handle, "utf-8-sig", "replace"), name)


def _values(stream: io.TextIOWrapper, name: str) -> Iterator[Any]:
    decoder, buffer, at, step = json.JSONDecoder(), "", 0, _CHUNK
    listed = started = False
    while True:
        at = _BETWEEN.match(buffer, at).end()  # type: ignore[union-attr]
        if not started and at < len(buffer):
            started, listed = True, buffer[at] == "["
            at += listed
            continue
        if listed and buffer.startswith("]", at):
            return
        try:
            value, end = decoder.raw_decode(buffer, at)
            if end == len(buffer) and not isinstance(value, (dict, list)):
                raise ValueError("it may go on")  # a number at the end of what was read so far
        except RecursionError:
            raise VaultError(f"{name}: is no JSON: nested too deep") from None
        except ValueError as error:
            more = stream.read(step)
            if not more:
                if at < len(buffer):
                    raise VaultError(f"{name}: is no JSON: {error}") from None
                return
            buffer, at = buffer[at:] + more, 0
            step = max(_CHUNK, len(buffer))  # what is half there is read again once it is twice as long
            if len(buffer) > LARGEST_VALUE:
                raise VaultError(f"{name}: a value of more than {LARGEST_VALUE // 2**20} MB") from None
            continue
        yield value
        if not listed:
            return
        at, step = end, _CHUNK


def open_tree(path: Path) -> Tree:
    """What lies at a path; UsageError when nothing does, VaultError when it is a zip that can't be read."""
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise UsageError(f"{path}: no such file or folder", "name a file, a folder or a zip")
    if zipfile.is_zipfile(path):
        return _of_zip(path)
    return Tree(path.name, {path.name: path.stat().st_size}, lambda name: open_binary(path), [])


def open_binary(path: Path) -> BinaryIO:
    return os.fdopen(opener.descriptor(path), "rb")


def _of_folder(root: Path) -> Tree:
    """Links are not followed; hidden files count, for tools keep memories in some, but those of version control."""
    sizes: dict[str, int] = {}
    left_out: list[tuple[str, str]] = []
    stack = [("", root, 0)]
    while stack:
        prefix, folder, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            left_out.append((prefix or ".", f"can't be read: {error.strerror}"))
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
            raise VaultError(f"{root}: more than {MOST:,} files", "bring its folders one by one")
    return Tree(root.resolve().name, dict(sorted(sizes.items())), lambda name: open_binary(root / name), left_out)


def _of_zip(path: Path) -> Tree:
    left_out: list[tuple[str, str]] = []
    try:
        found = _zipped(open_binary(path), path.name, left_out)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise VaultError(f"{path.name}: is no zip that can be read: {error}") from None
    sizes = {name: info.file_size for name, (_, info) in sorted(found.items())}
    return Tree(path.stem, sizes, lambda name: cast(BinaryIO, found[name][0].open(found[name][1])), left_out)


def _zipped(
    file: IO[bytes], title: str, left_out: list[tuple[str, str]], nested: int = 0
) -> dict[str, tuple[zipfile.ZipFile, zipfile.ZipInfo]]:
    """The files of an archive that may be read, by name."""
    archive = zipfile.ZipFile(file)
    found: dict[str, tuple[zipfile.ZipFile, zipfile.ZipInfo]] = {}
    if len(archive.filelist) > MOST:
        raise VaultError(f"{title}: more than {MOST:,} files", "unpack it, and bring its folders one by one")
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
        elif name.lower().endswith(".zip") and nested < _NESTED:  # Notion's exports are zips of zips
            try:
                inner = _zipped(archive.open(info), name, left_out, nested + 1)
            except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError) as error:
                left_out.append((name, f"can't be read: {error}"))
                continue
            found.update((f"{name[:-4]}/{each}", place) for each, place in inner.items())
        else:
            found[name] = (archive, info)
    return found


def safe_name(name: str) -> str:
    """A name of an archive as a path below it; empty where it leads elsewhere."""
    parts = name.replace("\\", "/").split("/")
    if not name or name[0] in "/\\" or ":" in parts[0] or "\0" in name or ".." in parts or len(parts) > _DEEPEST:
        return ""
    return "/".join(part for part in parts if part not in ("", "."))


def moment(value: Any) -> datetime | None:
    """When something was, of ISO texts and of seconds or milliseconds: local, without a zone, as memories have it."""
    if isinstance(value, str) and value.replace(".", "", 1).isdigit():
        value = float(value)
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / (1000 if value > 1e11 else 1))
        if isinstance(value, str) and value.strip():
            found = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
            return found.astimezone().replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError, OSError):
        return None
    return None
