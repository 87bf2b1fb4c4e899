"""Read and write memories as `mem export` does: a JSON object a line, or a list of them, with all their fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from memcli.errors import VaultError
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem

_MARK = '{"mem": 1'


def knows(tree: Tree) -> bool:
    return any(tree.head(name, 64).lstrip("[\n").startswith(_MARK) for name in tree.ending(".jsonl", ".json"))


def read_items(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".jsonl"):
        for number, line in enumerate(tree.lines(name), 1):
            try:
                yield _statement(json.loads(line))
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                yield UnreadableItem(f"{name}:{number}", "is no memory")
    for name in tree.ending(".json"):
        try:
            yield from map(_statement, tree.values(name))
        except VaultError as error:
            yield UnreadableItem(name, error.why)
        except (TypeError, AttributeError, ValueError):
            yield UnreadableItem(name, "is no list of memories")


def _statement(value: dict[str, Any]) -> Statement:
    known = {key: value[key] for key in Statement.__dataclass_fields__ if value.get(key) is not None}
    record = dict(value.get("record") or {})
    return Statement(
        **{**known, "at": moment(value.get("at")), "tags": tuple(value.get("tags") or ()), "record": record}
    )


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    yield from (f"{line(each)}\n" for each in statements)


def line(each: Statement) -> str:
    record = {**asdict(each), "at": each.at.isoformat() if each.at else None}
    said = {key: value for key, value in record.items() if value not in (None, "", (), {})}
    return json.dumps({"mem": 1, **said}, ensure_ascii=False)


EXPECTS = 'JSON objects that begin {"mem": 1, "text": "…"}, one a line or in a list'
FORMAT = Format("memories of mem", knows, read_items, write_items, expects=EXPECTS)
