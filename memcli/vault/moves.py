"""Move back what a write moved from the archive into place, except what a person changed or added there meanwhile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memcli.errors import MemError
from memcli.message import Message, some
from memcli.text.digest import digest
from memcli.vault import cache_files, files, layout
from memcli.vault.vault import Vault

Move = tuple[str, str]  # a whole file or folder: its old and its new path
MOST_NAMED = 8


def digests(root: Path, moves: Sequence[Move]) -> dict[str, str]:
    """Return a digest of every file that was moved from the archive to a place that is recalled, by its path there."""
    return {path: _digest(root / path) for old, new in moves if _comes_in(old, new) for path in _below(root, new)}


def back(vault: Vault, record: dict[str, Any]) -> list[Move]:
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
        changed = [path for path in paths if moved.get(path) != _digest(vault.root / path)]
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


def _digest(path: Path) -> str:
    try:
        return digest(files.read_bytes(path), 16)
    except MemError:  # it is too large, or a link
        return str(files.size_of(path))
