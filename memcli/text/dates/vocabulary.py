"""Read the words of time in `memcli/language/*/dates.txt`.

A word has a kind and a meaning. Some words show whether a text holds any date. The head of the English table says
how its rows are written. This module knows no words itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from memcli.text import phrases
from memcli.text.later import compile_later

Value = tuple[str, Any]  # the kind of a word, and what it means
_RANGE = compile_later(r"(-?\d+)\.\.(-?\d+)")


def split_words(line: str) -> list[str]:
    return [word for word in line.split(", ") if word]


@lru_cache(maxsize=4)
def date_signs(language: str) -> frozenset[str]:
    """Return the words that show that a text holds a date; of a name of several words, the last."""
    lines = (
        line for row in phrases.table("dates", language) if "kind" in row
        for key, listed in row.items() if key != "kind" for line in listed
    )  # fmt: skip
    return frozenset(word.rpartition(" ")[2] for line in lines for word in split_words(line))


def read_lexicon(language: str, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Value]:
    """Return each word with its kind and value.

    `readers` may have a function for a kind that parses what is written before its words.
    """
    known: dict[str, Value] = {}
    for row in phrases.table("dates", language):
        kind = (row.get("kind") or row.get("frame") or [""])[0]
        read = readers.get(kind, _plain)
        for key, lines in row.items() if kind else ():
            if key in ("kind", "frame"):
                continue
            value = None if key == "words" else read(key)
            for line in lines:
                for word in split_words(line):
                    known[word] = (word if kind == "itself" else kind, word if value is None else value)
    return known


def read_neighbours(language: str, key: str) -> dict[str, tuple[str, ...]]:
    """Return for each word what must not follow it (`before`: 五一 is not a feast before 个), what may all
    the same (`except`: 周日 before 语音, not before 语), or what must (`only`)."""
    found: dict[str, tuple[str, ...]] = {}
    for row in phrases.table("dates", language):
        neighbours = tuple(after for line in row.get(key, ()) for after in split_words(line))
        for line in row.get("splits", ()) if neighbours else ():
            found |= {word: found.get(word, ()) + neighbours for word in split_words(line)}
    return found


def _plain(value: str) -> Any:
    """Return the value of a table's entry such as 7, 2..7, day or "month 6": a number, a pair, or text."""
    unit, _, number = value.rpartition(" ")
    if unit:
        amount = _plain(number)
        return unit, amount if isinstance(amount, tuple) else (amount, amount)
    if match := _RANGE.fullmatch(value):
        return int(match[1]), int(match[2])
    return int(value) if value.lstrip("-").isdigit() else value
