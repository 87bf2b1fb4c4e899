"""Changing one key of somebody else's JSON: every other byte stays, comments, order and trailing commas included.

It reads what agents read: JSON, JSON with comments, and of JSON5 bare keys and single quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memcli.errors import Refused

Keys = tuple[str, ...]

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.S)
_LINE_REST = re.compile(r"(?:[ \t\r]|//[^\n]*|/\*[^\n]*?\*/)*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'", re.S)
_WORD = re.compile(r"[^\s,:\[\]{}\"'/]+")
_DEEPEST = 100


@dataclass
class Node:
    """A value and where it stands. The children of an object begin at their keys."""

    start: int
    stop: int = 0
    value: Any = None
    children: list[Child] = field(default_factory=list)


@dataclass
class Child:
    key: str | None  # None in a list
    start: int
    node: Node

    @property
    def stop(self) -> int:
        return self.node.stop


def parse(text: str, name: str = "") -> Node:
    """The value of a whole file; Refused names the line that can't be read. An empty file is an empty object."""
    if not text[_space(text, 0) :]:
        return Node(len(text), len(text), {})
    node, at = _value(text, _space(text, 0), name)
    if text[_space(text, at) :]:
        raise _unreadable(text, at, name)
    return node


def value_at(text: str, keys: Keys, name: str = "") -> Any:
    """What stands under these keys; None when nothing does."""
    value = parse(text, name).value
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def put(text: str, keys: Keys, value: Any, name: str = "") -> str:
    """The text with a value under these keys; objects on the way are made."""
    root = parse(text, name)
    if root.start == root.stop:
        return text + _dumped(_nested(keys, value), "  ", "") + "\n"
    node = root
    for at, key in enumerate(keys):
        if not isinstance(node.value, dict):
            raise Refused(f"{name}: {'.'.join(keys[:at])} is no object", "mend it first; nothing was changed")
        child = _child(node, key)
        if child is None:
            return _inserted(text, node, key, _nested(keys[at + 1 :], value))
        node = child.node
    if node.value == value:
        return text
    return text[: node.start] + _dumped(value, _unit(text, root), _indent(text, node.start)) + text[node.stop :]


def drop(text: str, keys: Keys, name: str = "") -> str:
    """The text without these keys, and without the objects that are empty then."""
    nodes = [parse(text, name)]
    for key in keys:
        child = _child(nodes[-1], key)
        if child is None:
            return text
        nodes.append(child.node)
    for depth in range(len(keys), 0, -1):
        above = nodes[depth - 1]
        if len(above.children) > 1 or depth == 1:
            at = next(at for at, child in enumerate(above.children) if child.node is nodes[depth])
            return _removed(text, above, at)
    return text


def put_item(text: str, keys: Keys, item: Any, is_ours: Callable[[Any], bool], name: str = "") -> str:
    """The text with an item in the list under these keys, in place of the one that is ours already."""
    held = value_at(text, keys, name)
    if not isinstance(held, list):
        return put(text, keys, [item], name)
    if [one for one in held if is_ours(one)] == [item]:
        return text
    text = _without_items(text, keys, is_ours, name)
    node = _found(text, keys, name)
    assert node is not None
    return _inserted(text, node, None, item)


def drop_items(text: str, keys: Keys, is_ours: Callable[[Any], bool], name: str = "") -> str:
    """The text without the items that are ours, and without what is empty then."""
    held = value_at(text, keys, name)
    if not isinstance(held, list) or not any(map(is_ours, held)):
        return text
    text = _without_items(text, keys, is_ours, name)
    return text if value_at(text, keys, name) else drop(text, keys, name)


def _without_items(text: str, keys: Keys, is_ours: Callable[[Any], bool], name: str) -> str:
    while (node := _found(text, keys, name)) and (ours := [at for at, one in enumerate(node.value) if is_ours(one)]):
        text = _removed(text, node, ours[-1])
    return text


# -- reading -----------------------------------------------------------------------------------------------------------


def _value(text: str, at: int, name: str, depth: int = 0) -> tuple[Node, int]:
    """The value that begins here, and where it ends."""
    node = Node(at)
    sign = text[at : at + 1]
    if sign in ("{", "[") and depth < _DEEPEST:
        at = _members(text, node, name, depth)
    elif string := _STRING.match(text, at):
        node.value, at = _unquoted(string[0], text, at, name), string.end()
    elif word := _WORD.match(text, at):
        node.value, at = _bare(word[0]), word.end()
    else:
        raise _unreadable(text, at, name)
    node.stop = at
    return node, at


