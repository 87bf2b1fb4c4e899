"""How likely it is that a memory helps: where a block ends, and when it is better to say that nothing matches.

Signs of a memory and of the question become one likelihood each, by logistic weights that `tests/bench/likelihood.py`
fits on questions whose answers are known. The weights are all there is to tune.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from memcli.recall import properties
from memcli.recall.paths import PATHS, semantic, text
from memcli.recall.score import Scored
from memcli.recall.search import Search, once
from memcli.text import phrases, words

# That a memory is the first of the block to help.
HELPS = {
    "always": -0.66,
    "rank": -1.44,  # its place, as a logarithm
    "covers": 1.7,  # how much of the question it says
    "ahead": 1.3,  # how far the best is ahead of it
    "ahead, by words": -0.43,  # of a long question much is said in passing
    "ahead, by best covers": -2.78,
    "alone, by best covers": -2.31,  # how far the best is ahead of all others
}
LEAST = 0.0025  # likelihood below which a memory is left out

# That the notes answer the question at all; of a memory's words the most there are in one.
ANSWERS = {
    "always": -2.85,
    "whole words": 1.99,
    "pieces": 1.74,  # whole words, and single signs that stand apart
    "missing": -1.44,  # what no note has
    "lead": 2.88,
    "before all notes": -1.09,  # the days that are named
    "outward": -0.9,  # it turns to the world: explain, translate, write a function
}
SURE = 0.1  # likelihood below which nothing matches
BESIDE = 0.7  # the same beside an answer
NEAR = 0.15  # of the way from chance to the very same: so near in meaning is an answer, whatever the words

AHEAD = 3.0  # at most: e^-3 of the best score is nothing
ENTRIES = 10  # of a file, about


# Parts of paths that say by themselves what a question is about; likeness in meaning has to be near for that.
_LEADING_PARTS = tuple(path.part for path in PATHS if path.leads and path.part != "text")
_SURE_PARTS = tuple(part for part in _LEADING_PARTS if part != "meaning")


class Ending(NamedTuple):
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
    already. A tag, a day that has notes, and what is near in meaning, are no matter of words."""
    if not known and semantic.meanings(search).nearest >= NEAR:
        return bool(ranked)
    if not known and any(leads_to(memory, _SURE_PARTS) or "dated" in memory.paths for memory in ranked):
        return True
    return bool(ranked) and likelihood(ANSWERS, question_signs(search, ranked)) >= (BESIDE if known else SURE)


def leads_to(memory: Scored, parts: Sequence[str] = _LEADING_PARTS) -> float:
    """How strongly another path than that of the words leads to a memory."""
    return max((memory.parts.get(part, 0.0) for part in parts), default=0.0)


def likelihood(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in signs.items())))


def question_signs(search: Search, ranked: Sequence[Scored]) -> dict[str, float]:
    """What speaks for and against an answer among the ranked memories."""
    asked, rarity = search.query, telling(search)
    whole = {term.text for term in asked.terms if words.is_whole(term)}
    every = {spoken(search, memory) for memory in ranked}
    there = max((len(whole & said) for said in every), default=0)
    apart = max((len(pieces(said)) for said in every), default=0)
    counts = zip(asked.terms, text.tally(search).entries, strict=True)
    known = {term.text for term, count in counts if count}.union(*every)
    missing = sum(value for word, value in rarity.items() if word not in known)
    outward = phrases.pattern("outward", "outward", phrases.languages(asked.raw)).search(asked.raw.strip())
    return {
        "always": 1.0,
        "whole words": math.log1p(there),
        "pieces": math.log1p(apart),
        "missing": missing / (sum(rarity.values()) or 1.0),
        "lead": float(any(memory.parts.get("lead") for memory in ranked)),
        "before all notes": float(_before_all(search)),
        "outward": float(outward is not None),
    }


def spoken(search: Search, memory: Scored) -> frozenset[str]:
    """Words of the question that stand in a memory, in the headings above it, or in what its note is called."""
    entry, known = memory.entry, _above(search)
    if (entry.path, entry.trail) not in known:
        document = search.document(entry.path)
        above = [title.lower() for title in entry.trail] + (properties.titles(document) if document else [])
        called = "\n".join(above)
        known[entry.path, entry.trail] = frozenset(term.text for term in search.query.terms if term.count(called))
    return known[entry.path, entry.trail].union(memory.said)


@once
def _above(search: Search) -> dict[tuple[str, tuple[str, ...]], frozenset[str]]:
    """What stands above the memories of a section, as far as it was looked up."""
    return {}


def pieces(said: Iterable[str]) -> list[str]:
    """Those of the words that stand by themselves, and not within a longer one."""
    every = list(said)
    return [word for word in every if not any(word != other and word in other for other in every)]


def _before_all(search: Search) -> bool:
    """Whether only days are named that lie before the first note."""
    spans = search.query.spans
    last = max((span.last for span in spans), default=None)
    return last is not None and not search.vault.dated(search.paths, date.min, last)


def all_signs(search: Search, ranked: Sequence[Scored]) -> list[dict[str, float]]:
    """What speaks for and against each of the ranked memories, the best first."""
    covered = [coverage(search, spoken(search, memory)) for memory in ranked]
    top, length = max(covered, default=0.0), math.log1p(len(search.query.terms))
    covered = [max(own, leads_to(memory)) for own, memory in zip(covered, ranked, strict=True)]
    ahead = [_ahead(ranked[0], memory) for memory in ranked]
    alone = ahead[1] if len(ahead) > 1 else AHEAD
    return [
        {
            "always": 1.0, "rank": math.log1p(at), "covers": covered[at], "ahead": ahead[at],
            "ahead, by words": ahead[at] * length, "ahead, by best covers": ahead[at] * top,
            "alone, by best covers": alone * top if at else 0.0,
        }
        for at in range(len(ranked))
    ]  # fmt: skip


def _ahead(best: Scored, memory: Scored) -> float:
    return min(AHEAD, math.log(best.score / memory.score)) if memory.score > 0 else AHEAD


def coverage(search: Search, said: Iterable[str]) -> float:
    """How much of the question these of its words are, rare ones first; words that no note has are a part of it."""
    rarity = telling(search)
    whole = sum(rarity.values())
    return sum(rarity.get(word, 0.0) for word in said) / whole if whole else 0.0


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
