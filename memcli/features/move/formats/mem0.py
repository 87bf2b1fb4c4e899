"""Read and write the JSON of mem0, and read the Markdown of its plugin.

The JSON is that of `get_all`, `{"results": [{"id", "memory", "metadata", "created_at", …}]}` or the list alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from memcli.features.move.formats.records import each_file, each_record, has_keys, json_list, number_in, split_list
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem

_LISTS = ("results", "memories")


_BLOCK = re.compile(r"^---[ \t]*\n(id: .*(?:\n[a-z_]+:.*)*)\n---[ \t]*\n", re.M)


def knows(tree: Tree) -> bool:
    if any(has_keys(tree.head(name), "memory", "id") for name in tree.ending(".json")):
        return True
    return any(_is_blocks(tree.head(name, 4096)) for name in tree.ending(".md")[:20])


def _is_blocks(head: str) -> bool:
    match = _BLOCK.match(head.replace("\r\n", "\n").lstrip())
    return match is not None and all(f"\n{key}:" in match[1] for key in ("created_at", "categories"))


def read_items(tree: Tree) -> Iterator[Item]:
    blocks = [name for name in tree.ending(".md") if _is_blocks(tree.head(name, 4096))]
    yield from each_file(blocks, lambda name: _blocks(tree.text(name).replace("\r\n", "\n"), name))
    yield from each_file(
        tree.ending(".json"),
        lambda name: each_record(f"{name}: ", _records(tree, name), lambda each: [_statement(each)]),
    )


def _records(tree: Tree, name: str) -> Iterator[dict[str, Any]]:
    for value in tree.values(name):
        lists = [value[key] for key in _LISTS if isinstance(value.get(key), list)] if isinstance(value, dict) else []
        yield from lists[0] if lists else [value]


def _blocks(text: str, name: str) -> Iterator[Item]:
    """Yield the memories in the plugin's Markdown.

    Each has `key: value` lines between two rules of hyphens, then its words.
    """
    pieces = _BLOCK.split(text)[1:]
    for head, words in zip(pieces[::2], pieces[1::2], strict=True):
        told = {key: value.strip() for key, _, value in (line.partition(":") for line in head.split("\n"))}
        if not words.strip():
            yield UnreadableItem(f"{name}: {told['id']}", "a memory without a text")
            continue
        sure = told.get("confidence", "")
        at, tags = moment(told.get("created_at")), split_list(told.get("categories"))
        confidence = float(sure) if re.fullmatch(r"[01](?:\.\d+)?", sure) else None
        yield Statement(words.strip(), f"mem0:{told['id']}", told.get("type", ""), at, tags, confidence)


def _statement(value: dict[str, Any]) -> Item:
    text = value.get("memory") or value.get("text") or value.get("data")
    if not isinstance(text, str) or not text.strip():
        return UnreadableItem("", "a memory without a text")
    more: dict[str, Any] = value["metadata"] if isinstance(value.get("metadata"), dict) else {}
    tags = (*split_list(value.get("categories")), *split_list(more.get("tags")))
    return Statement(
        text.strip(), f"mem0:{value.get('id')}", str(more.get("type") or ""),
        moment(more.get("date") or value.get("created_at")), tags,
        number_in(more.get("confidence")), number_in(more.get("importance")), str(value.get("agent_id") or ""),
        f"mem0:{more['superseded']}" if more.get("superseded") else "",
        str(more.get("heading") or ""), more["record"] if isinstance(more.get("record"), dict) else {},
    )  # fmt: skip


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    return json_list(map(_record, statements), '{"results": [\n', "\n]}\n")


def _record(item: Statement) -> dict[str, Any]:
    at = item.at.isoformat() if item.at else None
    more = {
        "type": item.type, "date": at, "tags": list(item.tags), "confidence": item.confidence,
        "importance": item.importance, "superseded": item.superseded.removeprefix("mem:"),
        "heading": item.heading, "record": item.record,
    }  # fmt: skip
    return {
        "id": item.source.removeprefix("mem:"), "memory": item.text, "created_at": at, "agent_id": item.author,
        "metadata": {key: value for key, value in more.items() if value not in (None, "", [], {})},
    }  # fmt: skip


FORMAT = Format("mem0's memories", knows, read_items, write_items)
