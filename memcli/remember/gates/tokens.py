"""Find keys and tokens by the formats of their makers, and passwords by the commands that take them.

The formats are data, in `tokens.txt` and `commands.txt`, one per row. The first thing searched for is derived from
the rows, so that each prefix is defined once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from memcli.remember.gates.grams import Grams, WordIndex
from memcli.text import tables
from memcli.text.later import compile_later

TOKENS, COMMANDS = (Path(__file__).with_name(name) for name in ("tokens.txt", "commands.txt"))

_BOUND = r"(?<![A-Za-z0-9])"
_SCHEME = compile_later(r"(?:https?://)?[\w.-]{0,80}\Z")
# Between a name and its value: the rest of a variable's name, a word or two, a sign; but no name of an id.
_REACH = (
    r"[\w.-]{0,30}(?: (?!(?:trace|span|event|request|commit|build|run|issue|job|ticket|hash|digest|id|sha\w*"
    r"|md5|checksum|etag|image|tag"
    r"|revision|rev|version|layer|blob|peer|public|pub|track|album|fingerprint|model|serial|device|order"
    r"|invoice|firmware|at|from)\b)[\w-]{1,20}){0,4}"
    r"[\"'`]?\s{0,3}(?:=>|:=|[:=：是→⇒]|is\b|->)?\s{0,3}[\"'`]?"
)


@dataclass(frozen=True)
class TokenFormat:
    """Hold one row of the table. Its pattern is tried only where one of its cues, words of the row, occurs."""

    kind: str
    way: str  # begins, holds or near: how the cues relate to the format
    cues: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.source, re.A)

    def found(self, text: str, low: str) -> Iterator[tuple[int, int]]:
        """Yield where the format occurs in a text; `low` is the text in lower case, of the same length."""
        if self.way == "holds":
            if any(cue in text for cue in self.cues):
                yield from map(_secret_part, self.pattern.finditer(text))
            return
        searched = low if self.way == "near" else text
        for cue in self.cues:
            for at in _find_cue(searched, cue):
                match = self.pattern.match(text, at + len(cue))
                if match and match.re.groups and any(match.groups()):
                    yield _secret_part(match)
                elif match:
                    yield _start(text, at, cue), match.end()


def read_format(row: tables.Row) -> TokenFormat:
    way = next(way for way in ("begins", "holds", "near") if way in row)
    cues = [word.replace("\\_", " ") for word in row[way][0].split()]
    if way == "begins":
        source = row["then"][0]
    elif way == "holds":
        source = f"{_BOUND}(?:{row['shape'][0]})"
    else:
        source = f"{_REACH}{_BOUND}({row['shape'][0]})(?![\\w/+-])"
        cues = [cue.lower() for cue in cues]
    return TokenFormat(row.get("kind", ["api_key"])[0], way, tuple(cues), source)


@cache
def _formats(table: Path) -> WordIndex[TokenFormat]:
    """Return the formats of a table by their cues in lower case."""
    return WordIndex((cue.lower(), form) for form in map(read_format, tables.rows(table)) for cue in form.cues)


def has_command(low: str, grams_of_text: Grams) -> bool:
    """Return whether a text, in lower case, holds a command at the beginning of a word."""
    return any(True for cue, _ in _formats(COMMANDS).find_standing(low, grams_of_text) for _ in _find_cue(low, cue))


def _find_cue(text: str, cue: str) -> Iterator[int]:
    """Yield where a cue stands, but for places within a word."""
    at = text.find(cue)
    while at >= 0:
        if not (cue[0].isalnum() and at and text[at - 1].isascii() and text[at - 1].isalnum()):
            yield at
        at = text.find(cue, at + len(cue))


def find_tokens(text: str, low: str, grams_of_text: Grams) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and position of each key in a text."""
    for table in (TOKENS, COMMANDS):
        for form in dict.fromkeys(form for _, form in _formats(table).find_standing(low, grams_of_text)):
            for start, stop in form.found(text, low):
                yield form.kind, start, stop


def _secret_part(match: re.Match[str]) -> tuple[int, int]:
    """Return the span of the first group that matched, or of the whole match."""
    return match.span(next((number for number, part in enumerate(match.groups(), 1) if part), 0))


def _start(text: str, at: int, cue: str) -> int:
    """Return where a token begins: an address includes its scheme, or a name before a dot."""
    if "." in cue and "/" in cue and (before := _SCHEME.search(text, max(0, at - 100), at)):
        return before.start()
    return at
