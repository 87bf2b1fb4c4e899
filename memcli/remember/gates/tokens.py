"""Find keys and tokens by the formats of their makers, and passwords by the commands that take them.

The formats are data, in `tokens.txt` and `commands.txt`, one per row. The first thing searched for is derived from
the rows, so that each prefix is defined once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from memcli.remember.gates.patterns import pattern_source
from memcli.text import tables

TOKENS, COMMANDS = (Path(__file__).with_name(name) for name in ("tokens.txt", "commands.txt"))

_PART = re.compile(r"\{([a-z][a-z -]+)\}")
_BOUND = r"(?<![A-Za-z0-9])"
_SCHEME = r"(?:(?:https?://)?[\w.-]{0,80})?"  # an address includes its scheme, or a name before a dot
# Between a name and its value: the rest of a variable's name, a word or two, a sign; but no name of an id.
_REACH = (
    r"[\w.-]{0,30}(?: (?!(?:trace|span|event|request|commit|build|run|issue|job|ticket|hash|digest|id|sha\w*"
    r"|md5|checksum|etag|image|tag"
    r"|revision|rev|version|layer|blob|peer|public|pub|track|album|fingerprint|model|serial|device|order"
    r"|invoice|firmware|at|from)\b)[\w-]{1,20}){0,4}"
    r"[\"'`]?\s{0,3}(?:=>|:=|[:=：是→⇒]|is\b|->)?\s{0,3}[\"'`]?"
)


class TokenFormat(NamedTuple):
    """Hold one of the ways in which a row's keys begin: a cue, without which a text has none, in lower case; a pattern
    for it; the kind of secret; and the pattern of what follows, which is the same in all ways of the row."""

    cue: str
    begin: str
    kind: str
    rest: str


def read_formats(row: tables.Row) -> Iterator[TokenFormat]:
    way = next(way for way in ("begins", "holds", "near") if way in row)
    shape = _whole(row["then" if way == "begins" else "shape"][0])
    for word in (word.replace("\\_", " ") for word in row[way][0].split()):
        begin = re.escape(word) + (
            rf"(?<![A-Za-z0-9]{re.escape(word)})" if word[0].isascii() and word[0].isalnum() else ""
        )
        if way == "begins":
            begin, rest = (_SCHEME if "." in word and "/" in word else "") + begin, f"(?:{shape})"
        elif way == "holds":
            begin, rest = "", f"{_BOUND}(?:{shape})"
        else:
            begin, rest = f"(?i:{begin})", f"{_REACH}{_BOUND}({shape})(?![\\w/+-])"
        yield TokenFormat(word.lower(), begin, row.get("kind", ["api_key"])[0], rest)


def _whole(source: str) -> str:
    """Return the source of a pattern with the parts that it names in braces."""
    return _PART.sub(lambda part: pattern_source(part[1]), source)


def patterns_in(low: str, formats: Iterable[TokenFormat]) -> Iterator[tuple[str, str]]:
    """Yield the kinds and patterns of what a text in lower case may have: one pattern for all the ways of a row, as
    compiling it takes longer than the search in a note."""
    begins: dict[tuple[str, str], dict[str, None]] = {}
    for each in formats:
        if each.cue in low:
            begins.setdefault((each.kind, each.rest), {})[each.begin] = None
    for (kind, rest), ways in begins.items():
        yield kind, f"(?:{'|'.join(ways)}){rest}"


@cache
def _formats(table: Path) -> tuple[TokenFormat, ...]:
    return tuple(each for row in tables.rows(table) for each in read_formats(row))


@cache
def _commands() -> tuple[str, ...]:
    """Return the cues of commands, each once."""
    return tuple(dict.fromkeys(each.cue for each in _formats(COMMANDS)))


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.A)


def has_command(low: str) -> bool:
    """Return whether a text, in lower case, holds a command at the beginning of a word."""
    found = (cue for cue in _commands() if cue in low)
    return any(re.search(_BOUND * cue[0].isalnum() + re.escape(cue), low) for cue in found)


def find_tokens(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and position of each key in a text: the first group that matched, or the whole match."""
    for table in (TOKENS, COMMANDS):
        for kind, pattern in patterns_in(low, _formats(table)):
            for match in _compiled(pattern).finditer(text):
                yield kind, *match.span(next((number for number, part in enumerate(match.groups(), 1) if part), 0))
