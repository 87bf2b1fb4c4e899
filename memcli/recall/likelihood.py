"""Estimate how likely a memory answers a question: this decides where a block ends and when nothing matches.

The score is a logarithm of odds: its distance from the best score tells how much less likely a memory is to answer.
Signs of the question and of the results tell whether anything answers at all. Their weights, `ANSWERS`, were fitted on
questions with and without an answer in the notes, whose author did not know these rules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memcli.message import Message
from memcli.recall.asked_value import has_asked_value
from memcli.recall.characters import find_characters
from memcli.recall.paths import PATHS, semantic, text
from memcli.recall.query import Query
from memcli.recall.score import SHARPNESS, ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.recall.value_kinds import PROOFS, find_asked_value
from memcli.text import words
from memcli.text.later import compile_later
from memcli.text.words import Term

# A memory with lower odds, relative to the best, is left out even while the block is empty.
LEAST = 0.015
# The required odds grow by this power of e for each thousand tokens in the block: among notes; after several turns of a
# conversation, which are less precise than a question; and in notes that are a conversation, where a line says less.
DEARER, DEARER_AFTER_TALK, DEARER_IN_TALK = 3.3, 2.1, 1.0
MANY, DEARER_AMONG_MANY = 1000, 1.3  # above MANY memories, more match by chance; times the logarithm of their number
DEAREST = 0.9  # the highest odds that are ever required, however full the block is

# Weights (log odds) of the signs that the notes answer the question at all.
ANSWERS = {
    "always": -4.2,
    "covers": 3.0,  # the largest share of the question that one memory has
    "whole words": 1.9,  # the most whole words of the question in one memory, as a logarithm
    "missing": -1.6,  # the share of the question that no note has
    "words": 0.65,  # how many of its words say something, as a logarithm: of a long question fewer need to match
    "lead": 2.1,  # a memory was said by the person whom the question is about
    "identifier": 1.7,  # a memory has a name of code, or a foreign one, that stands in the question
    "dated": 2.5,  # a memory is from a time in the question
    "prompt": 2.5,  # the question tells something first, with words that need no match
    "talk": 4.0,  # several turns of a conversation have even more such words
    "keywords": 0.8,  # a search for words is satisfied by any of them
    "long": 4.0,  # most of a pasted text is not the question
    "characters": -0.3,  # beside the words of a short Chinese question its characters count, and many notes have some
    "large": -0.7,  # among many memories some match by chance; logarithm of their number / USUAL
}
SURE = 0.1  # likelihood below which nothing matches
# The same with an embedding model: words and meaning decide together.
BY_MEANING = {
    "always": -2.75,
    "words": 0.25,  # the odds of the words, as a logarithm
    "near": 9.5,  # similarity of the nearest memory: 0 is usual in the vault, 1 is identical
    "dated": 1.5,  # a memory is from a time in the question
    "least": 0.002,  # the least likelihood of the words, so that meaning can decide when no word matches
}
SURE_BY_MEANING = 0.26
BESIDE = 0.44  # like SURE, when the profile already answers
SURE_OF_THE_REST = 0.02  # like SURE, when a label or a preference answers a part
MAY_HOLD_IT = 0.15  # odds, relative to the best, from which on a memory is looked at for the value
ENOUGH, LONG = 5, 8  # whole words in a memory, and words of the question; more of them add nothing
USUAL = 300  # memories in a vault; a smaller vault is treated like one of this size

# A name that is written as in code, which hardly stands in a note by chance: TileMap, _process, max_size, y-sort.
_IDENTIFIER = compile_later(
    r"(?<![\w.])(?:\w{0,60}[a-z][A-Z]\w{0,60}|\w{0,60}_\w{0,60}[A-Za-z]\w{0,60}|[A-Za-z]\w{0,60}_\w{0,60}"
    r"|[A-Za-z]{2,60}\d\w{0,60}|[A-Za-z]{1,60}(?:-[a-z]+)+)"
)
# In a Chinese question a Latin word is a name, and a long number hardly stands in a note by chance; a year does.
_NAME_AMONG_HANZI = compile_later(r"[A-Za-z][\w.-]{2,60}|(?<![\d.])(?!(?:19|20)\d\d(?!\d))\d{4,20}(?![\d.])")
# Parts of a score that alone show that a memory is on the subject. Meaning counts only when it is near.
_LEADING_PARTS = tuple(path.part for path in PATHS if path.leads and path.part != "text")
# Those that need no further check: tags, and parts of paths that other features add.
_SURE_PARTS = tuple(part for part in _LEADING_PARTS if part != "meaning")


class BlockEnding(NamedTuple):
    """Hold why a block ended where it did, and how much it left out."""

    why: str = "all"  # or `unlikely`, `nothing`, `budget`, `number`
    left: int = 0  # memories that match a part of the question but are not in the block
    likeliest: float = 0.0  # the best of the unlikely memories: its odds relative to the best memory

    def as_json(self) -> dict[str, object]:
        return {"why": self.why, "left": self.left, "likeliest": round(self.likeliest, 4)}

    def __str__(self) -> str:
        return {
            "all": "there was no more",
            "unlikely": Message(
                "{n} left out as unlikely to help: the likeliest is {share} times as likely as the best",
                n=self.left,
                share=f"{self.likeliest:.4f}",
            ),
            "nothing": Message("{n} left out as too unlikely to answer it", n=self.left)
            if self.left
            else "there was nothing",
            "budget": Message("the budget is full, {n} left out", n=self.left),
            "number": Message("no more were asked for, {n} left out", n=self.left),
        }[self.why]


def odds_beside(memory: ScoredMemory, best: ScoredMemory) -> float:
    """Return the odds that a memory answers, relative to the best one."""
    return math.exp(min(0.0, SHARPNESS * (memory.score - best.score)))


def least_odds(spent: int, asked: Query, memories: int = 0, talk: float = 0.0) -> float:
    """Return the odds, relative to the best, that a memory needs when `spent` tokens are used. `memories` is the size
    of the vault, and `talk` the share of its lines that are a conversation."""
    dearer = DEARER_AFTER_TALK if asked.is_conversation else DEARER
    dearer += DEARER_AMONG_MANY * math.log(max(1.0, memories / MANY))
    power = (dearer + (DEARER_IN_TALK - dearer) * talk**2) * spent / 1000
    return min(DEAREST, LEAST * math.exp(min(50.0, power)))  # e^50 exceeds every limit, and e^710 overflows


def helpful_memories(ranked: Sequence[ScoredMemory]) -> tuple[list[ScoredMemory], BlockEnding]:
    """Return the memories that are likely enough for an empty block, and a summary of the rest."""
    helpful = [memory for memory in ranked if odds_beside(memory, ranked[0]) >= LEAST]
    left = ranked[len(helpful) :]
    return helpful, BlockEnding("unlikely", len(left), odds_beside(left[0], ranked[0])) if left else BlockEnding()


def is_answered(search: VaultSearch, ranked: Sequence[ScoredMemory], known: bool = False, partly: bool = False) -> bool:
    """Return whether any of these memories probably answers the question.

    The threshold is higher when the answer is `known` already, and lower when a label or a preference answers it
    `partly`. Matches by tag or by a whole day need no likelihood.
    """
    asked = search.query
    if not known and any(find_strongest_part(memory, _SURE_PARTS) for memory in ranked):
        return True
    dated = [memory for memory in ranked if "dated" in memory.paths]
    names_all = asked.is_general or asked.names_past_day or any(memory.entry.kind == "snapshot" for memory in dated)
    if not known and dated and names_all:
        return True  # a question about a day may mean what was done on it without naming it
    if not ranked:
        return False
    likely = [memory for memory in ranked if odds_beside(memory, ranked[0]) >= MAY_HOLD_IT]
    subject = {term.text for term in asked.terms if words.is_whole(term)}.intersection(ranked[0].matched)
    alike = [memory for memory in ranked if subject and subject.issubset(memory.matched)]
    may_be_known = partly and find_asked_value(asked) not in PROOFS
    has_value = None if may_be_known else has_asked_value(search, likely, alike)
    if has_value is False:
        return False
    least = BESIDE if known else SURE_OF_THE_REST if partly or has_value else SURE
    signs = question_signs(search, ranked)
    by_words, near = likelihood(ANSWERS, signs), semantic.find_meanings(search).nearest
    if known or near is None or not semantic.is_known(search, ranked[0].entry):
        return by_words >= least
    if (partly or asked.is_keywords) and by_words >= least:  # a search for words wants what has them
        return True
    return with_meaning(BY_MEANING, by_words, near, dated=signs["dated"]) >= SURE_BY_MEANING


def with_meaning(weights: Mapping[str, float], by_words: float, near: float, **more: float) -> float:
    """Return the likelihood that combines words and meaning, and `more` signs."""
    least, most = weights["least"], 0.998
    odds_of_words = math.log(max(least, by_words) / (1 - min(most, by_words)))
    return likelihood(weights, {"always": 1.0, "words": odds_of_words, "near": near, **more})


def find_strongest_part(memory: ScoredMemory, parts: Sequence[str] = _LEADING_PARTS) -> float:
    """Return the strongest part of a memory's score that does not come from words."""
    return max((memory.parts.get(part, 0.0) for part in parts), default=0.0)


