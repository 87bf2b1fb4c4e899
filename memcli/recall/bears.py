"""Whether memories bear on what somebody just said, unasked: stricter than an answer to a question has to be.

A question to the memory is silent rarely; a prompt to an agent mostly has nothing to do with it. Signs of the prompt
(what it turns to) and of a memory (which of its telling words stand there) become one likelihood, by logistic weights
that `tests/bench/hooks.py --fit` fits on prompts whose memories are known. The weights are all there is to tune.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memcli.recall.engine import FAINT, Sought
from memcli.recall.likelihood import ENTRIES, likelihood, pieces, spoken
from memcli.recall.paths import text
from memcli.recall.score import Scored
from memcli.recall.search import Search
from memcli.text import phrases, tokens, words

WEIGHTS = {
    "always": -0.44,
    "world": -2.8,  # it asks what anybody may know
    "hand": -1.5,  # it is about a text at hand, or one out of nothing
    "own": 0.45,  # it speaks of the one who writes and of theirs
    "bare": -1.1,  # it is a question and no more, without either of these
    "dates": 0.45,  # it names a day
    "said": 1.6,  # how much the words tell that stand in the memory
    "words": 1.05,  # how many they are
    "covers": -1.0,  # their share of the prompt
    "missing": -1.5,  # the share of what no memory has
}
SURE = 0.6  # likelihood that one of the memories must have, or nothing is said
LOOKED, MOST = 12, 10  # memories that are judged, and that are brought
FORMS = ("world", "hand", "own")

_USUAL, _RARE = 500, 100_000  # ranks of tokens: the commonest words of a language come first in the table


class Telling(NamedTuple):
    """What a word of the prompt tells."""

    here: float  # of this vault: how rare it is, there and in the language
    rare: float  # in the language alone
    known: bool  # some memory has it
    own: bool  # it was said just now, and not in an earlier turn


def bears(sought: Sought, said: str) -> list[Scored]:
    """Those of the memories found that bear on what was `said`, best first; mostly none. Whether one does is judged by
    these signs; when one does, the best of them are told by their scores, which know more."""
    if likeliest(sought, said) < SURE:
        return []
    ranked = _by_score(sought)[:MOST]
    return [memory for memory in ranked if memory.score >= FAINT * ranked[0].score]


def likeliest(sought: Sought, said: str) -> float:
    """The highest likelihood that a memory has."""
    return max((likelihood(WEIGHTS, signs) for signs, _ in all_signs(sought, said)), default=0.0)


def _by_score(sought: Sought) -> list[Scored]:
    return sorted(sought.ranked, key=lambda memory: -memory.score)


def all_signs(sought: Sought, said: str) -> list[tuple[dict[str, float], Scored]]:
    """What speaks for and against each of the best memories."""
    telling = _telling(sought.search, said.lower())
    whole = sum(word.rare for word in telling.values() if word.own)
    if not whole:
        return []
    missing = sum(word.rare for word in telling.values() if word.own and not word.known) / whole
    spoken_in = phrases.languages(said)
    forms = {sign: float(_has(said, sign, spoken_in)) for sign in FORMS}
    dated = bool(sought.search.query.spans)
    bare = not (forms["own"] or dated) and _has(said, "question", spoken_in)
    about = {"always": 1.0, **forms, "dates": float(dated), "bare": float(bare), "missing": missing}
    found = []
    for memory in _by_score(sought)[:LOOKED]:
        there = [telling[word] for word in pieces(spoken(sought.search, memory)) if word in telling]
        if any(word.own for word in there):
            found.append((about | _signs(there, whole), memory))
    return found


def _has(said: str, sign: str, spoken_in: tuple[str, ...]) -> bool:
    return phrases.pattern("prompts", sign, spoken_in).search(said) is not None


def _signs(there: Iterable[Telling], whole: float) -> dict[str, float]:
    told = list(there)
    own = [word for word in told if word.own]
    return {
        "said": math.log1p(sum(word.here for word in told)),
        "words": math.log1p(len(own)),
        "covers": sum(word.rare for word in own) / whole,
    }


def _telling(search: Search, low: str) -> Mapping[str, Telling]:
    """The whole words of the prompt; numbers tell nothing."""
    number = max(100, len(search.paths) * ENTRIES)
    counts = zip(search.query.terms, text.tally(search).entries, strict=True)
    found = {}
    for term, count in counts:
        if words.is_whole(term) and any(map(str.isalpha, term.text)):
            here = min(1.2, math.log(1 + (number - count + 0.5) / (count + 0.5)) / math.log(1 + number))
            rare = _rarity(term.text)
            own = term.count(low) > 0
            found[term.text] = Telling(term.weight * max(0.0, here) * rare, term.weight * rare, count > 0, own)
    return found


def _rarity(word: str) -> float:
    """How rare a word is in its language, from 0 to 1: by the place of its token in the table, which is in the order of
    how often they were seen; what is no single token is rare."""
    if words.CJK_RUN.fullmatch(word):
        return max(min(1.0, tokens.rank(sign) / _RARE) for sign in word)
    rank = min(tokens.rank(word), tokens.rank(f" {word}"))
    return min(1.0, max(0.0, math.log(max(rank, 1) / _USUAL) / math.log(_RARE / _USUAL)))
