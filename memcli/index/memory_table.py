"""Keep the table of memories: a row for each entry, or for each piece of a long one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memcli.index.store import Address, LanceTable, TableKind, TableOptions, among, arrow
from memcli.index.texts import EntryRow
from memcli.vault import cache_files

FOLDER = "lance"
SHARED = "agent = ''"  # rows that are not an agent's own


class MemoryHit(NamedTuple):
    """Hold a row that was found. A higher score is better; scores compare only within one answer."""

    path: str
    line: int
    last_line: int
    parent: str
    hash: str
    score: float


def exists(cache: Path) -> bool:
    """Return whether there is a table, without opening anything."""
    return _address(cache).exists


def remove(cache: Path) -> None:
    cache_files.remove_tree(cache / FOLDER)


class MemoryTable(LanceTable):
    """Give access to the open table.

    Only words and paths are indexed, since recall searches the files and the vectors in the catalog.
    """

    kind = TableKind(
        called="the index",
        version="3",
        fix="mem index",
        tokenizer="icu",
        columns={
            **dict.fromkeys(("id", "path", "trail", "kind", "day", "agent", "parent", "hash", "text"), "text"),
            **dict.fromkeys(("line", "last_line", "tokens"), "int"),
            "importance": "float",
            "tags": "list",
        },
        exact=("path",),
        meanwhile="recall works by the files until it can",
    )

    def __init__(self, cache: Path, make: TableOptions | None = None) -> None:
        cache_files.cleared(cache / FOLDER)
        super().__init__(_address(cache), make)

    def found_damaged(self) -> None:  # the next refresh makes it anew
        assert self.at.folder
        cache_files.remove_tree(self.at.folder)

    def write_rows(self, rows: Sequence[EntryRow], vectors: Sequence[bytes | None], paths: Sequence[str]) -> None:
        """Write all rows of the files in `paths` in one step, replacing what stood there."""
        self.merge(arrow(self.schema, rows, vectors), among("path", paths))

    def words(self, query: str, most: int) -> list[MemoryHit]:
        """Return the shared rows that have words of the query, best first (BM25)."""
        return [MemoryHit(**row) for row in self.best_by_words(query, most, MemoryHit._fields[:-1], SHARED)]

    def near(self, vector: Any, most: int) -> list[MemoryHit]:
        """Return the shared rows whose meaning is nearest, with their cosine, or [] where there are no vectors."""
        return [MemoryHit(**row) for row in self.best_by_meaning(vector, most, MemoryHit._fields[:-1], SHARED)]

    def ids(self) -> dict[str, tuple[str, str]]:
        """Return the path and the text's hash of every row, by its id."""
        columns = (column.to_pylist() for column in self.rows(("id", "path", "hash")).columns)
        return {id: (path, hash) for id, path, hash in zip(*columns, strict=True)}


def _address(cache: Path) -> Address:
    return Address(str(cache / FOLDER), (), cache / FOLDER, "entries")
