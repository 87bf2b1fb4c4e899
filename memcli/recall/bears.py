"""Decide whether memories are relevant to a prompt that did not ask for them. This is stricter than for a question.

A question to `mem recall` usually has an answer in the notes; a prompt to an agent mostly has nothing to do with them.
So the form of the prompt counts (what it is about), and fewer memories are returned.
"""

from __future__ import annotations

from memcli.recall.likelihood import ANSWERS, likelihood, odds_beside, question_signs, with_meaning
from memcli.recall.paths import semantic
from memcli.recall.paths.text import word_value
from memcli.recall.request import SearchResult
from memcli.recall.score import ScoredMemory
from memcli.text import phrases, words

# Weights (log odds) for the form of a prompt. They extend `likelihood.ANSWERS` and replace weights of the same name.
FORMS = {
    "prompt": -0.5,  # it tells something before it asks; most prompts do
    "keywords": 0.0,  # a few words are not a search when they are a prompt
    "long": 0.0,
    "large": -1.0,  # in a large vault, casual text shares words with notes by chance
    "world": -2.8,  # it asks about general knowledge
    "hand": -2.2,  # it is about text or code in the conversation, or asks to write new text
    "own": 0.45,  # the user writes about themselves
    "bare": -1.1,  # it is a bare question, neither about the user nor with a date
}
SURE = 0.3  # below this likelihood no memory is returned
# The same with an embedding model, which measures how near in meaning the nearest memory is.
BY_MEANING = {"always": -4.0, "words": 1.0, "near": 29.0}
SURE_BY_MEANING = 0.75
LEAST = 0.1  # a memory with lower odds, relative to the best, is left out
UNSAID = 0.7  # factor on the share of the prompt's words that these memories lack, though others may have them
LOOKED, MOST = 12, 10  # memories that are judged, and that are returned


def bears(result: SearchResult, said: str) -> list[ScoredMemory]:
    """Return the memories that are relevant to the prompt `said`, best first; usually none."""
    ranked = _by_score(result)
    if not ranked or not _is_sure(result, said):
        return []
    return [memory for memory in ranked[:MOST] if odds_beside(memory, ranked[0]) >= LEAST]


def _is_sure(result: SearchResult, said: str) -> bool:
    by_words, near = bearing_likelihood(result, said), semantic.nearness(result.search, said)
    if near is None:
        return by_words >= SURE
    return with_meaning(BY_MEANING, by_words, near) >= SURE_BY_MEANING


def bearing_likelihood(result: SearchResult, said: str) -> float:
    """Return how likely it is that the best memories are relevant to `said`, and not only to an earlier turn.

    Below `SURE` it is an upper bound.
    """
    low = said.lower()
    asked = result.search.query
    own = {
        term.text
        for term in asked.terms
        if words.is_whole(term) and term.times_in(low) and any(map(str.isalpha, term.text))
    }
    near = [memory for memory in _by_score(result)[:LOOKED] if own.intersection(memory.matched)]
    if not near:
        return 0.0
    there = {word for memory in near for word in memory.matched}
    whole = [
        (word_value(term), term.text in there)
        for term in asked.terms
        if words.is_whole(term) and (term.text in there or not asked.asks_by(term.text))
    ]
    unsaid = sum(value for value, known in whole if not known) / (sum(value for value, _ in whole) or 1.0)
    signs = question_signs(result.search, near)
    signs["missing"] = max(signs["missing"], unsaid * UNSAID)
    at_best = likelihood(ANSWERS | FORMS, signs | {"own": 1.0})
    if at_best < SURE:  # no form of prompt would reach SURE; compiling the patterns of forms is slow
        return at_best
    return likelihood(ANSWERS | FORMS, signs | _forms(said, bool(asked.spans)))


def _forms(said: str, dated: bool) -> dict[str, float]:
    """Return which forms a prompt has, 1.0 or 0.0 for each: `world`, `hand`, `own`, `bare`."""
    has = {
        sign: phrases.find_phrase("prompts", sign, said) is not None for sign in ("world", "hand", "own", "question")
    }
    bare = has.pop("question") and not (has["own"] or dated)
    return {sign: float(there) for sign, there in has.items()} | {"bare": float(bare)}


def _by_score(result: SearchResult) -> list[ScoredMemory]:
    return sorted(result.ranked, key=lambda memory: -memory.score)
