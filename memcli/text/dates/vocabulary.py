"""The words of time, read from `memcli/language/*/dates.txt`: of which kind a word is and what it means, and whether a
text holds any at all. The head of the English table says how its rows are written; no words here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from memcli.text.tables import LANGUAGE, Row, rows

Value = tuple[str, Any]  # the kind of a word, and what it means
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


@lru_cache(maxsize=4)
def table(language: str) -> list[Row]:
    return list(rows(LANGUAGE / language / "dates.txt"))


def words(line: str) -> list[str]:
    return [word for word in line.split(", ") if word]


@lru_cache(maxsize=4)
def signs(language: str) -> frozenset[str]:
    """The words by which a text is told to hold dates; of a name of several words, its longest."""
    alone = [row for row in table(language) if "kind" in row]
    lines = (line for row in alone for key, found in row.items() if key != "kind" for line in found)
    return frozenset(max(word.split(), key=len) for line in lines for word in words(line))


def lexicon(language: str, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Value]:
    """Every word with its kind and value. A kind may have a reader of its own for what is written before the words."""
    known: dict[str, Value] = {}
    for row in table(language):
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


def splits(language: str) -> dict[str, tuple[str, ...]]:
    """What must not follow a word: 五一 is none before 个."""
    found: dict[str, tuple[str, ...]] = {}
    for row in table(language):
        before = tuple(after for line in row.get("before", ()) for after in words(line))
        for line in row.get("splits", ()):
            found |= {word: found.get(word, ()) + before for word in words(line)}
    return found


def _plain(written: str) -> Any:
    """7, 2..7, day, "month 6"."""
    unit, _, number = written.rpartition(" ")
    if unit:
        amount = _plain(number)
        return unit, amount if isinstance(amount, tuple) else (amount, amount)
    if match := _RANGE.fullmatch(written):
        return int(match[1]), int(match[2])
    return int(written) if written.lstrip("-").isdigit() else written
