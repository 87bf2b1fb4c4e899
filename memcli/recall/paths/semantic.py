"""Find memories that mean the same in other words: the semantic path. It needs a model; recall works without it.

Similarities are compared with the two-hundredth nearest memory, or with half of the way from the usual similarity in
the vault to the highest. The similarity to a question differs between models and questions; how far the best memories
stand out does not. Where many memories are nearly as near as the nearest, its nearness says little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memcli import extras
from memcli.errors import MemError
from memcli.message import Message, joined
from memcli.recall.search_state import VaultSearch, cached_per_search
from memcli.recall_path import RecallPath
from memcli.text.sentences import sentences
from memcli.vault import layout, snapshots
from memcli.vault.entries import Entry

if TYPE_CHECKING:
    from memcli.index.vector_index import Near, Nearest, VectorIndex

NEAREST = 200
MOST_FILES = 32
CROWD = 10  # where the memory after so many is nearly as near as the nearest, nearness tells little apart …
CROWDED = 0.8  # … and counts less by this
# The last sentences of a long question are also compared one by one: at most so many, each of at least so many
# characters, from the last part of the question of this length.
SENTENCES, SHORT, LONGEST = 8, 8, 4000


class Meanings(dict[tuple[str, str], float]):
    """Hold how far each of the nearest memories stands out, by file and hash."""

    nearest: float | None = None  # similarity of the nearest: 0 is usual in the vault, 1 is identical


def find_entries(search: VaultSearch) -> Iterator[Entry]:
    """Yield the memories that stand out, from the files with the best of them."""
    near = find_meanings(search)
    best: dict[str, float] = {}
    for (path, _), value in near.items():
        best[path] = max(value, best.get(path, 0.0))
    likest = [path for path in sorted(best, key=lambda path: (-best[path], path)) if layout.kind_of(path) == "snapshot"]
    best = {path: value * search.snapshot_factor(path) for path, value in best.items()}
    there = (path for path in likest if search.entries(path))
    selected = snapshots.best(search.query.raw, there, best.__getitem__, search.text)
    for path in likest:
        if path not in selected:
            del best[path]
    for path in sorted(best, key=lambda path: (-best[path], path))[:MOST_FILES]:
        yield from (entry for entry in search.whole_file(path) if meaning(search, entry) > 0)


def meaning(search: VaultSearch, entry: Entry) -> float:
    """Return how far a memory stands out, at most 1. Snapshots fade with the days."""
    near = find_meanings(search)
    value = near.get((entry.path, entry.hash), 0.0) if near else 0.0
    return value * search.snapshot_factor(entry.path) if value else 0.0


@cached_per_search
def find_meanings(search: VaultSearch) -> Meanings:
    """Return how far each of the nearest memories stands out, by file and hash."""
    try:
        return _find_standing_out(search) if search.semantic else Meanings()
    except MemError as error:
        _note_why_not(search, error.message, error.hint)
        return Meanings()


def _note_why_not(search: VaultSearch, why: str, fix: str) -> None:
    """Add a notice that says why meaning is not used, and how to fix it."""
    search.vault.notice("answered by words alone: {WHY}", WHY=joined(why, fix))


def measure_nearness(search: VaultSearch, text: str) -> float | None:
    """Return the similarity of the memory nearest to a text: 0 is usual in the vault, 1 is identical. Return None when
    meaning is not used."""
    if text == search.query.raw:
        return find_meanings(search).nearest
    try:
        vectors = _open_vectors(search) if search.semantic and text.strip() else None
        return _scale_nearest(*_find_nearest(search, vectors, text)) if vectors else None
    except MemError:  # a notice already reported it for the question
        return None


def measure_texts(search: VaultSearch, texts: Mapping[str, str]) -> dict[str, float] | None:
    """Return how near texts that are not memories are to the question, by name: 0 is usual among them, 1 is identical.
    Return None when meaning is not used."""
    try:
        vectors = _open_vectors(search) if search.semantic and texts and search.query.raw.strip() else None
        if vectors is None:
            return None
        from memcli.index import vector_index

        near, usual = vector_index.find_nearest_texts(search.vault.cache, vectors.embedder, texts, search.query.raw)
        return {each.hash: _scale_likeness(each.likeness, usual) for each in near}
    except MemError as error:
        _note_why_not(search, error.message, error.hint)
        return None


def find_alike(search: VaultSearch, entry: Entry, most: int) -> list[Near]:
    """Return the memories most like another in meaning: 0 is usual in the vault, 1 is identical. Return none when
    meaning is not used."""
    vectors = _open_vectors(search) if search.semantic and find_meanings(search) else None
    if vectors is None:
        return []
    near, usual = vectors.alike(entry.path, entry.hash, search.paths, most)
    return [each._replace(likeness=_scale_likeness(each.likeness, usual)) for each in near]


def is_known(search: VaultSearch, entry: Entry) -> bool:
    """Return whether the meaning of a memory is known; it is not while the index lags behind the files."""
    vectors = _open_vectors(search) if search.semantic else None
    return vectors is not None and vectors.holds(entry.path, entry.hash)


@cached_per_search
def _open_vectors(search: VaultSearch) -> VectorIndex | None:
    """Return the vectors of the vault; None, with the reason in a notice, when meaning can't be used."""
    vault, question = search.vault, search.query.raw
    vectors = vault.vectors
    if vectors is None:
        with extras.wanted():
            from memcli.index.vector_index import changed_since, open_vectors  # loads numpy

        vectors = open_vectors(vault)
        if vectors and len(vectors) and (late := changed_since(vault, vectors.embedder.model, search.paths)):
            vault.notice("{n} file{s} changed since the last mem index: found by words alone; mem index", n=late)
    if vectors is None:
        _note_why_not(search, "no model is chosen", "mem model use NAME")
        return None
    found: VectorIndex = vectors
    model = found.embedder.model
    if not model.reads(question):
        _note_why_not(
            search,
            Message("the model {name} does not know the language of the question", name=model.name),
            "mem model list",
        )
        return None
    if not len(found):
        if search.paths:
            _note_why_not(search, "the index has no vectors of this model yet", "mem index")
        return None
    return found


