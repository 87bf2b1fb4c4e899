"""A cross-encoder reads question and passage together and puts the best passages in order. Optional: its folder is a setting."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from memcli.deep.fuse import POOL
from memcli.deep.page import name
from memcli.deep.passages import Evidence
from memcli.errors import MissingPart
from memcli.vault.vault import Vault

READ = 2000  # characters of a passage; such models read some 500 tokens
_FILES = ("model.onnx", "model_quantized.onnx", "model_int8.onnx", "model_optimized.onnx")


def reranked(vault: Vault, query: str, ranked: list[Evidence], most: int) -> tuple[list[Evidence], bool]:
    """The best of the passages in the model's order, and whether there was a model; without one as they came."""
    folder = vault.settings.deep.reranker
    pool = ranked[: POOL * most]
    if not folder or len(pool) < 2:
        return ranked, False
    try:
        scores = _scores(folder, query, pool)
    except MissingPart as error:
        vault.notice(f"not reranked: {error.message} ({error.hint})")
        return ranked, False
    scored = [replace(each, score=score) for each, score in zip(pool, scores, strict=True)]
    return sorted(
        scored, key=lambda each: -each.score
    ), True  # what was not read is left out: it ranks below all of these


def _scores(folder: str, query: str, pool: Sequence[Evidence]) -> list[float]:
    model = _loaded(str(Path(folder).expanduser()))
    try:
        said = list(
            model.rerank(query, [f"{name(each)}\n{each.text[:READ]}" for each in pool], batch_size=1)
        )  # 8-bit weights: others in a batch would change it
    except Exception as error:  # onnxruntime has exceptions of its own, for every way a model can be broken
        raise MissingPart(
            f"the reranker in {folder} fails: {error}", "mem config set --user deep.reranker ''"
        ) from error
    return [1 / (1 + math.exp(-max(-60.0, min(60.0, float(each))))) for each in said]


@lru_cache(1)
def _loaded(folder: str) -> Any:
    """One a process: loading it takes a second."""
    place = Path(folder)
    file = next((f"{sub}{each}" for sub in ("", "onnx/") for each in _FILES if (place / sub / each).is_file()), None)
    if file is None or not (place / "tokenizer.json").is_file():
        raise MissingPart(f"there is no ONNX model with its tokenizer in {folder}", "docs/ask.md says where to get one")
    try:
        from fastembed.common.model_description import ModelSource
        from fastembed.rerank.cross_encoder import TextCrossEncoder
    except ImportError as error:
        raise MissingPart(f"fastembed can't be loaded: {error}", "pip install fastembed") from error
    called = f"mem/reranker-{hashlib.sha1(f'{folder}/{file}'.encode('utf-8', 'replace')).hexdigest()[:12]}"
    try:
        TextCrossEncoder.add_custom_model(called, ModelSource(hf=called), file)
    except ValueError:  # registered before
        pass
    try:
        return TextCrossEncoder(called, specific_model_path=folder, cache_dir=folder, threads=2)
    except Exception as error:
        raise MissingPart(
            f"the reranker in {folder} can't be loaded: {error}", "docs/ask.md says where to get one"
        ) from error
