"""Read Google Keep's takeout: one JSON file for each note, with text or a list of boxes, labels and images."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memcli.features.move.formats.records import each_file, has_keys
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_KEY = "userEditedTimestampUsec"


def knows(tree: Tree) -> bool:
    return any(has_keys(tree.head(name), _KEY) for name in tree.ending(".json")[:50])


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(tree.ending(".json"), lambda name: _note(tree, name, tree.json(name)))


def _note(tree: Tree, name: str, value: Any) -> Iterator[Item]:
    if not isinstance(value, dict) or _KEY not in value:
        yield UnreadableItem(name, "is not a note")
        return
    if value.get("isTrashed"):
        yield UnreadableItem(name, "is in the trash")
        return
    folder = PurePosixPath(name).parent
    lines = [str(value.get("textContent") or "")]
    lines += [
        f"- [{'x' if item.get('isChecked') else ' '}] {item.get('text', '')}" for item in value.get("listContent") or ()
    ]
    lines += [f"<{each['url']}> {each.get('title', '')}" for each in value.get("annotations") or () if each.get("url")]
    for each in value.get("attachments") or ():
        place = str(folder / str(each.get("filePath")))
        if place in tree.sizes:
            yield Attachment(place, place)
            lines.append(f"![](<{PurePosixPath(place).name}>)")
    at = moment(int(value.get("createdTimestampUsec") or value["userEditedTimestampUsec"]) / 1e6)
    title = str(value.get("title") or "").strip()
    tags = tuple(str(label.get("name")) for label in value.get("labels") or ())
    text = "\n".join(filter(None, lines))
    if text.strip() or title:
        heading = f"# {title}\n\n" if title else ""
        yield Page(f"{name.removesuffix('.json')}.md", heading + text + "\n", f"keep:{name}", at, title, tags)


FORMAT = Format("Google Keep's takeout", knows, read_items)
