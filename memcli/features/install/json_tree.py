"""Read the JSON of agents with positions: JSON, JSON with comments, and bare keys and single quotes as in JSON5.

Nothing is changed here; `json_edit` does that.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from memcli.errors import Refused
from memcli.message import Message

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'", re.S)
_WORD = re.compile(r"[^\s,:\[\]{}\"'/]+")
_DECODER = json.JSONDecoder(strict=False)
_DEEPEST = 100


@dataclass
class Node:
    """Hold a value and its position."""

    start: int
    stop: int = 0
    value: Any = None
    children: list[Node] = field(default_factory=list)
    key: str | None = None  # in an object
    begin: int = 0  # where its key begins, or in a list the value itself


def parse(text: str, name: str = "", keys: tuple[str, ...] = ()) -> Node:
    """Return the value of a whole file, with positions along `keys`. An empty file is an empty object. Raise
    Refused, with the line, if it can't be read."""
    if not text[space(text, 0) :]:
        return Node(len(text), len(text), {})
    node, at = _value(text, space(text, 0), name, keys)
    if text[space(text, at) :]:
        raise _unreadable(text, at, name)
    return node


def _value(text: str, at: int, name: str, keys: tuple[str, ...], depth: int = 0) -> tuple[Node, int]:
    """Return the value that begins here, and its end."""
    node = Node(at)
    sign = text[at : at + 1]
    if sign in ("{", "[") and depth < _DEEPEST:
        at = _members(text, node, name, keys, depth)
    elif string := _STRING.match(text, at):
        node.value, at = _unquoted(string[0], text, at, name), string.end()
    elif word := _WORD.match(text, at):
        node.value, at = _bare(word[0]), word.end()
    else:
        raise _unreadable(text, at, name)
    node.stop = at
    return node, at


def _aside(text: str, at: int, name: str, depth: int) -> tuple[Node, int]:
    """Return a value whose positions are not needed, and its end. Plain JSON is read by Python, a hundred times as
    fast."""
    try:
        value, stop = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _value(text, at, name, (), depth)
    if _WORD.match(text, stop):  # it read the 0 of 0xff
        return _value(text, at, name, (), depth)
    return Node(at, stop, value), stop


def _members(text: str, node: Node, name: str, keys: tuple[str, ...], depth: int) -> int:
    """Read the children of an object or a list into its node, and return its end."""
    is_object = text[node.start] == "{"
    node.value = {} if is_object else []
    at = space(text, node.start + 1)
    while text[at : at + 1] != ("}" if is_object else "]"):
        start, key = at, None
        if is_object:
            key, at = _key(text, at, name)
        if keys and key == keys[0]:
            child, at = _value(text, at, name, keys[1:], depth + 1)
        else:
            child, at = _aside(text, at, name, depth + 1)
        child.key, child.begin = key, start
        node.children.append(child)
        if is_object:
            node.value[key] = child.value
        else:
            node.value.append(child.value)
        at = space(text, at)
        if text[at : at + 1] == ",":
            at = space(text, at + 1)
        elif text[at : at + 1] not in ("}", "]"):
            raise _unreadable(text, at, name)
    return at + 1


def _key(text: str, at: int, name: str) -> tuple[str, int]:
    if string := _STRING.match(text, at):
        key, at = str(_unquoted(string[0], text, at, name)), string.end()
    elif word := _WORD.match(text, at):
        key, at = word[0], word.end()
    else:
        raise _unreadable(text, at, name)
    at = space(text, at)
    if text[at : at + 1] != ":":
        raise _unreadable(text, at, name)
    return key, space(text, at + 1)


def _unquoted(string: str, text: str, at: int, name: str) -> Any:
    if string[0] == "'":
        string = '"' + string[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
    try:
        return json.loads(string, strict=False)
    except ValueError:
        raise _unreadable(text, at, name) from None


def _bare(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:  # JSON5 has more numbers than JSON
        return word


def space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unreadable(text: str, at: int, name: str) -> Refused:
    line = text.count("\n", 0, at) + 1
    return Refused(
        Message("{place}: can't be read as JSON", place=f"{name}:{line}"), "mend it first; nothing was changed"
    )
