"""Find memories that have the same words once their phrasing is ignored.

Phrases that make no difference are in `language/*/restated.txt`. Every other word counts: a name, a number, a day or
a "used to" that only one of two has makes them different.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from memcli.text import lexicon, phrases, words
from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.text.telling_signs import TELLING_SIGN
from memcli.vault.entries import Entry

LEAST = 3  # the fewest words, or Chinese characters, that must remain
_TOKEN = compile_later(
    rf"[{words.CJK}]|\d+(?:[.,:]\d+)*|[^\W\d_{words.CJK}]+(?:'\w+)?|{TELLING_SIGN}",
    in_ascii=rf"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:'\w+)?|{TELLING_SIGN}",
)
_NOTHING, _DIRECTION = "nothing", "direction"
_NOT = frozenset({"not", "不", "没", "别"})

Sense = frozenset[str]


def pairs(entries: Sequence[Entry], texts: Sequence[str]) -> Iterator[tuple[Entry, Entry]]:
    """Yield the pairs of `entries` that say the same; `texts` are their words."""
    same: dict[Sense, list[Entry]] = defaultdict(list)
    for entry, text in zip(entries, texts, strict=True):
        whole = sense(text)
        if len(whole) >= LEAST:
            same[whole].append(entry)
    for found in same.values():
        yield from pairwise(found)


def sense(text: str) -> Sense:
    """Return the words of a text that carry its meaning, without its phrasing. A negation is joined to the word after
    it."""
    first, negated = named_first(text), ""
    found = {f"first {first}"} if first else set()
    for token in _rephrased(text):
        if token in _NOT:
            negated = "not "
            continue
        found.add(negated + _root(token))
        negated = ""
    return frozenset(found)


def named_first(text: str) -> str:
    """Return the first word of a text in which it matters who is named first, as in "Ben owes Tom", else ""."""
    low = text.lower()
    directed = phrases.pattern("restated", _DIRECTION, phrases.languages(low)).search(low)
    return next(iter(_rephrased(text)), "") if directed else ""


def _rephrased(text: str) -> list[str]:
    """Return the words of a text in its usual phrasing."""
    low = simplified(text).lower().replace("’", "'").strip(" .。!！")
    for pattern, put in (rewrite for language in phrases.languages(low) for rewrite in _rewrites(language)):
        low = pattern.sub(put, low)
    return _TOKEN.findall(low)


@lru_cache(maxsize=4096)
def _root(token: str) -> str:
    word = words.normal_form(token)
    return min(map(words.stem, (word, *lexicon.synonyms("en", word)))) if word.isascii() else word


@lru_cache(maxsize=2)
def _rewrites(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = phrases.table("restated", language)
    return tuple(
        (re.compile("|".join(row["pattern"])), " " if row["sign"] == [_NOTHING] else f" {row['sign'][0]} ")
        for row in rows
        if row["sign"] != [_DIRECTION]
    )
