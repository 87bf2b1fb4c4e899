"""Read any JSON lines: an object a line, whose text, day and tags have one of the names that people use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from memcli.errors import VaultError
from memcli.features.move.formats import own
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem
from memcli.message import Message

_TEXTS = ("text", "content", "memory", "note", "body", "fact", "observation", "value", "message", "内容")
_DATES = ("date", "created_at", "created", "timestamp", "time", "at", "valid_from")


def knows(tree: Tree) -> bool:
    return bool(tree.ending(".jsonl", ".ndjson", ".json"))


def read_items(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".jsonl", ".ndjson"):
        for number, line in enumerate(tree.lines(name), 1):
            if line.strip():
                try:
                    yield _statement(json.loads(line), f"{name}:{number}")
                except (ValueError, RecursionError):
                    yield UnreadableItem(f"{name}:{number}", "is no JSON")
    for name in tree.ending(".json"):
        try:
            for number, value in enumerate(tree.values(name), 1):
                yield _statement(value, f"{name}:{number}")
        except VaultError as error:
            yield UnreadableItem(name, error.why)


def _statement(value: Any, place: str) -> Item:
    if isinstance(value, str):
        value = {"text": value}
    text = (
        next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), "") if isinstance(value, dict) else ""
    )
    if not text.strip():
        return UnreadableItem(place, "without a text")
    at = next((found for key in _DATES if (found := moment(value.get(key)))), None)
    tags = value.get("tags") or value.get("labels") or ()
    tags = tags.split(",") if isinstance(tags, str) else tags if isinstance(tags, list) else ()
    id = value.get("id") or value.get("uuid") or hashlib.sha1(text.encode()).hexdigest()[:12]
    return Statement(text.strip(), f"jsonl:{id}", str(value.get("type") or ""), at, tuple(str(t).strip() for t in tags))


FORMAT = Format(
    "JSON lines",
    knows,
    read_items,
    own.write_items,
    expects=Message("JSON objects with one of {names}", names=", ".join(_TEXTS)),
)
