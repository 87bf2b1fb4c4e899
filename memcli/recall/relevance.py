"""Find the memories that are relevant to a prompt that did not ask for them. This is stricter than for a question.

A question to `mem recall` usually has an answer in the notes; a prompt to an agent mostly has nothing to do with them.
So the form of the prompt counts (what it is about), and fewer memories are returned.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container

from memcli.recall import asked_for
from memcli.recall.likelihood import (
    ANSWERS,
    has_identifier_of,
    likelihood,
    missing_share,
    odds_beside,
    question_signs,
    with_meaning,
)
from memcli.recall.paths import semantic
from memcli.recall.paths.text import word_value
from memcli.recall.query import Query
from memcli.recall.request import SearchResult
from memcli.recall.score import ScoredMemory
from memcli.text import phrases, words
from memcli.text.later import compile_later

# Weights (log odds) for the form of a prompt. They extend `likelihood.ANSWERS` and replace weights of the same name.
FORMS = {
    "always": -6.8,
    "words": 1.85,  # chance words of a short prompt cover much of it
    "prompt": -0.5,  # it tells something before it asks; most prompts do
    "keywords": 0.0,  # a few words are not a search when they are a prompt
    "characters": 0.0,
    "long": 0.0,
    "identifier": 3.0,
    "lead": 0.0,  # who speaks says nothing when a prompt asks about nobody
    "large": -1.5,  # in a large vault, casual text shares words with notes by chance
    "world": -2.8,  # it asks about general knowledge
    "hand": -2.2,  # it is about text or code in the conversation, or asks to write new text
    "own": 1.4,  # the user writes about themselves
    "name": 2.2,  # they share a word that hardly any other text has: Dafydd, dehumidifier
    "all": 4.0,  # one memory has all of its words, two or more: who is Nia's teacher
    "bare": -2.0,  # it is a bare question, neither about the user nor with a date
    "chinese": 0.8,  # a memory covers less of it, as many pairs of its characters are no words
}
SURE = 0.24  # below this likelihood no memory is returned
# The same with an embedding model. The odds of the words include the form of the prompt.
BY_MEANING = {"always": -2.0, "words": 1.75, "near": 13.7, "least": 0.05}
SURE_BY_MEANING = 0.5
# The weights of the words that one memory shares with the prompt, together. "build it" and "open it" share a single
# common word with many notes. Where the user writes about themselves, it may be a name or a thing of theirs.
TELLING, TELLING_OWN = 0.8, 0.6
RARE = 0.995  # weight of a name
ALL = 0.9  # share of a prompt's words from which on a memory has all of them
LEAST = 0.03  # a memory with lower odds, relative to the best, is left out …
LEAST_WITHOUT = 0.1  # … when the best was shown before, and is not shown again
MISSING_SHARE = 0.7  # factor on the share of the prompt's words that these memories lack, though others may have them
# "what do I have on Tuesday" asks for plans, "can we do this tomorrow?" does not.
_ASKS_WHAT = compile_later(
    r"\b(?:what|what's|whats|anything|am i|do i have|(?:plan|organi[sz]e|schedule) (?:my|our)|rota|calendar)\b"
    r"|什么|啥|哪些|安排|要做|的事|日历|日程|排班|值班表|时间表",
    re.I,
)
MOST_JUDGED, MOST_RETURNED = 12, 10  # memories that are judged, and that are returned


def find_relevant(result: SearchResult, prompt: str, shown: Container[str] = ()) -> list[ScoredMemory]:
    """Return the memories that are relevant to a prompt, best first; usually none. `shown` are the hashes of those that
    the conversation has already."""
    ranked = _rank_by_score(result)
    if _asks_for_own_tasks(result.search.query, prompt):
        return asked_for.find_tasks(result.search.query, result.ranked)[:MOST_RETURNED]
    if _asks_for_past_days(result.search.query, prompt) or _asks_for_coming_days(result.search.query, prompt):
        return [memory for memory in ranked if "dated" in memory.paths][:MOST_RETURNED]
    if not ranked or not _is_sure(result, prompt) or _needs_no_memory(prompt):
        return []
    if not result.search.query.asks_for_plans:  # a day that is mentioned brings nothing by itself
        of_days = {word for span in result.search.query.spans for word in words.sequence(span.text)}
        ranked = [memory for memory in ranked if {*memory.matched} - of_days or memory.parts["meaning"]]
    least = LEAST_WITHOUT if ranked and ranked[0].entry.hash in shown else LEAST
    return [memory for memory in ranked[:MOST_RETURNED] if odds_beside(memory, ranked[0]) >= least]


def _needs_no_memory(prompt: str) -> bool:
    """Return whether a prompt is a greeting, or a chore of every project."""
    from memcli.text import small_talk  # few prompts get this far

    return small_talk.is_small_talk(prompt) or phrases.find_phrase("prompts", "chore", prompt) is not None


def _asks_for_past_days(asked: Query, prompt: str) -> bool:
    """Return whether the user asks for past days of their own as a whole, such as "what did I do yesterday", or wants
    them written up."""
    if not (asked.spans and all(span.last < asked.today for span in asked.spans) and asked.is_general):
        return False
    return _is_request(asked, prompt) and phrases.find_phrase("prompts", "own", prompt) is not None


def _asks_for_own_tasks(asked: Query, prompt: str) -> bool:
    """Return whether a prompt asks for all that the user has to do, or for what is due in a time."""
    is_own = bool(asked.spans) or phrases.find_phrase("prompts", "own", prompt) is not None
    return asked_for.wants_all_tasks(asked) and is_own and _is_request(asked, prompt)


def _is_request(asked: Query, prompt: str) -> bool:
    return phrases.find_phrase("prompts", "question", prompt) is not None or asked.says("order")


def _asks_for_coming_days(asked: Query, prompt: str) -> bool:
    """Return whether a request names nothing but days to come, such as "what do I have on Tuesday", or wants such days
    of the user's planned."""
    if not (asked.spans and all(span.last > asked.today for span in asked.spans)):
        return False
    if not asked.is_general:
        is_own = phrases.find_phrase("prompts", "own", prompt) is not None
        return asked.asks_for_plans and is_own and phrases.find_phrase("prompts", "question", prompt) is None
    return _ASKS_WHAT.search(prompt) is not None and _is_request(asked, prompt)


