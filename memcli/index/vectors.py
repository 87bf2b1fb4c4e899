"""Vectors of texts, each computed once: known ones come from the book, new ones go there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memcli.index.catalog import Catalog
from memcli.index.embed import Embedder

PIECE = 128  # texts embedded between two signs of progress
KEEP = 1024  # vectors kept at once: a disk takes longer to confirm than all the rest


def vectors(
    book: Catalog, embedder: Embedder, said: Mapping[str, str], tell: Callable[[int], object] = int
) -> tuple[dict[str, bytes], int]:
    """For texts by their hash: their vectors by that hash, and how many were known. `tell` hears how many more are made."""
    import numpy as np

    mark = embedder.model.fingerprint
    found = book.vectors(mark, said)
    known, new = len(found), [each for each in said if each not in found]
    fresh: dict[str, bytes] = {}
    try:
        for first in range(0, len(new), PIECE):
            piece = new[first : first + PIECE]
            computed = embedder.passages([said[each] for each in piece]).astype(np.float16)
            fresh.update((each, vector.tobytes()) for each, vector in zip(piece, computed, strict=True))
            if len(fresh) % KEEP == 0:
                book.keep(mark, fresh)
            tell(len(piece))
    finally:  # nothing is computed twice, not even after Ctrl-C
        book.keep(mark, fresh)
    return found | fresh, known
