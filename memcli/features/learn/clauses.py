"""Cut text into sentences and sentences into pieces, and analyse such a clause.

Its owner (whom it is about), mood, time, predicate and subjects are told by the words of each class in
`language/*/learn_words.txt`; `likelihood` weighs the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from memcli.features.learn.language import Language
from memcli.text import sentences as ends
from memcli.text.words import CJK, CJK_RUN

_MOST = 12  # pieces of a sentence, at most; the rest is joined into one
_CHINESE = re.compile(f"[{CJK}]")
_COMMA = re.compile(r"(?<=[，,；;])")
_OWN_WORDS = 3  # Latin words beside Chinese ones: fewer are names and terms
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w'’-]+")
_NUMBER = re.compile(r"\d")
_CODE = re.compile(r"`|\w\(|[{}<>=]{2}|\w\.\w+\(|--\w")
_WORD = re.compile(r"[^\W_\u3040-\u9fff]+(?:['’][^\W_]+)?")


def sentences(text: str) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a text, each with the number of line feeds before it."""
    line = 0
    for piece in ends.sentences(text):
        at = line + piece[: len(piece) - len(piece.lstrip())].count("\n")
        yield from ((said.strip(), at) for said in _by_language(piece.strip(" \t\n-*•")) if said.strip())
        line += piece.count("\n")


def _by_language(sentence: str) -> list[str]:
    """Split a sentence in two languages into one for each: `I live in Leipzig now，中文打字有点慢`."""
    if not _CHINESE.search(sentence):
        return [sentence]
    runs = ["".join(run) for _, run in groupby(_COMMA.split(sentence), lambda part: bool(_CHINESE.search(part)))]
    own = all(_CHINESE.search(run) or len(run.split()) >= _OWN_WORDS for run in runs)
    return runs if own else [sentence]


def cut_statement(statement: str, language: Language) -> list[str]:
    """Cut a statement where a new one may begin or a value may end. Joined, the pieces give the statement."""
    cuts = [0, *(match.start() for match in language.signs["break"].finditer(statement)), len(statement)]
    found = [statement[a:b] for a, b in pairwise(cuts) if b > a]
    return [*found[:_MOST], "".join(found[_MOST:])] if len(found) > _MOST else found


def neighbour_runs(size: int) -> Iterator[range]:
    """Yield all runs of neighbouring pieces, the shortest first."""
    for length in range(1, size + 1):
        for at in range(size - length + 1):
            yield range(at, at + length)


@dataclass(frozen=True)
class Clause:
    """Describe one statement, order or question, without the words that join it to others."""

    text: str
    whose: str  # whom it is about: the user, their family, somebody else, the assistant; "" if nobody is named
    mood: str  # stated (empty), asked, ordered, conditional, wished, doubted, ironic …
    time: str  # lasting, changed, planned, over, of this moment, of this occasion; "" if unsaid
    predicate: str  # the statement: likes, has, must, decided …; "" if no word shows it
    about: frozenset[str]  # subjects it touches, with names and numbers
    length: str

    def signs(self) -> Iterator[str]:
        """Yield the features of the clause, by name."""
        for kind, value in (("whose", self.whose), ("mood", self.mood), ("time", self.time)):
            yield f"{kind}: {value or 'unsaid'}"
        yield f"says: {self.predicate or 'unsaid'}"
        yield self.length
        yield from sorted(f"about: {name}" for name in self.about)


def analyse_clause(text: str, says: str, language: Language, before: str = "") -> Clause:
    """Return the analysis of a clause. `says` is its predicate; `before` is the owner of the clause before, used
    when this clause names nobody."""
    return Clause(
        text,
        whose(text, language) or before,
        _first("mood", text, language),
        _first("time", text, language),
        says,
        frozenset({*(name for name, words in language.classes["about"] if words.search(text)), *_made(text)}),
        _length(text),
    )


def whose(text: str, language: Language) -> str:
    return _first("whose", text, language)


def _first(kind: str, text: str, language: Language) -> str:
    return next((name for name, words in language.classes[kind] if words.search(text)), "")


def _length(text: str) -> str:
    length = len(_WORD.findall(text)) + sum(map(len, CJK_RUN.findall(text))) // 2
    return "a word or two" if length <= 2 else "short" if length <= 4 else "long" if length > 14 else "of some length"


def _made(text: str) -> Iterator[str]:
    """Yield features that don't depend on the language: a name, a number, code."""
    for sign, words in (("a name in it", _NAME), ("a number in it", _NUMBER), ("code in it", _CODE)):
        if words.search(text):
            yield sign
