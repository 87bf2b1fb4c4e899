"""Read what the user brings as named files, within limits.

A file is read as a whole, by lines, or as the values of a long list one at a time. `archives` makes the trees.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from memcli.errors import UnreadableFile, VaultError
from memcli.message import Message
from memcli.text.encodings import decode_text

LARGEST = 16 * 2**20  # bytes of a file that is read as a whole
LARGEST_VALUE = 64 * 2**20  # characters of one value of a long JSON list
_CHUNK = 2**20
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?")
_BETWEEN = re.compile(r"[ \t\r\n,]*")


class Tree:
    """Hold files by name. Its creator gives the sizes of the files and a function that opens one."""

    def __init__(
        self, name: str, sizes: dict[str, int], opened: Callable[[str], BinaryIO], left_out: list[tuple[str, str]]
    ) -> None:
        self.name = name  # the name of what the user brought
        self.sizes = sizes
        self.left_out = left_out  # name and reason of each item that is skipped
        self.folder: Path | None = None  # the folder that holds the files, if they are not an archive
        self._opened = opened
        self._done = 0  # bytes of the files that were read
        self._reading: BinaryIO | None = None

    @property
    def names(self) -> list[str]:
        return list(self.sizes)

    @property
    def size(self) -> int:
        return sum(self.sizes.values())

    @property
    def taken(self) -> int:
        """Return how many bytes were read so far, of this file and those before."""
        return self._done + (self._reading.tell() if self._reading else 0)

    @property
    def above(self) -> str:
        """Return the folder that holds everything, with its slash, or "". Archives often have one."""
        folder = os.path.commonpath([name.rpartition("/")[0] for name in self.sizes] or [""])
        return f"{folder}/" if folder else ""

    def lies_at(self, name: str) -> Path | None:
        """Return the path of a file on disk, or None when it is in an archive."""
        place = self.folder / name if self.folder else None
        return place if place and place.is_file() and not place.is_symlink() else None

    def ending(self, *suffixes: str) -> list[str]:
        return [name for name in self.sizes if name.lower().endswith(suffixes)]

    def called(self, *names: str) -> list[str]:
        """Return the files with one of these names, in any folder."""
        return [name for name in self.sizes if PurePosixPath(name).name.lower() in names]

    @contextmanager
    def opened(self, name: str) -> Iterator[BinaryIO]:
        """Yield an open file. Raise VaultError when it can't be read."""
        try:
            with self._opened(name) as handle:
                self._reading = handle
                yield handle
        except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, EOFError, ValueError) as error:
            raise UnreadableFile(name, Message("can't be read: {WHY}", WHY=error)) from None
        finally:
            self._reading = None
            self._done += self.sizes.get(name, 0)

    def data(self, name: str, most: int = LARGEST) -> bytes:
        with self.opened(name) as handle:
            data = handle.read(most + 1)
        if len(data) > most:  # whatever size the archive claims
            raise UnreadableFile(name, Message("more than {n} MB", n=most // 2**20))
        return data

    def text(self, name: str) -> str:
        data = self.data(name)
        try:
            return decode_text(data)
        except ValueError as error:
            raise UnreadableFile(name, str(error)) from None

    def head(self, name: str, size: int = 65536) -> str:
        """Return the beginning of a file, or "" when it can't be read."""
        before = self._done
        try:
            with self.opened(name) as handle:
                return "".join(map(_line, handle.read(size).splitlines(keepends=True))).removeprefix("\ufeff")
        except VaultError:
            return ""
        finally:
            self._done = before

    def json(self, name: str) -> Any:
        try:
            return json.loads(self.text(name))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(name, Message("is not JSON: {WHY}", WHY=str(error))) from None

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of a long file, one at a time. A line that is too long is cut into several."""
        with self.opened(name) as handle:
            while line := handle.readline(LARGEST):
                yield _line(line).rstrip("\r\n")

    def values(self, name: str) -> Iterator[Any]:
        """Yield the values of a long JSON list one at a time, or a JSON object itself.

        Raise VaultError when one is too large.
        """
        with self.opened(name) as handle:
            yield from _values(io.TextIOWrapper(handle, "utf-8-sig", "replace"), name)


def _line(data: bytes) -> str:
    """Decode one line. Bytes that can't be decoded are replaced, since the line may be cut."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return decode_text(data)
    except ValueError:
        return data.decode("utf-8", "replace")


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
                raise ValueError("it may go on")  # a number at the end may be incomplete
        except RecursionError:
            raise UnreadableFile(name, "is not JSON: nested too deep") from None
        except ValueError as error:
            more = stream.read(step)
            if not more:
                if at < len(buffer):
                    raise UnreadableFile(name, Message("is not JSON: {WHY}", WHY=str(error))) from None
                return
            buffer, at = buffer[at:] + more, 0
            step = max(_CHUNK, len(buffer))  # an incomplete value is parsed again when there is twice as much
            if len(buffer) > LARGEST_VALUE:
                raise UnreadableFile(name, Message("a value of more than {n} MB", n=LARGEST_VALUE // 2**20)) from None
            continue
        yield value
        if not listed:
            return
        at, step = end, _CHUNK


def moment(value: Any) -> datetime | None:
    """Return the local time without a zone, as memories have it, of an ISO text or of seconds or milliseconds.

    None means that the value is not a time.
    """
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    try:
        if isinstance(value, (int, float)) and 19000101 <= value <= 21001231:  # 20260115, which no second is
            return datetime.strptime(str(int(value)), "%Y%m%d")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / (1000 if value > 1e11 else 1))
        if isinstance(value, str) and value.strip():
            found = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
            return found.astimezone().replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError, OSError):
        return None
    return None
