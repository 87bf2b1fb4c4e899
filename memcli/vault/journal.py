"""Read and write `journal/`, JSON lines that git merges by union, and `.mem/counts`, for `mem stats`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcli import system
from memcli.errors import MemError
from memcli.message import Message
from memcli.vault import files
from memcli.vault.layout import JOURNAL

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

AUDIT = "audit"  # records every write
USE = "use"  # records the memories that an answer cited
LARGEST = 64 * 2**20  # bytes at the end of a journal that are read
COUNTS = "counts"  # a file in .mem/ with one line for each use: `kind time facts…`
MOST_COUNTED = 2**19  # bytes of counts; beyond it the file becomes `counts.old` and replaces the older one
LATEST = 4 * 2**20  # bytes at the end of a journal that a recall reads
LINE = 40  # bytes that a line has at least on average, which bounds the number of lines read


def append(root: Path, name: str, record: dict[str, Any]) -> None:
    """Add a line to `journal/NAME.jsonl`, for the audit under the lock: its lines name each other's hashes."""
    path = files.inside(root, f"{JOURNAL}/{name}.jsonl")
    import json  # a recall writes none, and most vaults cite nothing

    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    if name == AUDIT:
        from memcli.vault import chain  # hashing costs 4 ms, and a recall writes no audit

        line = chain.seal(line, files.tail(path, chain.WINDOW))
    files.append(path, line)


def read_journal(
    root: Path, name: str, tell: Callable[[str], object] = str, size: int = LARGEST
) -> Iterator[dict[str, Any]]:
    """Yield the records within the last `size` bytes, oldest first, and report to `tell` what is left out."""
    shown, path = f"{JOURNAL}/{name}.jsonl", place(root, name)
    try:
        if not os.path.lexists(path):
            return
        path = files.inside(root, shown)
        lines = files.tail(path, size, shown).split("\n")
    except MemError as error:
        tell(error.message)
        return
    most = size // LINE
    if len(lines) > most or files.size_of(path) > size:
        why = "{name} is too long: only its last {n} MB and {lines} lines are read"
        tell(Message(why, name=shown, n=size // 2**20, lines=f"{most:,}"))
    from memcli.vault import json_read

    yield from json_read.parse_records("\n".join(lines[-most:]))


def place(root: Path, name: str) -> Path:
    return root / JOURNAL / f"{name}.jsonl"


def last_used(root: Path, tell: Callable[[str], object] = str) -> dict[str, datetime]:
    """Return when each memory was last cited, by its hash."""
    from memcli.vault.snapshots import moment  # only recall needs it

    found: dict[str, datetime] = {}
    for record in read_journal(root, USE, tell, LATEST):
        if at := moment(record.get("at")):
            name = str(record.get("id"))
            found[name] = max(at, found.get(name, at))
    return found


def writes(
    root: Path, since: date | None = None, id: str = "", tell: Callable[[str], object] = str
) -> list[dict[str, Any]]:
    """Return the audit's records, latest first; with `id`, those of one memory, also under its ids before and after
    edits."""
    found = [*read_journal(root, AUDIT, tell)][::-1]
    found.sort(key=lambda each: str(each.get("at")), reverse=True)
    if id:
        ids = {id.removeprefix("^")}
        for record in [*found[::-1], *found]:
            if record.get("action") == "edit" and _names(record, ids):
                ids |= _ids(record)
        found = [record for record in found if _names(record, ids)]
    return [record for record in found if since is None or str(record.get("at"))[:10] >= since.isoformat()]


def paths_of(record: Mapping[str, Any]) -> list[str]:
    """Return the files that a write touched."""
    return _listed(record, "paths")


def ids_of(record: Mapping[str, Any]) -> list[str]:
    """Return the ids of the memories that a write changed."""
    return _listed(record, "ids")


def _listed(record: Mapping[str, Any], key: str) -> list[str]:
    values = record.get(key)
    return [str(value) for value in values] if isinstance(values, list) else []


def renamed(root: Path, id: str) -> str:
    """Return the present id of a memory whose id changed when it was edited, or "" when it was never edited."""
    new = ""
    for record in read_journal(root, AUDIT):
        ids = ids_of(record)
        if record.get("action") == "edit" and len(ids) == 2 and ids[0].startswith(new or id):
            new = ids[1]
        elif record.get("undoes") == "edit" and ids[1:] == [new]:
            new = ids[0]
    return new


def _ids(record: dict[str, Any]) -> set[str]:
    return {bare for id in ids_of(record) if (bare := id.removeprefix("^"))}


def _names(record: dict[str, Any], ids: set[str]) -> bool:
    return any(a.startswith(b) or b.startswith(a) for a in _ids(record) for b in ids)


def count(vault: Vault, kind: str, *facts: object) -> None:
    """Count one use of the memory for `mem stats`, if there is a `.mem/`. A failure is ignored."""
    file = vault.cache / COUNTS
    try:
        if vault.settings.stats.count and vault.cache.is_dir():
            files.extend(file, " ".join(map(str, (kind, vault.now.isoformat(timespec="seconds"), *facts))) + "\n")
            if files.size_of(file) > MOST_COUNTED:
                system.replace(file, file.with_suffix(".old"))
    except (MemError, OSError):
        return


def mark(text: str) -> str:
    """Return a short checksum for a memory in the counts: to work out its id would take ten times as long."""
    import zlib

    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def counted(vault: Vault) -> Iterator[list[str]]:
    """Yield what was counted, oldest first, each as its kind, its time and its facts."""
    for name in (f"{COUNTS}.old", COUNTS):
        for line in files.tail(vault.cache / name, 2 * MOST_COUNTED).split("\n"):
            if len(parts := line.split(" ")) > 1:
                yield parts
