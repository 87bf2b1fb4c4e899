"""Join pieces of a text that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memcli.text import tokens

OVERLAP = 25  # tokens that two pieces share
LEAST_SHARED = 8  # tokens, or a quarter of a smaller limit; less could be chance
SEEN = 6  # letters (half as many in Chinese) that two pieces must share to overlap, unless a sentence ends


def stitch_pieces(texts: Sequence[str]) -> str:
    """Return consecutive pieces as one text.

    Text that two pieces share appears once. Repetition in the text itself is kept, because at most the usual overlap is
    treated as shared.
    """
    whole = texts[0] if texts else ""
    for before, text in pairwise(texts):
        # The usual overlap, and the one of a larger limit.
        rooms = OVERLAP, tokens.estimate(before) // 6 + LEAST_SHARED
        shared = next((size for room in rooms if (size := _shared(before, text, room))), 0)
        whole += text[shared:] if shared else "\n\n" + text
    return whole


def _shared(before: str, text: str, most: int) -> int:
    """Return how many characters, of at most `most` tokens, both end the text before and begin this one."""
    for size in range(min(len(before), len(text)), 1, -1):
        if text[0] == before[-size] and before.endswith(text[:size]) and tokens.estimate(text[:size]) <= most:
            letters = sum(2 if sign > "\u3000" else 1 for sign in text[:size])
            if letters >= SEEN or text[size - 1] in ".!?。！？":
                return size
    return 0
