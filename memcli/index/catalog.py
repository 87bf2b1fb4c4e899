"""Record in `.mem/index.db` which files are indexed, their vectors, and every vector ever computed.

Recall reads the vectors of the files from here, in milliseconds: LanceDB alone takes two seconds to import. It is a
cache like all of `.mem/`: when it can't be read, it is deleted and the index is rebuilt.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import VaultError
from memcli.message import Message
from memcli.vault import cache_files

NAME = "index.db"
_TABLES = """
create table if not exists notes (name text primary key, value text) without rowid;
create table if not exists files (path text primary key, stamp text, hash text, rows int, model text) without rowid;
create table if not exists vectors (model text, hash blob, vector blob, primary key (model, hash));
create table if not exists meanings (path text primary key, entries text, vectors blob);
"""
_ASKED = 500  # hashes asked for at once: a query has room for 999
_NOT_DAMAGE = ("full", "locked", "readonly", "unable to open")


class UnreadableIndex(VaultError):
    """Report that the index can't be read. It is a cache that is rebuilt, so nothing is lost."""


class UnreadableCatalog(UnreadableIndex):
    """Report that the catalog can't be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(Message("{name} is damaged ({WHY})", name=NAME, WHY=reason), "mem index makes it anew")


class IndexedFile(NamedTuple):
    """Hold a file as it was indexed."""

    stamp: str
    hash: str
    rows: int
    model: str  # fingerprint of the model of its vectors; "" means words only


class FileVectors(NamedTuple):
    """Hold the vectors of a file: one for each of its entries, or for each piece of a long one."""

    path: str
    entries: list[str]  # the entry's hash, for each vector
    vectors: bytes  # 16-bit floats, one vector after the other


class Catalog:
    """Give access to the open catalog. Use it in a `with`; every method is a transaction."""

    def __init__(self, cache: Path) -> None:
        file = cache_files.cleared(cache / NAME)  # a stranger's vault must not choose where we write
        with _sound():
            self._base = sqlite3.connect(file, timeout=10)
            self._base.execute("pragma synchronous = normal")
            self._base.executescript(_TABLES)

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def _ask(self, query: str, *values: str) -> list[Any]:
        with _sound():
            return self._base.execute(query, values).fetchall()

    def note(self, name: str) -> str:
        found = self._ask("select value from notes where name = ?", name)
        return str(found[0][0]) if found else ""

    def files(self) -> dict[str, IndexedFile]:
        return {path: IndexedFile(*file) for path, *file in self._ask("select * from files")}

    def begin(self, notes: Mapping[str, str]) -> None:
        """Delete all files and notes, but keep the known vectors."""
        with _sound(), self._base:
            self._base.execute("delete from files")
            self._base.execute("delete from meanings")
            self._base.execute("delete from notes")
            self._base.executemany("insert into notes values (?, ?)", notes.items())

    def enter(
        self,
        files: Mapping[str, IndexedFile],
        gone: Iterable[str],
        notes: Mapping[str, str],
        meanings: Iterable[FileVectors] = (),
    ) -> None:
        """Record what was just written to the table, and the vectors of those files whose text changed."""
        with _sound(), self._base:
            out = [(path,) for path in gone]
            self._base.executemany("delete from files where path = ?", out)
            self._base.executemany("delete from meanings where path = ?", out)
            self._base.executemany(
                "insert or replace into files values (?, ?, ?, ?, ?)", [(path, *filed) for path, filed in files.items()]
            )
            self._base.executemany("insert or replace into notes values (?, ?)", notes.items())
            self._base.executemany(
                "insert or replace into meanings values (?, ?, ?)",
                [(each.path, " ".join(each.entries), each.vectors) for each in meanings],
            )

    def meanings(self, paths: Iterable[str] | None = None) -> list[FileVectors]:
        """Return the vectors of these files, or of all."""
        query = "select path, entries, vectors from meanings"
        if paths is None:
            found = self._ask(f"{query} order by path")
        else:
            found = [row for path in paths for row in self._ask(f"{query} where path = ?", path)]
        if not all(isinstance(entries, str) and isinstance(vectors, bytes) for _, entries, vectors in found):
            raise UnreadableCatalog("vectors that are none")
        return [FileVectors(path, entries.split(), vectors) for path, entries, vectors in found]

    def vectors(self, model: str, hashes: Iterable[str]) -> dict[str, bytes]:
        wanted = [bytes.fromhex(each) for each in hashes]
        found: dict[str, bytes] = {}
        with _sound():
            for first in range(0, len(wanted), _ASKED):
                some = wanted[first : first + _ASKED]
                places = ", ".join("?" * len(some))
                query = f"select hash, vector from vectors where model = ? and hash in ({places})"
                found.update((each.hex(), vector) for each, vector in self._base.execute(query, (model, *some)))
        return found

    def keep(self, model: str, vectors: Mapping[str, bytes]) -> None:
        with _sound(), self._base:
            self._base.executemany(
                "insert or replace into vectors values (?, ?, ?)",
                [(model, bytes.fromhex(each), vector) for each, vector in vectors.items()],
            )

    def sweep(self, model: str, used: set[str]) -> None:
        """Delete vectors that no text uses any more, once they are half of all."""
        with _sound():
            stored = self._base.execute("select model, hash from vectors").fetchall()
            stale = [(name, each) for name, each in stored if name != model or each.hex() not in used]
            if stale and len(stale) * 2 >= len(stored):
                with self._base:
                    self._base.executemany("delete from vectors where model = ? and hash = ?", stale)
                self._base.execute("vacuum")


@contextmanager
def _sound() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if any(sign in str(error) for sign in _NOT_DAMAGE):
            raise VaultError(
                "{name} can't be used: {WHY}", "it lies in .mem/, which must be writable", name=NAME, WHY=error
            ) from error
        raise UnreadableCatalog(str(error)) from error
