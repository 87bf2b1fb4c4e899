"""The eye for meaning: which memories are nearest to a question. Vectors in memory, compared one by one.

A hundred thousand comparisons take 10 ms here; LanceDB's flat search over as many takes 150, and its vector indexes
answer only roughly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memcli.index import judge, models, refresh
from memcli.index.embed import Embedder
from memcli.index.table import Vectors

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

MORE = 64  # candidates beyond those asked for: the fast comparison may order neighbours wrongly


class Near(NamedTuple):
    """A memory near to a question."""

    path: str
    hash: str  # the entry's
    likeness: float


class Eye:
    """The vectors of a vault's files; a file may be put and dropped at any time."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._vectors = np.zeros((0, embedder.model.dim), np.float32)
        self._hashes: list[str] = []
        self._paths: list[str] = []  # of each row; empty for one that is no more
        self._rows: dict[str, list[int]] = {}
        self._free: list[int] = []
        self._mask: tuple[object, NDArray[np.bool_]] | None = None

    def __len__(self) -> int:
        return len(self._paths) - len(self._free)

    def fill(self, known: Vectors) -> None:
        """Everything in the table, at once."""
        at: dict[str, list[int]] = {}
        for number, path in enumerate(known.paths):
            at.setdefault(path, []).append(number)
        for path, numbers in at.items():
            self.put(path, [known.parents[each] for each in numbers], known.matrix[numbers])

    def put(self, path: str, hashes: Sequence[str], vectors: NDArray[np.float16] | NDArray[np.float32]) -> None:
        """All that is known of a file, in place of what was known."""
        self.drop(path)
        rows = [self._free.pop() for _ in range(min(len(self._free), len(hashes)))]
        new = range(len(self._paths), len(self._paths) + len(hashes) - len(rows))
        rows += new
        if rows and rows[-1] >= len(self._vectors):
            grown = np.zeros((max(1024, 2 * len(self._vectors), rows[-1] + 1), self.embedder.model.dim), np.float32)
            grown[: len(self._vectors)] = self._vectors
            self._vectors = grown
        self._hashes.extend("" for _ in new)
        self._paths.extend("" for _ in new)
        for row, hash in zip(rows, hashes, strict=True):
            self._hashes[row], self._paths[row] = hash, path
        self._vectors[rows] = vectors
        self._rows[path] = rows

    def drop(self, path: str) -> None:
        self._mask = None
        for row in self._rows.pop(path, ()):
            self._paths[row] = ""
            self._free.append(row)

    @cached_property
    def chance(self) -> float:
        """The likeness up to which it means nothing with this model."""
        known = [language for language in judge.PAIRS if self.embedder.model.speaks(language)]
        return round(max((judge.by_chance(self.embedder, language) for language in known), default=0.0), 3)

    def nearest(self, question: str, paths: Sequence[str], most: int) -> list[Near]:
        """The nearest memories of these files, the nearest first; equal ones by file and hash."""
        mask = self._admitted(paths)
        asked = self.embedder.query(question)
        rows = np.flatnonzero(mask)
        if not len(rows):
            return []
        likely = self._vectors[: len(mask)] @ asked
        likely[~mask] = -2.0
        some = min(len(rows), most + MORE)
        if some < len(likely):
            rows = np.argpartition(-likely, some - 1)[:some]
            rows = rows[mask[rows]]
        # What a row gives must not depend on those beside it, as it does in the last digits of a matrix product.
        exact = (self._vectors[rows].astype(np.float64) * asked.astype(np.float64)).sum(axis=1)
        found = [
            Near(self._paths[row], self._hashes[row], round(likeness, 6))
            for row, likeness in zip(rows.tolist(), exact.tolist(), strict=True)
        ]
        return sorted(found, key=lambda near: (-near.likeness, near.path, near.hash))[:most]

    def _admitted(self, paths: Sequence[str]) -> NDArray[np.bool_]:
        if self._mask is None or self._mask[0] is not paths:
            mask = np.zeros(len(self._paths), dtype=bool)
            rows: Iterable[list[int]] = (self._rows[path] for path in paths if path in self._rows)
            mask[[row for each in rows for row in each]] = True
            self._mask = (paths, mask)
        return self._mask[1]


def open_eye(vault: Vault, embedder: Embedder | None = None) -> Eye | None:
    """The eye of a vault's index, with the model its settings name. None when there is no model; MissingPart when it
    is not here; an empty eye sees nothing."""
    model = embedder.model if embedder else models.asked(vault)
    if model is None:
        return None
    eye = Eye(embedder or Embedder(model, vault.environ))
    if refresh.made_with(vault) == model.fingerprint and (table := refresh.reader(vault)):
        eye.fill(table.vectors())
    return eye
