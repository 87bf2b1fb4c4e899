"""Find keys and tokens by the formats of their makers, and passwords by the commands that take them.

The formats are data, in `tokens.txt` and `commands.txt`, one per row. The first thing searched for is derived from
the rows, so that each prefix is defined once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from memcli.text import tables

TOKENS, COMMANDS = (Path(__file__).with_name(name) for name in ("tokens.txt", "commands.txt"))

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


def read_formats(row: tables.Row) -> Iterator[tuple[str, str, str]]:
    """Yield the formats of a row: a cue without which a text has none, the kind of secret, and a pattern."""
    way = next(way for way in ("begins", "holds", "near") if way in row)
    for cue in (word.replace("\\_", " ") for word in row[way][0].split()):
        begin = re.escape(cue) + (rf"(?<![A-Za-z0-9]{re.escape(cue)})" if cue[0].isalnum() else "")
        if way == "begins":
            source = (_SCHEME if "." in cue and "/" in cue else "") + begin + f"(?:{row['then'][0]})"
        elif way == "holds":
            source = f"{_BOUND}(?:{row['shape'][0]})"
        else:
            source = f"(?i:{begin}){_REACH}{_BOUND}({row['shape'][0]})(?![\\w/+-])"
        yield cue, row.get("kind", ["api_key"])[0], source


@cache
def _formats(table: Path) -> tuple[tuple[str, tuple[str, str]], ...]:
    """Return the kinds and patterns of a table by their cues in lower case."""
    found = (each for row in tables.rows(table) for each in read_formats(row))
    return tuple((cue.lower(), (kind, source)) for cue, kind, source in found)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.A)


def has_command(low: str) -> bool:
    """Return whether a text, in lower case, holds a command at the beginning of a word."""
    found = (cue for cue, _ in _formats(COMMANDS) if cue in low)
    return any(re.search(_BOUND * cue[0].isalnum() + re.escape(cue), low) for cue in found)


def find_tokens(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and position of each key in a text: the first group that matched, or the whole match."""
    for table in (TOKENS, COMMANDS):
        for kind, source in dict.fromkeys(form for cue, form in _formats(table) if cue in low):
            for match in _compiled(source).finditer(text):
                yield kind, *match.span(next((number for number, part in enumerate(match.groups(), 1) if part), 0))
