"""Keys and tokens by the formats their makers gave them, and passwords by the commands they are given to.

The formats are data, in `tokens.txt` and `commands.txt`: a row a format.

What is looked for first is derived from the rows, so a beginning is known in one place only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from memcli.text import tables

TOKENS, COMMANDS = (Path(__file__).with_name(name) for name in ("tokens.txt", "commands.txt"))

_BOUND = r"(?<![A-Za-z0-9])"
# Between a name and what it stands before: the rest of a variable's name, a word or two, a sign; not the name of an id.
_REACH = (
    r"[\w.-]{0,30}(?: (?!(?:trace|span|event|request|commit|build|run|issue|job|ticket|hash|digest|id)\b)[\w-]{1,20}){0,2}"
    r"[\"'`]?\s{0,3}(?:=>|:=|[:=：是]|is\b|->)?\s{0,3}[\"'`]?"
)


@dataclass(frozen=True)
class Format:
    """One row of the table."""

    vendor: str
    kind: str
    cues: tuple[str, ...]  # in lower case: without one of them in a text there is nothing to look for
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.source, re.A)


def read(row: tables.Row) -> Format:
    """A row as a format; its cues are the very words its pattern is made of."""
    if "begins" in row:
        words, source = _words(row["begins"][0]), row["then"][0]
        source = f"{_any(words)}(?:{source})"
    elif "holds" in row:
        words, source = _words(row["holds"][0]), f"{_BOUND}(?:{row['shape'][0]})"
    else:
        words, source = _words(row["near"][0]), row["shape"][0]
        source = f"(?i:{_any(words)}){_REACH}{_BOUND}({source})(?![\\w/+-])"
    return Format(row["vendor"][0], row.get("kind", ["api_key"])[0], tuple(word.lower() for word in words), source)


@lru_cache(maxsize=1)
def formats() -> tuple[Format, ...]:
    """Those of tokens: all of them are long."""
    return tuple(map(read, tables.rows(TOKENS)))


@lru_cache(maxsize=1)
def commands() -> tuple[Format, ...]:
    return tuple(map(read, tables.rows(COMMANDS)))


@lru_cache(maxsize=1)
def cues() -> tuple[str, ...]:
    """What a text must hold, in lower case, to hold one of the commands."""
    return tuple(cue for form in commands() for cue in form.cues)


def found(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Where keys stand in a text, and of what kind, `low` being the same in lower case."""
    for form in (*formats(), *commands()):
        if any(cue in low for cue in form.cues):
            for match in form.pattern.finditer(text):
                group = next((number for number, part in enumerate(match.groups(), 1) if part), 0)
                yield form.kind, *match.span(group)


def _words(line: str) -> list[str]:
    """The words of a line; `_` stands for a space within one where a backslash is before it."""
    return [word.replace("\\_", " ") for word in line.split()]


def _any(words: list[str]) -> str:
    """One of the words, the longest first; what begins with a letter or digit has none before it."""
    longest = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(map(_edged, longest))})"


def _edged(word: str) -> str:
    """An address may have its scheme, and a name before a dot."""
    if "." in word and "/" in word:
        return r"(?:https?://)?" + r"[\w.-]{0,80}" * (word[0] == ".") + re.escape(word)
    return _BOUND * word[0].isalnum() + re.escape(word)