def likelihood(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in signs.items())))


def question_signs(search: VaultSearch, ranked: Sequence[ScoredMemory]) -> dict[str, float]:
    """Return the signs for and against an answer among the ranked memories, by their names in `ANSWERS`."""
    asked, matches, telling = search.query, text.match_words(search), _find_telling_terms(search)
    whole = {term.text for term in asked.terms if words.is_whole(term)}
    best = max(ranked, key=lambda memory: matches[memory.entry].covers if memory.entry in matches else 0.0)
    matched_words = {memory.matched for memory in ranked}
    there = max((len(whole.intersection(each)) for each in matched_words), default=0)
    return {
        "always": 1.0,
        "covers": matches[best.entry].covers if best.entry in matches else 0.0,
        "whole words": math.log1p(min(there, ENOUGH)),
        "missing": missing_share([(text.word_value(term), is_found) for term, is_found in telling]),
        "words": math.log1p(min(len(telling), LONG)),
        "lead": float(any(memory.parts.get("lead") for memory in ranked)),
        "identifier": float(has_identifier_of(asked.raw, ranked) or _has_foreign_name(asked.raw, ranked)),
        "dated": float(any("dated" in memory.paths for memory in ranked)),
        "prompt": float(asked.is_prompt),
        "keywords": float(asked.is_keywords),
        "long": float(asked.is_long),
        "talk": float(asked.is_conversation),
        "characters": float(bool(find_characters(asked))),
        "large": math.log(max(1.0, text.estimate_size(search) / USUAL)),
    }


