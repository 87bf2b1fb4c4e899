"""Compare the index with the files: fresh or behind (`mem status`, `mem doctor`), and row by row (`check`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from memcli.errors import MemError
from memcli.index import memory_table, models, texts
from memcli.index.catalog import NAME, Catalog
from memcli.index.refresh import reader
from memcli.message import Message
from memcli.vault import cache_files, files
from memcli.vault.check import BROKEN, NOTE, OK, Check
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class IndexStatus:
    """Describe the index without opening the table."""

    made: bool
    files: int = 0
    entries: int = 0
    behind: int = 0  # number of files that changed, came or went since, or have no vectors of the model in use
    model: str = ""  # the model whose vectors are in it
    size: int = 0  # bytes on disk
    updated: str = ""  # ISO time
    trouble: str = ""


@dataclass(frozen=True)
class Drift:
    """Hold how index and files differ: numbers of rows by file."""

    missing: dict[str, int] = field(default_factory=dict)
    stale: dict[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return not self.missing and not self.stale


def state(vault: Vault) -> IndexStatus:
    """Return how fresh the index is, from the stamps of all files and the catalog."""
    if not (vault.cache / NAME).exists() or not memory_table.exists(vault.cache):
        return IndexStatus(False, behind=sum(1 for _ in texts.memories(vault)))
    try:
        with Catalog(vault.cache) as catalog:
            known, name, updated = catalog.files(), catalog.note("model"), catalog.note("updated")
    except MemError as error:
        return IndexStatus(False, trouble=error.message)
    now = dict(texts.stamps(vault))
    used = ""
    with suppress(MemError):  # a missing model is reported elsewhere, and the index can do no better without it
        model = models.named_model(vault)
        used = model.fingerprint if model else ""
    fresh = {path: each.stamp for path, each in known.items() if each.model == (used or each.model)}
    behind = sum(stamp != fresh.get(path) for path, stamp in now.items())
    rows = sum(each.rows for each in known.values())
    size = cache_files.size(vault.cache / memory_table.FOLDER) + files.size_of(vault.cache / NAME)
    return IndexStatus(True, len(known), rows, behind + len(known.keys() - now.keys()), name, size, updated)


def check(vault: Vault) -> Drift:
    """Read every file, compare its rows with those of the table, and return the differences."""
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


def status_line(here: IndexStatus) -> str:
    """Return the state of the index in one line."""
    if here.trouble:
        return here.trouble
    if not here.made:
        return "none: recall reads the files"
    fresh = Message("behind by {n} file{s}", n=here.behind) if here.behind else "fresh"
    by = Message("words and meaning ({model})", model=here.model) if here.model else "words only"
    updated = here.updated.replace("T", " ") or "never"
    return Message(
        "{FRESH}, {BY}, {n} entries, {size} MB, updated {WHEN}",
        FRESH=fresh,
        BY=by,
        n=here.entries,
        size=f"{here.size / 1e6:.1f}",
        WHEN=updated,
    )


def checks(vault: Vault) -> Iterator[Check]:
    here = state(vault)
    if here.trouble:
        yield Check("index", BROKEN, status_line(here), "mem index makes it anew; until then recall reads the files")
    elif not here.made or here.behind:
        yield Check("index", NOTE, status_line(here), "mem index")
    else:
        yield Check("index", OK, status_line(here))
    try:
        model = models.named_model(vault)
    except MemError as error:
        yield Check("model", BROKEN, "{WHY}: recall works by words alone", error.hint, WHY=error.message)
        return
    if model is None:
        yield Check("model", NOTE, "none chosen: recall works by words alone", "mem model list shows the choice")
    else:
        languages = ", ".join(model.languages) or "no language it was tried in"
        yield Check(
            "model",
            OK,
            Message("{name}, {n} numbers a text, for {languages}", name=model.name, n=model.dim, languages=languages),
        )
