"""Recognize the same task in other words, if there is a model.

A model's cosines are scaled to the similarity of words, so that the threshold 0.8 means the same for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcli import extras
from memcli.errors import MemError
from memcli.features.ways.likeness import ALIKE, OTHER, does_otherwise
from memcli.vault.vault import Vault

SAME = 0.6  # cosine from which two tasks count as the same; tests/features/ways/pairs.tsv shows the cost


def likeness(vault: Vault, goals: Sequence[str], question: str, cold: bool = False) -> dict[str, float]:
    """Return the similarity in meaning of each goal to the question; {} without a model. A model is loaded only if
    `cold` is set, because a prompt can't wait."""
    embedder = _embedder(vault, cold) if goals else None
    if embedder is None:
        return {}
    try:
        asked = embedder.query(question)
        near = {goal: float(embedder.query(goal) @ asked) for goal in dict.fromkeys(goals)}
    except MemError as error:
        vault.notice("patterns are compared by words alone: {WHY}", WHY=error.message)
        return {}
    return {goal: _scaled(cosine, does_otherwise(goal, question)) for goal, cosine in near.items()}


def _scaled(cosine: float, otherwise: bool) -> float:
    """Return the cosine on the scale of likeness: 0.8 where the model takes two tasks for the same. A task with
    another action stays below, however near its words are."""
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
    model = models.usable_model(vault)
    return embed.Embedder(model, vault.environ) if model else None
