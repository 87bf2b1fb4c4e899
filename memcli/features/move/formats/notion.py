"""Read Notion's export as Markdown: names end with an id, properties stand as `Key: value` below the title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from memcli.features.move.formats.markdown import LINK, read_notes
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page

_ID = re.compile(r" [0-9a-f]{32}(?=$|/|\.\w+$| )")
_PROPERTY = re.compile(r"([A-Z][\w /-]{0,40}): (.+)")
_DATES = ("Created", "Created time", "Date", "Created at")


def knows(tree: Tree) -> bool:
    return any(_ID.search(name) for name in tree.ending(".md", ".html", ".csv"))


def read_items(tree: Tree) -> Iterator[Item]:
    for item in read_notes(tree, "notion", changed=_plain):
        yield replace(item, path=_bare(item.path)) if isinstance(item, Attachment) else item


def _bare(path: str) -> str:
    return "/".join(_ID.sub("", part) for part in path.split("/"))


def _plain(page: Page) -> Page:
    ids = re.findall(r"[0-9a-f]{32}", page.path.rpartition("/")[2])
    text = LINK.sub(lambda match: f"{_bare(match[1][:-2])}](<{_bare(unquote(match[2]))}>{match[3]}", page.text)
    head, *rest = text.split("\n\n")
    fields: dict[str, str] = {}
    title = head.removeprefix("# ").strip()
    while rest and all(map(_PROPERTY.fullmatch, lines := rest[0].split("\n"))):
        fields.update({line.partition(": ")[0]: line.partition(": ")[2] for line in lines})
        rest.pop(0)
    at = next(filter(None, (moment(fields.get(name)) for name in _DATES)), None)
    return replace(
        page, path=_bare(page.path), text="\n\n".join([head, *rest]),
        source=f"notion:{ids[-1]}" if ids else page.source,
        at=at, title=title if head.startswith("# ") else "", fields=fields,
    )  # fmt: skip


FORMAT = Format("Notion's export as Markdown", knows, read_items)
