"""Read and write memories as `mem export` does: a JSON object a line, or a list of them, with all their fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime, time
from typing import Any

from memcli.features.move.formats.records import digest_of, each_json, json_list, number_in, split_list
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement
from memcli.vault import entries

_MARK = '{"mem": 1'
_TEXTS = ("text", "source", "type", "author", "superseded", "heading", "block")
_BOX = re.compile(r"\A\[[ x-]\] ")


def knows(tree: Tree) -> bool:
    return any(is_own(tree.head(name, 64)) for name in tree.ending(".jsonl", ".json"))


def is_own(head: str) -> bool:
    """Return whether a text begins like an export of mem, whatever its file is called."""
    return head.lstrip("[\n").startswith(_MARK)


def read_items(tree: Tree) -> Iterator[Item]:
    return each_json(tree, tree.ending(".jsonl", ".json"), _statement)


def _statement(value: dict[str, Any]) -> Statement:
    texts = {key: value[key] for key in _TEXTS if value.get(key) is not None}
    texts.setdefault("source", f"mem:{digest_of(value['text'])}")
    if not all(isinstance(text, str) for text in texts.values()):
        raise TypeError
    at = moment(value.get("at"))
    if at and at.time() != time():
        texts["text"], at = _with_time(texts["text"], at), datetime.combine(at, time())
    return Statement(
        **texts, at=at, tags=split_list(value.get("tags")),
        confidence=number_in(value.get("confidence")), importance=number_in(value.get("importance")),
        record=dict(value.get("record") or {}),
    )  # fmt: skip


def _with_time(text: str, at: datetime) -> str:
    """Return a text with its time of day at its head again, where the export took it from: it is a part of the id."""
    words = _BOX.sub("", text, count=1)
    return text if entries.says_when(words) else f"{text.removesuffix(words)}{at:%H:%M} {words}"


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    yield from (json.dumps(as_record(each), ensure_ascii=False) + "\n" for each in statements)


def write_list(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield the memories as one JSON list, for programs that don't read lines."""
    return json_list(map(as_record, statements), "[\n", "\n]\n")


def as_record(item: Statement) -> dict[str, Any]:
    record = {**asdict(item), "at": item.at.isoformat() if item.at else None}
    return {"mem": 1, **{key: value for key, value in record.items() if value not in (None, "", (), {})}}


EXPECTS = 'JSON objects that begin {"mem": 1, "text": "…"}, one a line or in a list'
FORMAT = Format("memories of mem", knows, read_items, write_items, expects=EXPECTS)
LIST = Format("memories as a JSON list", write=write_list)
