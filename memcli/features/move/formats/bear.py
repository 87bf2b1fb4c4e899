"""Read the text bundles of Bear's backups and of Ulysses and others.

Each bundle is a folder with `text.md`, `info.json` and assets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memcli.features.move.formats.records import each_file
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_BUNDLE = re.compile(r"(?P<folder>(?:.*/)?)(?P<name>[^/]+)\.textbundle/(?P<rest>.+)")
_TEXTS = ("text.md", "text.markdown", "text.txt")
_WIDE_TAG = re.compile(r"(?<![\w#])#(\w[^#\n]*?\w)#(?!\w)")  # a tag of several words
_ASSET = re.compile(r"(!?\[[^\]\n]{0,400}\]\()(?:\./)?assets/")


def knows(tree: Tree) -> bool:
    return any(_BUNDLE.fullmatch(_whole(tree, name)) for name in tree.names)


def read_items(tree: Tree) -> Iterator[Item]:
    above = len(tree.above)

    def items(name: str) -> Iterator[Item]:
        if match := _BUNDLE.fullmatch(_whole(tree, name)):
            folder = match["folder"][above:]
            if match["rest"].lower() in _TEXTS:
                yield _note(tree, name, folder, match["name"])
            elif match["rest"].startswith("assets/"):
                yield Attachment(f"{folder}{match['name']} files/{match['rest'][7:]}", name)

    return each_file(tree.names, items)


def _whole(tree: Tree, name: str) -> str:
    """Return the path of a file, with its bundle's folder added when the bundle itself was brought."""
    return f"{tree.name}/{name}" if tree.name.endswith(".textbundle") else name


def _note(tree: Tree, name: str, folder: str, title: str) -> Item:
    info = _info(tree, str(PurePosixPath(name).parent / "info.json"))
    text = tree.text(name)
    if info.get("trashed"):
        return UnreadableItem(title, "is in the trash")
    if info.get("encrypted") or not text.strip():
        return UnreadableItem(title, "is locked" if info.get("encrypted") else "is empty")
    id = f"{info.get('uniqueIdentifier') or ''}/{title}"
    at = moment(info.get("creationDate"))
    assets = title.replace(" ", "%20")
    text = _WIDE_TAG.sub(lambda match: "#" + "-".join(match[1].split()), text)
    text = _ASSET.sub(lambda match: f"{match[1]}{assets}%20files/", text)
    return Page(f"{folder}{title}.md", text, f"bear:{id}", at, title)


def _info(tree: Tree, name: str) -> dict[str, Any]:
    """Return Bear's metadata of a note, which has a key of its own."""
    info = tree.json(name) if name in tree.sizes else {}
    own = next((value for key, value in info.items() if key.startswith("net.shinyfrog.bear")), None)
    return own if isinstance(own, dict) else {k.rpartition("/")[2]: v for k, v in info.items()}


FORMAT = Format("Bear's backup or text bundles", knows, read_items)
