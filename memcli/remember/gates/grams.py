"""Find which of many words occur in a text. They are looked up by runs of three characters, so that hundreds of
words cost little more than one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")
_SIZE = 3

Grams = set[tuple[str, ...]]


def grams(low: str) -> Grams:
    """Return all runs of three characters of a text."""
    return set(zip(*(low[start:] for start in range(_SIZE)), strict=False))


class WordIndex(Generic[T]):
    """Look up things by the words that name them."""

    def __init__(self, known: Iterable[tuple[str, T]]) -> None:
        self.known = tuple(known)
        self._short = [place for place, (word, _) in enumerate(self.known) if len(word) < _SIZE]
        self._by_gram: dict[tuple[str, ...], list[int]] = {}
        for place, (word, _) in enumerate(self.known):
            if len(word) >= _SIZE:
                self._by_gram.setdefault(tuple(word[:_SIZE]), []).append(place)

    def find_standing(self, low: str, grams_of_text: Grams) -> list[tuple[str, T]]:
        """Return the words that occur in a text, with their things, in the order they were given. `grams_of_text` are
        those of the text."""
        places = [place for gram in self._by_gram.keys() & grams_of_text for place in self._by_gram[gram]]
        return [self.known[place] for place in sorted(places + self._short) if self.known[place][0] in low]
