"""Bring the index of memories up to date with the files. Only changed files are read, only new texts are embedded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memcli.errors import MemError
from memcli.index import memory_table, sync, texts
from memcli.index.catalog import NAME, Catalog, FileVectors, IndexedFile, UnreadableCatalog, UnreadableIndex
from memcli.index.embed import Embedder
from memcli.index.memory_table import MemoryTable
from memcli.index.store import TableOptions
from memcli.index.sync import Sync
from memcli.index.texts import EntryRow
from memcli.text.digest import digest
from memcli.text.words import lead_of
from memcli.vault import entries, files
from memcli.vault.entries import REACH
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ASIDE = 0.4  # factor on a neighbour's share outside of conversations

BATCH = 2000  # rows of a write

Batch = tuple[list[EntryRow], dict[str, IndexedFile]]


@dataclass
class RefreshReport:
    """Report the results of a refresh, or its progress while it runs."""

    files: int = 0  # number of files to read
    done: int = 0
    changed: int = 0
    removed: int = 0
    rows: int = 0  # rows written
    embedded: int = 0
    known: int = 0  # texts whose vectors were known
    model: str = ""
    made_anew: str = ""  # why the index was made anew, or ""


Tell = Callable[[RefreshReport], None]


def refresh(
    vault: Vault,
    embedder: Embedder | None = None,
    tell: Tell | None = None,
    rebuild: bool = False,
    paths: set[str] | None = None,
    waiting: Callable[[str], None] | None = None,
) -> RefreshReport:
    """Bring the index up to date with all files, or with those in `paths` when nothing else can have changed."""
    files.make_cache(vault.cache)

    def bring() -> RefreshReport:
        new = not (vault.cache / NAME).exists()
        return _MemorySync(vault, vault.cache, RefreshReport(), tell, embedder).run(new, rebuild, paths)

    def recover(error: UnreadableIndex) -> None:
        if isinstance(error, UnreadableCatalog):  # a damaged table is known by its mark
            forget(vault)
            vault.notice("{WHY}: it is made anew", WHY=error.message)

    return sync.in_turn(vault, MemoryTable.kind, "index.lock", "index", bring, recover, waiting)


def forget(vault: Vault) -> None:
    """Delete the index."""
    memory_table.remove(vault.cache)
    files.remove(vault.cache / NAME)


def reader(vault: Vault) -> MemoryTable | None:
    """Return the table for reading, or None when there is none yet."""
    if not (memory_table.exists(vault.cache) and (vault.cache / NAME).exists()):
        return None
    with Catalog(vault.cache) as catalog:
        made = catalog.note("schema") == MemoryTable.kind.version
    return MemoryTable(vault.cache) if made else None


class _MemorySync(Sync[RefreshReport]):
    kind = MemoryTable.kind
    table: MemoryTable | None = None
    new = False  # this run made the table, and nobody reads it yet

    def run(self, new: bool, rebuild: bool, paths: set[str] | None) -> RefreshReport:
        with self.catalog:
            why = "" if new else self._outdated()
            if why:
                self.vault.notice("{WHY}: the index is made anew", WHY=why)
            if new or why or rebuild:
                self._begin(why)
                paths = None
            self._bring(paths)
        return self.progress

    def _outdated(self) -> str:
        """Return why the table can't be kept, or ""."""
        note = self.catalog.note
        if not note("schema"):
            return "an earlier attempt was cut short"
        if not memory_table.exists(self.vault.cache):
            return "its table is gone"
        return self.outdated(note("schema"), note("model"), note("print"))

    def _begin(self, why: str) -> None:
        """Make an empty table. Known vectors are kept."""
        memory_table.remove(self.vault.cache)
        self.catalog.begin({})
        made = TableOptions(self.dim, self.progress.model, self.print)
        self.table = MemoryTable(self.vault.cache, made)
        notes = {"schema": self.kind.version, "print": self.print, "model": self.progress.model}
        self.catalog.begin(notes)
        self.progress.made_anew, self.new = why, True

    def _bring(self, paths: set[str] | None) -> None:
        known = self.catalog.files()
        now = dict(texts.stamps(self.vault, paths))
        gone = [path for path in (known if paths is None else paths & known.keys()) if path not in now]
        changed = [
            path for path, stamp in now.items()
            if path not in known or known[path].stamp != stamp or (self.print and known[path].model != self.print)
        ]  # fmt: skip
        self.progress.files, self.progress.removed = len(changed), len(gone)
        self.tell(self.progress)  # announce the work before a model is loaded, which takes time
        for rows, indexed in _ahead(self._batches(changed, now, known)):
            self._write(rows, indexed, gone, known)
            gone = []
        if gone:
            self._write([], {}, gone, known)
        if (self.table or self.cut_short) and self.settle(self._opened(), self.new) and self.embedder:
            self.catalog.sweep(self.print, {hash for _, hash in self._opened().ids().values()})

    def _opened(self) -> MemoryTable:
        self.table = self.table or MemoryTable(self.vault.cache)
        return self.table

    def _batches(self, changed: list[str], now: Mapping[str, str], known: Mapping[str, IndexedFile]) -> Iterator[Batch]:
        rows: list[EntryRow] = []
        indexed: dict[str, IndexedFile] = {}
        for path in changed:
            new, indexed[path] = self._read(path, now[path], known.get(path))
            rows += new
            if len(rows) >= BATCH:
                yield rows, indexed
                rows, indexed = [], {}
        if indexed:
            yield rows, indexed

    def _read(self, path: str, stamp: str, before: IndexedFile | None) -> tuple[list[EntryRow], IndexedFile]:
        """Return the rows of a file and its record; no rows when its text is unchanged."""
        try:
            source = files.read_file(files.inside(self.vault.root, path), path)
        except MemError as error:
            self.vault.notice(error.message)
            return [], IndexedFile(stamp, "", 0, self.print)
        hash = digest(source.text)
        if before and before.hash == hash and before.model == (self.print or before.model):
            return [], before._replace(stamp=stamp)
        rows = texts.rows(entries.parse_document(path, source.text))
        return rows, IndexedFile(stamp, hash, len(rows), self.print)

    def _write(
        self, rows: list[EntryRow], indexed: dict[str, IndexedFile], gone: list[str], known: Mapping[str, IndexedFile]
    ) -> None:
        changed = [path for path, file in indexed.items() if path not in known or known[path][1:] != file[1:]]
        meanings: list[FileVectors] = []
        if changed or gone:
            vectors = self._vectors(rows)
            self._opened().write_rows(rows, vectors, [*changed, *gone])
            self.wrote(len(rows))
            meanings = _of_files(changed, rows, vectors)
        self.progress.done += len(indexed)
        self.progress.changed += len(changed)
        self.progress.rows += len(rows)
        self.enter(indexed, gone, meanings)

    def _vectors(self, rows: list[EntryRow]) -> list[bytes | None]:
        """Return a vector for each row, its context included, or None for each without a model."""
        if not self.embedder or not rows:
            return [None] * len(rows)
        import numpy as np

        known = self.vectors({row.hash: row.text for row in rows})
        own = np.frombuffer(b"".join(known[row.hash] for row in rows), np.float16).reshape(len(rows), -1)
        return [vector.tobytes() for vector in in_context(rows, own.astype(np.float32)).astype(np.float16)]


