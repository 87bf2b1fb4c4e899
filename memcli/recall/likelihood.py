"""How likely it is that a memory helps: where a block ends, and when it is better to say that nothing matches.

Signs of a memory and of the question become one likelihood each, by logistic weights that `tests/bench/likelihood.py`
fits on questions whose answers are known. The weights are all there is to tune.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcli.recall.paths import text
from memcli.recall.score import Scored
from memcli.recall.search import Search, once

# That a memory is the first of the block to help; `ahead` is how far the best is ahead of it.
HELPS = {
    "always": -1.12,
    "ahead": -1.07,
    "rank": -1.28,
    "covers": 1.4,
    "best covers": 0.18,
    "words": 0.11,
    "ahead, by words": 0.09,
    "ahead, by best covers": -3.41,
}
LEAST = 0.005  # likelihood below which a memory is left out

# That the notes answer the question at all.
ANSWERS = {
    "always": -3.2,
    "best covers": 1.0,
    "whole words": 1.0,
    "words": 1.6,
    "missing": -2.1,
    "lead": 3.0,
}
SURE = 0.15  # likelihood below which nothing matches
BESIDE = 0.7  # the same beside an answer

AHEAD = 3.0  # at most: e^-3 of the best score is nothing
ENTRIES = 10  # of a file, about


@dataclass(frozen=True)
class Ending:
    """Why a block ended where it did, and what it left out."""

    why: str = "all"  # or `unlikely`, `nothing`, `budget`, `number`
    left: int = 0  # memories that something of the question leads to, and that are not in the block
    likeliest: float = 0.0  # of those that were unlikely to help

    def as_json(self) -> dict[str, object]:
        return {"why": self.why, "left": self.left, "likeliest": round(self.likeliest, 4)}

    def __str__(self) -> str:
        left = f"{self.left} more that something of the question leads to"
        return {
            "all": "there was no more",
            "unlikely": f"{left} are unlikely to help: the likeliest by {self.likeliest:.4f}, it takes {LEAST:g}",
            "nothing": f"{left} are too unlikely to answer it",
            "budget": f"the budget is full: {left}",
            "number": f"so many were asked for: {left}",
        }[self.why]


def helpful(search: Search, ranked: Sequence[Scored]) -> tuple[list[Scored], Ending]:
    """Those of the ranked memories that are likely to help, and what became of the rest."""
    judged = [
        (likelihood(HELPS, signs), memory) for memory, signs in zip(ranked, all_signs(search, ranked), strict=True)
    ]
    kept = [memory for at, (likely, memory) in enumerate(judged) if likely >= LEAST or not at]
    left = [likely for at, (likely, _) in enumerate(judged) if likely < LEAST and at]
    return kept, Ending("unlikely", len(left), max(left)) if left else Ending()


def answered(search: Search, ranked: Sequence[Scored], known: bool = False) -> bool:
    """Whether the question is likely to be answered by any of these; more surely than not, when the answer is `known`
    already. A tag, a day that has notes, and what is nearer in meaning than chance brings, are no matter of words."""
    if any(memory.parts.get("tag") or memory.parts.get("meaning") or "dated" in memory.paths for memory in ranked):
        return True
    return bool(ranked) and likelihood(ANSWERS, question_signs(search, ranked)) >= (BESIDE if known else SURE)


def likelihood(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in signs.items())))


def question_signs(search: Search, ranked: Sequence[Scored]) -> dict[str, float]:
    """What speaks for and against an answer among the ranked memories."""
    terms, rarity = search.query.terms, telling(search)
    whole = {term.text for term in terms if term.weight >= 1}
    counts = zip(terms, text.tally(search).entries, strict=True)
    missing = sum(rarity.get(term.text, 0.0) for term, count in counts if not count)
    return {
        "always": 1.0,
        "best covers": max((coverage(search, memory) for memory in ranked), default=0.0),
        "whole words": math.log1p(max((len(whole & {*memory.said}) for memory in ranked), default=0)),
        "words": math.log1p(len(terms)),
        "missing": missing / (sum(rarity.values()) or 1.0),
        "lead": float(any(memory.parts.get("lead") for memory in ranked)),
    }


def all_signs(search: Search, ranked: Sequence[Scored]) -> list[dict[str, float]]:
    """What speaks for and against each of the ranked memories, the best first."""
    covered = [coverage(search, memory) for memory in ranked]
    top, best = max(covered, default=0.0), max((memory.score for memory in ranked), default=1.0)
    words = math.log1p(len(search.query.terms))
    found = []
    for at, memory in enumerate(ranked):
        ahead = min(AHEAD, math.log(best / memory.score)) if memory.score > 0 else AHEAD
        found.append({
            "always": 1.0, "ahead": ahead, "rank": math.log1p(at), "covers": covered[at], "best covers": top,
            "words": words, "ahead, by words": ahead * words, "ahead, by best covers": ahead * top,
        })  # fmt: skip
    return found


def coverage(search: Search, memory: Scored) -> float:
    """How much of what the question says stands in the memory itself, rare words first; words that no note has count."""
    rarity = telling(search)
    whole = sum(rarity.values())
    return sum(rarity.get(word, 0.0) for word in memory.said) / whole if whole else 0.0


@once
def telling(search: Search) -> dict[str, float]:
    """What each word of the question tells, by how rare it is; a speaker's name tells nothing of what was said."""
    found = text.tally(search)
    names = text.speakers(search, found)
    number = len(search.paths) * ENTRIES
    return {
        term.text: term.weight * math.log(1 + max(0.0, number - count + 0.5) / (count + 0.5))
        for term, count in zip(search.query.terms, found.entries, strict=True)
        if term.text.lower() not in names
    }
