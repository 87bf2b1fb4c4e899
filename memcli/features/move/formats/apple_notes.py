"""Read Apple Notes as its exporters and Apple itself write them.

They are HTML, Markdown or text pages in the notes' folders, or the JSON of a backup. Images packed into a page
become files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcli.errors import MemError
from memcli.features.move import html
from memcli.features.move.formats.markdown import ATTACHED, NOTES, PAGES
from memcli.features.move.formats.records import each_file, file_name
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem
from memcli.vault import layout

_SIGNS = ("apple notes", "apple-notes", "applenotes", "apple_notes", "icloud notes", "com.apple.notes")
_JSON_SIGNS = ('"is_password_protected"', '"creation_time"', '"plaintext"')
_STAMP = re.compile(r"[-_ ](\d{4}-\d\d-\d\dT[\d:_-]+Z)$")  # behind the title, in Apple's own export


def knows(tree: Tree) -> bool:
    if any(sign in f"{tree.name}/{name}".lower() for name in tree.names[:200] for sign in _SIGNS):
        return True
    pages = [*tree.ending(*PAGES, *NOTES)[:20], *tree.ending(".json")[:5]]
    heads = [tree.head(name, 8192).lower() for name in pages]
    return any(any(sign in head[:2048] for sign in _SIGNS[1:]) for head in heads) or any(
        all(sign in head for sign in _JSON_SIGNS) for head in heads
    )


def read_items(tree: Tree) -> Iterator[Item]:
    above = len(tree.above)

    def items(name: str) -> Iterator[Item]:
        low, short = name.lower(), name[above:]
        if low.endswith((*NOTES, *PAGES)):
            yield from _page(tree.text(name), short, low.endswith(PAGES))
        elif low.endswith(".json"):
            yield from _backup(tree.json(name), name)
        elif low.endswith(ATTACHED):
            yield Attachment(_flat(short), name)

    return each_file(tree.names, items)


def _page(text: str, name: str, is_html: bool) -> Iterator[Item]:
    stem, at = _flat(name).rpartition(".")[0], None
    if stamp := _STAMP.search(stem):
        stem = stem[: stamp.start()]
        at = moment(re.sub(r"T(\d\d)[:_-](\d\d)[:_-](\d\d)", r"T\1:\2:\3", stamp[1]))
    folder, slash, title = stem.rpartition("/")
    pictures: dict[str, bytes] = {}
    if is_html:
        text, pictures = html.unpack_images(text, title)
        text = html.markdown(text)
    if not text.strip():
        yield UnreadableItem(name, "is empty")
        return
    yield from (Attachment(f"{folder}{slash}{place}", place, data) for place, data in pictures.items())
    yield Page(f"{stem}.md", text, f"apple-notes:{name}", at)


def _flat(name: str) -> str:
    """Return `Title/Title.txt` without its folder, which has just one note and its images. Other names are returned
    unchanged."""
    folder, _, last = name.rpartition("/")
    above, _, title = folder.rpartition("/")
    return f"{above}/{last}".lstrip("/") if title and last.rpartition(".")[0] == title else name


def _backup(value: Any, name: str) -> Iterator[Item]:
    """Yield the notes of a backup, which has them by id or as a list."""
    listed = value.get("notes", value) if isinstance(value, dict) else value
    for note in listed.values() if isinstance(listed, dict) else listed if isinstance(listed, list) else ():
        if not isinstance(note, dict):
            continue
        title = str(note.get("title") or note.get("name") or "note")
        if note.get("is_password_protected"):
            yield UnreadableItem(title, "is locked")
            continue
        text = str(note.get("plaintext") or note.get("body") or "")
        try:
            text = html.markdown(str(note["html"])) if not text.strip() and note.get("html") else text
        except MemError as error:
            yield UnreadableItem(f"{name}: {title}", error.message)
            continue
        if not text.strip():
            yield UnreadableItem(f"{name}: {title}", "is empty")
            continue
        folder = file_name(str(note.get("folder") or note.get("folder_title") or ""))
        path = f"{folder}/{file_name(title)}.md".lstrip("/")
        id = note.get("uuid") or note.get("note_id") or note.get("id") or title
        yield Page(path, text, f"apple-notes:{id}", _time(note), title)


def _time(note: dict[str, Any]) -> Any:
    created = next((note[key] for key in ("creation_time", "created", "creationDate") if note.get(key)), None)
    day = layout.day_in(str(created)) if created else None
    text = re.sub(r" ([+-]\d\d)(\d\d)$", r"\1:\2", str(created)) if day else created
    return moment(text)


FORMAT = Format("notes of Apple Notes", knows, read_items)
