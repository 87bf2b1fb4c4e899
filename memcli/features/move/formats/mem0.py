"""Read and write the JSON of mem0, and read the Markdown of its plugin.

The JSON is that of `get_all`, `{"results": [{"id", "memory", "metadata", "created_at", …}]}` or the list alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from memcli.errors import VaultError
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem

_LISTS = ("results", "memories")


_BLOCK = re.compile(r"^---[ \t]*\n(id: .*(?:\n[a-z_]+:.*)*)\n---[ \t]*\n", re.M)


def knows(tree: Tree) -> bool:
    if any('"memory"' in (head := tree.head(name)) and '"id"' in head for name in tree.ending(".json")):
        return True
    return any(_is_blocks(tree.head(name, 4096)) for name in tree.ending(".md")[:20])


def _is_blocks(head: str) -> bool:
    match = _BLOCK.match(head.replace("\r\n", "\n").lstrip())
    return match is not None and all(f"\n{key}:" in match[1] for key in ("created_at", "categories"))


def read_items(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".md"):
        if _is_blocks(tree.head(name, 4096)):
            try:
                yield from _blocks(tree.text(name).replace("\r\n", "\n"), name)
            except VaultError as error:
                yield UnreadableItem(name, error.why)
    for name in tree.ending(".json"):
        try:
            for value in tree.values(name):
                listed = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), [value])
                yield from (_statement(each, name) for each in listed)
        except VaultError as error:
            yield UnreadableItem(name, error.why)
        except AttributeError:
            yield UnreadableItem(name, "is no list of memories")


def _blocks(text: str, name: str) -> Iterator[Item]:
    """Yield the memories in the plugin's Markdown.

    Each has `key: value` lines between two rules of hyphens, then its words.
    """
    pieces = _BLOCK.split(text)[1:]
    for head, said in zip(pieces[::2], pieces[1::2], strict=True):
        told = {key: value.strip() for key, _, value in (line.partition(":") for line in head.split("\n"))}
        if not said.strip():
            yield UnreadableItem(f"{name}: {told['id']}", "a memory without a text")
            continue
        tags = [tag.strip() for tag in told.get("categories", "").split(",") if tag.strip()]
        sure = told.get("confidence", "")
        at = moment(told.get("created_at"))
        confidence = float(sure) if re.fullmatch(r"[01](?:\.\d+)?", sure) else None
        yield Statement(said.strip(), f"mem0:{told['id']}", told.get("type", ""), at, tuple(tags), confidence)


def _statement(value: Any, name: str) -> Item:
    text = value.get("memory") or value.get("text") or value.get("data") if isinstance(value, dict) else ""
    if not isinstance(text, str) or not text.strip():
        return UnreadableItem(name, "a memory without a text")
    more = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    tags = [*(value.get("categories") or ()), *(more.get("tags") or ())]
    return Statement(
        text.strip(), f"mem0:{value.get('id')}", str(more.get("type") or ""),
        moment(more.get("date") or value.get("created_at")), tuple(map(str, tags)),
        _number(more.get("confidence")), _number(more.get("importance")), str(value.get("agent_id") or ""),
        f"mem0:{more['superseded']}" if more.get("superseded") else "",
        str(more.get("heading") or ""), more["record"] if isinstance(more.get("record"), dict) else {},
    )  # fmt: skip


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    yield '{"results": [\n'
    for number, each in enumerate(statements):
        at = each.at.isoformat() if each.at else None
        more = {
            "type": each.type, "date": at, "tags": list(each.tags), "confidence": each.confidence,
            "importance": each.importance, "superseded": each.superseded.removeprefix("mem:"),
            "heading": each.heading, "record": each.record,
        }  # fmt: skip
        record = {
            "id": each.source.removeprefix("mem:"), "memory": each.text, "created_at": at, "agent_id": each.author,
            "metadata": {key: value for key, value in more.items() if value not in (None, "", [], {})},
        }  # fmt: skip
        yield (",\n" if number else "") + json.dumps(record, ensure_ascii=False)
    yield "\n]}\n"


FORMAT = Format("mem0's memories", knows, read_items, write_items)
