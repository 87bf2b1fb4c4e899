"""Measure how well a model recognizes paraphrases, in English and in Chinese."""

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


def languages(embedder: Embedder) -> tuple[str, ...]:
    """Return the languages in which a model may be used."""
    return tuple(language for language in PAIRS if hits(embedder, language) >= ENOUGH)
