"""Read the files and records of an export one at a time, so that a broken one does not affect the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from memcli.errors import MemError
from memcli.file_tree import Tree
from memcli.format import Item, UnreadableItem
from memcli.text.digest import digest

_T = TypeVar("_T")

# Exceptions of a reader for a value of the wrong type, such as a number instead of a list.
_MALFORMED = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
_UNEXPECTED = "is not of the form that is expected"
_SLASHES = re.compile(r"[/\\:*?\"<>|#^\[\]]+")

ALL_BUT_TEXT = ("date", "type", "tags", "confidence", "importance", "author", "id", "successor", "heading")


def has_keys(head: str, *keys: str) -> bool:
    """Return whether the beginning of a JSON file has all these keys. The same words as a value don't count."""
    return all(re.search(rf'"{key}"\s*:', head) for key in keys)


def each_file(names: Iterable[str], read: Callable[[str], Iterable[Item]]) -> Iterator[Item]:
    """Yield the items of each file. A file that can't be read is reported, after the items before the fault."""
    for name in names:
        try:
            yield from read(name)
        except MemError as error:
            yield UnreadableItem(name, error.why)
        except _MALFORMED:
            yield UnreadableItem(name, _UNEXPECTED)


def each_record(place: str, values: Iterable[_T], read: Callable[[_T], Iterable[Item]]) -> Iterator[Item]:
    """Yield the items of each record. An unreadable record without a name is reported by `place` and its number."""
    for number, value in enumerate(values, 1):
        try:
            items = list(read(value))  # a record is read as a whole or not at all
        except _MALFORMED:
            items = [UnreadableItem("", _UNEXPECTED)]
        for item in items:
            if isinstance(item, UnreadableItem) and not item.name:
                item = UnreadableItem(f"{place}{number}", item.why)
            yield item


def each_json(tree: Tree, names: Iterable[str], read: Callable[[Any], Item]) -> Iterator[Item]:
    """Yield the item of each value in files of JSON, and of each line in files of JSON lines."""

    def records(name: str) -> Iterator[Item]:
        if name.endswith(".json"):
            return each_record(f"{name}:", tree.values(name), lambda value: [read(value)])
        return each_record(f"{name}:", tree.lines(name), lambda line: [read(json.loads(line))] if line.strip() else [])

    return each_file(names, records)


def file_name(title: str, most: int = 100) -> str:
    """Return a title as the name of a file or folder, without signs that a path or a link can't have."""
    return _SLASHES.sub(" ", title).strip()[:most]


def digest_of(text: str) -> str:
    """Return a name for a record without one, the same on each import."""
    return digest(text, 12)


def split_list(value: Any) -> tuple[str, ...]:
    """Return the names in a list, or in a text with commas; nothing from another value."""
    listed = value.replace(";", ",").split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(name for each in listed if (name := str(each).strip()))


def json_list(records: Iterable[Any], begin: str, end: str) -> Iterator[str]:
    """Yield a long JSON list a record at a time, between the text that begins it and the one that ends it."""
    yield begin
    for at, record in enumerate(records):
        yield (",\n" if at else "") + json.dumps(record, ensure_ascii=False)
    yield end


def number_in(value: Any) -> float | None:
    """Return a number that may be written as a text, or None."""
    try:
        return None if isinstance(value, bool) or value in (None, "") else float(value)
    except (TypeError, ValueError):
        return None
