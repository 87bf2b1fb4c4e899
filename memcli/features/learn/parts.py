"""Cut a sentence into the smallest parts at which a memory may begin or end. Compute the features of each: its words,
those around it, and the results of rules and word classes for its piece.

Words that occur in the same contexts are of one kind, so that weights learnt for `nephew` also apply to `niece`. The
kinds are in `language/*/word_kinds.txt`, which `tests/features/learn/measures/word_kinds.py` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from memcli.features.learn import schema
from memcli.features.learn.frames import BLANK
from memcli.features.learn.language import FOLDER, Language
from memcli.text.hanzi import split_at_known
from memcli.text.tables import read_table_text
from memcli.text.words import CJK

MOST = 24  # parts of a sentence; the rest is joined into one more
_TOKEN = re.compile(rf"[A-Za-z]+(?:'[a-z]+)?|\d+|[{CJK}]|{BLANK}+|[^\w\s]")
_FIRST = 3  # words of the sentence before, used as features
_NEXT = 3  # the same of the sentence after it
_AFTER = 4  # words of the part after it, used as features
_LONG = 6  # words from which all parts count as equally long
_LAST_ASKED = 12  # last words of the question, used as features
_CLOCK = re.compile(r"(?<=\d):(?=\d\d)")
_RUN = re.compile(rf"[A-Za-z]+(?:'[a-z]+)?|\d+|[{CJK}]+")
_HAN = "\u2e80"  # characters from here on are Chinese
_LONGEST = 4  # characters of a Chinese word
Kinds = dict[str, tuple[str, str]]  # word → its kind, and the group of that kind


@dataclass(frozen=True)
class Segment:
    """Hold some words with the punctuation before them; `piece` is the number of their piece."""

    words: str
    piece: int


@dataclass(frozen=True)
class SentenceContext:
    """Hold the context of a sentence: the sentences before and after it, and the message before the user's."""

    before: str = ""
    asked: str = ""
    after: str = ""


def segments(pieces: Sequence[str], language: Language) -> list[Segment]:
    found = []
    for number, piece in enumerate(pieces):
        clocks = {match.start() for match in _CLOCK.finditer(piece)}  # the colon of 10:40 ends nothing
        cuts = [match.start() for match in language.signs["part"].finditer(piece) if match.start()]
        cuts = [at for at in cuts if at not in clocks]
        found += [Segment(piece[a:b], number) for a, b in pairwise([0, *cuts, len(piece)]) if b > a]
    if len(found) > MOST:
        rest = "".join(part.words for part in found[MOST:])
        found = [*found[:MOST], Segment(rest, found[MOST].piece)]
    return found


def features(
    found: Sequence[Segment], signs: Sequence[Sequence[str]], around: SentenceContext, language: str
) -> list[list[str]]:
    """Return the features of each part, as `schema` names them. `signs` has the features of each piece from the
    tables."""
    tokens = [_tokens(part.words) for part in found]
    before, asked = _tokens(around.before), _tokens(around.asked)
    first = tokens[0] if tokens else []
    follows = _tokens(around.after)
    context = [f"{schema.SENTENCE_BEFORE}{token}" for token in set(before[:_FIRST])]
    context += [f"{schema.SENTENCE_BEFORE}{schema.ENDS}{token}" for token in before[-1:]]
    context += [f"{schema.ASKED}{token}" for token in set(asked[-_LAST_ASKED:])]
    context += [f"{schema.ASKED}{schema.ENDS}{token}" for token in asked[-1:]]
    context += [schema.STARTS + " ".join(first[:size]) for size in (1, 2)]
    context += [f"{schema.SENTENCE_AFTER}{token}" for token in follows[:_NEXT]]
    context += [f"{schema.SENTENCE_AFTER}{schema.ENDS}{token}" for token in follows[-1:]]
    kinds = _kinds_of_parts([part.words for part in found], language)
    told = []
    for at, part in enumerate(found):
        own = tokens[at]
        last = (tokens[at - 1] if at else None) or ["^"]
        after = tokens[at + 1] if at + 1 < len(found) else ["$"]
        told.append(
            [
                schema.EVERY,
                *dict.fromkeys(_own(own)),
                *dict.fromkeys(f"{schema.BEFORE}{token}" for token in last),
                *dict.fromkeys(f"{schema.AFTER}{token}" for token in after[:_AFTER]),
                *context,
                *(f"{schema.EVERY}{sign}" for sign in signs[part.piece]),
                *kinds[at],
                *_edge(own, last, at > 0 and found[at - 1].piece == part.piece),
            ]
        )
    return told


def _own(tokens: Sequence[str]) -> Iterator[str]:
    yield from tokens
    for pair in pairwise(("^", *tokens, "$")):
        yield " ".join(pair)


def _edge(own: Sequence[str], last: Sequence[str], within: bool) -> Iterator[str]:
    mark = own[0] if own and not own[0][0].isalnum() else ""
    words = [token for token in own if token[0].isalnum() or token == "#"]
    yield schema.EDGE
    yield f"{schema.EDGE}{mark}"
    yield schema.WITHIN if within else schema.AT
    for size in (1, 2):
        start = " ".join(words[:size])
        yield f"{schema.EDGE}{start}"
        yield f"{schema.EDGE}{mark} {start}"
    yield f"{schema.EDGE}{last[-1]} {' '.join(words[:1])}"
    yield f"{schema.BEHIND}{last[-1]}"
    yield f"{schema.BEHIND}{last[0]}"
    yield f"{schema.LONG}{min(len(words), _LONG)}"
    yield f"{schema.BEHIND_LONG}{min(len(last), _LONG)}"


def _tokens(text: str) -> list[str]:
    """Return the words of a text, Chinese character by character; a number becomes its length."""
    return [
        f"#{len(token)}" if token.isdigit() else "BLANK" if token[0] == BLANK else token.lower()
        for token in _TOKEN.findall(text)
    ]


def _kinds_of_parts(texts: Sequence[str], language: str) -> list[list[str]]:
    """Return the kinds of words in each part of a sentence, and of the parts around it, as features."""
    kinds = _kinds(language)
    cut = [_words(text, kinds) for text in texts]
    return [
        list(
            dict.fromkeys(
                _kind_features(own, cut[at - 1] if at else [], cut[at + 1] if at + 1 < len(cut) else [], kinds)
            )
        )
        for at, own in enumerate(cut)
    ]


def _kind_features(own: Sequence[str], before: Sequence[str], after: Sequence[str], kinds: Kinds) -> Iterator[str]:
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
    yield from (f"{schema.AFTER}{kinds[word][0]}" for word in after[:_AFTER] if word in kinds)
    yield from (f"{schema.EDGE}{kind}" for word in own[:1] for kind in kinds.get(word, ()))


def _words(text: str, kinds: Kinds) -> list[str]:
    """Return the words of a text; in Chinese the longest known ones."""
    words = []
    for run in _RUN.findall(text):
        if run[0] < _HAN:
            words.append("#" if run[0].isdigit() else run.lower())
        else:
            words += split_at_known(run, kinds, _LONGEST)
    return words


@cache
def _kinds(language: str) -> Kinds:
    kinds = {}
    for line in read_table_text(FOLDER / language / "word_kinds.txt").split("\n"):
        if line and line[0] != "#":
            kind, group, *words = line.split(" ")
            kinds.update(dict.fromkeys(words, (f"{schema.GROUP}{group}", f"{schema.KIND}{kind}")))
    return kinds
