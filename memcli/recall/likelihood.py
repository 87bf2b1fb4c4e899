"""Judge how likely a memory answers: where a block ends, and when it is better to say that nothing matches.

The score is a logarithm of odds: how far a memory lies behind the best says how much less likely it is to answer.
Whether anything answers at all is told by signs of the question and of what was found, weighed by `ANSWERS`, which were
fitted on questions that a note answers and on questions that nothing answers, by an author who knew no rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memcli.message import Message
from memcli.recall.paths import PATHS, semantic, text
from memcli.recall.query import Query
from memcli.recall.score import SHARPNESS, ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.text import words

# Odds beside the best memory below which another one is left out of an empty block.
LEAST = 0.015
# By what power of e they grow with a thousand tokens that are spent already: among notes; after several turns of a
# talk, which say less precisely what is wanted; and in notes that are talk themselves, where a line says less.
DEARER, DEARER_AFTER_TALK, DEARER_IN_TALK = 3.3, 2.1, 1.0
MANY, DEARER_AMONG_MANY = 1000, 1.3  # the more above so many memories are alike by chance: by the logarithm of how many
DEAREST = 0.9  # odds that are enough however full the block is

# That the notes answer the question at all.
ANSWERS = {
    "always": -3.8,
    "covers": 3.5,  # the largest share of the question that one memory says
    "whole words": 2.4,  # the most that stand in one memory, as a logarithm
    "missing": -1.5,  # the share of the question that no note has
    "lead": 2.1,  # it was said by the one who is asked about
    "dated": 1.4,  # it is of a time that is asked for
    "prompt": 2.5,  # one who tells before asking says much that is not asked
    "talk": 4.0,  # and several turns of a talk still more
    "keywords": 0.8,  # who types words to look for wants what has any of them
    "long": 4.0,  # of what is pasted most is not asked about
    "large": -0.7,  # among many memories one has the words by chance: as a logarithm, beside `USUAL`
}
SURE = 0.1  # likelihood below which nothing matches
# The same where a model knows how near in meaning the nearest is: words and meaning judge together.
BY_MEANING = {
    "always": -2.7,
    "words": 0.25,  # the odds of the words, as a logarithm
    "near": 9.5,  # how far the nearest is on the way from the usual likeness to the very same
}
SURE_BY_MEANING = 0.25
BESIDE = 0.44  # the same beside an answer
SURE_OF_THE_REST = 0.02  # the same beside a label or a preference that answers a part
ENOUGH = 5  # whole words; more say no more
USUAL = 300  # memories of a vault; fewer are no better sign

# Parts of paths that say by themselves what a question is about; likeness in meaning has to be near for that.
_LEADING_PARTS = tuple(path.part for path in PATHS if path.leads and path.part != "text")
# A tag, and whatever a path of a feature from outside leads by.
_SURE_PARTS = tuple(part for part in _LEADING_PARTS if part != "meaning")


class BlockEnding(NamedTuple):
    """Hold why a block ended where it did, and how much it left out."""

    why: str = "all"  # or `unlikely`, `nothing`, `budget`, `number`
    left: int = 0  # memories that something of the question leads to, and that are not in the block
    likeliest: float = 0.0  # of those that were unlikely to help: odds beside the best memory

    def as_json(self) -> dict[str, object]:
        return {"why": self.why, "left": self.left, "likeliest": round(self.likeliest, 4)}

    def __str__(self) -> str:
        left = Message("{n} more that something of the question leads to", n=self.left)
        return {
            "all": "there was no more",
            "unlikely": Message(
                "{LEFT} are unlikely to help: the likeliest is {share} times as likely as the best",
                LEFT=left,
                share=f"{self.likeliest:.4f}",
            ),
            "nothing": Message("{LEFT} are too unlikely to answer it", LEFT=left),
            "budget": Message("the budget is full: {LEFT}", LEFT=left),
            "number": Message("so many were asked for: {LEFT}", LEFT=left),
        }[self.why]


def odds_beside(memory: ScoredMemory, best: ScoredMemory) -> float:
    """Return how likely a memory is to answer, beside the best one."""
    return math.exp(min(0.0, SHARPNESS * (memory.score - best.score)))


def least_odds(spent: int, asked: Query, memories: int = 0, talk: float = 0.0) -> float:
    """Return the odds that a memory must have after so many tokens, in a vault of so many memories; `talk` is the share
    of talk among them."""
    dearer = DEARER_AFTER_TALK if asked.is_talk else DEARER
    dearer += DEARER_AMONG_MANY * math.log(max(1.0, memories / MANY))
    power = (dearer + (DEARER_IN_TALK - dearer) * talk**2) * spent / 1000
    return min(DEAREST, LEAST * math.exp(min(50.0, power)))  # e^50 is beyond all, and e^710 no number


def helpful_memories(ranked: Sequence[ScoredMemory]) -> tuple[list[ScoredMemory], BlockEnding]:
    """Return the memories that are likely enough for an empty block, and what became of the rest."""
    kept = [memory for memory in ranked if odds_beside(memory, ranked[0]) >= LEAST]
    left = ranked[len(kept) :]
    return kept, BlockEnding("unlikely", len(left), odds_beside(left[0], ranked[0])) if left else BlockEnding()


def is_answered(search: VaultSearch, ranked: Sequence[ScoredMemory], known: bool = False, partly: bool = False) -> bool:
    """Return whether the question is likely to be answered by any of these; more surely than not, when the answer is
    `known` already, and less surely when a label or a preference answers it `partly`. A tag and all of a day are no
    matter of words."""
    asked = search.query
    if not known and any(leads_to(memory, _SURE_PARTS) for memory in ranked):
        return True
    dated = [memory for memory in ranked if "dated" in memory.paths]
    if not known and dated and (asked.is_general or any(memory.entry.kind == "snapshot" for memory in dated)):
        return True  # what was done on a day that is asked for may be meant without being named
    least = BESIDE if known else SURE_OF_THE_REST if partly else SURE
    if not ranked:
        return False
    by_words, near = likelihood(ANSWERS, question_signs(search, ranked)), semantic.meanings(search).nearest
    if known or near is None or not semantic.is_known(search, ranked[0].entry):
        return by_words >= least
    if (partly or asked.is_keywords) and by_words >= least:  # who types a word to look for wants what has it
        return True
    return with_meaning(BY_MEANING, by_words, near) >= SURE_BY_MEANING


def with_meaning(weights: Mapping[str, float], by_words: float, near: float) -> float:
    """Return the likelihood by words and by meaning together."""
    least = 0.002  # where no word says anything, meaning alone decides
    odds_of_words = math.log(max(least, by_words) / max(least, 1 - by_words))
    return likelihood(weights, {"always": 1.0, "words": odds_of_words, "near": near})


def leads_to(memory: ScoredMemory, parts: Sequence[str] = _LEADING_PARTS) -> float:
    """Return how strongly another path than that of the words leads to a memory."""
    return max((memory.parts.get(part, 0.0) for part in parts), default=0.0)


def likelihood(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in signs.items())))


def question_signs(search: VaultSearch, ranked: Sequence[ScoredMemory]) -> dict[str, float]:
    """Return what speaks for and against an answer among the ranked memories."""
    asked, matches = search.query, text.word_matches(search)
    whole = {term.text for term in asked.terms if words.is_whole(term)}
    best = max(ranked, key=lambda memory: matches[memory.entry].covers if memory.entry in matches else 0.0)
    said = {memory.matched for memory in ranked}
    there = max((len(whole.intersection(each)) for each in said), default=0)
    return {
        "always": 1.0,
        "covers": matches[best.entry].covers if best.entry in matches else 0.0,
        "whole words": math.log1p(min(there, ENOUGH)),
        "missing": missing_share(search),
        "lead": float(any(memory.parts.get("lead") for memory in ranked)),
        "dated": float(any("dated" in memory.paths for memory in ranked)),
        "prompt": float(asked.is_prompt),
        "keywords": float(asked.is_keywords),
        "long": float(asked.is_long),
        "talk": float(asked.is_talk),
        "large": math.log(max(1.0, text.size_of_vault(search) / USUAL)),
    }


def missing_share(search: VaultSearch) -> float:
    """Return the share of the question that stands in no note, by what its words tell."""
    terms = search.query.terms
    named = {at for known in text.terms_in_names(search).values() for at in known}
    counts = [count + (at in named) for at, count in enumerate(text.tally(search).entries)]
    values = [
        (text.word_value(term), counts[at] > 0)
        for at, term in enumerate(terms)
        if text.is_telling(search.query, counts, at)
    ]
    return sum(value for value, known in values if not known) / (sum(value for value, _ in values) or 1.0)
