"""Read Evernote's export (`.enex`): notes as XML with a page of HTML each, read one at a time, and their files."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from html import unescape

from memcli.errors import MemError, VaultError
from memcli.features.move import html
from memcli.features.move.formats.records import digest_of, each_file, file_name
from memcli.file_tree import LARGEST_VALUE, Tree
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_MEDIA = re.compile(r"<en-media\b[^<>]*>(?:\s*</en-media>)?", re.S)
_HASH = re.compile(r"\bhash=\"([0-9a-f]+)\"")
_FRAME = re.compile(r"\A\s*<\?xml[^<>]*\?>|<!DOCTYPE[^<>]*>|</?en-note[^<>]*>")
NOTE, END = "<note>", "</note>"


def knows(tree: Tree) -> bool:
    return bool(tree.ending(".enex"))


def read_items(tree: Tree) -> Iterator[Item]:
    folders: set[str] = set()  # of the files of all notes, since two notes may have one title

    def notes(name: str) -> Iterator[Item]:
        for number, note in enumerate(_notes(tree, name), 1):
            try:
                yield from _note(note, number, folders)
            except MemError as error:  # only this note can't be read
                yield UnreadableItem(_field(note, "title") or f"{name}: note {number}", error.why)

    return each_file(tree.ending(".enex"), notes)


def _notes(tree: Tree, name: str) -> Iterator[str]:
    """Yield the notes of a file one at a time.

    The XML is cut and not parsed, so none of its own entities is ever resolved.
    """
    rest, looked = "", 0  # no note ends before `looked`
    with tree.opened(name) as handle:
        while data := handle.read(2**20):
            rest += data.decode("utf-8", "replace")
            at = 0
            while (begin := rest.find(NOTE, at)) >= 0:
                end = rest.find(END, max(begin, looked))
                if end < 0:
                    break
                yield rest[begin + len(NOTE) : end]
                at = end + len(END)
            rest = rest[begin:] if begin >= 0 else rest[max(at, len(rest) - len(NOTE)) :]
            looked = max(0, len(rest) - len(END))
            if len(rest) > LARGEST_VALUE:
                raise VaultError("{name}: a note of more than {n} MB", name=name, n=LARGEST_VALUE // 2**20)


def _note(note: str, number: int, folders: set[str]) -> Iterator[Item]:
    note, resources = html.without_elements(note, "resource"), html.contents_of(note, "resource")
    title = _field(note, "title") or f"Note {number}"
    at = _moment(_field(note, "created"))
    folder = _free(file_name(title, 60), folders)
    files: dict[str, str] = {}
    for resource in resources:
        if found := _file(resource):
            digest, name, data = found
            path = f"{folder} files/{name}"
            files[digest] = f"{folder} files/{digest[:8]} {name}" if path in files.values() else path
            yield Attachment(files[digest], files[digest], data)
    content = next(iter(html.contents_of(note, "content")), "").strip()
    page = _FRAME.sub("", content.removeprefix("<![CDATA[").removesuffix("]]>"))
    page, packed = html.unpack_images(page, folder)
    yield from (Attachment(name, name, data) for name, data in packed.items())
    text = html.markdown(_MEDIA.sub(lambda media: _shown(media[0], files), page))
    tags = tuple(map(unescape, html.contents_of(note, "tag")))
    address = _field(note, "source-url")
    fields = {"url": address} if address else {}
    source = f"evernote:{title}/{_field(note, 'created') or digest_of(text)}"
    yield Page(f"{file_name(title)}.md", f"# {title}\n\n{text}", source, at, title, tags, fields)


def _shown(media: str, files: dict[str, str]) -> str:
    """Return the image tag for the file that a note names by its digest, or "" when there is none."""
    named = _HASH.search(media)
    path = files.get(named[1], "") if named else ""
    return f'<img src="{path}"/>' if path else ""


def _field(note: str, name: str) -> str:
    return unescape(next(iter(html.contents_of(note, name)), "").strip())


def _free(name: str, taken: set[str]) -> str:
    """Return the name, with a number when it is taken, and take it."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    taken.add(free)
    return free


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc).astimezone().replace(tzinfo=None)
    except ValueError:
        return None


def _file(resource: str) -> tuple[str, str, bytes] | None:
    """Return the digest by which a note names a file, its name and its content, or None when it can't be decoded."""
    data = html.contents_of(resource, "data")
    try:
        content = base64.b64decode(data[0], validate=False) if data else b""
    except binascii.Error:
        return None
    kind = _field(resource, "mime").rpartition("/")[2] or "bin"
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return digest, _field(resource, "file-name") or f"{digest[:8]}.{kind}", content


FORMAT = Format("Evernote's export", knows, read_items)
