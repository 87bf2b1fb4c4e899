"""Find the memories nearest in meaning to a question. The vectors are in memory and are compared one by one.

A hundred thousand comparisons take 10 ms here; LanceDB's flat search over as many takes 150.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memcli.index import catalog, model_check, models, texts
from memcli.index.catalog import Catalog, FileVectors, UnreadableCatalog
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.text.digest import digest
from memcli.text.words import CJK_RUN

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

# With fewer than FEW other memories, the usual similarity is measured with some unrelated sentences instead.
FEW, STRANGERS = 10, 8
MORE = 64  # extra candidates: the fast comparison may order neighbours wrongly


class Near(NamedTuple):
    """Hold a memory near to a question."""

    path: str
    hash: str  # the entry's hash
    likeness: float


class Nearest(NamedTuple):
    """Hold the memories nearest to a question, nearest first, and the usual similarity of all others."""

    found: list[Near]
    usual: float  # the mean similarity of all but the nearest


class VectorIndex:
    """Hold the vectors of a vault's files. Files can be set and dropped at any time."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._files: dict[str, FileVectors] = {}
        self._stacked: tuple[object, list[tuple[str, str]], NDArray[np.float32]] | None = None

    def __len__(self) -> int:
        return sum(len(each.entries) for each in self._files.values())

    def fill(self, known: Sequence[FileVectors]) -> None:
        """Set the vectors of files. Raise UnreadableCatalog when their number does not fit the entries."""
        if any(len(each.vectors) != 2 * self.embedder.model.dim * len(each.entries) for each in known):
            raise UnreadableCatalog("vectors of another size")
        self._files |= {each.path: each for each in known}
        self._stacked = None

    def drop(self, path: str) -> None:
        self._files.pop(path, None)
        self._stacked = None

    def holds(self, path: str, hash: str) -> bool:
        return path in self._files and hash in self._files[path].entries

    def nearest(self, question: str, paths: Sequence[str], most: int, apart: Sequence[str] = ()) -> Nearest:
        """Return the nearest memories of these files, nearest first; equal ones by file and hash.

        `apart` are the sentences of a long question. The similarity of a memory is then the mean of two: to the whole
        question and to its most similar sentence. The whole of a long text is too vague, and a sentence lacks context.
        """
        names, vectors = self._stack(paths)
        asked = self.embedder.query(question)
        each_apart = [self.embedder.query(sentence) for sentence in apart]
        if not names:
            return Nearest([], 0.0)
        likely = vectors @ asked
        if each_apart:
            likely = (likely + (vectors @ np.stack(each_apart, axis=1)).max(axis=1)) / 2
        of_all = float(likely.sum(dtype=np.float64))
        rows = _find_best_rows(likely, most)
        # A row's result must not depend on its neighbours, as the last digits of a matrix product do.
        chosen = vectors[rows].astype(np.float64)
        exact = (chosen * asked.astype(np.float64)).sum(axis=1)
        if each_apart:
            best = np.max([(chosen * one.astype(np.float64)).sum(axis=1) for one in each_apart], axis=0)
            exact = (exact + best) / 2
        found = [
            Near(names[row][0], names[row][1], round(likeness, 6))
            for row, likeness in zip(rows.tolist(), exact.tolist(), strict=True)
        ]
        found.sort(key=lambda near: (-near.likeness, near.path, near.hash))
        of_others, others = of_all - found[0].likeness, len(names) - 1
        if others < FEW:
            of_others += (FEW - others) * self._likeness_of_strangers(question, asked)
        return Nearest(found[:most], round(of_others / max(others, FEW), 5))

    def alike(self, path: str, hash: str, paths: Sequence[str], most: int) -> Nearest:
        """Return the memories of these files that are most like one of them, the most alike first. Return none where
        there are too few to tell what is usual."""
        names, vectors = self._stack(paths)
        if len(names) <= FEW or (path, hash) not in names:
            return Nearest([], 0.0)
        own = names.index((path, hash))
        likely = vectors @ vectors[own]
        others = [row for row in _find_best_rows(likely, most + 1).tolist() if row != own]
        exact = (vectors[others].astype(np.float64) * vectors[own].astype(np.float64)).sum(axis=1)
        found = [
            Near(names[row][0], names[row][1], round(likeness, 6))
            for row, likeness in zip(others, exact.tolist(), strict=True)
        ]
        found.sort(key=lambda near: (-near.likeness, near.path, near.hash))
        of_others = float(likely.sum(dtype=np.float64)) - 1
        return Nearest(found[:most], round(of_others / (len(names) - 1), 5))

    def _likeness_of_strangers(self, question: str, asked: NDArray[np.float32]) -> float:
        """Return the highest similarity between a question and some unrelated sentences."""
        pairs = model_check.PAIRS["zh" if CJK_RUN.search(question) else "en"]
        return float((self.embedder.passages([sentence for sentence, _ in pairs[:STRANGERS]]) @ asked).max())

    def _stack(self, paths: Sequence[str]) -> tuple[list[tuple[str, str]], NDArray[np.float32]]:
        """Return the file and hash of each memory of these files, and their vectors; the last answer is cached."""
        if self._stacked is None or self._stacked[0] is not paths:
            held = [self._files[path] for path in paths if path in self._files]
            flat = np.frombuffer(b"".join(each.vectors for each in held), np.float16).astype(np.float32)
            names = [(each.path, hash) for each in held for hash in each.entries]
            self._stacked = (paths, names, flat.reshape(len(names), self.embedder.model.dim))
        return self._stacked[1:]


