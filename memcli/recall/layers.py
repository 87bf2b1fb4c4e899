"""Choose for the preset `layered`: the latest memories, the nearest in meaning, and those that sum things up."""

from __future__ import annotations

from datetime import date

from memcli.recall.score import ScoredMemory
from memcli.recall.select import POOL, order_diverse

RECENT, SEMANTIC, SUMMARY = 5, 3, 2
MOST = RECENT + SEMANTIC + SUMMARY  # memories of a block, fresh snapshots among them
PARTS = {"in recent": "recent", "in semantic": "semantic", "in summary": "summary"}  # path → label in the block
_SUMS_UP = frozenset(["memory", "insight", "project", "profile", "snapshot"])  # kinds of files


def choose_by_layer(ranked: list[ScoredMemory], latest: list[ScoredMemory], balance: float) -> list[ScoredMemory]:
    """Return at most ten different memories, each marked with its layer. Without a model, matching words decide which
    are near."""
    meant = [each for each in ranked if each.parts.get("meaning")]
    meant.sort(key=lambda each: -each.parts["meaning"])
    near = meant or [each for each in ranked if each.relevant]
    sums = [each for each in ranked if each.entry.kind in _SUMS_UP]
    known = {each.entry: each for each in ranked}
    recent = [known.get(each.entry, each) for each in latest]
    recent.sort(key=lambda each: (each.entry.day or date.min, each.entry.time or "", each.entry.line), reverse=True)
    chosen: dict[object, ScoredMemory] = {}
    for name, layer, most in zip(PARTS, (recent, near, sums), (RECENT, SEMANTIC, SUMMARY), strict=True):
        pool = layer if layer is recent else order_diverse(layer[: POOL * most], most, balance)
        fresh = [each for each in pool if each.entry not in chosen][:most]
        chosen.update((each.entry, each._replace(paths=(name, *each.paths))) for each in fresh)
    return list(chosen.values())


def layer_of(scored: ScoredMemory) -> str:
    """Return the layer that a memory belongs to in a layered block, or "" in other blocks."""
    return PARTS.get(scored.paths[0], "") if scored.paths else ""
