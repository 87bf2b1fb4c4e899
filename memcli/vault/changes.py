"""What recent writes changed, kept small enough to take them back: `.mem/undo.jsonl`.

Only the changed lines and their neighbours are kept, so a write can be taken back even when the rest of the file has
changed since. It is a cache: without it nothing is lost but the ability to undo (git still has the history).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcli.vault import files
from memcli.vault.markdown import lines_of

KEPT = 50  # writes
_NEAR = 3  # lines of context on both sides


@dataclass(frozen=True)
class Change:
    """What a write did to one file; None stands for no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Hunk:
    """The same, reduced to the lines that differ."""

    path: str
    removed: str
    added: str
    above: str = ""
    below: str = ""
    created: bool = False
    deleted: bool = False


def hunk(change: Change) -> Hunk:
    old, new = lines_of(change.before or ""), lines_of(change.after or "")
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    return Hunk(
        change.path,
        "".join(old[head : len(old) - tail]),
        "".join(new[head : len(new) - tail]),
        "".join(new[max(0, head - _NEAR) : head]),
        "".join(new[len(new) - tail :][:_NEAR]),
        change.before is None,
        change.after is None,
    )


def reverse(text: str, done: Hunk) -> str | None:
    """`text` with the hunk taken back; None when its place can't be found again without doubt."""
    if text == done.added:
        return done.removed
    for above, below in ((done.above, done.below), (done.above, ""), ("", done.below), ("", "")):
        anchor = above + done.added + below
        if anchor and text.count(anchor) == 1:
            at = text.index(anchor) + len(above)
            return text[:at] + done.removed + text[at + len(done.added) :]
    return None


def remember(cache: Path, record: dict[str, Any], done: list[Change]) -> None:
    """Add a write to the ones that can be taken back, forgetting the oldest."""
    kept = [*recent(cache), {**record, "hunks": [vars(hunk(change)) for change in done]}]
    file = cache / "undo.jsonl"
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in kept[-KEPT:])
    files.replace(file, text, files.read_or_empty(file))


def recent(cache: Path) -> list[dict[str, Any]]:
    """Recent writes, oldest first."""
    try:
        lines = (cache / "undo.jsonl").read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
    found = []
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("hunks"), list):
            found.append(record)
    return found


def _shared(one: list[str], other: list[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
