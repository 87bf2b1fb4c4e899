"""Archive expired files and records, so that recall and sessions no longer read them. Nothing is deleted.

The audit is kept for ever, and memories stay until somebody forgets them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from memcli import contributions
from memcli.errors import MemError
from memcli.remember.change import archive_path
from memcli.vault import files, json_read, layout, preferences, snapshots, yaml_edit, yaml_list, yaml_read
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, WriteResult, write_vault
from memcli.vault.yaml_list import Record

TALK = timedelta(days=30)  # after the last message of a conversation


@dataclass(frozen=True)
class ExpiredItem:
    """Hold a file, or one record of a file, that has expired."""

    kind: str  # snapshot, talk, preference, or a record of a feature's file
    path: str
    since: str  # the day it expired or was last used
    to: str
    record: Record = field(default_factory=dict)  # empty: the whole file

    @property
    def what(self) -> str:
        return str(self.record.get("key") or self.record.get("pattern") or self.path)


def expired(vault: Vault) -> list[ExpiredItem]:
    """Return all that has expired, in every space of the vault."""
    found: list[ExpiredItem] = []
    rests = {file.name: file.rests for file in contributions.vault_files() if file.rests}
    for path in layout.walk(vault.root, (*layout.MARKDOWN, ".jsonl", preferences.FILE, *rests)):
        try:
            found += _old(vault, path, rests)
        except MemError as error:  # report it and leave the file
            vault.notice(error.message)
    return found


def tidy(vault: Vault, items: Sequence[ExpiredItem]) -> WriteResult:
    """Archive expired things, in one write that `mem undo` takes back."""
    edits: list[tuple[str, Edit]] = []
    for path in dict.fromkeys(each.path for each in items if each.record):
        edits += edits_archiving(vault, path, [each.record for each in items if each.path == path and each.record])
    taken: set[str] = set()
    moves = [(each.path, _free(vault, each.to, taken)) for each in items if not each.record]
    return write_vault(vault, "tidy", edits, moves=moves)


def _old(vault: Vault, path: str, rests: Mapping[str, timedelta]) -> Iterator[ExpiredItem]:
    kind, now = layout.kind_of(path), vault.now
    if kind == "snapshot" and path.endswith(layout.MARKDOWN):
        if (over := snapshots.ends(vault.document(path))) and over < now:
            yield ExpiredItem("snapshot", path, f"{over:%Y-%m-%d}", archive_path(path))
    elif kind == "session" and path.endswith(".jsonl") and _own(path).count("/") == 1:
        if (last := _last_said(vault, path)) + TALK < now:  # its archive stays out of git, like the conversation
            to = str(PurePosixPath(path).parent / layout.ARCHIVE / PurePosixPath(path).name)
            yield ExpiredItem("talk", path, f"{last:%Y-%m-%d}", to)
    elif (name := _own(path)) in (preferences.FILE, *rests):
        for record in _records(yaml_read.load(files.read_file(vault.root / path, path).text, path)):
            used = next((at for key in ("last_used", "updated", "created") if (at := moment(record.get(key)))), None)
            scope = str(record.get("scope") or "").partition(":")[0]
            limit = rests.get(name) or (preferences.HOLDS if scope == preferences.SESSION else None)
            if limit and used and used < now - limit:
                kind = name.removesuffix("s.yaml")
                yield ExpiredItem(kind, path, f"{used:%Y-%m-%d}", archive_path(path), record)


def _own(path: str) -> str:
    """Return the path within the space of its agent, if it has one."""
    return layout.split(path)[1]


def _records(found: Any) -> list[Record]:
    """Return the records of a list, or of lists by name."""
    listed = found if isinstance(found, list) else [*(found.values() if isinstance(found, dict) else ())]
    flat = [each for item in listed for each in (item if isinstance(item, list) else [item])]
    return [each for each in flat if isinstance(each, dict)]


def edits_archiving(vault: Vault, path: str, gone: list[Record]) -> list[tuple[str, Edit]]:
    """Return the edits that move records into the archive."""
    return [yaml_list.archiving(vault, archive_path(path), "key", lambda: gone), (path, _without(path, gone))]


def _without(path: str, gone: list[Record]) -> Edit:
    def change(piece: Any) -> None:
        for key, listed in piece.items():
            if isinstance(listed, list):
                for number in reversed(range(len(listed))):
                    if listed[number] in gone:
                        del listed[number]
                piece[key] = listed or []

    def edit(text: str) -> str:
        found = yaml_read.load(text, path)
        if not isinstance(found, dict):
            return yaml_list.edited(text, path, "key", lambda held: [None if each in gone else each for each in held])
        numbers = [number for number, each in enumerate(found.values()) if any(r in gone for r in _records([each]))]
        return yaml_edit.change_pieces(text, path, dict.fromkeys(numbers, change))

    return edit


def _last_said(vault: Vault, path: str) -> datetime:
    """Return when the last message of a conversation was said, or the file's own time if no message says it."""
    for message in reversed(list(json_read.parse_records(files.tail(vault.root / path, 65536)))):
        if at := moment(message.get("at") or message.get("time")):
            return at
    return datetime.fromtimestamp((vault.root / path).stat().st_mtime)


def _free(vault: Vault, path: str, taken: set[str]) -> str:
    """Return a name in the archive that is still free."""
    place, number, free = PurePosixPath(path), 1, path
    while free in taken or (vault.root / free).exists():
        number += 1
        free = str(place.with_name(f"{place.stem}-{number}{place.suffix}"))
    taken.add(free)
    return free
