"""The same task in other words, where there is a model that knows what words mean.

A model's cosines are not the likeness of words: its own scale is put onto theirs, so that 0.8 asks for as much of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcli import extras
from memcli.errors import MemError
from memcli.features.ways.likeness import ALIKE, OTHER, does_otherwise
from memcli.vault.vault import Vault

SAME = 0.6  # cosine from which two tasks are taken for the same one; tests/features/ways/pairs.tsv says what it costs


def likeness(vault: Vault, goals: Sequence[str], question: str, cold: bool = False) -> dict[str, float]:
    """How alike each goal is to the question by meaning; nothing where no model is at hand. Without `cold` none is
    loaded for it: a prompt can't wait."""
    embedder = _embedder(vault, cold) if goals else None
    if embedder is None:
        return {}
    try:
        asked = embedder.query(question)
        near = {goal: float(embedder.query(goal) @ asked) for goal in dict.fromkeys(goals)}
    except MemError as error:
        vault.notice(f"patterns are compared by words alone: {error.message}")
        return {}
    return {goal: _scaled(cosine, does_otherwise(goal, question)) for goal, cosine in near.items()}


def _scaled(cosine: float, otherwise: bool) -> float:
    """0.8 where the model takes two for the same; a task of another verb is another one, however near its words."""
    scaled = ALIKE * cosine / SAME if cosine <= SAME else ALIKE + (1 - ALIKE) * (cosine - SAME) / (1 - SAME)
    return min(scaled, OTHER) if otherwise else scaled


def _embedder(vault: Vault, cold: bool) -> Any:
    if vault.vectors is not None:
        return vault.vectors.embedder
    if not (cold and vault.settings.index.model):
        return None
    try:
        with extras.wanted():
            from memcli.index import embed, models
    except MemError:
        return None
    model = models.chosen(vault)
    return embed.Embedder(model, vault.environ) if model else None
