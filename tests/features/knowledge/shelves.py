"""Documents on a vault's shelf, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memcli.features.knowledge import address, cut
from memcli.features.knowledge.documents import KnowledgeDocument, rows_of
from memcli.features.knowledge.store import DocumentTable
from memcli.index.store import TableOptions
from memcli.vault.vault import Vault

ADDED = "2026-11-21T14:30:00"


def document(origin: str, text: str, **known: object) -> KnowledgeDocument:
    return KnowledgeDocument(origin, str(known.pop("title", "")), text, "markdown", **known)  # type: ignore[arg-type]


def lay(vault: Vault, documents: Sequence[KnowledgeDocument], embedder: object = None) -> DocumentTable:
    """All these documents on a new shelf, with vectors where there is an embedder that can read them."""
    model = getattr(embedder, "model", None)
    at = address.address_of(vault)
    store = DocumentTable(at, TableOptions(model.dim, model.name, model.fingerprint) if model else TableOptions())
    found = [row for each in documents for row in rows_of(each, cut.cut_pieces(each), ADDED)]
    vectors: list[bytes | None] = [None] * len(found)
    if model:
        read = [n for n, row in enumerate(found) if model.reads(row.text)]
        made = embedder.passages([found[n].text for n in read]).astype(np.float16)  # type: ignore[attr-defined]
        for n, vector in zip(read, made, strict=True):
            vectors[n] = vector.tobytes()
    store.write_rows(found, vectors)
    store.settle(due=True, new=True)
    return store
