"""Match the characters of a short Chinese question one by one: 记账 and 做账 share only 账.

They are looked for in the notes that are read anyway, so they cost no search.
"""

from __future__ import annotations

from collections.abc import Sequence

from memcli.recall.query import Query
from memcli.recall.search_state import idf
from memcli.text import lexicon, words
from memcli.text.hanzi import traditional
from memcli.vault.entries import Entry

WEIGHT = 0.55  # relative to a pair of characters
MOST = 16  # a longer question has enough words, and in a long line many of its characters stand by chance


def find_characters(asked: Query) -> tuple[str, ...]:
    """Return the telling characters of a short question, each in simplified and traditional form: 账帳. A foreign word
    or name in the question tells enough without them."""
    inside = dict.fromkeys("".join(term.text for term in asked.terms if words.CJK_RUN.fullmatch(term.text)))
    has_foreign_word = any(term.text.isascii() and not term.text.isdigit() for term in asked.terms)
    if has_foreign_word or len(inside) > MOST:
        return ()
    silent = lexicon.stop_words("zh").union("".join(span.text for span in asked.spans))  # 初 of 正月初六
    silent |= {term.text for term in asked.terms}
    return tuple(sign + traditional(sign) for sign in inside if sign not in silent)


def value_characters(asked: Query, entries: Sequence[Entry]) -> dict[str, float]:
    """Return how much each character says: the fewer entries have it, the more."""
    counts = {written: sum(has_character(entry, written) for entry in entries) for written in find_characters(asked)}
    return {written: WEIGHT * idf(len(entries), count) for written, count in counts.items() if count}


def has_character(entry: Entry, written: str) -> bool:
    return any(sign in entry.raw for sign in written)
