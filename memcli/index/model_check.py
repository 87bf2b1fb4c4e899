"""Measure how well a model tells what belongs together from what does not, in English and in Chinese."""

from __future__ import annotations

from pathlib import Path

from memcli.index.embed import Embedder
from memcli.text import tables

ENOUGH = 0.75  # share of sentences that must find their paraphrase for a model to be used in that language
# Sentences with their paraphrases, by language.
PAIRS = {
    row["language"][0]: list(zip(row["says"], row["means"], strict=True))
    for row in tables.rows(Path(__file__).with_name("paraphrases.txt"))
}


def hits(embedder: Embedder, language: str) -> float:
    """Return the share of sentences whose own paraphrase is the nearest of all paraphrases."""
    first, other = map(embedder.passages, zip(*PAIRS[language], strict=True))
    best = (first @ other.T).argmax(axis=1)
    return float((best == range(len(first))).mean())


def by_chance(embedder: Embedder, language: str) -> float:
    """Return the likeness to a question that unrelated notes hardly exceed: their mean and one and a half deviations.

    The sentences are asked as questions, since some models put them elsewhere than notes of the same words.
    """
    import numpy as np

    first, other = zip(*PAIRS[language], strict=True)
    every = [*first, *other]
    likeness = np.stack([embedder.query(text) for text in every]) @ embedder.passages(every).T
    apart = np.abs(np.subtract.outer(range(len(every)), range(len(every)))) % len(first) != 0
    return round(float(likeness[apart].mean() + 1.5 * likeness[apart].std()), 3)


def chances(embedder: Embedder) -> dict[str, float]:
    """Return what chance brings in each language that the model knows: one may lie closer together than another."""
    return {language: by_chance(embedder, language) for language in PAIRS if embedder.model.speaks(language)}


def languages(embedder: Embedder) -> tuple[str, ...]:
    """Return the languages in which a model may be used."""
    return tuple(language for language in PAIRS if hits(embedder, language) >= ENOUGH)
