"""Changing YAML piece by piece: only the items or keys that change are written anew, all else keeps its bytes.

A piece is one item of a list file (`labels.yaml`) or one key of a mapping (`state.yaml`, front matter), in whole lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from textwrap import dedent, indent
from typing import Any

from memcli.errors import VaultError
from memcli.vault import yamls

Change = Callable[[Any], Any]  # a piece's value (of a mapping: a mapping with its one key) to what it becomes


def changed(text: str, path: str, changes: Mapping[int, Change | None], added: Sequence[Any] = ()) -> str:
    """`text` with pieces changed by their number, those with None taken out, and `added` put at the end."""
    from ruamel.yaml.error import YAMLError

    before = yamls.load(text, path)
    try:
        result = _changed(text, before, changes, added)
        spared = _spared(before, yamls.load(result, path), changes, len(added))
    except (YAMLError, VaultError):
        spared = False
    if not spared:  # anchors, or something else that leads from one piece to another
        raise VaultError(f"{path}: can't be changed without harm to what stands beside it", f"mem edit {path}")
    return result


def _changed(text: str, before: Any, changes: Mapping[int, Change | None], added: Sequence[Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    spans = _spans(text)
    dashes = isinstance(before, list) or (before is None and bool(added) and not isinstance(added[0], _Key))
    if spans is None:  # items share their lines, as in [{…}, {…}]
        text = _whole(text, changes, added)
    else:
        if added:
            column = _column(text, spans[0][0]) if spans else 0
            at = spans[-1][1] if spans else len(text)
            new = "".join(_spelled(each, dashes, column) for each in added)
            text = text[:at] + "\n" * (at > 0 and text[at - 1] != "\n") + new + text[at:]
        for number in sorted(changes, reverse=True):
            start, stop = spans[number]
            text = text[:start] + _respelled(text[start:stop], changes[number], dashes) + text[stop:]
    return mark + text.replace("\n", newline)


def with_value(text: str, path: str, keys: Sequence[str], value: Any) -> str:
    """A mapping with the value under `keys` set, or taken out when it is None; `a.b` may be written as one key."""
    tree = yamls.load(text, path)
    if tree is not None and not isinstance(tree, dict):
        raise VaultError(f"{path}:1: expected 'key: value' lines")
    names = [str(name) for name in tree or {}]
    keys = [".".join(keys)] if ".".join(keys) in names else list(keys)
    if keys[0] not in names:
        nested: Any = value
        for key in reversed(keys[1:]):
            nested = {key: nested}
        return text if value is None else changed(text, path, {}, [_Key({keys[0]: nested})])

    def change(piece: Any) -> Any:
        here = piece
        key = next(name for name in piece if str(name) == keys[0])
        for below in keys[1:]:
            if not isinstance(here.get(key), dict):
                here[key] = {}
            here, key = here[key], below
        if value is None:
            here.pop(key, None)
        else:
            here[key] = plain(value)
        return piece

    number = names.index(keys[0])
    return changed(text, path, {number: None if value is None and len(keys) == 1 else change})


def listed(text: str, items: Sequence[dict[str, Any]]) -> str:
    """A mapping turned into a list: each of its keys becomes the item given for it, the comments between stay."""
    spans = _spans(text)
    if spans is None:
        return "".join(_spelled(each, True, 0) for each in items)
    for (start, stop), item in reversed(list(zip(spans, items, strict=True))):
        text = text[:start] + _spelled(item, True, 0) + text[stop:]
    return text


def plain(value: Any) -> Any:
    """A value as it can be written down: texts that YAML would read as something else are put in quotes."""
    from ruamel.yaml.comments import CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, str):
        if "\n" in value:
            return DoubleQuotedScalarString(value)
        try:
            same = yamls.load(value, "") == value
        except VaultError:
            same = False
        return value if same else DoubleQuotedScalarString(value)
    if isinstance(value, (list, tuple)):
        listed = CommentedSeq(plain(each) for each in value)
        listed.fa.set_flow_style()
        return listed
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def _spared(before: Any, after: Any, changes: Mapping[int, Change | None], added: int) -> bool:
    """Whether the pieces that were not to be changed read as they did, and there are as many as there should be."""
    old, new = (list(each.items()) if isinstance(each, dict) else each or [] for each in (before, after))
    stay = [number for number in range(len(old)) if changes.get(number, old) is not None]
    return len(new) == len(stay) + added and all(
        number in changes or repr(old[number]) == repr(new[at]) for at, number in enumerate(stay)
    )


class _Key(dict[str, Any]):
    """A key with its value, to be added to a mapping."""


def _spans(text: str) -> list[tuple[int, int]] | None:
    """Where each piece begins and ends, in whole lines; None when they share lines."""
    import yaml

    root: Any = yaml.compose(text, yaml.SafeLoader)
    if root is None or root.flow_style:
        return None if root else []
    inner = [(each, each) for each in root.value] if isinstance(root, yaml.SequenceNode) else root.value
    found: list[tuple[int, int]] = []
    for first, last in inner:
        start = text.rfind("\n", 0, first.start_mark.index) + 1
        if isinstance(root, yaml.SequenceNode):  # the dash may stand on a line above
            start = text.rfind("\n", 0, text.rfind("-", 0, first.start_mark.index + 1) + 1) + 1
        end = _end(last)
        stop = end if text[end - 1 : end] == "\n" else text.find("\n", end) + 1 or len(text)
        if found and start < found[-1][1]:
            return None
        found.append((start, stop))
    return found


def _end(node: Any) -> int:
    """Where a node's last word ends; a block's own end lies behind the comments and blank lines below it."""
    while not isinstance(node.value, str) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _respelled(piece: str, change: Change | None, dashes: bool) -> str:
    if change is None:
        return ""
    column = _column(piece, 0)
    inner = dedent(piece[:column] + " " + piece[column + 1 :] if dashes else piece)
    editor = _editor("\n  - " in inner or "\n    - " in inner)
    return _spelled(change(editor.load(inner)), dashes, column, editor)


def _spelled(value: Any, dashes: bool, column: int, editor: Any = None) -> str:
    out = StringIO()
    if type(value) in (dict, _Key):
        value = {key: plain(each) for key, each in value.items()}
    (editor or _editor()).dump(value, out)
    lines = out.getvalue().rstrip("\n") + "\n"
    if not dashes:
        return indent(lines, " " * column)
    return " " * column + "- " + indent(lines, " " * (column + 2)).lstrip(" ")


def _whole(text: str, changes: Mapping[int, Change | None], added: Sequence[Any]) -> str:
    editor = _editor()
    tree = editor.load(text)
    for number in sorted(changes, reverse=True):
        change = changes[number]
        key = number if isinstance(tree, list) else list(tree)[number]
        if change is None:
            del tree[key]
        elif isinstance(tree, list):
            tree[key] = change(tree[key])
        else:
            tree = change(tree)
    for each in added:
        tree.update(each) if isinstance(tree, dict) else tree.append(plain(each))
    out = StringIO()
    editor.dump(tree, out)
    return out.getvalue()


def _editor(inset: bool = False) -> Any:
    from ruamel.yaml import YAML

    editor = YAML()
    editor.preserve_quotes = True
    editor.width = 4096
    if inset:
        editor.indent(mapping=2, sequence=4, offset=2)
    return editor


def _column(text: str, start: int) -> int:
    """How far the first line from `start` on is indented."""
    return len(text[start:]) - len(text[start:].lstrip(" "))
