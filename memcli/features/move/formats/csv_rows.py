"""Read and write CSV or TSV tables: each row is a memory.

The column with the text is found by its name, else it is the longest one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from io import StringIO
from itertools import chain
from typing import Any

from memcli.errors import UsageError
from memcli.features.move.formats.markdown import TABLES, lie_beside_notes, tell_what_is_left
from memcli.features.move.formats.records import digest_of, each_file, number_in, split_list
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Statement, UnreadableItem
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.vault import layout
from memcli.vault.filter import read_days

_TEXTS = ("text", "content", "memory", "note", "body", "message", "description", "内容", "正文", "笔记", "记忆")
_DATES = ("date", "created", "created_at", "created at", "timestamp", "time", "day", "日期", "时间", "创建时间")
_TAGS = ("tags", "labels", "tag", "categories", "category", "标签", "分类")
_DAY_OF_YEAR = compile_later(r"\d\d?[/.]\d\d?[/.]\d{4}")
_OWN = ("id", "type", "confidence", "importance", "author", "superseded", "heading")


def knows(tree: Tree) -> bool:
    tables = tree.ending(*TABLES)
    return bool(tables) and not lie_beside_notes(tree, tables)


def read_items(tree: Tree) -> Iterator[Item]:
    csv.field_size_limit(2**20)
    tables = tree.ending(*TABLES)
    yield from each_file(tables, lambda name: _rows(tree, name))
    yield from tell_what_is_left(name for name in tree.names if name not in tables)


def _rows(tree: Tree, name: str) -> Iterator[Item]:
    first = tree.head(name, 4096).partition("\n")[0]
    lines = (f"{line}\n" for line in tree.lines(name))  # a cell in quotes may go over several
    rows = csv.DictReader(lines, delimiter=max(",;\t|", key=first.count))
    undated: list[str] = []  # dates that are no day, or could be two
    try:
        fields = [str(field or "").strip() for field in rows.fieldnames or ()]
        for at, row in enumerate(rows, 2):
            values = [str(row.get(raw) or "").strip() for raw in rows.fieldnames or ()]
            item = _statement(cells := dict(zip(fields, values, strict=True)), name)
            yield item or UnreadableItem(f"{name}:{at}", "a row without a text")
            if item and not item.at and (written := _date(cells)):
                undated.append(written)
    except csv.Error as error:
        yield UnreadableItem(name, Message("is not a table: {WHY}", WHY=error))
    if undated:
        why = "the dates of {n} row{s}, like {date}; write them like 2026-11-28"
        yield UnreadableItem(name, Message(why, n=len(undated), date=one_line(undated[0], 40)))


def _statement(row: dict[str, str], file: str) -> Statement | None:
    low = {key.casefold(): value for key, value in row.items()}
    text = next((low[name] for name in _TEXTS if low.get(name)), "")
    known = {*_TEXTS, *_DATES, *_TAGS, *_OWN}
    rest = [f"{key}: {value}" for key, value in row.items() if value and key and key.casefold() not in known]
    words = "; ".join([text, *rest] if text else rest)
    if not words:
        return None
    written = _date(row)
    at = moment(written) or _midnight(written)
    if written and not at:
        words += f"; {written}"  # it is lost otherwise
    tags = next((low[name] for name in _TAGS if low.get(name)), "")
    id = low.get("id") or digest_of(words)
    return Statement(
        words, f"csv:{file}/{id}", low.get("type", ""), at, split_list(tags),
        number_in(low.get("confidence")),
        number_in(low.get("importance")), low.get("author", ""), low.get("superseded", ""), low.get("heading", ""),
    )  # fmt: skip


def _date(row: dict[str, str]) -> str:
    """Return what a row has in the column of its date, or ""."""
    low = {key.casefold(): value for key, value in row.items()}
    return next((low[name] for name in _DATES if low.get(name)), "")


def _midnight(text: str) -> datetime | None:
    """Return the beginning of a day written as people and spreadsheets do, 2026/10/3, 2026年10月6日 or 25/11/2026. None
    if it is no day, or may be two, as 3/11/2026 may."""
    day = layout.day_in(text)
    if not day and _DAY_OF_YEAR.fullmatch(text):
        try:
            day, _ = read_days(text, date.max)
        except UsageError:
            return None
    return datetime.combine(day, time()) if day else None


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    columns = ("id", "date", "type", "text", "tags", "confidence", "importance", "author", "superseded", "heading")
    head: dict[str, Any] = dict(zip(columns, columns, strict=True))
    for row in chain([head], map(_row, statements)):
        line = StringIO()
        csv.DictWriter(line, columns).writerow(row)
        yield line.getvalue()


def _row(item: Statement) -> dict[str, Any]:
    return {
        "id": item.source.removeprefix("mem:"), "date": item.at.isoformat() if item.at else "", "type": item.type,
        "text": item.text, "tags": ",".join(item.tags), "confidence": item.confidence, "importance": item.importance,
        "author": item.author, "superseded": item.superseded, "heading": item.heading,
    }  # fmt: skip


FORMAT = Format(
    "a table of notes",
    knows,
    read_items,
    write_items,
    expects="a table whose first line names a column text, note or content",
)
