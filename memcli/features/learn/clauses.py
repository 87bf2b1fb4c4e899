"""Cut text into sentences, and sentences into pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from memcli.features.learn.language import Language
from memcli.text import sentences as ends
from memcli.text.words import CJK

_MOST = 12  # pieces of a sentence, at most; the rest is joined into one
_CHINESE = re.compile(f"[{CJK}]")
_COMMA = re.compile(r"(?<=[，,；;])")
_OWN_WORDS = 3  # Latin words beside Chinese ones: fewer are names and terms


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
