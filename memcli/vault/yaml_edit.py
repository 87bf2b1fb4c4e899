"""Change YAML by whole pieces, items of a list or keys of a mapping: those that don't change keep their bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from textwrap import dedent, indent
from typing import Any

from memcli.errors import VaultError
from memcli.text.later import compile_later
from memcli.vault import markdown, yaml_read

# Text that YAML never reads as anything but itself, wherever it stands. Other text is quoted.
_PLAIN = compile_later(r"[^\W_](?:[\w .+/()-]*[\w.+/()])?")
FLOWING = 100  # characters of a list that is written on one line
Change = Callable[[Any], None]  # changes a piece's value in place; for a mapping that is a mapping with the one key


def change_pieces(text: str, path: str, changes: Mapping[int, Change | None], added: Sequence[Any] = ()) -> str:
    """Return `text` with pieces changed by their number, None for one to remove, and `added` ones at the end, for a
    mapping as one mapping with the new keys. Raise VaultError when other pieces would be affected."""
    from ruamel.yaml.error import YAMLError
    from yaml import YAMLError as Unread

    before = yaml_read.load(text, path)
    if before and not isinstance(before, (list, dict)):
        raise VaultError("{place}:1: expected a list or 'key: value' lines", f"mem edit {path}", place=path)
    try:
        result = _changed(text, before, changes, added)
        spared = _spared(before, yaml_read.load(result, path), changes)
    except (YAMLError, Unread, VaultError):
        spared = False
    if not spared:  # anchors, or something else that links one piece to another
        why = "{place}: can't be changed without harm to what stands beside it"
        raise VaultError(why, f"mem edit {path}", place=path)
    return result


def with_value(text: str, path: str, keys: Sequence[str], value: Any) -> str:
    """Return a mapping with the value under `keys` set, or removed when it is None, with a group that held it alone."""
    tree = yaml_read.mapping(text, path)
    names = list(tree)
    keys = [".".join(keys)] if ".".join(keys) in names else list(keys)

    def change(piece: Any) -> None:
        here, key = piece, next(iter(piece), keys[0])  # the editor may read a key like 012 as a number
        for below in keys[1:]:
            if not isinstance(here.get(key), dict):
                here[key] = {}
            here, key = here[key], below
        if value is None:
            here.pop(key, None)
        else:
            here[key] = plain(value)

    if keys[0] in names:
        group = tree[keys[0]]
        alone = len(keys) == 2 and isinstance(group, dict) and list(group) == keys[1:]
        gone = value is None and (len(keys) == 1 or alone)
        return change_pieces(text, path, {names.index(keys[0]): None if gone else change})
    new: dict[str, Any] = {}
    change(new)
    return text if value is None else _changed(text, tree, {}, [new])


def listed(text: str, items: Sequence[dict[str, Any]]) -> str:
    """Return a mapping turned into a list: each key becomes the item given for it, and comments in between stay."""
    spans, newline = spans_of(text), markdown.newline_of(text)
    spelled = [_spelled(item, True, 0).replace("\n", newline) for item in items]
    if not spans:
        return "".join(spelled)
    for (start, stop), item in reversed(list(zip(spans, spelled, strict=True))):
        text = text[:start] + item + text[stop:]
    return text


def plain(value: Any) -> Any:
    """Return a value ready to be written: text that YAML would read as something else is quoted."""
    from ruamel.yaml.comments import CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if type(value) is str:
        return value if _reads_as_itself(value) else DoubleQuotedScalarString(value)
    if isinstance(value, (list, tuple)):
        row = CommentedSeq(plain(each) for each in value)
        if not any(isinstance(each, dict) for each in value) and sum(len(str(each)) for each in value) <= FLOWING:
            row.fa.set_flow_style()
        return row
    return {key: plain(each) for key, each in value.items()} if type(value) is dict else value


def _reads_as_itself(text: str) -> bool:
    """Return whether YAML reads an unquoted text unchanged: alone, as a key, and in a list on one line."""
    if not _PLAIN.fullmatch(text) or text.lower() in yaml_read.SWITCHES:
        return False
    try:
        return bool(yaml_read.load(f"[{text}, {{{text}: {text}}}]", "") == [text, {text: text}])
    except VaultError:
        return False


def _changed(text: str, before: Any, changes: Mapping[int, Change | None], added: Sequence[Any]) -> str:
    newline = markdown.newline_of(text)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    dashes = not isinstance(before, dict)
    notes = "".join(line for line in text.splitlines(True) if not line.strip() or line.lstrip().startswith("#"))
    if not before:
        text = notes
    elif not spans_of(text):  # in braces or brackets, where pieces share lines
        inner = [{key: each} for key, each in before.items()] if isinstance(before, dict) else before
        text = notes + "".join(_spelled(each, dashes, 0) for each in inner)
    spans = spans_of(text)
    if added:
        column = _column(text[spans[0][0] :]) if spans else 0
        at = spans[-1][1] if spans else len(text)
        new = "".join(_spelled(each, dashes, column) for each in added)
        text = text[:at] + "\n" * (at > 0 and text[at - 1] != "\n") + new + text[at:]
    for number in sorted(changes, reverse=True):
        start, stop = spans[number]
        text = text[:start] + _respelled(text[start:stop], changes[number], dashes) + text[stop:]
    return mark + text.replace("\n", newline)


def _spared(before: Any, after: Any, changes: Mapping[int, Change | None]) -> bool:
    """Return whether the pieces that were not to be changed still read the same."""
    old, new = (list(each.items()) if isinstance(each, dict) else each or [] for each in (before, after))
    stay = [number for number in range(len(old)) if changes.get(number, old) is not None]
    return len(new) >= len(stay) and all(n in changes or repr(old[n]) == repr(new[at]) for at, n in enumerate(stay))


def spans_of(text: str) -> list[tuple[int, int]]:
    """Return where each piece begins and ends, in whole lines, or [] when pieces share lines or there are none."""
    import yaml

    root: Any = yaml.compose(text, yaml_read.loader_of_yaml())
    if not isinstance(root, yaml.CollectionNode) or root.flow_style:
        return []
    dashes = isinstance(root, yaml.SequenceNode)
    found: list[tuple[int, int]] = []
    for first, last in ((each, each) if dashes else each for each in root.value):
        head = first.start_mark.index
        if dashes:  # the dash may stand on a line above
            head = text.rfind("-", 0, head + 1) + 1
        end = _end(last)
        stop = end if text[end - 1 : end] == "\n" else text.find("\n", end) + 1 or len(text)
        found.append((text.rfind("\n", 0, head) + 1, stop))
    return found


def _end(node: Any) -> int:
    """Return where a node's last word ends: a block's own end comes after the comments and blank lines below it."""
    while not isinstance(node.value, str) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _respelled(piece: str, change: Change | None, dashes: bool) -> str:
    if change is None:
        return ""
    column = _column(piece)
    inner = dedent(piece[:column] + " " + piece[column + 1 :] if dashes else piece)
    editor = _editor("\n  - " in inner or "\n    - " in inner)
    value = _loaded(editor, inner)
    change(value)
    return _spelled(value, dashes, column, editor)


def _loaded(editor: Any, piece: str) -> Any:
    """Return a piece in a form that keeps its formatting, or as our own reader has it if the editor can't read it."""
    from ruamel.yaml.error import YAMLError

    try:
        return editor.load(piece)
    except (YAMLError, ValueError):
        return yaml_read.load(piece, "")


def _spelled(value: Any, dashes: bool, column: int, editor: Any = None) -> str:
    out = StringIO()
    (editor or _editor()).dump(plain(value), out)
    lines = out.getvalue().rstrip("\n") + "\n"
    if not dashes:
        return indent(lines, " " * column)
    return " " * column + "- " + indent(lines, " " * (column + 2)).lstrip(" ")


def _editor(inset: bool = False) -> Any:
    from ruamel.yaml import YAML

    editor = YAML()
    editor.preserve_quotes = True
    editor.width = 4096
    if inset:
        editor.indent(mapping=2, sequence=4, offset=2)
    return editor


def _column(text: str) -> int:
    """Return how many spaces the first line is indented."""
    return len(text) - len(text.lstrip(" "))
