"""Reading JSON that may be torn or damaged, and the small files in which mem notes things about this machine's user."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memcli.errors import MemError
from memcli.vault import discover, files


def mapping(text: str) -> dict[str, Any]:
    """The object in a text; empty when it holds none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def records(lines: str) -> Iterator[dict[str, Any]]:
    """The objects of a text that has one a line; what is none, as a line torn by a crash, is passed over."""
    yield from filter(None, map(mapping, lines.split("\n")))


def noted(environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """What is noted in a file of the user's own data folder."""
    try:
        return mapping(files.read(_own(environ, name)).text)
    except MemError:
        return {}


def note(environ: Mapping[str, str], name: str, data: Mapping[str, Any]) -> Path:
    """Write such a file; a vault can't choose what stands there."""
    file = _own(environ, name)
    files.replace(file, json.dumps(data, ensure_ascii=False, indent=1) + "\n", files.read_or_empty(file))
    return file


def _own(environ: Mapping[str, str], name: str) -> Path:
    return Path(discover.data_home(environ), name)
