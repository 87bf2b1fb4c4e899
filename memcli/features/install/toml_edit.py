"""Change one table of somebody else's TOML: replace its own keys line by line and keep every other byte.

Only as much TOML is parsed as is needed to find where statements begin and end: strings, lists and comments may hold
anything.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, NamedTuple

from memcli.errors import Refused
from memcli.features.install import json_tree
from memcli.message import Message
from memcli.vault.markdown import newline_of

_HEADER = re.compile(r"[ \t]*\[(?!\[)([^\]\n]+)\]")
_KEY = re.compile(
    r"[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*'))*)[ \t]*="
)
_PIECE = re.compile(
    r'"""(?:\\.|(?!""").)*"""|' + r"'''.*?'''" + r'|"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|[\[{]|[\]}]|\n", re.S
)


class TomlStatement(NamedTuple):
    """Hold a header, an assignment, or a line between them."""

    start: int
    stop: int  # after its line feed
    table: tuple[str, ...]  # the table it belongs to, or that the header begins
    key: tuple[str, ...] = ()  # empty for headers, comments and blank lines
    is_header: bool = False


def table_at(text: str, name: tuple[str, ...]) -> dict[str, str] | None:
    """Return the assignments of a table as written, or None if there is no such table."""
    own = [one for one in statements(text) if one.table == name]
    if not own:
        return None
    return {".".join(one.key): text[one.start : one.stop].partition("=")[2].strip() for one in own if one.key}


def values_at(text: str, name: tuple[str, ...], keys: tuple[str, ...], file: str = "") -> dict[str, Any]:
    """Return the values of these keys of a table: texts, numbers and lists. Raise Refused when the file is broken."""
    if sys.version_info >= (3, 11):  # before, Python reads no TOML itself
        import tomllib

        try:
            tomllib.loads(text)
        except ValueError as error:
            why = Message("{place}: can't be read as TOML: {WHY}", place=file, WHY=str(error))
            raise Refused(why, "mend it first; nothing was changed") from None
    table = table_at(text, name) or {}
    return {key: json_tree.parse(_PIECE.sub(_as_json, table[key]), file).value for key in keys if key in table}


def _as_json(piece: re.Match[str]) -> str:
    """Return a string of TOML as one of JSON, and nothing for a comment."""
    written = piece[0]
    quote = next((sign for sign in ('"""', "'''", "'") if written.startswith(sign)), "")
    return "" if written.startswith("#") else json.dumps(written[len(quote) : -len(quote)]) if quote else written


def put_table(text: str, name: tuple[str, ...], values: dict[str, Any], file: str = "") -> str:
    """Return the text with these keys in a table, which is added at the end if it is missing."""
    feed = newline_of(text)
    _is_ours_to_write(text, name, file)
    if table_at(text, name) is None:
        gap = "" if not text.strip() else feed if text.endswith("\n") else feed * 2
        lines = [f"[{'.'.join(name)}]", *(f"{key} = {_dumped(value)}" for key, value in values.items())]
        return text + gap + feed.join(lines) + feed
    for key, value in values.items():
        own = [one for one in statements(text) if one.table == name]
        line = f"{key} = {_dumped(value)}{feed}"
        if old := next((one for one in own if one.key == (key,)), None):
            written = text[old.start : old.stop].partition("=")[2].split("#")[0].strip()
            if written != _dumped(value):
                was = text[old.start : old.stop]
                indent = was[: len(was) - len(was.lstrip(" \t"))]
                text = text[: old.start] + indent + line + text[old.stop :]
        else:
            after = next(one for one in own if one.is_header).stop
            text = text[:after] + (feed if text[after - 1 : after] != "\n" else "") + line + text[after:]
    return text


def drop_table(text: str, name: tuple[str, ...]) -> str:
    """Return the text without a table and its subtables; comments above the next table stay."""
    listed = statements(text)
    at = 0
    while at < len(listed):
        if not (listed[at].is_header and listed[at].table[: len(name)] == name):
            at += 1
            continue
        end = at + 1
        while end < len(listed) and not listed[end].is_header:
            end += 1
        while end < len(listed) and end > at + 1 and not listed[end - 1].key:
            end -= 1  # blank lines and comments belong to what follows
        stop = listed[end - 1].stop
        head = text[: listed[at].start]
        if not text[stop:].strip():
            return head.rstrip() + "\n" if head.strip() else ""
        text = head + text[stop:].lstrip("\r\n")
        listed = statements(text)
    return text


def statements(text: str) -> list[TomlStatement]:
    """Return the statements of a file."""
    found: list[TomlStatement] = []
    table: tuple[str, ...] = ()
    at = 0
    while at < len(text):
        stop = _end(text, at)
        if header := _HEADER.match(text, at):
            table = _names(header[1])
            found.append(TomlStatement(at, stop, table, is_header=True))
        elif text[at:stop].lstrip().startswith("[["):
            table = ("[[",)
            found.append(TomlStatement(at, stop, table, is_header=True))
        else:
            key = _KEY.match(text, at)
            found.append(TomlStatement(at, stop, table, _names(key[1]) if key else ()))
        at = stop
    return found


def _end(text: str, at: int) -> int:
    """Return where a statement ends: after the first line feed outside of strings and brackets."""
    depth = 0
    for piece in _PIECE.finditer(text, at):
        sign = piece[0]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == "\n" and depth <= 0:
            return piece.end()
    return len(text)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", dotted))


def _is_ours_to_write(text: str, name: tuple[str, ...], file: str) -> None:
    """Raise Refused if a file writes the same table inline: a second one would break it."""
    for one in statements(text):
        path = (*one.table, *one.key)
        if one.key and len(one.table) < len(name) and path[: len(name)] in (name, name[: len(path)]):
            line = text.count("\n", 0, one.start) + 1
            raise Refused(
                Message("{place}: {name} is written inline", place=f"{file}:{line}", name=".".join(path)),
                "write it as a table, or add mem by hand",
            )


def _dumped(value: Any) -> str:
    """Return a value as TOML; strings and lists of strings look the same in JSON."""
    return json.dumps(value, ensure_ascii=False)
