"""Read JSON that may be torn or damaged, and the small files in which mem keeps notes about this machine's user."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memcli.errors import MemError
from memcli.vault import discover, files


def parse_mapping(text: str | bytes) -> dict[str, Any]:
    """Return the object in a text, or {} when it holds none."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def parse_records(lines: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a text with one a line, without lines that hold none, such as those torn by a crash."""
    yield from filter(None, map(parse_mapping, lines.split("\n")))


def read_mapping(path: Path) -> dict[str, Any]:
    """Return the object in a file, or {} when it holds none or can't be read."""
    try:
        return parse_mapping(files.read_file(path).text)
    except MemError:
        return {}


def read_notes(environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the notes in a file of the user's own data folder, or {} when there are none."""
    return read_mapping(_own(environ, name))


def change_notes(environ: Mapping[str, str], name: str, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Change the notes in a file of the user's own data folder, which only this user may read. Others that change it
    wait. A vault can't choose what it says."""
    from memcli.vault.lock import lock_user_files  # notes are read far more often

    with lock_user_files(environ):
        text = json.dumps(change(read_notes(environ, name)), indent=1) + "\n"
        files.write_file(_own(environ, name), text, private=True)


def _own(environ: Mapping[str, str], name: str) -> Path:
    return Path(discover.data_home(environ), name)
