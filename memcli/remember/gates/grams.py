"""Which of many words stand in a text. They are looked up by three signs in a row, so that hundreds of words cost
little more than one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")
_SIZE = 3

Grams = set[tuple[str, ...]]


def grams(low: str) -> Grams:
    """All runs of three signs of a text."""
    return set(zip(*(low[start:] for start in range(_SIZE)), strict=False))


class Index(Generic[T]):
    """Things by the words they are known by."""

    def __init__(self, known: Iterable[tuple[str, T]]) -> None:
        self.known = tuple(known)
        self._short = [place for place, (word, _) in enumerate(self.known) if len(word) < _SIZE]
        self._by_gram: dict[tuple[str, ...], list[int]] = {}
        for place, (word, _) in enumerate(self.known):
            if len(word) >= _SIZE:
                self._by_gram.setdefault(tuple(word[:_SIZE]), []).append(place)

    def standing(self, low: str, there: Grams) -> list[tuple[str, T]]:
        """The words that stand in a text, whose grams these are, with their things: in the order they were given."""
        places = [place for gram in self._by_gram.keys() & there for place in self._by_gram[gram]]
        return [self.known[place] for place in sorted(places + self._short) if self.known[place][0] in low]
