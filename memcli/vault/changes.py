"""Keep recent writes in `.mem/undo.jsonl`, so that they can be undone.

Only the changed lines and their neighbours are kept, so a write can be undone even when the rest of the file has
changed since. A file that was moved is moved back, unless a person changed it in its new place. It is a cache: without
it undo asks git, and a vault without git has nothing to undo.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from memcli.errors import MemError
from memcli.message import Message, some
from memcli.text.digest import digest
from memcli.vault import cache_files, files, json_read, layout
from memcli.vault.markdown import lines_of
from memcli.vault.vault import Vault

KEPT = 50  # writes
_NEAR = 3  # lines of context on both sides
MOST_NAMED = 8  # paths in a notice
Move = tuple[str, str]  # a whole file or folder: its old and its new path


@dataclass(frozen=True)
class FileChange:
    """Hold what a write did to one file; None means that there was no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Hunk:
    """Hold a change reduced to the lines that differ, with the lines above and below."""

    path: str
    removed: str
    added: str
    above: str = ""
    below: str = ""
    created: bool = False
    deleted: bool = False
    at: int = 0  # where the added lines begin in the text after it
    after: str = ""  # a digest of that text: while it is the same, the place is sure
    before: str = ""  # a digest of the text before: while it is the same, there is nothing to undo


def hunk_of(change: FileChange) -> Hunk:
    """Return the lines that a change added and removed, with the place where they stand."""
    old, new = lines_of(change.before or ""), lines_of(change.after or "")
    head = _count_shared(old, new)
    tail = _count_shared(old[head:][::-1], new[head:][::-1])
    return Hunk(
        change.path,
        "".join(old[head : len(old) - tail]),
        "".join(new[head : len(new) - tail]),
        "".join(new[max(0, head - _NEAR) : head]),
        "".join(new[len(new) - tail :][:_NEAR]),
        change.before is None,
        change.after is None,
        len("".join(new[:head])),
        digest(change.after or ""),
        digest(change.before or ""),
    )


def undo_hunk(text: str, done: Hunk) -> str | None:
    """Return `text` with the hunk undone, or None when its place can't be found without doubt."""
    if text == done.added:
        return done.removed
    if digest(text) == done.after:
        return text[: done.at] + done.removed + text[done.at + len(done.added) :]
    for above, below in ((done.above, done.below), (done.above, ""), ("", done.below), ("", "")):
        anchor = above + done.added + below
        if not anchor or (at := _find_only(text, anchor)) is None:
            continue
        head, tail = text[: at + len(above)], text[at + len(above) + len(done.added) :]
        back = done.removed
        ended = not done.added.endswith("\n") and tail[:1] in ("\r", "\n")  # the line has an end by now
        if back and tail and not (back.endswith("\n") or ended):  # it was the file's last line; more follows now
            back += "\n"
        return head + back + tail
    _, _, rest = done.added.partition("\n\n")
    if done.created and rest:  # the file was merged with one made elsewhere that begins alike
        return undo_hunk(text, replace(done, added=rest, created=False))
    return None


def redo_writes(text: str | None, path: str, records: Sequence[dict[str, Any]]) -> str | None:
    """Return `text` after these writes are applied again, except those whose place is not found."""
    for done in (Hunk(**each) for record in records for each in record["hunks"] if each["path"] == path):
        forth = replace(done, removed=done.added, added=done.removed, after=done.before, created=False)
        made = undo_hunk(text or "", forth)
        text = text if made is None else None if done.deleted else made
    return text


def not_yet_undone(hunks: Sequence[Hunk], texts: Mapping[str, str]) -> list[Hunk]:
    """Return the hunks, latest first, that are not undone in the files yet: an undo may have been killed halfway."""
    now = {path: digest(text) for path, text in texts.items()}
    undone = {hunk.path: at for at, hunk in enumerate(hunks) if hunk.before == now[hunk.path]}
    return [hunk for at, hunk in enumerate(hunks) if at > undone.get(hunk.path, -1)]


def last_digests(cache: Path) -> dict[str, str]:
    """Return a digest of each file as the last write left it."""
    return {each["path"]: str(each.get("after")) for record in read_undo_records(cache) for each in record["hunks"]}


