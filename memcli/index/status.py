"""How the index stands beside the files: fresh or behind, and with `check` row by row."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from memcli.errors import MemError
from memcli.index import models, table, texts
from memcli.index.catalog import NAME, Catalog
from memcli.index.refresh import reader
from memcli.vault import cache_files, files
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class State:
    """The index as seen from outside, without opening the table."""

    made: bool
    files: int = 0
    entries: int = 0
    behind: int = 0  # files that changed since, came or went, or have no vectors of the model that is in use
    model: str = ""  # whose vectors are in it
    size: int = 0  # bytes of all of it on disk
    updated: str = ""  # ISO time
    trouble: str = ""


@dataclass(frozen=True)
class Drift:
    """Where index and files differ: rows by file."""

    missing: dict[str, int] = field(default_factory=dict)
    stale: dict[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return not self.missing and not self.stale


def state(vault: Vault) -> State:
    """How fresh the index is: a look at the stamps of all files, and into the book."""
    if not (vault.cache / NAME).exists() or not table.exists(vault.cache):
        return State(False, behind=sum(1 for _ in texts.memories(vault)))
    try:
        book = Catalog(vault.cache)
        known, name, updated = book.files(), book.note("model"), book.note("updated")
        book.close()
    except MemError as error:
        return State(False, trouble=error.message)
    if table.damaged(vault.cache):
        return State(False, trouble="the index is damaged")
    now = dict(texts.stamps(vault))
    used = ""
    with suppress(MemError):  # a model that is missing is told elsewhere, and the index can do no better without it
        model = models.asked(vault)
        used = model.fingerprint if model else ""
    fresh = {path: each.stamp for path, each in known.items() if each.model == (used or each.model)}
    behind = sum(stamp != fresh.get(path) for path, stamp in now.items())
    rows = sum(each.rows for each in known.values())
    size = cache_files.size(vault.cache / "lance") + files.size_of(vault.cache / NAME)
    return State(True, len(known), rows, behind + len(known.keys() - now.keys()), name, size, updated)


def check(vault: Vault) -> Drift:
    """Read every file and compare what should be in the table with what is."""
    there = reader(vault)
    found = there.ids() if there else {}
    drift = Drift()
    for path in texts.memories(vault):
        try:
            wanted = texts.rows(vault.document(path))
        except MemError as error:
            vault.notice(error.message)
            continue
        for row in wanted:
            if found.pop(row.id, None) != (row.path, row.hash):
                drift.missing[path] = drift.missing.get(path, 0) + 1
    for path, _ in found.values():
        drift.stale[path] = drift.stale.get(path, 0) + 1
    return drift
