"""Sentences and the pieces they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from memcli.remember.learn.language import Language
from memcli.text import sentences as ends

_MOST = 12  # pieces of a sentence that are looked at one by one


def sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, each with how many line feeds stand before it."""
    line = 0
    for piece in ends.sentences(text):
        if sentence := piece.strip(" \t\n-*•"):
            yield sentence, line + piece[: len(piece) - len(piece.lstrip())].count("\n")
        line += piece.count("\n")


def pieces(statement: str, language: Language) -> list[str]:
    """The statement cut where a new one may begin or a value end; joined they give it back."""
    cuts = [0, *(match.start() for match in language.signs["break"].finditer(statement)), len(statement)]
    found = [statement[a:b] for a, b in pairwise(cuts) if b > a]
    return [*found[:_MOST], "".join(found[_MOST:])] if len(found) > _MOST else found


def runs(size: int) -> Iterator[range]:
    """Neighbouring ones of so many pieces, the shortest first."""
    for length in range(1, size + 1):
        for at in range(size - length + 1):
            yield range(at, at + length)
