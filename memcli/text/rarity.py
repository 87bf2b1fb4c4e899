"""How rare a word is in its language, told by its place in the table of tokens, which is in the order of frequency."""

from __future__ import annotations

import math
from functools import lru_cache

from memcli.text import tokens
from memcli.text.words import CJK_RUN

USUAL, RARE = 500, 100_000  # ranks of tokens: the commonest words of a language come first in the table


@lru_cache(maxsize=4096)
def rarity(word: str) -> float:
    """Return how rare a word is, from 0 (said in every other sentence) to 1; what is no single token is rare."""
    if CJK_RUN.fullmatch(word):
        return max(min(1.0, tokens.rank(sign) / RARE) for sign in word)
    rank = min(tokens.rank(word), tokens.rank(f" {word}"))
    return min(1.0, max(0.0, math.log(max(rank, 1) / USUAL) / math.log(RARE / USUAL)))
