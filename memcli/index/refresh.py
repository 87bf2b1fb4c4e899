"""Bringing the index in line with the files. Only what changed is read, only new texts embedded.

Rows go into the table first and into the book after it: whoever is killed in between does that batch again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import MemError
from memcli.index import lance, models, table, texts
from memcli.index.catalog import NAME, Catalog, Damaged, IndexedFile
from memcli.index.context import in_context
from memcli.index.embed import Embedder
from memcli.index.table import Table
from memcli.index.texts import Row
from memcli.index.vectors import vectors
from memcli.vault import entries, files
from memcli.vault.lock import locked
from memcli.vault.vault import Vault

BATCH = 2000  # rows of a write
WAIT = 600.0  # seconds for another process that is at it


@dataclass
class Refreshed:
    """What a refresh did, and while it runs, how far it is."""

    files: int = 0  # to look into
    done: int = 0
    changed: int = 0
    removed: int = 0
    rows: int = 0  # written
    embedded: int = 0
    known: int = 0  # texts whose vectors were known
    model: str = ""
    made_anew: str = ""  # why, when it was


Tell = Callable[[Refreshed], None]


def refresh(
    vault: Vault,
    embedder: Embedder | None = None,
    tell: Tell | None = None,
    rebuild: bool = False,
    paths: set[str] | None = None,
    waiting: Callable[[str], None] | None = None,
    wait: float = WAIT,
) -> Refreshed:
    """Bring the index in line with the files, or with those in `paths`, when nothing else can have changed."""
    files.make_cache(vault.cache)
    with locked(vault.cache / "index.lock", wait, "index", waiting, "the index is being written"):
        for attempt in (1, 2):
            try:
                return _Work(vault, embedder, tell).run(rebuild, paths)
            except Damaged as error:
                if attempt == 2:
                    raise
                if table.exists(vault.cache) and not table.damaged(vault.cache):  # then it is the book, and all is lost
                    forget(vault.cache)
                    vault.notice(f"{error.message}: it is made anew")
    raise AssertionError


def forget(cache: Path) -> None:
    """Throw the index away."""
    table.remove(cache)
    files.remove(cache / NAME)


def made_with(vault: Vault) -> str:
    """The fingerprint of the model whose vectors are in the index; empty without vectors or without an index."""
    if not (vault.cache / NAME).exists():
        return ""
    book = Catalog(vault.cache)
    try:
        return book.note("print")
    finally:
        book.close()


def reader(vault: Vault) -> Table | None:
    """The table to read from; None when there is none yet."""
    if not (vault.cache / NAME).exists() or not table.exists(vault.cache):
        return None
    book = Catalog(vault.cache)
    try:
        return Table(vault.cache, int(book.note("dim") or 0)) if book.note("schema") == table.SCHEMA else None
    finally:
        book.close()


class _Work:
    """One refresh, under the lock."""

    def __init__(self, vault: Vault, embedder: Embedder | None, tell: Tell | None) -> None:
        self.vault = vault
        if embedder is None and (model := models.chosen(vault)):
            embedder = Embedder(model, vault.environ)
        self.embedder = embedder
        self.print = embedder.model.fingerprint if embedder else ""
        self.tell = tell or (lambda _: None)
        self.done = Refreshed(model=embedder.model.name if embedder else "")
        self.table: Table | None = None
        self.new = False  # the table is of this run: nobody reads it yet
        self.writes = 0

    def run(self, rebuild: bool, paths: set[str] | None) -> Refreshed:
        new = not (self.vault.cache / NAME).exists()
        self.book = Catalog(self.vault.cache)
        try:
            why = "" if new else self._outdated()
            if why:
                self.vault.notice(f"{why}: the index is made anew")
            if new or why or rebuild:
                self._begin(why)
                paths = None
            self._bring(paths)
        finally:
            self.book.close()
        return self.done

    def _outdated(self) -> str:
        """Why the table can't be kept."""
        book = self.book
        if not book.note("schema"):
            return "an earlier attempt was cut short"
        if book.note("schema") != table.SCHEMA:
            return "another version of mem made the index"
        if not table.exists(self.vault.cache):
            return "its table is gone"
        if table.damaged(self.vault.cache):
            return "its table is damaged"
        if self.print and book.note("print") != self.print:
            return f"the model is {self.done.model} now, it was {book.note('model') or 'none'}"
        return ""

    def _begin(self, why: str) -> None:
        """An empty table; known vectors stay known."""
        table.remove(self.vault.cache)
        dim = self.embedder.model.dim if self.embedder else 0
        self.book.begin({})
        self.table = Table(self.vault.cache, dim, make=True)
        self.book.begin({"schema": table.SCHEMA, "dim": str(dim), "print": self.print, "model": self.done.model})
        self.done.made_anew, self.new = why, True

    def _bring(self, paths: set[str] | None) -> None:
        cut_short = bool(self.book.note("pending"))  # somebody was killed before the table was in order
        known = self.book.files()
        now = dict(texts.stamps(self.vault, paths))
        gone = [path for path in (known if paths is None else paths & known.keys()) if path not in now]
        changed = [
            path for path, stamp in now.items()
            if path not in known or known[path].stamp != stamp or (self.print and known[path].model != self.print)
        ]  # fmt: skip
        self.done.files, self.done.removed = len(changed), len(gone)
        self.tell(self.done)  # loading a model takes its time: say what is to come
        for rows, filed in _ahead(self._batches(changed, now, known)):
            self._write(rows, filed, gone, known)
            gone = []
        if gone:
            self._write([], {}, gone, known)
        if self.table or cut_short:
            self._settle(self._opened(), cut_short)

    def _opened(self) -> Table:
        self.table = self.table or Table(self.vault.cache, int(self.book.note("dim") or 0))
        return self.table

    def _settle(self, there: Table, cut_short: bool) -> None:
        """Now and then the table is put in order, and vectors are forgotten that no text has any more."""
        writes = int(self.book.note("writes") or 0) + self.writes
        due = cut_short or writes >= lance.WRITES
        there.settle(due, self.new)
        if due and self.embedder:
            self.book.sweep(self.print, {each for _, each in there.ids().values()})
        self.book.enter({}, (), {"writes": "0" if due else str(writes), "pending": ""})

    def _batches(
        self, changed: list[str], now: dict[str, str], known: dict[str, IndexedFile]
    ) -> Iterator[tuple[list[Row], dict[str, IndexedFile]]]:
        rows: list[Row] = []
        filed: dict[str, IndexedFile] = {}
        for path in changed:
            found, filed[path] = self._read(path, now[path], known.get(path))
            rows += found
            if len(rows) >= BATCH:
                yield rows, filed
                rows, filed = [], {}
        if filed:
            yield rows, filed

    def _read(self, path: str, stamp: str, before: IndexedFile | None) -> tuple[list[Row], IndexedFile]:
        """The rows of a file, none when it says what it said before."""
        try:
            source = files.read(files.inside(self.vault.root, path), path)
        except MemError as error:
            self.vault.notice(error.message)
            return [], IndexedFile(stamp, "", 0, self.print)
        mark = hashlib.sha1(source.text.encode("utf-8", "replace")).hexdigest()
        if before and before.hash == mark and before.model == (self.print or before.model):
            return [], before._replace(stamp=stamp)
        rows = texts.rows(entries.read(path, source.text))
        return rows, IndexedFile(stamp, mark, len(rows), self.print)

    def _write(
        self, rows: list[Row], filed: dict[str, IndexedFile], gone: list[str], known: dict[str, IndexedFile]
    ) -> None:
        changed = [path for path, each in filed.items() if path not in known or known[path][1:] != each[1:]]
        if changed or gone:
            vectors = self._vectors(rows)
            self._opened().write(rows, vectors, [*changed, *gone])
            self.writes += 1 + len(rows) // lance.ROWS
        notes = {"updated": self.vault.now.isoformat(timespec="seconds")} | ({"pending": "yes"} if self.writes else {})
        self.book.enter(filed, gone, notes)
        self.done.done += len(filed)
        self.done.changed += len(changed)
        self.done.rows += len(rows)
        self.tell(self.done)

    def _vectors(self, rows: list[Row]) -> list[bytes | None]:
        """A vector for each row: known ones from the book, the others computed and kept there."""
        if not self.embedder or not rows:
            return [None] * len(rows)
        import numpy as np

        found, known = vectors(self.book, self.embedder, {row.hash: row.text for row in rows}, self._embedded)
        self.done.known += known
        own = np.frombuffer(b"".join(found[row.hash] for row in rows), np.float16).reshape(len(rows), -1)
        return [each.tobytes() for each in in_context(rows, own.astype(np.float32)).astype(np.float16)]

    def _embedded(self, more: int) -> None:
        self.done.embedded += more
        self.tell(self.done)


def _ahead(
    batches: Iterator[tuple[list[Row], dict[str, IndexedFile]]],
) -> Iterator[tuple[list[Row], dict[str, IndexedFile]]]:
    """The same, each read from disk while the one before it is embedded and written."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while batch := coming.result():
            coming = pool.submit(next, batches, None)
            yield batch
