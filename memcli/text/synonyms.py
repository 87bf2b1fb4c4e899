"""Find words that mean the same in almost every note: read the tables `synonyms.txt` of `memcli/language/`.

A table is read when a question in its language comes. Only groups with a word of the question are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from memcli.text.tables import LANGUAGE, rows


@lru_cache(maxsize=4)
def table(language: str) -> dict[str, tuple[str, ...]]:
    """Return each word with all the words that may stand for it."""
    alike: dict[str, tuple[str, ...]] = {}
    for row in rows(LANGUAGE / language / "synonyms.txt"):
        for group in row["alike"]:
            words = group.split()
            for word in words:
                alike[word] = (*alike.get(word, ()), *(other for other in words if other != word))
    return alike


def known(run: str) -> Iterator[tuple[int, int]]:
    """Yield where words of the Chinese table stand in a text without spaces, as start and stop.

    The longest word wins, and none lies within another.
    """
    alike = table("zh")
    longest = max(map(len, alike))
    at = 0
    while at < len(run):
        stop = next((stop for stop in range(min(len(run), at + longest), at, -1) if run[at:stop] in alike), 0)
        if stop:
            yield at, stop
        at = stop or at + 1
