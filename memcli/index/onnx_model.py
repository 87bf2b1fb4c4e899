"""Run an ONNX model with its tokenizer: a text in, a vector out. Only `index.embed` uses it.

The tokenizer and the runtime are loaded directly. They take a quarter of a second together; fastembed, which can load
the same folders, takes another one to import.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime
from tokenizers import AddedToken, Tokenizer

from memcli.vault import files, json_read

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_ERRORS_ONLY = 3  # the runtime's warnings are for the makers of a model


class OnnxModel:
    """Hold a loaded model. Threads may share it."""

    def __init__(self, folder: Path, file: str, pooling: str, normalise: bool) -> None:
        self._pooling, self._normalise = pooling, normalise
        self._tokenizer = _tokenizer(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # callers bring threads of their own
        options.log_severity_level = _ERRORS_ONLY
        self._session: Any = onnxruntime.InferenceSession(
            str(folder / file), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {node.name for node in self._session.get_inputs()}

    @property
    def pools(self) -> bool:
        """Return whether the model gives one vector for a text by itself, and not one for each token."""
        return len(self._session.get_outputs()[0].shape) == 2

    def vector(self, text: str) -> Vector:
        """Return the vector of a text."""
        encoded = self._tokenizer.encode(text)
        ids = np.array([encoded.ids], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.array([encoded.attention_mask], np.int64),
            "token_type_ids": np.zeros_like(ids),
        }
        output = self._session.run(None, {name: given[name] for name in given if name in self._inputs})[0][0]
        row = np.asarray(self._pooled(output), np.float32)
        return row / max(float(np.linalg.norm(row)), 1e-12) if self._normalise else row

    def _pooled(self, output: Any) -> Any:
        """Return one vector for a text from the row of each of its tokens: their mean, the first or the last.

        A text alone in its batch has no padding to leave out.
        """
        if output.ndim == 1 or self._pooling == "none":
            return output
        if not len(output):
            return np.zeros(output.shape[-1], np.float32)
        if self._pooling == "mean":
            return output.mean(axis=0)
        return output[0 if self._pooling == "cls" else -1]


def _tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a folder, which cuts a text where the model's room ends. Raise ValueError without it."""
    config = json_read.parse_mapping(files.read_or_empty(folder / "tokenizer_config.json").text)
    lengths = [config.get("model_max_length"), config.get("max_length")]
    most = min((each for each in lengths if isinstance(each, int) and 0 < each <= sys.maxsize), default=0)
    if not most:
        raise ValueError("tokenizer_config.json names no model_max_length")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    side = config.get("truncation_side") or (tokenizer.truncation or {}).get("direction", "right")
    tokenizer.enable_truncation(max_length=most, direction=side)
    tokenizer.no_padding()
    special = json_read.parse_mapping(files.read_or_empty(folder / "special_tokens_map.json").text)
    for value in special.values():
        for token in value if isinstance(value, list) else [value]:
            tokenizer.add_special_tokens([AddedToken(**token) if isinstance(token, dict) else token])
    return tokenizer
