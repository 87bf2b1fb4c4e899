"""Search the documents of this vault by their words or, with `by: meaning`, by their meaning."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memcli.evidence import Evidence, PlanStep, Want
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.features.knowledge.store import DocumentTable, PieceHit


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return passages of documents, or none when there are no documents.

    With `hurried` it does not wait for LanceDB to load.
    """
    from memcli.features.knowledge import store

    if config.get("hurried") and "lancedb" not in sys.modules and step.want == Want():
        from memcli.features.knowledge import word_cache

        if (hits := word_cache.find_pieces(vault, step.query, step.most)) is not None:
            return [_evidence(step.source, hit) for hit in hits]
    if (shelf := store.open_reader(vault)) is None:
        return []
    by_meaning = config.get("by") == "meaning"
    hits = _near(vault, shelf, step) if by_meaning else shelf.words(step.query, step.most, step.want)
    return [_evidence(step.source, hit) for hit in hits]


def _near(vault: Vault, shelf: DocumentTable, step: PlanStep) -> list[PieceHit]:
    from memcli.index import models
    from memcli.index.embed import Embedder

    model = models.usable_model(vault)
    if model is None or model.fingerprint != shelf.print or not model.reads(step.query):
        return []
    return shelf.near(Embedder(model, vault.environ).query(step.query), step.most, step.want)


def _evidence(source: str, hit: PieceHit) -> Evidence:
    row = hit.row
    place = hit.place if "://" in hit.place else f"{hit.place}:{row.line}"
    meta = {"tags": ", ".join(row.tags), "kind": row.kind, "type": row.type, **hit.meta}
    return Evidence(
        source, row.id, row.title, place, row.text, row.date, row.trail, hit.score, f"{row.doc}:{row.version}",
        row.number,
        {name: value for name, value in meta.items() if value},
    )  # fmt: skip
