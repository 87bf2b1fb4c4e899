"""Joplin's raw export: a file a note, whose last lines say what it is; folders are such files, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.errors import VaultError
from memcli.move.formats import Format
from memcli.move.items import Attachment, Item, Page, Unread
from memcli.move.tree import Tree, moment

_FIELD = re.compile(r"([a-z_]+): ?(.*)")
_NOTE, _FOLDER, _TAG, _TAGGED = "1", "2", "5", "6"
_SLASHES = re.compile(r"[/\\:*?\"<>|#^\[\]]+")


def knows(tree: Tree) -> bool:
    return any(_is_item(tree.head(name, 2**20)) for name in tree.ending(".md")[:20])


def _is_item(head: str) -> bool:
    return re.search(r"^type_: \d+\s*\Z", head, re.M) is not None and "\nid: " in f"\n{head}"


def read(tree: Tree) -> Iterator[Item]:
    items: dict[str, tuple[str, dict[str, str]]] = {}
    for name in tree.ending(".md"):
        try:
            text, fields = _parted(tree.text(name))
            items[fields["id"]] = text, fields
        except VaultError as error:
            yield Unread(name, error.message.removeprefix(f"{name}: "))
        except KeyError:
            yield Unread(name, "is no item of Joplin's")
    folders = {id: (text.strip(), fields) for id, (text, fields) in items.items() if fields["type_"] == _FOLDER}
    names = {id: text.strip() for id, (text, fields) in items.items() if fields["type_"] == _TAG}
    tags: dict[str, list[str]] = {}
    for _, fields in items.values():
        if fields["type_"] == _TAGGED and fields.get("tag_id") in names:
            tags.setdefault(fields.get("note_id", ""), []).append(names[fields["tag_id"]])
    resources = {name.rpartition("/")[2].partition(".")[0]: name for name in tree.names if "resources/" in f"/{name}"}
    for id, (text, fields) in items.items():
        if fields["type_"] == _NOTE:
            title, _, body = text.partition("\n")
            folder = _path(fields.get("parent_id", ""), folders)
            body = re.sub(r"\(:/([0-9a-f]{32})\)", lambda m: f"(<{resources.get(m[1], m[0])}>)", body)
            at = moment(fields.get("user_created_time") or fields.get("created_time"))
            path = f"{folder}{_SLASHES.sub(' ', title).strip()[:100] or id}.md"
            yield Page(path, f"# {title}\n{body}\n", f"joplin:{id}", at, title, tuple(tags.get(id, ())))
    yield from (Attachment(name, name) for name in resources.values())


def _parted(text: str) -> tuple[str, dict[str, str]]:
    """The note, and the lines at its end that say what it is."""
    lines, fields = text.rstrip().split("\n"), {}
    while lines and (match := _FIELD.fullmatch(lines[-1].rstrip())):
        fields[match[1]] = match[2]
        lines.pop()
    return "\n".join(lines).strip(), {"type_": "", **fields}


def _path(id: str, folders: dict[str, tuple[str, dict[str, str]]]) -> str:
    parts: list[str] = []
    while id in folders and len(parts) < 20:
        title, fields = folders[id]
        parts.append(_SLASHES.sub(" ", title).strip() or id)
        id = fields.get("parent_id", "")
    return "".join(f"{part}/" for part in reversed(parts))


FORMAT = Format("Joplin's raw export", knows, read)