def has_identifier_of(question: str, memories: Sequence[ScoredMemory]) -> bool:
    """Return whether a memory has a name of code that stands in the question."""
    return _have_one(_IDENTIFIER.findall(question), memories)


def _has_foreign_name(question: str, memories: Sequence[ScoredMemory]) -> bool:
    """Return whether a memory has a Latin word or a long number of a Chinese question."""
    return bool(words.CJK_RUN.search(question)) and _have_one(_NAME_AMONG_HANZI.findall(question), memories)


def _have_one(names: Sequence[str], memories: Sequence[ScoredMemory]) -> bool:
    return any(name.lower() in memory.entry.raw.lower() for name in names for memory in memories)


def _find_telling_terms(search: VaultSearch) -> list[tuple[Term, bool]]:
    """Return the words of the question that say something, each with whether a note has it."""
    terms = search.query.terms
    named = {at for known in text.find_terms_in_names(search).values() for at in known}
    counts = [count + (at in named) for at, count in enumerate(text.tally(search).entries)]
    return [(term, counts[at] > 0) for at, term in enumerate(terms) if text.is_telling(search.query, counts, at)]


def missing_share(words: Sequence[tuple[float, bool]]) -> float:
    """Return the share of words that were not found, given as (how much the word says, whether it was found)."""
    return sum(value for value, found in words if not found) / (sum(value for value, _ in words) or 1.0)