def _find_standing_out(search: VaultSearch) -> Meanings:
    vectors = _open_vectors(search) if search.query.raw.strip() else None
    if vectors is None:
        return Meanings()
    near, usual = _find_nearest(search, vectors, search.query.raw)
    found = Meanings()
    if not near:
        return found
    halfway = (usual + near[0].likeness) / 2
    base = max(near[-1].likeness, halfway) if len(near) > NEAREST else halfway
    found.nearest = _scale_nearest(near, usual)
    share = 1 - CROWDED * _measure_crowd(near, base)
    least = search.vault.settings.recall.likeness
    for each in near:
        if each.likeness > base and each.likeness >= least.get(layout.kind_of(each.path), least.get("all", -1.0)):
            value = share * (each.likeness - base) / (near[0].likeness - base)
            found[each.path, each.hash] = max(value, found.get((each.path, each.hash), 0.0))
    return found


def _measure_crowd(near: Sequence[Near], base: float) -> float:
    """Return how near to the question the memory after the first CROWD is, from 0 (at the base) to 1 (the nearest)."""
    if len(near) <= CROWD or near[CROWD].likeness <= base:
        return 0.0
    return (near[CROWD].likeness - base) / (near[0].likeness - base)


def _find_nearest(search: VaultSearch, vectors: VectorIndex, text: str) -> Nearest:
    text = text.strip()
    apart = [one.strip() for one in sentences(text[-LONGEST:]) if len(one.strip()) >= SHORT][-SENTENCES:]
    return vectors.nearest(text, search.paths, NEAREST + 1, apart if len(apart) > 1 else ())


def _scale_nearest(near: Sequence[Near], usual: float) -> float | None:
    return _scale_likeness(near[0].likeness, usual) if near else None


def _scale_likeness(likeness: float, usual: float) -> float:
    return (likeness - usual) / max(1e-6, 1 - usual)


PATH = RecallPath("semantic", "meaning", 1.0, find_entries, meaning, leads=True)
