"""Many ranked lists made one: reciprocal ranks, no near-repeats, and the passages of one document put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from memcli.deep.passages import Evidence
from memcli.knowledge.cut import stitched
from memcli.text import novelty

RANK = 60  # k of reciprocal rank fusion: what a first place is worth against a tenth
POOL = 3  # times as many passages as are wanted are compared with each other
TOGETHER = 3  # passages of one document that are shown as one
GAP = "\n…\n"


def fused(lists: Sequence[Sequence[Evidence]], weights: Sequence[float] = ()) -> list[Evidence]:
    """All passages, best first, by the sum of 1 / (60 + rank) over the lists in which they stand, each list with its
    weight. Of equal ones those of the first list come first."""
    best: dict[str, Evidence] = {}
    score: dict[str, float] = {}
    for each, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        seen = set()
        for rank, one in enumerate(each, 1):
            if one.id in seen:  # who says the same twice has not two voices
                continue
            seen.add(one.id)
            best.setdefault(one.id, one)
            score[one.id] = score.get(one.id, 0.0) + weight / (RANK + rank)
    return [replace(best[id], score=score[id]) for id in sorted(score, key=lambda id: -score[id])]


def chosen(ranked: Sequence[Evidence], most: int, balance: float) -> list[Evidence]:
    """The best that differ, at most so many documents, each with its passages in their order."""
    pool = ranked[: POOL * most]
    order = novelty.order([each.score for each in pool], [each.text for each in pool], balance)
    groups: dict[str, list[Evidence]] = {}
    for each in [*(pool[at] for at in order), *ranked[POOL * most :]]:
        name = each.doc or each.id
        if name in groups:
            if len(groups[name]) < TOGETHER:
                groups[name].append(each)
        elif len(groups) < most:
            groups[name] = [each]
        else:
            break
    return [_stitched(group) for group in groups.values()]


def _stitched(group: list[Evidence]) -> Evidence:
    """Passages of one document as one: what two of them share is said once, what lies between them is marked."""
    runs: list[list[Evidence]] = []
    for each in sorted(group, key=lambda each: each.number):
        if runs and each.number == runs[-1][-1].number + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    text = GAP.join(stitched([each.text for each in run]) for run in runs)
    trail = _together([each.trail for run in runs for each in run])
    return replace(group[0], text=text, trail=trail, place=runs[0][0].place, number=runs[0][0].number)


def _together(trails: list[str]) -> str:
    """The headings that all have in common, then those that differ: `h1 > a · b`."""
    parts = [trail.split(" > ") for trail in dict.fromkeys(trails) if trail]
    above = [level[0] for level in takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))]
    below = [" > ".join(each[len(above) :]) for each in parts]
    return " > ".join([*above, " · ".join(below)] if all(below) and below else above)
