"""Report on documents to `mem status` and `mem doctor` from their catalog.

It loads nothing heavy and uses no network.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from memcli.errors import MemError
from memcli.features.knowledge import address
from memcli.index.catalog import NAME, Catalog
from memcli.message import Message
from memcli.vault.check import BROKEN, NOTE, OK, Check
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class DocumentsStatus:
    """Describe the shelf as of this vault's last write."""

    store: str = ""
    documents: int = 0
    pieces: int = 0
    model: str = ""  # the model of its vectors
    updated: str = ""  # ISO time
    cut_short: bool = False  # adding was interrupted
    trouble: str = ""
    fix: str = ""

    @property
    def summary(self) -> str:
        if not self.store:
            return self.trouble or "no documents: mem knowledge add PATH"
        by = Message("words and meaning ({model})", model=self.model) if self.model else "words only"
        updated = self.updated.replace("T", " ") or "never"
        documents = documents_in_pieces(self.documents, self.pieces)
        return Message("{DOCUMENTS}, {BY}, updated {WHEN}", DOCUMENTS=documents, BY=by, WHEN=updated)


def documents_in_pieces(documents: int, pieces: int) -> Message:
    """Return in words how many documents there are, and in how many pieces."""
    return Message("{n} document{s} in {PIECES}", n=documents, PIECES=Message("{n} piece{s}", n=pieces))


def shelf_status(vault: Vault) -> DocumentsStatus:
    """Return the state of the shelf. It is empty when nothing was ever put there."""
    home = vault.cache / address.FOLDER
    try:
        at = address.address_of(vault)
        if not at.exists or not (home / NAME).exists():
            return DocumentsStatus()
        with Catalog(home) as catalog:
            known = {name: catalog.note(name) for name in ("documents", "chunks", "model", "updated", "pending")}
    except MemError as error:
        return DocumentsStatus(trouble=error.message, fix=error.hint)
    counts = int(known["documents"] or 0), int(known["chunks"] or 0)
    return DocumentsStatus(at.url, *counts, known["model"], known["updated"], bool(known["pending"]))


def summary(vault: Vault) -> tuple[dict[str, Any], str]:
    """Return the state for `mem status`: as data and in one line, which is empty when there is nothing to say."""
    here = shelf_status(vault)
    return asdict(here), here.summary if here != DocumentsStatus() else ""


def checks(vault: Vault) -> Iterator[Check]:
    """Yield the check of the shelf, or nothing when there is none."""
    here = shelf_status(vault)
    if here.trouble:
        yield Check("knowledge", BROKEN, here.trouble, here.fix)
    elif here.cut_short:
        yield Check("knowledge", NOTE, "adding documents was cut short", "mem knowledge add goes on")
    elif here.store:
        yield Check("knowledge", OK, here.summary)
