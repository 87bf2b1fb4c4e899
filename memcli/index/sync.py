"""Keep a table up to date with its files; memories (`index.refresh`) and documents (`knowledge.add`) share this.

Under a lock, new and changed files are read, embedded and written to the table, and only then entered in the
catalog: a process killed in between repeats that batch. A damaged cache is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from memcli.index import models
from memcli.index.catalog import Catalog, FileVectors, IndexedFile, UnreadableIndex
from memcli.index.embed import Embedder
from memcli.index.store import LanceTable, TableKind
from memcli.message import Message
from memcli.vault.lock import hold_lock
from memcli.vault.vault import Vault

WAIT = 600.0  # seconds to wait for another process that does the same
PIECE = 128  # texts embedded between two reports of progress
KEEP = 1024  # vectors saved at once: a disk takes longer to confirm than to write
WRITES = 40  # a table is put in order after this many writes; a write of many rows counts as several
ROWS = 250  # rows that count as one more write


class SyncProgress(Protocol):
    """Report the results of a round, or its progress while it runs."""

    embedded: int
    known: int  # texts whose vectors were known
    model: str


P = TypeVar("P", bound=SyncProgress)
T = TypeVar("T")


def in_turn(
    vault: Vault, kind: TableKind, lock: str, command: str, bring: Callable[[], T],
    recover: Callable[[UnreadableIndex], None], waiting: Callable[[str], None] | None = None,
) -> T:  # fmt: skip
    """Run `bring` under a lock and return its result. If the cache is damaged, call `recover` and run it once more."""
    busy = Message("{WHAT} is being written", WHAT=kind.called)
    with hold_lock(vault.cache / lock, WAIT, command, waiting, doing=busy):
        try:
            return bring()
        except UnreadableIndex as error:
            recover(error)
        return bring()


class Sync(Generic[P]):
    """Do one round of the work, under the lock."""

    kind: TableKind

    def __init__(
        self, vault: Vault, home: Path, progress: P, tell: Callable[[P], None] | None, embedder: Embedder | None = None
    ) -> None:
        if embedder is None and (model := models.usable_model(vault)):
            embedder = Embedder(model, vault.environ)
        self.vault, self.embedder = vault, embedder
        self.print = embedder.model.fingerprint if embedder else ""
        self.dim = embedder.model.dim if embedder else 0
        self.progress = progress
        self.progress.model = embedder.model.name if embedder else ""
        self.tell = tell or (lambda _: None)
        self.writes = 0
        self.catalog = Catalog(home)
        # an earlier process was stopped before the table was in order
        self.cut_short = bool(self.catalog.note("pending"))

    def outdated(self, version: str, model: str, print: str) -> str:
        """Return why a table made with this version and model can't be kept, or ""."""
        if version != self.kind.version:
            return Message("another version of mem made {what}", what=self.kind.called)
        if self.print and print != self.print:
            return Message("the model is {new} now, it was {old}", new=self.progress.model, old=model or "none")
        return ""

    def vectors(self, texts: Mapping[str, str]) -> dict[str, bytes]:
        """Return the vectors of texts by their hash.

        Known ones come from the catalog; new ones are computed once and kept.
        """
        assert self.embedder
        known = self.catalog.vectors(self.print, texts)
        self.progress.known += len(known)
        new = [hash for hash in texts if hash not in known]
        fresh: dict[str, bytes] = {}
        try:
            for first in range(0, len(new), PIECE):
                piece = new[first : first + PIECE]
                fresh.update(zip(piece, self.embedder.stored([texts[hash] for hash in piece]), strict=True))
                if len(fresh) % KEEP == 0:
                    self.catalog.keep(self.print, fresh)
                self.progress.embedded += len(piece)
                self.tell(self.progress)
        finally:  # saves computed vectors even after Ctrl-C
            self.catalog.keep(self.print, fresh)
        return known | fresh

    def enter(
        self, files: Mapping[str, IndexedFile], gone: Iterable[str] = (), meanings: Iterable[FileVectors] = ()
    ) -> None:
        """Record what was just written. It counts as pending until the table is in order."""
        updated = {"updated": self.vault.now.isoformat(timespec="seconds")}
        self.catalog.enter(files, gone, updated | ({"pending": "yes"} if self.writes else {}), meanings)
        self.tell(self.progress)

    def wrote(self, rows: int) -> None:
        self.writes += 1 + rows // ROWS

    def settle(self, table: LanceTable, new: bool) -> bool:
        """Put the table in order when that is due, and return whether it was."""
        writes = int(self.catalog.note("writes") or 0) + self.writes
        due = self.cut_short or writes >= WRITES
        if self.writes or self.cut_short or new:
            table.settle(due, new)
        self.catalog.enter({}, (), {"writes": "0" if due else str(writes), "pending": ""})
        return due
