"""Turn texts into vectors. Only this module runs an embedding model.

Models with 8-bit weights scale their numbers by everything in a batch, so in another batch a text gets another
vector. Therefore every text is embedded separately, several at a time on threads, which the model's runtime allows.
docs/meaning.md has what batches of equal length would save (a third for notes, nothing for longer texts) and cost.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcli.errors import MissingPart
from memcli.extras import how_to_install
from memcli.index import models
from memcli.index.models import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

QUERIES = 2048  # number of queries whose vectors are kept in memory
_POOLING = {"mean": "MEAN", "cls": "CLS", "last": "LAST_TOKEN", "none": "DISABLED"}


class Embedder:
    """Run a model. It is loaded with the first text, from its folder and never from a network."""

    def __init__(self, model: Model, environ: Mapping[str, str]) -> None:
        self.model = model
        self._folder = models.place(model, environ)
        self._loaded: Any = None
        self.query = lru_cache(QUERIES)(self._query)

    @property
    def placed(self) -> Model:
        """Return the model with its folder, for processes that have no settings to find it by."""
        return replace(self.model, folder=str(self._folder))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a row of `dim` numbers for each text."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.model.dim), np.float32)
        self.load()
        workers = min(max(2, os.cpu_count() or 1), len(texts))
        # Long texts are spread over the workers, so that all end at about the same time.
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        parts = [order[first::workers] for first in range(workers)]
        found = np.empty((len(texts), self.model.dim), np.float32)
        with ThreadPoolExecutor(workers) as pool:
            for part, rows in zip(
                parts, pool.map(lambda part: self._run([texts[at] for at in part]), parts), strict=True
            ):
                found[part] = rows
        return found

    def stored(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vectors of texts as tables and catalogs keep them: 16-bit floats as bytes."""
        return [row.tobytes() for row in self.passages(texts).astype("float16")]

    def _query(self, text: str) -> Vectors:
        self.load()
        row: Vectors = self._run([text], self.model.query)[0]
        row.flags.writeable = False  # it is cached and returned again
        return row

    def _run(self, texts: list[str], prefix: str | None = None) -> Vectors:
        import numpy as np

        before = self.model.passage if prefix is None else prefix
        said = [before + text.encode("utf-8", "replace").decode() for text in texts]
        try:
            rows = np.asarray(list(self._loaded.embed(said, batch_size=1)), np.float32)
        except Exception as error:  # onnxruntime has its own exceptions for every way in which a model can be broken
            raise MissingPart(f"the model {self.model.name} fails: {_brief(error)}", _MEND) from error
        if rows.shape != (len(texts), self.model.dim):
            raise MissingPart(f"the model {self.model.name} gives vectors of shape {rows.shape[1:]}", _MEND)
        return np.nan_to_num(rows)

    def load(self) -> None:
        if self._loaded is None:
            self._loaded = loaded(self.model, self._folder)


_MEND = "mem model add FOLDER with a model that fits, or mem model use another"


def loaded(model: Model, folder: Path) -> Any:
    """Return fastembed with the model in `folder`. Raise MissingPart with what is wrong with it."""
    try:
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType
    except ImportError as error:
        raise MissingPart(f"fastembed can't be loaded: {_brief(error)}", how_to_install("fastembed")) from error
    name = f"mem/{model.fingerprint}-{model.file}"
    try:
        TextEmbedding.add_custom_model(
            name, PoolingType[_POOLING[model.pooling]], model.normalise, ModelSource(hf=name), model.dim, model.file
        )
    except ValueError:  # an earlier embedder registered it
        pass
    try:
        return TextEmbedding(name, specific_model_path=str(folder), cache_dir=str(folder), threads=1)
    except Exception as error:
        raise MissingPart(f"the model in {folder} can't be loaded: {_brief(error)}", _MEND) from error


def _brief(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200]