def _of_files(paths: list[str], rows: list[EntryRow], vectors: list[bytes | None]) -> list[FileVectors]:
    """Return the vectors of each of these files, also of files without any."""
    found: dict[str, tuple[list[str], list[bytes]]] = {path: ([], []) for path in paths}
    for row, vector in zip(rows, vectors, strict=True):
        if vector is not None:
            entries, numbers = found[row.path]
            entries.append(row.parent)
            numbers.append(vector)
    return [FileVectors(path, entries, b"".join(numbers)) for path, (entries, numbers) in found.items()]


def _ahead(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the same batches, each read from disk while the one before it is embedded and written."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while batch := coming.result():
            coming = pool.submit(next, batches, None)
            yield batch


def in_context(rows: Sequence[EntryRow], own: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors of rows, each mixed with the vectors of its neighbours in the same section.

    This gives a row the context of its neighbours. On long conversations it works better than embedding each entry
    together with its neighbours. The rows must be in the order of their files."""
    import numpy as np

    found: NDArray[np.float32] = own.copy()
    talks = np.array([bool(lead_of(row.text)) for row in rows])
    section = {key: number for number, key in enumerate(dict.fromkeys((row.path, row.trail) for row in rows))}
    sections = np.array([section[row.path, row.trail] for row in rows])
    for step, share in REACH:
        if step and abs(step) < len(rows):
            to, by = (slice(0, -step), slice(step, None)) if step > 0 else (slice(-step, None), slice(0, step))
            beside = np.where(talks[to] & talks[by], share, share * ASIDE) * (sections[to] == sections[by])
            found[to] += beside[:, None].astype(np.float32) * own[by]
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return found
