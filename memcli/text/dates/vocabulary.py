"""The words of time, read from `memcli/language/*/dates.txt`: of which kind a word is and what it means, and whether a
text holds any at all. The head of the English table says how its rows are written; no words here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from memcli.text import phrases
from memcli.text.tables import written

Value = tuple[str, Any]  # the kind of a word, and what it means
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def words(line: str) -> list[str]:
    return [word for word in line.split(", ") if word]


@lru_cache(maxsize=4)
def signs(language: str) -> frozenset[str]:
    """The words by which a text is told to hold dates; of a name of several words, its last. Every question asks for
    them, so of the table only the rows of such words are looked at."""
    found: set[str] = set()
    for row in written(phrases.FOLDER / language / "dates.txt").split("\n\n"):
        for line in f"\n{row}".partition("\nkind: ")[2].split("\n")[1:]:
            key, _, names = line.partition(": ")
            if key not in ("takes", "leaves"):
                found.update(names.split(", "))
    return frozenset(word.rpartition(" ")[2] for word in found)


def lexicon(language: str, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Value]:
    """Every word with its kind and value. A kind may have a reader of its own for what is written before the words."""
    known: dict[str, Value] = {}
    for row in phrases.table("dates", language):
        kind = (row.get("kind") or row.get("frame") or [""])[0]
        read = readers.get(kind, _plain)
        for key, lines in row.items() if kind else ():
            if key in ("kind", "frame"):
                continue
            value = None if key == "words" else read(key)
            for line in lines:
                for word in words(line):
                    known[word] = (word if kind == "itself" else kind, word if value is None else value)
    return known


def follows(language: str, key: str) -> dict[str, tuple[str, ...]]:
    """What must not follow a word (`before`: 五一 is none before 个), or what must (`only`)."""
    found: dict[str, tuple[str, ...]] = {}
    for row in phrases.table("dates", language):
        neighbours = tuple(after for line in row.get(key, ()) for after in words(line))
        for line in row.get("splits", ()) if neighbours else ():
            found |= {word: found.get(word, ()) + neighbours for word in words(line)}
    return found


def _plain(value: str) -> Any:
    """7, 2..7, day, "month 6"."""
    unit, _, number = value.rpartition(" ")
    if unit:
        amount = _plain(number)
        return unit, amount if isinstance(amount, tuple) else (amount, amount)
    if match := _RANGE.fullmatch(value):
        return int(match[1]), int(match[2])
    return int(value) if value.lstrip("-").isdigit() else value
