"""Many ranked lists made one: reciprocal ranks, no near-repeats, and the passages of one document put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memcli.deep.passages import Evidence
from memcli.text import novelty

RANK = 60  # k of reciprocal rank fusion: what a first place is worth against a tenth
POOL = 3  # times as many passages as are wanted are compared with each other
TOGETHER = 3  # passages of one document that are shown as one
GAP = "\n…\n"
_LEAST = 40  # characters that two passages must share to be taken for overlapping


def fused(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """All passages, best first, by the sum of 1 / (60 + rank) over the lists in which they stand."""
    best: dict[str, Evidence] = {}
    score: dict[str, float] = {}
    for each in lists:
        seen = set()
        for rank, one in enumerate(each, 1):
            if one.id in seen:  # who says the same twice has not two voices
                continue
            seen.add(one.id)
            best.setdefault(one.id, one)
            score[one.id] = score.get(one.id, 0.0) + 1 / (RANK + rank)
    return [replace(best[id], score=score[id]) for id in sorted(score, key=lambda id: (-score[id], id))]


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
    first, *rest = sorted(group, key=lambda each: each.number)
    text, last, trails = first.text, first.number, [first.trail]
    for each in rest:
        text += _after(text, each.text) if each.number == last + 1 else GAP + each.text
        last = each.number
        trails.append(each.trail)
    head = group[0]  # the best of them gives its place
    trail = head.trail if len(set(trails)) == 1 else " · ".join(dict.fromkeys(filter(None, trails)))
    return replace(head, text=text, trail=trail)


def _after(before: str, text: str) -> str:
    """What a passage adds to the one before it, whose end it may begin with."""
    for size in range(min(len(before), len(text)), _LEAST - 1, -1):
        if text.startswith(before[-size:]):
            return text[size:]
    return "\n\n" + text
