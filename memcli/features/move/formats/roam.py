"""Read Roam's JSON export: a list of pages with nested blocks. Daily notes are pages named by their day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcli.features.move.formats.records import each_file, each_record, file_name, has_keys
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Page, UnreadableItem
from memcli.vault import layout

_DAY = re.compile(r"(\w+ \d{1,2})(?:st|nd|rd|th), (\d{4})")
_STATE = re.compile(r"\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\} ?")
_WIDE_TAG = re.compile(r"#\[\[([^\[\]]+)\]\]")
_PROPERTY = re.compile(r"^([\w -]+)::")
_DEEPEST = 50


def knows(tree: Tree) -> bool:
    heads = (tree.head(name, 2**20) for name in tree.ending(".json")[:5])
    return any(has_keys(head, "string", "title", "children") for head in heads)


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(
        tree.ending(".json"), lambda name: each_record(f"{name}: ", tree.values(name), lambda page: [_page(page)])
    )


def _page(page: dict[str, Any]) -> Item:
    title = str(page["title"])
    lines = list(_blocks(page.get("children"), 0))
    if not lines:
        return UnreadableItem(title, "is empty")
    day = layout.day_in(_DAY.sub(r"\1, \2", title))
    path = f"daily/{day}.md" if day else f"{file_name(title) or page.get('uid')}.md"
    text = f"# {title}\n\n" + "\n".join(lines) + "\n"
    return Page(path, text, f"roam:{page.get('uid') or title}", None if day else moment(page.get("create-time")), title)


def _blocks(children: Any, depth: int) -> Iterator[str]:
    for block in children if isinstance(children, list) and depth < _DEEPEST else ():
        if not isinstance(block, dict):
            continue
        first, *more = _plain(str(block.get("string") or "")).split("\n")
        indent = "  " * depth
        yield from [f"{indent}- {first}", *(f"{indent}  {line}" for line in more)]
        yield from _blocks(block.get("children"), depth + 1)


def _plain(text: str) -> str:
    """Return the text with boxes for states, tags joined by hyphens, and properties as `key: value`."""
    text = _STATE.sub(lambda match: "[x] " if match[1] == "DONE" else "[ ] ", text)
    text = _WIDE_TAG.sub(lambda match: "#" + "-".join(match[1].split()), text)
    return _PROPERTY.sub(r"\1:", text).replace("__", "*").replace("^^", "==")


FORMAT = Format("Roam's JSON", knows, read_items)
