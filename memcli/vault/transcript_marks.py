"""Record under `.mem/` how far transcripts of agents were read; read again, they add no known memory twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from memcli.errors import MemError
from memcli.text.digest import digest
from memcli.vault import files
from memcli.vault.vault import Vault

FOLDER = "transcripts"


class Mark(NamedTuple):
    size: int = 0  # bytes of the file when it was read; for a talk in a database, the time when it was last written
    said: int = 0  # number of messages that were read


def read_mark(vault: Vault, name: str) -> Mark:
    try:
        size, count = json.loads(files.read_or_empty(_file(vault, name)).text or "[0, 0]")
        return Mark(int(size), int(count))
    except (MemError, ValueError, TypeError):
        return Mark()


def size(path: Path) -> int:
    """Return how many bytes a transcript has, for a database including its write-ahead log."""
    return files.size_of(path) + files.size_of(path.with_name(path.name + "-wal"))


def write_mark(vault: Vault, name: str, mark: Mark) -> None:
    files.make_cache(vault.cache)
    files.write_file(_file(vault, name), json.dumps(mark))


def _file(vault: Vault, name: str) -> Path:
    return vault.cache / FOLDER / digest(name, 20)