def _find_only(text: str, anchor: str) -> int | None:
    """Return the offset of the only run of whole lines equal to `anchor`, or None when there is none or several."""
    found, at = [], text.find(anchor)
    while at >= 0:
        after = text[at + len(anchor) :][:1]
        if text[at - 1 : at] in ("", "\n") and (anchor.endswith("\n") or after in ("", "\r", "\n")):
            found.append(at)
        at = text.find(anchor, at + 1)
    return found[0] if len(found) == 1 else None


def add_undo_record(cache: Path, record: dict[str, Any], done: Sequence[FileChange], moved: Sequence[Move]) -> None:
    """Add a write to the list of those that can be undone, and drop the oldest beyond `KEPT`."""
    known = {**record, "hunks": [vars(hunk_of(change)) for change in done], **({"moves": moved} if moved else {})}
    _store(cache, [*read_undo_records(cache), known][-KEPT:])


def remove_undo_records(cache: Path, records: Sequence[dict[str, Any]]) -> None:
    """Remove writes from the list once they were undone."""
    stored = read_undo_records(cache)
    for record in records:
        if record in stored:
            del stored[len(stored) - 1 - stored[::-1].index(record)]
    _store(cache, stored)


def _store(cache: Path, records: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)
    files.write_file(cache / "undo.jsonl", text)


def read_undo_records(cache: Path) -> list[dict[str, Any]]:
    """Return the recent writes that can be undone, oldest first."""
    found = []
    for record in json_read.parse_records(files.tail(cache / "undo.jsonl", files.LARGEST)):
        hunks, moves = record.get("hunks"), record.get("moves", [])
        listed = isinstance(hunks, list) and isinstance(moves, list) and (hunks or moves)
        if listed and all(map(_is_hunk, hunks or ())) and all(map(_is_move, moves)):
            found.append(record)
    return found


def _is_hunk(value: object) -> bool:
    return isinstance(value, dict) and {"path", "removed", "added"} <= value.keys() <= Hunk.__dataclass_fields__.keys()


def _is_move(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(path, str) for path in value)


def _count_shared(first: list[str], second: list[str]) -> int:
    """Return how many lines both lists have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


# -- files that were moved ------------------------------------------------------------------------------------------


def digests_of_moved(root: Path, moves: Sequence[Move]) -> dict[str, str]:
    """Return a digest of every file that was moved from the archive to a place that is recalled, by its path there."""
    return {path: _digest_of(root / path) for old, new in moves if _comes_in(old, new) for path in _below(root, new)}


def moves_back(vault: Vault, record: dict[str, Any]) -> list[Move]:
    """Return the moves that undo those of a record. What a person wrote stays where it is, and a notice names it."""
    moved, found, own = record.get("moved"), list[Move](), list[str]()
    for old, new in reversed(record.get("moves", ())):
        there, here = (os.path.lexists(files.inside(vault.root, path)) for path in (old, new))
        if there and not here:  # by an undo that was killed
            continue
        if not (isinstance(moved, dict) and _comes_in(old, new)):
            found.append((new, old))
            continue
        paths = list(_below(vault.root, new))
        changed = [path for path in paths if moved.get(path) != _digest_of(vault.root / path)]
        own += changed
        whole = not changed and not there
        found += [(new, old)] if whole else [(path, old + path[len(new) :]) for path in paths if path not in {*changed}]
    if own:
        vault.notice(Message("left in place, changed or added since: {NAMES}", NAMES=some(own, MOST_NAMED)))
    return found


def _comes_in(old: str, new: str) -> bool:
    return layout.is_memory(new) and not layout.is_memory(old)


def _below(root: Path, name: str) -> list[str]:
    """Return the path of a file, or the paths of all files in a folder."""
    place = root / name
    if place.is_symlink() or not place.is_dir():
        return [name]
    below = (Path(each.path) for each in cache_files.walk(place) if not each.is_dir(follow_symlinks=False))
    return sorted(f"{name}/{path.relative_to(place).as_posix()}" for path in below)


def _digest_of(path: Path) -> str:
    try:
        return digest(files.read_bytes(path), 16)
    except MemError:  # it is too large, or a link
        return str(files.size_of(path))
