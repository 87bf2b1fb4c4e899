"""Keep the text of all notes joined in one file of `.mem/`, because ripgrep reads one file much faster than thousands.

Beside it lies a list: where each note stands, and the stamp of the file that it was read from. A note with another
stamp is searched itself. So both files are a mere cache: without them, or with old ones, a search finds the same.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memcli.errors import MemError
from memcli.vault import files, layout, opener
from memcli.vault.entries import LONGEST_LINE

TEXT, LIST = "joined.txt", "joined.list"
FORMAT = "1"
FEW = 64  # notes that are searched one by one; when more have changed, all are joined anew
GAP = 4  # empty lines between two notes, so that no line has neighbours in another note
MOST = 100_000  # notes
LARGEST = 256 * 2**20  # bytes of all notes together
SETTLED = 2_500_000_000  # nanoseconds; a file that changed so shortly before may change again without a new stamp


class JoinedText(NamedTuple):
    """Hold where notes stand in the joined text. Only notes that have not changed are in it."""

    file: Path
    stamp: str  # of the joined text
    starts: list[int]  # of each note, the number of the line before its first; also of those that have changed
    paths: list[str]  # of each note, or "" when it has changed or is not wanted
    others: list[str]  # wanted notes that have to be searched themselves
    changed: int  # how many of these might be joined

    def is_current(self) -> bool:
        """Return whether the joined text is still the one that the list describes."""
        return _stamp_of(self.file) == self.stamp


def joined_notes(
    root: Path, cache: Path, wanted: Sequence[str], stamps: Mapping[str, tuple[int, ...]]
) -> JoinedText | None:
    """Return where the wanted notes stand in the joined text, made anew when many have changed, or None to search
    each."""
    if len(wanted) <= FEW or not stamps:
        return None
    known = _load(cache, wanted, stamps)
    if (known.changed if known else sum(path in stamps and _may_join(path) for path in wanted)) > FEW:
        _join(root, cache, stamps)
        known = _load(cache, wanted, stamps)
    return known


def _load(cache: Path, wanted: Sequence[str], stamps: Mapping[str, tuple[int, ...]]) -> JoinedText | None:
    stamp = _stamp_of(cache / TEXT)
    try:
        head, *rows = files.read_or_empty(cache / LIST).text.split("\n")
        if not stamp or head != f"{FORMAT} {stamp}":
            return None
        listed = [(row, lines and int(lines), path) for row, lines, path in (row.split("\t") for row in rows)]
    except (MemError, ValueError):
        return None
    left = dict.fromkeys(wanted)
    starts: list[int] = []
    paths: list[str] = []
    odd: list[str] = []
    start = 0
    for of_note, lines, path in listed:
        is_same = path in left and path in stamps and of_note == _written(stamps[path])
        if is_same:
            del left[path]
        if lines:
            starts.append(start)
            paths.append(path if is_same else "")
            start += int(lines) + GAP
        elif is_same:
            odd.append(path)
    changed = sum(path in stamps and _may_join(path) for path in left)
    return JoinedText(cache / TEXT, stamp, starts, paths, [*left, *odd], changed)


def _join(root: Path, cache: Path, stamps: Mapping[str, tuple[int, ...]]) -> None:
    """Write the joined text and its list, if there is a place for them."""
    if len(stamps) > MOST or sum(stamp[0] for stamp in stamps.values()) > LARGEST:
        return
    rows: list[tuple[tuple[int, ...], int | str, str]] = []
    try:
        if not cache.is_dir():
            if not (root / layout.CONFIG).is_file():  # a folder of notes that is not a vault of its own gets no cache
                return
            files.make_cache(cache)
        info = opener.replace_file(cache / TEXT, _pieces(root, stamps, rows), private=True)
        assert info
        now = info.st_mtime_ns
        listed = [
            f"{_written(stamp) if _is_settled(stamp, now) else '-'}\t{lines}\t{path}" for stamp, lines, path in rows
        ]
        text = "\n".join([f"{FORMAT} {_written(layout.stamp(info))}", *listed])
        files.write_file(cache / LIST, text, private=True)
    except (MemError, OSError):  # a vault that can't be written to is searched all the same
        return


def _pieces(
    root: Path, stamps: Mapping[str, tuple[int, ...]], rows: list[tuple[tuple[int, ...], int | str, str]]
) -> Iterator[bytes]:
    """Yield the text of every note with the gap after it, and note in `rows` what the list says of it."""
    for path, stamp in stamps.items():
        if not _may_join(path):
            continue
        try:
            data, info = files.loaded(root / path)
        except OSError:
            continue
        if layout.stamp(info) != stamp:  # it has changed meanwhile
            continue
        if not _is_plain(data):
            rows.append((stamp, "", path))
            continue
        if not data.endswith(b"\n"):
            data += b"\n"
        rows.append((stamp, data.count(b"\n"), path))
        yield data + b"\n" * GAP


def _may_join(path: str) -> bool:
    """Return whether a note is one that recall reads, with a name that a row of the list can hold."""
    return layout.is_memory(path) and path.isprintable()


def _is_plain(data: bytes) -> bool:
    """Return whether ripgrep finds the same in a text when it stands among others."""
    if b"\0" in data or data.startswith(b"\xef\xbb\xbf"):
        return False
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(text) <= LONGEST_LINE or max(map(len, text.split("\n"))) <= LONGEST_LINE


def _is_settled(stamp: tuple[int, ...], now: int) -> bool:
    """Return whether a file was left alone for a while before `now`. A time in the future was set by a program."""
    _, of_content, of_file, _ = stamp
    return max(of_file, of_content if of_content <= now else 0) < now - SETTLED


def _stamp_of(file: Path) -> str:
    """Return the stamp of a file of the cache as it is written, or "" when there is no regular file."""
    info = files.stat_of(file, follow=False)
    return _written(layout.stamp(info)) if info and stat.S_ISREG(info.st_mode) else ""


def _written(stamp: tuple[int, ...]) -> str:
    size, of_content, of_file, number = stamp
    return f"{size}.{of_content}.{of_file}.{number}"
