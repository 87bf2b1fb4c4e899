"""Read JSON that may be torn or damaged, and the small files in which mem keeps notes about this machine's user."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memcli.errors import MemError
from memcli.vault import discover, files


def mapping(text: str) -> dict[str, Any]:
    """Return the object in a text, or {} when it holds none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def records(lines: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a text with one a line, without lines that hold none, such as those torn by a crash."""
    yield from filter(None, map(mapping, lines.split("\n")))


def noted(environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the notes in a file of the user's own data folder, or {} when there are none."""
    try:
        return mapping(files.read_file(_own(environ, name)).text)
    except MemError:
        return {}


def note(environ: Mapping[str, str], name: str, data: Mapping[str, Any]) -> Path:
    """Write notes to a file of the user's own data folder and return its path. A vault can't choose what it says."""
    file = _own(environ, name)
    files.replace(file, json.dumps(data, ensure_ascii=False, indent=1) + "\n", files.read_or_empty(file))
    return file


def _own(environ: Mapping[str, str], name: str) -> Path:
    return Path(discover.data_home(environ), name)