def _is_sure(result: SearchResult, prompt: str) -> bool:
    by_words, nearness = estimate_relevance(result, prompt), semantic.measure_nearness(result.search, prompt)
    if nearness is None:
        return by_words >= SURE
    return with_meaning(BY_MEANING, by_words, nearness) >= SURE_BY_MEANING


def estimate_relevance(result: SearchResult, prompt: str) -> float:
    """Return how likely it is that the best memories are relevant to `prompt`, and not only to an earlier turn.

    It is 0 if the words that they share with it say too little. Below `SURE` it is an upper bound.
    """
    asked = result.search.query
    shared = _weigh_prompt_words(asked, prompt)
    ranked = _rank_by_score(result)[:MOST_JUDGED]
    memories = [memory for memory in ranked if not shared.keys().isdisjoint(memory.matched)]
    has_identifier = has_identifier_of(prompt, memories)
    telling = max((sum(shared.get(word, 0.0) for word in memory.matched) for memory in memories), default=0.0)
    persons = phrases.pattern("prompts", "person", phrases.languages(prompt)).findall(prompt)
    has_person = any(name in memory.entry.raw for name in persons for memory in memories)
    least = TELLING_OWN if phrases.find_phrase("prompts", "own", prompt) else TELLING
    if not memories or (telling < least and not (has_identifier or has_person)):
        return 0.0
    matched_words = {word for memory in memories for word in memory.matched}
    values = [
        (word_value(term), term.text in matched_words)
        for term in asked.terms
        if words.is_whole(term) and (term.text in matched_words or not asked.asks_by(term.text))
    ]
    signs = question_signs(result.search, memories)
    has_rare = any(word[0] < "\u3000" and shared.get(word, 0.0) >= RARE for word in matched_words)
    signs["name"] = float(has_person or has_rare)
    signs["identifier"] = float(has_identifier)  # many Chinese prompts name a foreign thing: 用 Python 写
    signs["missing"] = max(signs["missing"], missing_share(values) * MISSING_SHARE)
    signs["all"] = float(signs["covers"] >= ALL and signs["whole words"] >= math.log1p(2))
    signs["chinese"] = float("zh" in phrases.languages(prompt))
    at_best = likelihood(ANSWERS | FORMS, signs | {"own": 1.0})
    if at_best < SURE:  # no form of prompt would reach SURE; compiling the patterns of forms is slow
        return at_best
    return likelihood(ANSWERS | FORMS, signs | _find_forms(prompt, bool(asked.spans)))


def _weigh_prompt_words(asked: Query, prompt: str) -> dict[str, float]:
    """Return the whole words that stand in the prompt itself, each with how much it says. Numbers say nothing: "two
    columns instead of three"."""
    low, numbers = prompt.lower(), phrases.numbers_in_words()
    anybody = phrases.pattern("prompts", "anybody", phrases.languages(prompt))
    return {
        term.text: word_value(term)
        for term in asked.terms
        if words.is_whole(term) and term.times_in(low) and any(map(str.isalpha, term.text))
        and term.text not in numbers and not anybody.search(term.text)
    }  # fmt: skip


def _find_forms(prompt: str, dated: bool) -> dict[str, float]:
    """Return which of the forms `world`, `hand`, `own` and `bare` a prompt has, 1.0 or 0.0 for each."""
    is_found = {
        sign: phrases.find_phrase("prompts", sign, prompt) is not None for sign in ("world", "hand", "own", "question")
    }
    bare = is_found.pop("question") and not (is_found["own"] or dated)
    return {sign: float(found) for sign, found in is_found.items()} | {"bare": float(bare)}


def _rank_by_score(result: SearchResult) -> list[ScoredMemory]:
    return sorted(result.ranked, key=lambda memory: -memory.score)
