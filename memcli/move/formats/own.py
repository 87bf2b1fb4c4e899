"""Memories as `mem export --to jsonl` writes them: a JSON object a line, with all that a memory says of itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from memcli.move.formats import Format
from memcli.move.items import Item, Statement, Unread
from memcli.move.tree import Tree, moment

_MARK = '{"mem": 1'


def knows(tree: Tree) -> bool:
    return any(tree.head(name, 64).startswith(_MARK) for name in tree.ending(".jsonl"))


def read(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".jsonl"):
        for number, line in enumerate(tree.lines(name), 1):
            try:
                yield _statement(json.loads(line))
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                yield Unread(f"{name}:{number}", "is no memory")


def _statement(value: dict[str, Any]) -> Statement:
    known = {key: value[key] for key in Statement.__dataclass_fields__ if value.get(key) is not None}
    return Statement(**{**known, "at": moment(value.get("at")), "tags": tuple(value.get("tags") or ())})


def write(statements: Iterable[Statement]) -> Iterator[str]:
    for each in statements:
        record = {**asdict(each), "at": each.at.isoformat() if each.at else None}
        said = {key: value for key, value in record.items() if value not in (None, "", ())}
        yield json.dumps({"mem": 1, **said}, ensure_ascii=False) + "\n"


FORMAT = Format("memories of mem", knows, read, write)
