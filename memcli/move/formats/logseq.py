"""Logseq's graphs: journals by day and pages, whose lines are blocks with properties `key:: value`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from memcli.move.formats import Format
from memcli.move.formats.markdown import notes
from memcli.move.items import Item, Page
from memcli.move.tree import Tree

_DAY = re.compile(r"(?P<folder>.*journals/)(?P<day>\d{4}[_-]\d\d[_-]\d\d)\.md")
_STATE = re.compile(r"^([ \t]*- )(TODO|LATER|NOW|DOING|WAITING|DONE|CANCELED|CANCELLED) ", re.M)
_BOXES = {"DONE": "[x] ", "CANCELED": "[-] ", "CANCELLED": "[-] "}
_CLOCK = re.compile(r"^[ \t]*(?::LOGBOOK:|:END:|CLOCK: .*|collapsed:: .*)\n?", re.M)


def knows(tree: Tree) -> bool:
    return any(f"/{name}".endswith("/logseq/config.edn") for name in tree.names)


def read(tree: Tree) -> Iterator[Item]:
    hidden = ("logseq/bak/", "logseq/.recycle/", "logseq/version-files/")
    yield from notes(
        tree, "logseq", lambda name: not any(f"/{folder}" in f"/{name}" for folder in hidden) and _is_note(name), _plain
    )


def _is_note(name: str) -> bool:
    return not name.endswith((".edn", ".css", ".js"))


def _plain(page: Page) -> Page:
    """Boxes for states, days with hyphens, names as people read them."""
    text = _CLOCK.sub("", _STATE.sub(lambda match: match[1] + _BOXES.get(match[2], "[ ] "), page.text))
    path = unquote(page.path.replace("___", "/"))
    if match := _DAY.fullmatch(path):
        path = f"{match['folder']}{match['day'].replace('_', '-')}.md"
    return replace(page, path=path, text=text)


FORMAT = Format("a Logseq graph", knows, read)
