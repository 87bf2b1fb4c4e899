"""Record what each file of an agent was before mem changed it, and what mem left in it, so that it can be restored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import MemError
from memcli.vault import discover, files
from memcli.vault.lock import lock_user_files

BACKUPS = "before-install"  # in the user's data folder
FILE = "installed.json"  # in that folder


class Record(NamedTuple):
    """Hold what is known of one file."""

    before: str | None  # its text before us; None: it did not exist
    after: str  # a hash of what we left in it
    agents: tuple[str, ...]  # the agents for which we wrote into it

    def is_untouched(self, agent: str, text: str | None) -> bool:
        """Return whether nobody changed the file since, and it holds no other agent's settings."""
        return self.agents == (agent,) and text is not None and _mark(text) == self.after


def read_records(environ: Mapping[str, str]) -> dict[Path, Record]:
    """Return what is known of each file, except those whose copy is gone."""
    found = {}
    for path, row in _rows(environ).items():
        with suppress(MemError, KeyError, TypeError):
            before = files.read_file(Path(row["before"])).text if row["before"] else None
            found[Path(path)] = Record(before, str(row["after"]), tuple(row["agents"]))
    return found


def note_change(
    environ: Mapping[str, str], path: Path, agent: str, had: str | None, now: str | None, backup: Path | None,
    is_first: bool,
) -> None:  # fmt: skip
    """Record what a file was before our first change and after the latest. It is never restored as a whole if
    somebody else changed it between two of ours, or it held something of ours before."""
    with lock_user_files(environ):
        rows = _rows(environ)
        row = rows.get(str(path))
        in_a_row = row["after"] == _mark(had or "") if row else is_first
        rows[str(path)] = {
            "before": row["before"] if row else str(backup) if backup else None,
            "after": _mark(now or "") if in_a_row else "",
            "agents": sorted({*(row["agents"] if row else ()), agent}),
        }
        _keep(environ, rows)


def forget_agent(environ: Mapping[str, str], path: Path, agent: str, now: str | None) -> None:
    """Record that one agent's settings are gone from a file."""
    with lock_user_files(environ):
        rows = _rows(environ)
        if row := rows.pop(str(path), None):
            if (left := [one for one in row["agents"] if one != agent]) and now is not None:
                rows[str(path)] = {**row, "agents": left, "after": ""}
            _keep(environ, rows)


def _keep(environ: Mapping[str, str], rows: dict[str, Any]) -> None:
    folder = Path(discover.data_home(environ)) / BACKUPS
    files.make_folder(folder, 0o700)
    files.write_file(folder / FILE, json.dumps({"schema": 1, "files": rows}, ensure_ascii=False, indent=1) + "\n")


def _rows(environ: Mapping[str, str]) -> dict[str, Any]:
    try:
        text = files.read_or_empty(Path(discover.data_home(environ)) / BACKUPS / FILE).text
        rows = json.loads(text)["files"] if text else {}
        return {path: row for path, row in rows.items() if {"before", "after", "agents"} <= row.keys()}
    except (MemError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return {}  # then only what is recognized as ours is taken out


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
