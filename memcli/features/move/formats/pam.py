"""Read and write PAM 1.0, Portable AI Memory: one JSON with `memories`, their confidence, times and origins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from memcli.features.move.formats.records import each_file, each_record, json_list, number_in, split_list
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem

# Maps our types to PAM's; others are `custom` with their own name.
_TYPES = {"fact": "fact", "preference": "preference", "decision": "custom", "event": "event", "project": "project"}


def knows(tree: Tree) -> bool:
    return bool(_files(tree))


def _files(tree: Tree) -> list[str]:
    return [name for name in tree.ending(".json", ".pam") if '"portable-ai-memory"' in tree.head(name, 4096)]


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(
        _files(tree),
        lambda name: each_record(f"{name}: ", tree.json(name)["memories"], lambda each: [_statement(each, name)]),
    )


def _statement(value: dict[str, Any], name: str) -> Item:
    text, id = str(value.get("content") or "").strip(), str(value.get("id"))
    if not text:
        return UnreadableItem(f"{name} {id}", "a memory without a text")
    times, sure = value.get("temporal") or {}, value.get("confidence") or {}
    if value.get("status") in ("deleted", "retracted"):
        return UnreadableItem(f"{name} {id}", f"is {value['status']}")
    more = value.get("metadata") or {}
    kind = str(more.get("mem_type", value.get("custom_type") or value.get("type") or ""))
    author = more.get("mem_author", (value.get("provenance") or {}).get("platform"))
    taken_by = times.get("superseded_by")
    return Statement(
        text, f"pam:{id}", kind, moment(times.get("valid_from") or times.get("created_at")),
        split_list(value.get("tags")), number_in(sure.get("current")), number_in(more.get("importance")),
        str(author or ""), f"pam:{taken_by}" if taken_by else "",
        str(more.get("mem_heading") or ""), dict(more.get("mem_record") or {}),
    )  # fmt: skip


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    head = {
        "schema": "portable-ai-memory", "schema_version": "1.0", "export_type": "full", "exported_by": "mem/1.0",
        "owner": {"id": "me"},
    }  # fmt: skip
    return json_list(map(_record, statements), json.dumps(head)[:-1] + ', "memories": [\n', "\n]}\n")


def _record(item: Statement) -> dict[str, Any]:
    at = item.at.astimezone().isoformat() if item.at else None
    kind = _TYPES.get(item.type, "custom" if item.type else "context")
    sure = 1.0 if item.confidence is None else item.confidence
    record = {
        "id": item.source.removeprefix("mem:"),
        "type": kind,
        "custom_type": item.type if kind == "custom" else None,
        "status": "superseded" if item.superseded else "active",
        "content": item.text,
        "content_hash": "sha256:" + hashlib.sha256(item.text.encode()).hexdigest(),
        "tags": list(item.tags),
        "temporal": {"created_at": at, "superseded_by": item.superseded.removeprefix("mem:") or None},
        "provenance": {"platform": item.author or "mem"},
        "metadata": {  # fields that PAM lacks
            "mem_type": item.type,
            "mem_author": item.author,
            **({} if item.importance is None else {"importance": item.importance}),
            **({"mem_heading": item.heading} if item.heading else {}),
            **({"mem_record": item.record} if item.record else {}),
        },
    }
    return {**record, "confidence": {"initial": sure, "current": sure}} if item.confidence is not None else record


FORMAT = Format("Portable AI Memory", knows, read_items, write_items)
