"""Read and write notes as files of Markdown or plain text in folders, with the files beside them.

Other formats of such folders build on this one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from memcli.errors import MemError
from memcli.features.move import html
from memcli.features.move.render import list_item
from memcli.file_tree import Tree
from memcli.format import Attachment, Format, Item, Page, Statement, UnreadableItem
from memcli.message import Message
from memcli.vault import discover, layout

NOTES = (".md", ".markdown", ".txt")
PAGES = (".html", ".htm")
TABLES = (".csv", ".tsv")
ATTACHED = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".heic", ".pdf", ".mp3", ".m4a", ".wav", ".mp4", ".mov",
)  # fmt: skip
LINK = re.compile(r"(!?\[[^\]\n]{0,400}\]\()<?([^)\n<>]{1,1000})>?(\))")


def knows(tree: Tree) -> bool:
    return bool(tree.ending(*NOTES, *PAGES))


def lie_beside_notes(tree: Tree, others: list[str]) -> bool:
    """Return whether a folder has more notes than these other files, so that it counts as a folder of notes."""
    return len(tree.ending(*NOTES)) > len(others)


def tell_what_is_left(names: Iterable[str]) -> Iterator[Item]:
    """Yield how many files of other kinds were not read, and which format brings them."""
    kinds = Counter(
        "markdown" if name.lower().endswith((*NOTES, *PAGES)) else "csv" if name.lower().endswith(TABLES) else ""
        for name in names if "/." not in f"/{name}"
    )  # fmt: skip
    for format, number in sorted(kinds.items(), reverse=True):
        why = Message("of other kinds: --from {format} brings them", format=format) if format else "of other kinds"
        yield UnreadableItem(Message("{n} file{s}", n=number), why)


def read_items(tree: Tree) -> Iterator[Item]:
    yield from read_notes(tree, "markdown")


def read_notes(
    tree: Tree, format: str, wanted: Callable[[str], bool] = lambda name: True,
    changed: Callable[[Page], Page] = lambda page: page,
) -> Iterator[Item]:  # fmt: skip
    """Yield the notes of a tree, each `changed` as its format needs it, and the files that may be shown in them."""
    others, above = list[str](), len(tree.above)
    forgotten = (
        f"{tree.above}{layout.ARCHIVE}/" if f"{tree.above}{discover.CONFIG}" in tree.names else None
    )  # of a vault
    archived = 0
    for name in tree.names:
        if forgotten and name.startswith(forgotten):
            archived += 1
            continue
        if not wanted(name) or PurePosixPath(name).name.startswith("."):
            continue
        if name.lower().endswith((*NOTES, *PAGES)):
            try:
                text = tree.text(name)
                if name.lower().endswith(PAGES):
                    folder, slash, title = name[above:].rpartition(".")[0].rpartition("/")
                    text, packed = html.unpack_images(text, title)
                    yield from (Attachment(f"{folder}{slash}{place}", place, data) for place, data in packed.items())
                    text = html.markdown(text)
            except MemError as error:
                yield UnreadableItem(name, error.why)
                continue
            if text.strip():
                yield changed(
                    Page(f"{name[above:].rpartition('.')[0]}.md", text, f"{format}:{tree.name}/{name[above:]}")
                )
        elif name.lower().endswith(ATTACHED):
            yield Attachment(name[above:], name)
        else:
            others.append(name)
    yield from tell_what_is_left(others)
    if archived:
        yield UnreadableItem(Message("{n} file{s}", n=archived), "of the archive, with what was forgotten")


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield a list by day. Tags and fields stand behind the words, where mem and Obsidian's Dataview read them."""
    day = ""
    for each in sorted(statements, key=_day):
        this = _day(each)
        if this != day:
            yield f"{chr(10) * bool(day)}## {this}\n\n"
            day = this
        yield list_item(each)


def _day(statement: Statement) -> str:
    return statement.at.date().isoformat() if statement.at else "undated"


FORMAT = Format("Markdown notes", knows, read_items, write_items)
