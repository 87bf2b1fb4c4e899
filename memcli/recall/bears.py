"""Decide whether memories bear on what somebody just said, unasked: as for a question, and stricter.

A question to the memory is silent rarely; a prompt to an agent mostly has nothing to do with it. So the form of a
prompt counts (what it turns to), and fewer memories are brought.
"""

from __future__ import annotations

from memcli.recall.likelihood import ANSWERS, likelihood, odds_beside, question_signs, with_meaning
from memcli.recall.paths import semantic
from memcli.recall.paths.text import word_value
from memcli.recall.request import SearchResult
from memcli.recall.score import ScoredMemory
from memcli.text import phrases, words

# What the form of a prompt says for or against memories: beside `likelihood.ANSWERS`, and in place of it.
FORMS = {
    "prompt": -0.5,  # that it tells before it asks, where all do
    "keywords": 0.0,  # few words are not a search here
    "long": 0.0,
    "large": -1.0,  # what is said in passing has words of a large vault sooner than a question
    "world": -2.8,  # it asks what anybody may know
    "hand": -2.2,  # it is about a text or code at hand, or one out of nothing
    "own": 0.45,  # it speaks of the one who writes and of theirs
    "bare": -1.1,  # it is a question and no more, without either of these
}
SURE = 0.3  # likelihood that the memories answer, below which nothing is said
# The same where a model knows how near in meaning the nearest memory is.
BY_MEANING = {"always": -4.0, "words": 1.0, "near": 29.0}
SURE_BY_MEANING = 0.75
LEAST = 0.1  # odds beside the best, below which a memory is not brought
UNSAID = 0.7  # what counts of what other memories may say, but none of these
LOOKED, MOST = 12, 10  # memories that are judged, and that are brought


def bears(result: SearchResult, said: str) -> list[ScoredMemory]:
    """Return the memories that bear on what was `said`, best first; mostly none."""
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
    """Return how likely it is that the best memories bear on what was `said`, and not only on an earlier turn.

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
    if at_best < SURE:  # whatever its form is; the patterns for that are dear to compile
        return at_best
    return likelihood(ANSWERS | FORMS, signs | _forms(said, bool(asked.spans)))


def _forms(said: str, dated: bool) -> dict[str, float]:
    """Return what the form of a prompt tells of whom it turns to."""
    has = {
        sign: phrases.find_phrase("prompts", sign, said) is not None for sign in ("world", "hand", "own", "question")
    }
    bare = has.pop("question") and not (has["own"] or dated)
    return {sign: float(there) for sign, there in has.items()} | {"bare": float(bare)}


def _by_score(result: SearchResult) -> list[ScoredMemory]:
    return sorted(result.ranked, key=lambda memory: -memory.score)
