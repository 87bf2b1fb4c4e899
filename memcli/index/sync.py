"""How a table is kept in line with its files; memories (`index.refresh`) and documents (`knowledge.add`) do it alike.

Under a lock, what is new or changed is read, embedded and written to the table, and only then entered in the catalog:
whoever is killed in between does that batch again. A cache that turns out to be damaged is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from memcli.index import models
from memcli.index.catalog import Catalog, Damaged, IndexedFile
from memcli.index.embed import Embedder
from memcli.index.store import LanceTable, TableKind
from memcli.vault.lock import locked
from memcli.vault.vault import Vault

WAIT = 600.0  # seconds for another process that is at it
PIECE = 128  # texts embedded between two signs of progress
KEEP = 1024  # vectors kept at once: a disk takes longer to confirm than all the rest
WRITES = 40  # after that many a table is put in order; a write of many rows counts as several
ROWS = 250  # that count as a write more


class Progress(Protocol):
    """What was done, and while it runs, how far it is."""

    embedded: int
    known: int  # texts whose vectors were known
    model: str


P = TypeVar("P", bound=Progress)
T = TypeVar("T")


def in_turn(
    vault: Vault, kind: TableKind, lock: str, command: str, bring: Callable[[], T], mend: Callable[[Damaged], None],
    waiting: Callable[[str], None] | None = None, wait: float = WAIT,
) -> T:  # fmt: skip
    """One process at a time; when the cache is damaged, `mend` throws away what is, and it is done once more."""
    with locked(vault.cache / lock, wait, command, waiting, f"{kind.called} is being written"):
        try:
            return bring()
        except Damaged as error:
            mend(error)
        return bring()


class Sync(Generic[P]):
    """One round of it, under the lock."""

    kind: TableKind

    def __init__(
        self, vault: Vault, home: Path, progress: P, tell: Callable[[P], None] | None, embedder: Embedder | None = None
    ) -> None:
        if embedder is None and (model := models.chosen(vault)):
            embedder = Embedder(model, vault.environ)
        self.vault, self.embedder = vault, embedder
        self.print = embedder.model.fingerprint if embedder else ""
        self.dim = embedder.model.dim if embedder else 0
        self.progress = progress
        self.progress.model = embedder.model.name if embedder else ""
        self.tell = tell or (lambda _: None)
        self.writes = 0
        self.catalog = Catalog(home)
        self.cut_short = bool(self.catalog.note("pending"))  # somebody was stopped before the table was in order

    def outdated(self, version: str, model: str, print: str) -> str:
        """Why a table that was made so can't be kept."""
        if version != self.kind.version:
            return f"another version of mem made {self.kind.called}"
        if self.print and print != self.print:
            return f"the model is {self.progress.model} now, it was {model or 'none'}"
        return ""

    def vectors(self, texts: Mapping[str, str]) -> dict[str, bytes]:
        """Of texts by their hash, each computed once: known ones come from the catalog, new ones go there."""
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
        finally:  # nothing is computed twice, not even after Ctrl-C
            self.catalog.keep(self.print, fresh)
        return known | fresh

    def enter(self, files: Mapping[str, IndexedFile], gone: Iterable[str] = ()) -> None:
        """Note what was just written; until the table is in order that is pending."""
        updated = {"updated": self.vault.now.isoformat(timespec="seconds")}
        self.catalog.enter(files, gone, updated | ({"pending": "yes"} if self.writes else {}))
        self.tell(self.progress)

    def wrote(self, rows: int) -> None:
        self.writes += 1 + rows // ROWS

    def settle(self, table: LanceTable, new: bool) -> bool:
        """Put the table in order, now and then; whether it was time for it."""
        writes = int(self.catalog.note("writes") or 0) + self.writes
        due = self.cut_short or writes >= WRITES
        if self.writes or self.cut_short or new:
            table.settle(due, new)
        self.catalog.enter({}, (), {"writes": "0" if due else str(writes), "pending": ""})
        return due
