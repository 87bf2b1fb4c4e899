"""Group words that occur in the same contexts, so that weights learnt for `nephew` also apply to `niece`.

The kinds are in `language/*/word_kinds.txt`, which `tests/features/learn/measures/word_kinds.py` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from memcli.features.learn import schema
from memcli.features.learn.language import FOLDER
from memcli.text.tables import read_table_text
from memcli.text.words import CJK

_RUN = re.compile(rf"[A-Za-z]+(?:'[a-z]+)?|\d+|[{CJK}]+")
_HAN = "\u2e80"  # characters from here on are Chinese
_LONGEST = 4  # characters of a Chinese word
_FOLLOWS = 4  # words of the next part, used as features
Kinds = dict[str, tuple[str, str]]  # word → its kind, and the group of that kind


def kinds_of_parts(texts: Sequence[str], language: str) -> list[list[str]]:
    """Return the kinds of words in each part of a sentence, and of the parts around it, as features."""
    kinds = _kinds(language)
    cut = [_words(text, kinds) for text in texts]
    return [
        list(dict.fromkeys(_features(own, cut[at - 1] if at else [], cut[at + 1] if at + 1 < len(cut) else [], kinds)))
        for at, own in enumerate(cut)
    ]


def _features(own: Sequence[str], before: Sequence[str], after: Sequence[str], kinds: Kinds) -> Iterator[str]:
    for word in own:
        yield from kinds.get(word, ())
        if word[0] >= _HAN and len(word) > 1:
            yield f"{schema.WORD}{word}"
    for first, second in pairwise(own):
        if first[0] >= _HAN:
            yield f"{schema.WORD}{first} {second}"
        if second in kinds:
            yield f"{first} {kinds[second][1]}"
        if first in kinds:
            yield f"{kinds[first][1]} {second}"
    yield from (f"{schema.BEFORE}{kinds[word][0]}" for word in before if word in kinds)
    yield from (f"{schema.AFTER}{kinds[word][0]}" for word in after[:_FOLLOWS] if word in kinds)
    yield from (f"{schema.EDGE}{kind}" for word in own[:1] for kind in kinds.get(word, ()))


def _words(text: str, kinds: Kinds) -> list[str]:
    """Return the words of a text; in Chinese the longest known ones."""
    words = []
    for run in _RUN.findall(text):
        if run[0] < _HAN:
            words.append("#" if run[0].isdigit() else run.lower())
            continue
        at = 0
        while at < len(run):
            size = next(size for size in range(_LONGEST, 0, -1) if size == 1 or run[at : at + size] in kinds)
            words.append(run[at : at + size])
            at += size
    return words


@cache
def _kinds(language: str) -> Kinds:
    path = FOLDER / language / "word_kinds.txt"
    kinds = {}
    for line in read_table_text(path).split("\n") if path.exists() else ():
        if line and line[0] != "#":
            kind, group, *words = line.split(" ")
            kinds.update(dict.fromkeys(words, (f"{schema.GROUP}{group}", f"{schema.KIND}{kind}")))
    return kinds
