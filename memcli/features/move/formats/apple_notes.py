"""Read Apple Notes as its exporters and Apple itself write them.

They are HTML, Markdown or text pages in the notes' folders. Images packed into a page become files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.features.move import html
from memcli.features.move.formats.markdown import ATTACHED, NOTES, PAGES
from memcli.features.move.formats.records import each_file
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_SIGNS = ("apple notes", "apple-notes", "applenotes", "apple_notes", "icloud notes", "com.apple.notes")
_STAMP = re.compile(r"[-_ ](\d{4}-\d\d-\d\dT[\d:_-]+Z)$")  # behind the title, in Apple's own export


def knows(tree: Tree) -> bool:
    if any(sign in f"{tree.name}/{name}".lower() for name in tree.names[:200] for sign in _SIGNS):
        return True
    heads = (tree.head(name, 2048).lower() for name in tree.ending(*PAGES, *NOTES)[:20])
    return any(sign in head for head in heads for sign in _SIGNS[1:])


def read_items(tree: Tree) -> Iterator[Item]:
    above = len(tree.above)

    def items(name: str) -> Iterator[Item]:
        low, short = name.lower(), name[above:]
        if low.endswith((*NOTES, *PAGES)):
            yield from _page(tree.text(name), short, low.endswith(PAGES))
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


FORMAT = Format("notes of Apple Notes", knows, read_items)
