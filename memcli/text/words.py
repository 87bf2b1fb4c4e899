"""Words as patterns: how a word of a question finds its forms in any text, without an index.

Latin and Cyrillic words become a pattern of their stem, irregular forms and close synonyms; Chinese, Japanese and Korean
run together, so they are matched by pairs of characters. Patterns are regexes that ripgrep and `re` read alike.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any

from memcli.text.lexicon import ASKING_ZH, IRREGULAR, STOP_EN, STOP_ZH, SYNONYMS

CJK = r"\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK_RUN = re.compile(f"[{CJK}]+")
WORD = re.compile(rf"[^\W_{CJK}]+(?:['’][^\W\d_{CJK}]+)?")

SYNONYM = 0.7  # a synonym counts this much of the word itself
SINGLE = 0.2  # one CJK character, beside the pairs it is part of
COMMON = 0.5  # words of asking, which stand in many questions and few answers

# Endings that keep a short root the same word; a long root may end as it likes.
_ENDINGS = r"(?:s|es|ed|d|ing|er|ers|ly|y|ies|ied|\w?ing|\w?ed)?"


def words(text: str) -> list[str]:
    """The words of a text that are written with spaces, in lower case, without possessive endings."""
    return [plain(match[0]) for match in WORD.finditer(text)]


def plain(word: str) -> str:
    word = word.lower().replace("’", "'")
    return word[:-2] if word.endswith("'s") else word


def is_stop(word: str) -> bool:
    return word in STOP_EN


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """What the forms of a lower-case word share. Scripts without a stemmer here share their beginning."""
    if word.isascii():
        return str(_stemmer("english").stem_word(word))
    if "\u0400" <= word[0] <= "\u04ff":
        return str(_stemmer("russian").stem_word(word))
    return word[:-2] if len(word) > 5 else word


def pattern(word: str) -> str:
    """A regex for a word and its regular forms: what a stemmer would put together."""
    short = stem(word)
    shared = 0
    while shared < min(len(short), len(word)) and short[shared] == word[shared]:
        shared += 1
    root = word[:shared] or word
    if len(root) > 6:
        root = root[:-1]
    bare = re.escape(root)
    if len(root) >= 6:
        return rf"\b{bare}\w*"
    if len(root) >= 4:
        return rf"\b{bare}\w{{0,4}}\b"
    return rf"\b{bare}{_ENDINGS}\b"


def patterns(word: str) -> tuple[tuple[str, float], ...]:
    """All that may stand for a word: its own forms at full weight, its synonyms at less."""
    own = {word, *IRREGULAR.get(word, ()), *IRREGULAR.get(stem(word), ())}
    if stem(word) in IRREGULAR:
        own.add(stem(word))
    found = [(_any_of(own), 1.0)]
    if alike := SYNONYMS.get(word) or SYNONYMS.get(stem(word)):
        found.append((_any_of({*alike, *(form for each in alike for form in IRREGULAR.get(each, ()))} - own), SYNONYM))
    return tuple(found)


def cjk(run: str) -> dict[str, float]:
    """What to look for of a run of CJK text: pairs, single characters beside them, stop words cut out."""
    for stop in STOP_ZH:
        run = run.replace(stop, " ")
    found: dict[str, float] = {}
    for part in run.split():
        for pair in map("".join, pairwise(part)):
            found.setdefault(pair, COMMON if pair in ASKING_ZH else 1.0)
        for sign in part:
            found.setdefault(sign, SINGLE if len(part) > 1 else COMMON)
    return found


def features(text: str) -> frozenset[str]:
    """What a text is made of, for likeness: its words and its pairs of CJK characters."""
    low = text.lower()
    return frozenset(WORD.findall(low)).union(*(map("".join, pairwise(run)) for run in CJK_RUN.findall(low)))


def _any_of(forms: set[str]) -> str:
    return "|".join(sorted({rf"\b{re.escape(f)}\b" if f in IRREGULAR else pattern(f) for f in forms}))


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer(language)
