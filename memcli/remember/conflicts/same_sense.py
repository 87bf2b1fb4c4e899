"""Find memories that mean the same in other words, if an index with a model has their vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcli import extras
from memcli.errors import MissingPart
from memcli.remember.conflicts.compare import Pair
from memcli.text.later import compile_later
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

# From this similarity on the user is asked. MiniLM gives tea and coffee 0.83, a fact in other words 0.64 to 0.92.
SAME = 0.85
MOST = 5000  # memories that are compared, the latest ones
_STEP = 500  # memories compared at once
_NAME = compile_later(r"(?<=[^.!?\s] )[A-Z]\w+|[A-Z]{2,}|\b[a-z]+[A-Z]\w*")  # within a sentence


def find_pairs(vault: Vault, entries: Sequence[Entry]) -> Iterator[Pair]:
    """Yield pairs with near vectors and the same names; none without a model or an index. `entries` are in the order
    of their days."""
    if not vault.settings.index.model:
        return
    try:
        with extras.wanted():
            import numpy as np

            from memcli.index import models, texts, vector_index
    except MissingPart:
        return
    if not (model := models.usable_model(vault)):
        return
    hashes = {entry: texts.hash_of(entry) for entry in entries[-MOST:]}
    known = vector_index.own_vectors(vault.cache, model, list(dict.fromkeys(hashes.values())))
    found = [entry for entry, hash in hashes.items() if hash in known]
    if not found:
        return
    rows = np.stack([known[hashes[entry]] for entry in found])
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    for start in range(0, len(found), _STEP):
        near = np.argwhere(rows[start : start + _STEP] @ rows.T >= SAME)
        for one, other in ((found[start + int(a)], found[int(b)]) for a, b in near if start + int(a) < int(b)):
            if set(_NAME.findall(one.words)) == set(_NAME.findall(other.words)):
                yield one, other
