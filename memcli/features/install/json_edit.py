"""Change one key of somebody else's JSON and keep every other byte, with comments, order and trailing commas.

`json_tree` reads the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from memcli.errors import Refused
from memcli.features.install.json_tree import Node, parse, space
from memcli.vault.markdown import newline_of

Keys = tuple[str, ...]

_LINE_REST = re.compile(r"(?:[ \t\r]|//[^\n]*|/\*[^\n]*?\*/)*")


def value_at(text: str, keys: Keys, name: str = "") -> Any:
    """Return the value under these keys, or None."""
    value = parse(text, name).value
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def put_value(text: str, keys: Keys, value: Any, name: str = "") -> str:
    """Return the text with a value under these keys, making missing objects on the way."""
    root = parse(text, name, keys)
    if root.start == root.stop:
        return text + _dumped(_nested(keys, value), "  ", "") + "\n"
    node = root
    for at, key in enumerate(keys):
        if not isinstance(node.value, dict):
            raise Refused(
                "{place}: {name} is not an object",
                "mend it first; nothing was changed",
                place=name,
                name=".".join(keys[:at]),
            )
        child = _child(node, key)
        if child is None:
            return _inserted(text, root, node, key, _nested(keys[at + 1 :], value))
        node = child
    if node.value == value:
        return text
    return text[: node.start] + _dumped(value, _unit(text, root), _indent(text, node.start)) + text[node.stop :]


def drop_value(text: str, keys: Keys, name: str = "") -> str:
    """Return the text without these keys and without objects that become empty."""
    nodes = [parse(text, name, keys)]
    for key in keys:
        child = _child(nodes[-1], key)
        if child is None:
            return text
        nodes.append(child)
    for depth in range(len(keys), 0, -1):
        above = nodes[depth - 1]
        if len(above.children) > 1 or depth == 1 or _has_comments(text, above):
            at = next(at for at, child in enumerate(above.children) if child is nodes[depth])
            return _removed(text, above, at)
    return text


def put_item(text: str, keys: Keys, item: Any, is_ours: Callable[[Any], bool], name: str = "") -> str:
    """Return the text with an item in the list under these keys, replacing our older one."""
    held = value_at(text, keys, name)
    if not isinstance(held, list):
        return put_value(text, keys, [item], name)
    if [one for one in held if is_ours(one)] == [item]:
        return text
    text = _without_items(text, keys, is_ours, name)
    root = parse(text, name, keys)
    node = _found(root, keys)
    assert node is not None
    return _inserted(text, root, node, None, item)


def drop_items(text: str, keys: Keys, is_ours: Callable[[Any], bool], name: str = "") -> str:
    """Return the text without our items, and without what becomes empty."""
    held = value_at(text, keys, name)
    if not isinstance(held, list) or not any(map(is_ours, held)):
        return text
    text = _without_items(text, keys, is_ours, name)
    return text if value_at(text, keys, name) else drop_value(text, keys, name)


def _without_items(text: str, keys: Keys, is_ours: Callable[[Any], bool], name: str) -> str:
    while (node := _found(parse(text, name, keys), keys)) and (
        ours := [at for at, one in enumerate(node.value) if is_ours(one)]
    ):
        text = _removed(text, node, ours[-1])
    return text


def _found(root: Node, keys: Keys) -> Node | None:
    node: Node | None = root
    for key in keys:
        node = _child(node, key) if node else None
    return node


def _child(node: Node, key: str) -> Node | None:
    return next((child for child in reversed(node.children) if child.key == key), None)


# -- writing -----------------------------------------------------------------------------------------------------------


def _inserted(text: str, root: Node, above: Node, key: str | None, value: Any) -> str:
    """Return the text with one more child at the end of an object or a list."""
    feed = newline_of(text)
    base, unit = _indent(text, above.start), _unit(text, root)
    last = above.children[-1] if above.children else None
    inline = last is not None and "\n" not in text[above.start : last.begin]
    depth = _indent(text, last.begin) if last and not inline else base + unit
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else ""
    if inline and last:
        return text[: last.stop] + ", " + head + json.dumps(value, ensure_ascii=False) + text[last.stop :]
    new = feed + depth + (head + _dumped(value, unit, depth)).replace("\n", feed)
    if last is None:
        inside = text[above.start + 1 : above.stop - 1].rstrip()
        return text[: above.start + 1] + inside + new + feed + base + text[above.stop - 1 :]
    comma = space(text, last.stop)
    has_comma = text[comma : comma + 1] == ","
    rest = _end_of_line(text, comma + 1 if has_comma else last.stop)
    between = text[last.stop : rest]
    return text[: last.stop] + ("" if has_comma else ",") + between + new + ("," * has_comma) + text[rest:]


def _removed(text: str, above: Node, at: int) -> str:
    """Return the text without a child, keeping what stands between the others."""
    child = above.children[at]
    if len(above.children) == 1:
        inside = text[above.start + 1 : child.begin].rstrip() + text[_past_comma(text, child.stop) : above.stop - 1]
        return text[: above.start + 1] + (inside if inside.strip() else "") + text[above.stop - 1 :]
    if at == 0:
        stop = _past_comma(text, child.stop)
        return text[: child.begin] + text[stop:].lstrip(" \t\r\n")
    before = above.children[at - 1]
    comma = space(text, before.stop)
    begin = _end_of_line(text, comma + 1)
    between = text[comma + 1 : begin] + text[begin : child.begin].rstrip()  # comments
    own = _past_comma(text, child.stop)
    last = at == len(above.children) - 1 and own == child.stop  # then the comma before it is removed, too
    return text[: comma if last else comma + 1] + between + text[own:]


def _has_comments(text: str, node: Node) -> bool:
    """Return whether an object holds more than its only child, such as comments."""
    child = node.children[0]
    return bool((text[node.start + 1 : child.begin] + text[child.stop : node.stop - 1]).strip(" \t\r\n,"))


def _past_comma(text: str, at: int) -> int:
    comma = space(text, at)
    return comma + 1 if text[comma : comma + 1] == "," else at


def _end_of_line(text: str, at: int) -> int:
    """Return the position after the comments on the same line, or `at` if more follows on it."""
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
    """Return the white space at the beginning of the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str, root: Node) -> str:
    """Return the indentation that the file itself uses."""
    first = root.children[0].begin if root.children else 0
    unit = _indent(text, first) if "\n" in text[root.start : first] else ""
    return unit or ("\t" if "\n\t" in text else "  ")
