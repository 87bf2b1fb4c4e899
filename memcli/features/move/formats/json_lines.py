"""Read any JSON lines: one object a line, with a common name for its text, day and tags; or a conversation a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.features.move.formats import own
from memcli.features.move.formats.markdown import lie_beside_notes, tell_what_is_left
from memcli.features.move.formats.records import digest_of, each_file, each_json, split_list
from memcli.features.move.formats.transcripts import read_talk
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, Statement, UnreadableItem
from memcli.message import Message
from memcli.text.transcripts import is_talk

_TEXTS = ("text", "content", "memory", "note", "body", "fact", "observation", "value", "message", "内容")
_DATES = ("date", "created_at", "created", "timestamp", "time", "at", "valid_from")


_ENDINGS = (".jsonl", ".ndjson", ".json")


def knows(tree: Tree) -> bool:
    lines = tree.ending(*_ENDINGS)
    return bool(lines) and not lie_beside_notes(tree, lines)


def read_items(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(*_ENDINGS):
        found = each_file([name] if is_talk(tree.head(name)) else [], lambda name: read_talk(tree, name))
        talk = [item for item in found if isinstance(item, ImportedTalk)]
        yield from talk or each_json(tree, [name], _statement)
    yield from tell_what_is_left(name for name in tree.names if not name.lower().endswith(_ENDINGS))


def _statement(value: Any) -> Item:
    if isinstance(value, str):
        value = {"text": value}
    text = (
        next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), "") if isinstance(value, dict) else ""
    )
    if not text.strip():
        return UnreadableItem("", "without a text")
    at = next((found for key in _DATES if (found := moment(value.get(key)))), None)
    tags = split_list(value.get("tags") or value.get("labels"))
    id = value.get("id") or value.get("uuid") or digest_of(text)
    return Statement(text.strip(), f"jsonl:{id}", str(value.get("type") or ""), at, tags)


FORMAT = Format(
    "JSON lines",
    knows,
    read_items,
    own.write_items,
    expects=Message("JSON objects with one of {names}", names=", ".join(_TEXTS)),
)
