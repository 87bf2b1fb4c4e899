"""Read and write CSV or TSV tables: each row is a memory.

The column with the text is found by its name, else it is the longest one.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from io import StringIO
from itertools import chain
from typing import Any

from memcli.errors import VaultError
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem
from memcli.message import Message
from memcli.vault import layout

_TEXTS = ("text", "content", "memory", "note", "body", "message", "description", "内容", "正文", "笔记", "记忆")
_DATES = ("date", "created", "created_at", "created at", "timestamp", "time", "day", "日期", "时间", "创建时间")
_TAGS = ("tags", "labels", "tag", "categories", "category", "标签", "分类")
_OWN = ("id", "type", "confidence", "importance", "author", "superseded", "heading")


def knows(tree: Tree) -> bool:
    return bool(tree.ending(".csv", ".tsv"))


def read_items(tree: Tree) -> Iterator[Item]:
    csv.field_size_limit(2**20)
    for name in tree.ending(".csv", ".tsv"):
        try:
            head = tree.head(name, 4096)
            first = head.partition("\n")[0]
            sign = max(",;\t|", key=first.count)
            rows = csv.DictReader(tree.lines(name), delimiter=sign)
            fields = [str(field or "").strip() for field in rows.fieldnames or ()]
            for number, row in enumerate(rows, 2):
                values = {
                    key: str(row.get(raw) or "").strip() for key, raw in zip(fields, rows.fieldnames or (), strict=True)
                }
                yield _statement(values, f"{name}:{number}") or UnreadableItem(
                    f"{name}:{number}", "a row without a text"
                )
        except VaultError as error:
            yield UnreadableItem(name, error.why)
        except csv.Error as error:
            yield UnreadableItem(name, Message("is no table: {WHY}", WHY=error))


def _statement(row: dict[str, str], place: str) -> Statement | None:
    low = {key.casefold(): value for key, value in row.items()}
    text = next((low[name] for name in _TEXTS if low.get(name)), "")
    known = {*_TEXTS, *_DATES, *_TAGS, *_OWN}
    rest = [f"{key}: {value}" for key, value in row.items() if value and key and key.casefold() not in known]
    said = "; ".join([text, *rest] if text else rest)
    if not said:
        return None
    at = next((moment(low[name]) or _midnight(low[name]) for name in _DATES if low.get(name)), None)
    tags = next((low[name] for name in _TAGS if low.get(name)), "").replace(";", ",").split(",")
    id = low.get("id") or hashlib.sha1(said.encode()).hexdigest()[:12]
    return Statement(
        said, f"csv:{place.rpartition(':')[0]}/{id}", low.get("type", ""), at,
        tuple(tag.strip() for tag in tags if tag.strip()), _number(low.get("confidence")),
        _number(low.get("importance")), low.get("author", ""), low.get("superseded", ""), low.get("heading", ""),
    )  # fmt: skip


def _midnight(text: str) -> datetime | None:
    """Return the beginning of a day written as people and spreadsheets do, 2026/10/3 or 2026年10月6日, or None."""
    day = layout.day_in(text)
    return datetime.combine(day, time()) if day else None


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    columns = ("id", "date", "type", "text", "tags", "confidence", "importance", "author", "superseded", "heading")
    head: dict[str, Any] = dict(zip(columns, columns, strict=True))
    for row in chain([head], map(_row, statements)):
        line = StringIO()
        csv.DictWriter(line, columns).writerow(row)
        yield line.getvalue()


def _row(each: Statement) -> dict[str, Any]:
    return {
        "id": each.source.removeprefix("mem:"), "date": each.at.isoformat() if each.at else "", "type": each.type,
        "text": each.text, "tags": ",".join(each.tags), "confidence": each.confidence, "importance": each.importance,
        "author": each.author, "superseded": each.superseded, "heading": each.heading,
    }  # fmt: skip


FORMAT = Format(
    "a table of notes",
    knows,
    read_items,
    write_items,
    expects="a table whose first line names a column text, note or content",
)
