"""Recognize small talk: a text of nothing but greetings, thanks, agreement and the words around them.

The one list of it is `memcli/language/*/small_talk.txt`. Only the tables of the text's languages are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from memcli.text.hanzi import simplified, split_at_known
from memcli.text.tables import LANGUAGE_FOLDER, expression, rows

_LONGEST = 6  # characters of a Chinese word in the table
# The patterns are text; they are compiled only when a short text is checked.
_RUN = r"[a-z']+|\d+|[^\W\da-z_]+"
_PART = r"[^\w\s'-]+|\n"
_UNIT = r"[a-z']+|[^\W\da-z_]"  # a Latin word or a Chinese sign
_OPEN = re.compile(r"\.\{|\\w")  # in a pattern: anything may stand there
_STRETCHED = r"([a-z])\1{2,}"  # a letter that occurs three times in a row


class Saying(NamedTuple):
    """Hold phrases that are small talk by themselves, as one pattern, which is slow to compile."""

    pattern: str
    begins: tuple[str, ...]  # the beginning of each word in them
    is_open: bool  # whether only their first word is fixed

    def fits(self, part: str) -> bool:
        """Return whether a part of a text matches one of the phrases."""
        units = re.findall(_UNIT, part)
        known = all(unit.startswith(self.begins) for unit in (units[:1] if self.is_open else units))
        return known and re.fullmatch(self.pattern, part) is not None


class SmallTalkWords(NamedTuple):
    talk: frozenset[str]  # words that are small talk on their own
    fill: frozenset[str]  # words that are small talk only beside `talk` words
    phrases: tuple[str, ...]  # phrases of filling words that are small talk all the same
    says: tuple[Saying, ...]


def is_small_talk(text: str) -> bool:
    text = simplified(text.lower()).replace("’", "'")
    chinese = any("\u3400" <= sign <= "\u9fff" for sign in text)
    known = [words_of(name) for name, said in (("en", re.search("[a-z]", text)), ("zh", chinese)) if said]
    talk = frozenset[str]().union(*(each.talk for each in known))
    both = talk.union(*(each.fill for each in known))
    rest, polite = _without(text, known)
    if polite and not re.search(r"\w", rest):
        return True
    text = rest
    words = [
        _unstretched(word, both)
        for run in re.findall(_RUN, text)
        for word in ([run] if run[0].isascii() else split_at_known(run, both, _LONGEST))
    ]
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


def _without(text: str, known: list[SmallTalkWords]) -> tuple[str, bool]:
    """Return the text without phrases that are small talk, and whether it had any."""
    remaining, polite = [], False
    for part in re.split(_PART, text):
        if any(saying.fits(part.strip()) for each in known for saying in each.says):
            polite = True
        else:
            remaining.append(part)
    return " ".join(remaining), polite


@cache
def words_of(language: str) -> SmallTalkWords:
    found: dict[str, list[str]] = {"words": [], "fill": [], "phrases": [], "says": []}
    for row in rows(LANGUAGE_FOLDER / language / "small_talk.txt"):
        for column, lines in found.items():
            lines += row.get(column, [])
    talk, fill = (frozenset(word for line in found[column] for word in line.split()) for column in ("words", "fill"))
    return SmallTalkWords(talk, fill, tuple(found["phrases"]), _sayings(found["says"]))


def _sayings(lines: Sequence[str]) -> tuple[Saying, ...]:
    parted = ([line for line in lines if (_OPEN.search(line) is not None) == is_open] for is_open in (False, True))
    return tuple(
        Saying(expression(own), tuple(dict.fromkeys(re.findall(_UNIT, "|".join(own)))), bool(is_open))
        for is_open, own in enumerate(parted)
        if own
    )
