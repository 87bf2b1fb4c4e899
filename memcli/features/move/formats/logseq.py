"""Read Logseq's graphs: journals by day and pages, whose lines are blocks with properties `key:: value`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from memcli.features.move.formats import org
from memcli.features.move.formats.markdown import read_notes
from memcli.file_tree import Tree
from memcli.format import Format, Item, Page

_DAY = re.compile(r"(?P<folder>.*journals/)(?P<day>\d{4}[_-]\d\d[_-]\d\d)\.md")
_STATE = re.compile(r"^([ \t]*- )(TODO|LATER|NOW|DOING|WAITING|DONE|CANCELED|CANCELLED) ", re.M)
_BOXES = {"DONE": "[x] ", "CANCELED": "[-] ", "CANCELLED": "[-] "}
_CLOCK = re.compile(r"^[ \t]*(?::LOGBOOK:|:END:|CLOCK: .*|collapsed:: .*)\n?", re.M)


_OTHERS = (".edn", ".css", ".js", ".org")  # its settings, and files that are read separately


def knows(tree: Tree) -> bool:
    return any(f"/{name}".endswith("/logseq/config.edn") for name in tree.names)


def read_items(tree: Tree) -> Iterator[Item]:
    hidden = ("logseq/bak/", "logseq/.recycle/", "logseq/version-files/")

    def wanted(name: str) -> bool:
        return not any(f"/{folder}" in f"/{name}" for folder in hidden) and not name.endswith(_OTHERS)

    yield from read_notes(tree, "logseq", wanted, _plain)
    above = len(tree.above)
    for page in org.read_items(tree):  # a graph may be of org files, or have some
        if not isinstance(page, Page):
            yield page
        elif wanted(page.path):
            yield _plain(replace(page, path=page.path[above:], source=page.source.replace("org:", "logseq:", 1)))


def _plain(page: Page) -> Page:
    """Return the page with boxes for states, hyphens in days, and names as people read them."""
    text = _CLOCK.sub("", _STATE.sub(lambda match: match[1] + _BOXES.get(match[2], "[ ] "), page.text))
    path = unquote(page.path.replace("___", "/"))
    if match := _DAY.fullmatch(path):
        path = f"{match['folder']}{match['day'].replace('_', '-')}.md"
    return replace(page, path=path, text=text)


FORMAT = Format("a Logseq graph", knows, read_items)
