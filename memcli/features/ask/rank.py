"""Merge ranked lists into one, without near-repeats and with the passages of a document joined.

The lists are merged by rank, and reordered by a cross-encoder if there is one. It reads question and passage
together. It is optional; a setting names its folder.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from memcli.errors import MissingPart
from memcli.evidence import Evidence
from memcli.extras import how_to_install
from memcli.features.ask import page
from memcli.features.ask.page import title_of
from memcli.text import novelty
from memcli.text.digest import digest
from memcli.text.stitch import stitch_pieces
from memcli.vault.vault import Vault

RANK = 60  # k of reciprocal rank fusion: the worth of a first place against a tenth
POOL = 3  # so many times the wanted number of passages are compared with each other
ANSWERS = 0.75  # share of a question's words that a note must have to answer it
TOGETHER = 3  # passages of one document that are shown as one
GAP = "\n…\n"
READ = 2000  # characters of a passage; such models read some 500 tokens
_FILES = ("model.onnx", "model_quantized.onnx", "model_int8.onnx", "model_optimized.onnx")


def fuse(lists: Sequence[Sequence[Evidence]], weights: Sequence[float] = ()) -> list[Evidence]:
    """Return all passages, best first, by the sum of weight / (60 + rank) over the lists that hold them.

    Of equal ones those of the first list come first.
    """
    best: dict[str, Evidence] = {}
    score: dict[str, float] = {}
    for each, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        seen = set()
        for rank, one in enumerate(each, 1):
            if one.id in seen:  # a list that repeats a passage counts it once
                continue
            seen.add(one.id)
            best.setdefault(one.id, one)
            score[one.id] = score.get(one.id, 0.0) + weight / (RANK + rank)
    return [replace(best[id], score=score[id]) for id in sorted(score, key=lambda id: -score[id])]


def own_first(ranked: Sequence[Evidence], query: str, own: Collection[str]) -> list[Evidence]:
    """Return the passages with the user's own notes that answer the question first.

    Such a note comes from a source in `own`, has nearly all words of the question, and at least as many as any
    document.
    """
    shares = [page.share_of_words(passage, query) for passage in ranked]
    others = max((share for one, share in zip(ranked, shares, strict=True) if one.source not in own), default=0.0)
    enough = max(ANSWERS, others)
    answers = [one for one, share in zip(ranked, shares, strict=True) if one.source in own and share >= enough]
    others_after = [one for one in ranked if one not in answers]
    return [replace(one, score=ranked[0].score) for one in answers] + others_after


def choose(ranked: Sequence[Evidence], most: int, balance: float) -> list[Evidence]:
    """Return the best passages that differ, from at most `most` documents, each with its passages in their order."""
    pool = ranked[: POOL * most]
    order = novelty.order_by_novelty([passage.score for passage in pool], [passage.text for passage in pool], balance)
    groups: dict[str, list[Evidence]] = {}
    for passage in [*(pool[at] for at in order), *ranked[POOL * most :]]:
        name = passage.doc or passage.id
        if name in groups:
            if len(groups[name]) < TOGETHER:
                groups[name].append(passage)
        elif len(groups) < most:
            groups[name] = [passage]
        else:
            break
    return [_stitched(group) for group in groups.values()]


def _stitched(group: list[Evidence]) -> Evidence:
    """Return the passages of one document as one.

    Text that two of them share appears once, and gaps between them are marked.
    """
    runs: list[list[Evidence]] = []
    for passage in sorted(group, key=lambda each: each.number):
        if runs and passage.number == runs[-1][-1].number + 1:
            runs[-1].append(passage)
        else:
            runs.append([passage])
    text = GAP.join(stitch_pieces([passage.text for passage in run]) for run in runs)
    trail = _together([passage.trail for run in runs for passage in run])
    return replace(group[0], text=text, trail=trail, place=runs[0][0].place, number=runs[0][0].number)


def _together(trails: list[str]) -> str:
    """Return the headings that all trails share, then those that differ: `h1 > a · b`."""
    parts = [trail.split(" > ") for trail in dict.fromkeys(trails) if trail]
    above = [level[0] for level in takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))]
    below = [" > ".join(part[len(above) :]) for part in parts]
    return " > ".join([*above, " · ".join(below)] if all(below) and below else above)


def rerank(vault: Vault, query: str, ranked: list[Evidence], most: int) -> tuple[list[Evidence], bool]:
    """Return the best passages in the cross-encoder's order and True, or the passages as they came and False."""
    folder = vault.settings.of_feature("deep.reranker")
    pool = ranked[: POOL * most]
    if not folder or len(pool) < 2:
        return ranked, False
    try:
        scores = _scores(folder, query, pool)
    except MissingPart as error:
        vault.notice("not reranked: {WHY} ({HINT})", WHY=error.message, HINT=error.hint)
        return ranked, False
    scored = [replace(each, score=score) for each, score in zip(pool, scores, strict=True)]
    return sorted(scored, key=lambda each: -each.score), True  # the rest was not read: it would rank below all of these


def _scores(folder: str, query: str, pool: Sequence[Evidence]) -> list[float]:
    model = _loaded(os.path.expanduser(folder))
    try:
        scores = list(
            model.rerank(query, [f"{title_of(passage)}\n{passage.text[:READ]}" for passage in pool], batch_size=1)
        )  # 8-bit weights: others in a batch would change it
    except Exception as error:  # onnxruntime has exceptions of its own, for every way a model can be broken
        raise MissingPart(
            "the reranker in {place} fails: {WHY}", "mem config set --user deep.reranker ''", place=folder, WHY=error
        ) from error
    return [1 / (1 + math.exp(-max(-60.0, min(60.0, float(piece))))) for piece in scores]


@lru_cache(1)
def _loaded(folder: str) -> Any:
    """Return the cross-encoder in `folder`, which takes a second to load. Raise MissingPart when it can't be loaded."""
    place = Path(folder)
    file = next((f"{sub}{path}" for sub in ("", "onnx/") for path in _FILES if (place / sub / path).is_file()), None)
    if file is None or not (place / "tokenizer.json").is_file():
        raise MissingPart(
            "there is no ONNX model with its tokenizer in {place}", "docs/ask.md says where to get one", place=folder
        )
    try:
        from fastembed.common.model_description import ModelSource
        from fastembed.rerank.cross_encoder import TextCrossEncoder
    except ImportError as error:
        raise MissingPart("fastembed can't be loaded: {WHY}", how_to_install("fastembed"), WHY=error) from error
    called = f"mem/reranker-{digest(f'{folder}/{file}', 12)}"
    try:
        TextCrossEncoder.add_custom_model(called, ModelSource(hf=called), file)
    except ValueError:  # it was registered before
        pass
    try:
        return TextCrossEncoder(called, specific_model_path=folder, cache_dir=folder, threads=2)
    except Exception as error:
        raise MissingPart(
            "the reranker in {place} can't be loaded: {WHY}",
            "docs/ask.md says where to get one",
            place=folder,
            WHY=error,
        ) from error