def _members(text: str, node: Node, name: str, depth: int) -> int:
    """Read the children of an object or a list; where it ends."""
    is_object = text[node.start] == "{"
    node.value = {} if is_object else []
    at = _space(text, node.start + 1)
    while text[at : at + 1] != ("}" if is_object else "]"):
        start, key = at, None
        if is_object:
            key, at = _key(text, at, name)
        child, at = _value(text, at, name, depth + 1)
        node.children.append(Child(key, start, child))
        if is_object:
            node.value[key] = child.value
        else:
            node.value.append(child.value)
        at = _space(text, at)
        if text[at : at + 1] == ",":
            at = _space(text, at + 1)
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
    at = _space(text, at)
    if text[at : at + 1] != ":":
        raise _unreadable(text, at, name)
    return key, _space(text, at + 1)


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
    except ValueError:  # JSON5 knows more numbers than JSON
        return word


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unreadable(text: str, at: int, name: str) -> Refused:
    line = text.count("\n", 0, at) + 1
    return Refused(f"{name}:{line}: can't be read as JSON", "mend it first; nothing was changed")


def _found(text: str, keys: Keys, name: str) -> Node | None:
    node: Node | None = parse(text, name)
    for key in keys:
        child = _child(node, key) if node else None
        node = child.node if child else None
    return node


def _child(node: Node, key: str) -> Child | None:
    return next((child for child in reversed(node.children) if child.key == key), None)


# -- writing -----------------------------------------------------------------------------------------------------------


def _inserted(text: str, above: Node, key: str | None, value: Any) -> str:
    """The text with one more child at the end of an object or a list."""
    feed = "\r\n" if "\r\n" in text else "\n"
    base, unit = _indent(text, above.start), _unit(text, parse(text))
    last = above.children[-1] if above.children else None
    inline = last is not None and "\n" not in text[above.start : last.start]
    depth = _indent(text, last.start) if last and not inline else base + unit
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else ""
    if inline and last:
        return text[: last.stop] + ", " + head + json.dumps(value, ensure_ascii=False) + text[last.stop :]
    new = feed + depth + (head + _dumped(value, unit, depth)).replace("\n", feed)
    if last is None:
        inside = text[above.start + 1 : above.stop - 1].rstrip()
        return text[: above.start + 1] + inside + new + feed + base + text[above.stop - 1 :]
    comma = _space(text, last.stop)
    has_comma = text[comma : comma + 1] == ","
    rest = _end_of_line(text, comma + 1 if has_comma else last.stop)
    between = text[last.stop : rest]
    return text[: last.stop] + ("" if has_comma else ",") + between + new + ("," * has_comma) + text[rest:]


def _removed(text: str, above: Node, at: int) -> str:
    """The text without a child; what stands between the others stays between them."""
    child = above.children[at]
    if len(above.children) == 1:
        inside = text[above.start + 1 : child.start] + text[_past_comma(text, child.stop) : above.stop - 1]
        return text[: above.start + 1] + (inside.rstrip() if not inside.strip() else inside) + text[above.stop - 1 :]
    if at == 0:
        stop = _past_comma(text, child.stop)
        return text[: child.start] + text[stop:].lstrip(" \t\r\n")
    before = above.children[at - 1]
    comma = _space(text, before.stop)
    begin = _end_of_line(text, comma + 1)
    if at < len(above.children) - 1:
        return text[:begin] + text[_past_comma(text, child.stop) :]
    own = _past_comma(text, child.stop)
    kept = own == child.stop  # without a comma at the end the one before goes, too
    return text[: comma if kept else comma + 1] + text[comma + 1 : begin] + text[own:]


def _past_comma(text: str, at: int) -> int:
    comma = _space(text, at)
    return comma + 1 if text[comma : comma + 1] == "," else at


def _end_of_line(text: str, at: int) -> int:
    """Behind the comments that follow on the same line; where more follows on it, right here."""
    rest = _LINE_REST.match(text, at)
    stop = rest.end() if rest else at
    if text[stop : stop + 1] != "\n":
        return at
    return stop - 1 if text[stop - 1 : stop] == "\r" else stop


def _nested(keys: Keys, value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _dumped(value: Any, unit: str, base: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", "\n" + base)


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str, root: Node) -> str:
    """By what the file itself indents."""
    first = root.children[0].start if root.children else 0
    return (_indent(text, first) if "\n" in text[root.start : first] else "") or "  "
