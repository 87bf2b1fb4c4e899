"""How well a model tells what belongs together from what does not, in English and in Chinese."""

from __future__ import annotations

from pathlib import Path

from memcli.index.embed import Embedder
from memcli.text import tables

ENOUGH = 0.75  # of the sentences find their paraphrase: such a model is asked in that language
# By language, sentences with their paraphrases.
PAIRS = {
    row["language"][0]: list(zip(row["says"], row["means"], strict=True))
    for row in tables.rows(Path(__file__).with_name("paraphrases.txt"))
}


def hits(embedder: Embedder, language: str) -> float:
    """The share of sentences whose own paraphrase is the nearest of all paraphrases."""
    first, other = map(embedder.passages, zip(*PAIRS[language], strict=True))
    best = (first @ other.T).argmax(axis=1)
    return float((best == range(len(first))).mean())


def by_chance(embedder: Embedder, language: str) -> float:
    """How near two sentences come that have nothing to do with each other: a deviation and a half above their mean."""
    import numpy as np

    sides = [embedder.passages(side) for side in zip(*PAIRS[language], strict=True)]
    every = np.concatenate(sides)
    likeness = every @ every.T
    apart = np.abs(np.subtract.outer(range(len(every)), range(len(every)))) % len(sides[0]) != 0
    return float(likeness[apart].mean() + 1.5 * likeness[apart].std())


def languages(embedder: Embedder) -> tuple[str, ...]:
    """The languages a model may be asked in."""
    return tuple(language for language in PAIRS if hits(embedder, language) >= ENOUGH)