def _find_best_rows(likely: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """Return the rows of the highest likeness, and MORE of them, since the last digits are not exact."""
    if len(likely) <= most + MORE:
        return np.arange(len(likely))
    return np.argpartition(-likely, most + MORE)[: most + MORE]


def find_nearest_texts(cache: Path, embedder: Embedder, texts: Mapping[str, str], question: str) -> Nearest:
    """Return how near texts that are not indexed are to a question; `hash` is the name of each. Their vectors are kept
    in the catalog, so that each text is embedded once."""
    found = VectorIndex(embedder)
    hashes = {digest(text, 16): text for text in texts.values()}
    with Catalog(cache) as catalog:
        known = catalog.vectors(embedder.model.fingerprint, hashes)
        if new := [each for each in hashes if each not in known]:
            fresh = dict(zip(new, embedder.stored([hashes[each] for each in new]), strict=True))
            catalog.keep(embedder.model.fingerprint, fresh)
            known |= fresh
    vectors = b"".join(known[digest(text, 16)] for text in texts.values())
    found.fill([FileVectors("texts", list(texts), vectors)])
    return found.nearest(question, ["texts"], len(texts))


def own_vectors(cache: Path, model: Model, hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of these texts without context, by their hash, as far as they are known."""
    with Catalog(cache) as catalog:
        known = catalog.vectors(model.fingerprint, hashes)
    return {each: np.frombuffer(vector, np.float16).astype(np.float32) for each, vector in known.items()}


def open_vectors(vault: Vault, embedder: Embedder | None = None) -> VectorIndex | None:
    """Return the vectors of a vault's index, with the model that its settings name, or None when they name none.

    Raise MissingPart when the model is not here. Without an index of this model the result is empty and finds
    nothing.
    """
    model = embedder.model if embedder else models.named_model(vault)
    if model is None:
        return None
    vectors = VectorIndex(embedder or Embedder(model, vault.environ))
    if (vault.cache / catalog.NAME).exists():
        with Catalog(vault.cache) as held:
            if held.note("print") == model.fingerprint:
                vectors.fill(held.meanings())
    return vectors


def changed_since(vault: Vault, model: Model, paths: Sequence[str]) -> int:
    """Return how many of these files changed since the index was last brought up to date with this model."""
    with Catalog(vault.cache) as held:
        known = {path: each.stamp for path, each in held.files().items() if each.model == model.fingerprint}
    return sum(known.get(path) != stamp for path, stamp in texts.stamps(vault, set(paths)))
