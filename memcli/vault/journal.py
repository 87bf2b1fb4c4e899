"""`journal/`: what was done to the memories, one JSON object a line, only ever appended to, merged by union."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli.vault import files
from memcli.vault.layout import JOURNAL

AUDIT = "audit"  # every write
USE = "use"  # memories that an answer cited


def append(root: Path, name: str, record: dict[str, Any]) -> None:
    """Add a line to `journal/NAME.jsonl`."""
    files.append(
        files.inside(root, f"{JOURNAL}/{name}.jsonl"), json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    )


def read(root: Path, name: str) -> Iterator[dict[str, Any]]:
    """All records, oldest first; a line torn by a crash is passed over."""
    try:
        text = place(root, name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def place(root: Path, name: str) -> Path:
    return root / JOURNAL / f"{name}.jsonl"


def last_used(root: Path) -> dict[str, datetime]:
    """When each memory, by its hash, was last cited."""
    found: dict[str, datetime] = {}
    for record in read(root, USE):
        try:
            at = datetime.fromisoformat(str(record["at"]))
        except (KeyError, ValueError):
            continue
        if at.tzinfo:  # written by another program; all times here are the user's local ones
            at = at.astimezone().replace(tzinfo=None)
        name = str(record.get("id"))
        found[name] = max(at, found.get(name, at))
    return found
