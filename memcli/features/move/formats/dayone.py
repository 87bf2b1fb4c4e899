"""Read Day One's JSON export: journals with entries, their days, tags, places and photos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memcli.features.move.formats.records import each_file, each_record, has_keys, split_list
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_ESCAPED = re.compile(r"\\([.!?,:;()/+{}=~|&%@$'\"-])")  # Day One escapes these, but they mean nothing in Markdown


def knows(tree: Tree) -> bool:
    return any(has_keys(tree.head(name), "creationDate", "entries") for name in tree.ending(".json"))


def read_items(tree: Tree) -> Iterator[Item]:
    photos = {name.rpartition("/")[2].partition(".")[0]: name for name in tree.names if "photos/" in f"/{name}"}

    def journal(name: str) -> Iterator[Item]:
        called = name.rpartition("/")[2].removesuffix(".json")
        return each_record(f"{name}: ", tree.json(name)["entries"], lambda entry: _entry(entry, called, photos))

    return each_file(tree.ending(".json"), journal)


def _moment(entry: dict[str, Any]) -> datetime | None:
    """Return when an entry was written, in the time zone of its place, so that an evening in Tokyo stays on its day."""
    text = str(entry.get("creationDate") or "").replace("Z", "+00:00")
    try:
        return datetime.fromisoformat(text).astimezone(ZoneInfo(str(entry["timeZone"]))).replace(tzinfo=None)
    except (KeyError, ValueError, OSError):
        return moment(entry.get("creationDate"))


def _entry(entry: dict[str, Any], journal: str, photos: dict[str, str]) -> Iterator[Item]:
    at, id = _moment(entry), str(entry.get("uuid"))
    text = _ESCAPED.sub(r"\1", str(entry.get("text") or ""))
    for photo in entry.get("photos") or ():
        place = photos.get(str(photo.get("md5")))
        if place:
            yield Attachment(place, place)
            text = text.replace(f"dayone-moment://{photo.get('identifier')}", f"../{place}")
    where = entry.get("location") or {}
    place = ", ".join(str(where[key]) for key in ("placeName", "localityName", "country") if where.get(key))
    if not text.strip() or not at:
        yield UnreadableItem(f"{journal} {id}", "without a text or a day")
        return
    tags = split_list(entry.get("tags"))
    fields = {"place": place} if place else {}
    yield Page(f"{journal}/{at:%Y-%m-%d} {id[:6]}.md", text, f"dayone:{id}", at, "", tags, fields)


FORMAT = Format("Day One's JSON", knows, read_items)
