"""Read Joplin's raw export: one file for each item, whose last lines give its kind. Folders are such files, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memcli.errors import VaultError
from memcli.features.move.formats.records import file_name
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_FIELD = re.compile(r"([a-z_]+): ?(.*)")
_LINK = re.compile(r"\(:/([0-9a-f]{32})(#[^)\s]*)?(?=[)\s])")
_NOTE, _TAGGED = "1", "6"


class JoplinItem(NamedTuple):
    """Hold the data of an item from the first pass."""

    name: str  # the name of its file
    title: str
    fields: dict[str, str]


def knows(tree: Tree) -> bool:
    return any(_is_item(tree.head(name, 2**20)) for name in tree.ending(".md")[:20])


def _is_item(head: str) -> bool:
    return re.search(r"^type_: \d+\s*\Z", head, re.M) is not None and "\nid: " in f"\n{head}"


def read_items(tree: Tree) -> Iterator[Item]:
    """Yield the notes in two passes: one lists the items and their titles, the other reads one note at a time."""
    items: dict[str, JoplinItem] = {}
    for name in tree.ending(".md"):
        try:
            text, fields = _parted(tree.text(name))
            items[fields["id"]] = JoplinItem(name, text.partition("\n")[0].strip(), fields)
        except VaultError as error:
            yield UnreadableItem(name, error.why)
        except KeyError:
            yield UnreadableItem(name, "is not an item of Joplin's")
    tags: dict[str, list[str]] = {}
    for each in items.values():
        tag = items.get(each.fields.get("tag_id", ""))
        if each.fields["type_"] == _TAGGED and tag:
            tags.setdefault(each.fields.get("note_id", ""), []).append(tag.title)
    resources = {name.rpartition("/")[2].partition(".")[0]: name for name in tree.names if "resources/" in f"/{name}"}
    notes = {id: _path(id, items) for id, each in items.items() if each.fields["type_"] == _NOTE}
    for id in notes:
        try:
            yield _note(tree, items[id], {**notes, **resources}, tuple(tags.get(id, ())))
        except VaultError as error:
            yield UnreadableItem(items[id].name, error.message)
    yield from (Attachment(name, name) for name in resources.values())


def _note(tree: Tree, known: JoplinItem, places: dict[str, str], tags: tuple[str, ...]) -> Item:
    fields = known.fields
    if fields.get("encryption_applied") == "1":
        return UnreadableItem(known.name, "is encrypted")
    path = places[fields["id"]]
    up = "../" * path.count("/")
    body = _parted(tree.text(known.name))[0].partition("\n")[2]
    body = _LINK.sub(
        lambda match: f"(<{up}{places[match[1]]}{match[2] or ''}>" if match[1] in places else match[0], body
    )
    meta = {"author": fields.get("author", ""), "url": fields.get("source_url", "")}
    if fields.get("is_todo") == "1":
        meta["todo"] = "done" if fields.get("todo_completed", "0") not in ("", "0") else "open"
    at = moment(fields.get("user_created_time") or fields.get("created_time"))
    text = f"# {known.title}\n{body}\n"
    return Page(path, text, f"joplin:{fields['id']}", at, known.title, tags, {k: v for k, v in meta.items() if v})


def _parted(text: str) -> tuple[str, dict[str, str]]:
    """Return the note, and the fields in the lines at its end."""
    lines, fields = text.rstrip().split("\n"), {}
    while lines and (match := _FIELD.fullmatch(lines[-1].rstrip())):
        fields[match[1]] = match[2]
        lines.pop()
    return "\n".join(lines).strip(), {"type_": "", **fields}


def _path(id: str, items: dict[str, JoplinItem]) -> str:
    """Return the path of a note: its title below the titles of its notebooks."""
    parts: list[str] = []
    while id in items and len(parts) < 20:
        parts.append(file_name(items[id].title) or id)
        id = items[id].fields.get("parent_id", "")
    return "/".join(reversed(parts)) + ".md"


FORMAT = Format("Joplin's raw export", knows, read_items)
