"""Recognize small talk: a text of nothing but greetings, thanks, agreement and the words around them.

The one list of it is `memcli/language/*/small_talk.txt`. Only the tables of the text's languages are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memcli.text.simplified import simplified
from memcli.text.tables import LANGUAGE, expression, rows

_LONGEST = 6  # characters of a Chinese word in the table
# The patterns are text; they are compiled only when a short text is checked.
_RUN = r"[a-z']+|\d+|[^\W\da-z_]+"
_PART = r"[^\w\s'-]+|\n"
_STRETCHED = r"([a-z])\1{2,}"  # a letter that occurs three times in a row
_CHINESE = "[\u3400-\u9fff]"


@dataclass(frozen=True)
class Words:
    talk: frozenset[str]  # words that are small talk on their own
    fill: frozenset[str]  # words that are small talk only beside those
    phrases: tuple[str, ...]  # of filling words, but still small talk
    says: str  # a pattern of the parts of a text that are small talk as they stand


def is_small_talk(text: str) -> bool:
    text = simplified(text.lower()).replace("’", "'")
    known = [words_of(name) for name, letter in (("en", "[a-z]"), ("zh", _CHINESE)) if re.search(letter, text)]
    talk = frozenset[str]().union(*(each.talk for each in known))
    both = talk.union(*(each.fill for each in known))
    rest, polite = _without(text, known)
    if polite and not re.search(r"\w", rest):
        return True
    text = rest
    words = [_unstretched(word, both) for run in re.findall(_RUN, text) for word in _cut(run, both)]
    if not both.issuperset(words):
        return False
    begins = tuple(phrase for each in known for phrase in each.phrases)
    return polite or not talk.isdisjoint(words) or " ".join(words).startswith(begins)


def _unstretched(word: str, known: frozenset[str]) -> str:
    """Return a stretched word as it is usually spelled: `yesssss` becomes `yes`, `woohoooo` becomes `woohoo`."""
    if word.isascii() and re.search(_STRETCHED, word):
        shorter = (re.sub(_STRETCHED, to, word) for to in (r"\1", r"\1\1"))
        return next((short for short in shorter if short in known), word)
    return word


def _without(text: str, known: list[Words]) -> tuple[str, bool]:
    """Return the text without its parts that are small talk as they stand, and whether there were any."""
    kept, polite = [], False
    for part in re.split(_PART, text):
        if any(re.fullmatch(each.says, part.strip()) for each in known):
            polite = True
        else:
            kept.append(part)
    return " ".join(kept), polite


@cache
def words_of(language: str) -> Words:
    found: dict[str, list[str]] = {"words": [], "fill": [], "phrases": [], "says": []}
    for row in rows(LANGUAGE / language / "small_talk.txt"):
        for column, lines in found.items():
            lines += row.get(column, [])
    talk, fill = (frozenset(word for line in found[column] for word in line.split()) for column in ("words", "fill"))
    return Words(talk, fill, tuple(found["phrases"]), expression(found["says"]))


def _cut(run: str, known: frozenset[str]) -> list[str]:
    """Return a run of letters as words. Chinese has no spaces, so the longest known pieces are taken."""
    if run[:1].isascii():
        return [run]
    words, at = [], 0
    while at < len(run):
        size = next((n for n in range(_LONGEST, 0, -1) if run[at : at + n] in known), len(run))
        words.append(run[at : at + size])
        at += size
    return words
