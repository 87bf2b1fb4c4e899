"""Read the text bundles of Bear's backups and of Ulysses and others.

Each bundle is a folder with `text.md`, `info.json` and assets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memcli.errors import VaultError
from memcli.file_tree import Tree, moment
from memcli.format import Attachment, Format, Item, Page, UnreadableItem

_BUNDLE = re.compile(r"(?P<folder>(?:.*/)?)(?P<name>[^/]+)\.textbundle/(?P<rest>.+)")
_TEXTS = ("text.md", "text.markdown", "text.txt")
_WIDE_TAG = re.compile(r"(?<![\w#])#(\w[^#\n]*?\w)#(?!\w)")  # a tag of several words
_ASSET = re.compile(r"(!?\[[^\]\n]{0,400}\]\()(?:\./)?assets/")


def knows(tree: Tree) -> bool:
    return any(_BUNDLE.fullmatch(_whole(tree, name)) for name in tree.names)


def read_items(tree: Tree) -> Iterator[Item]:
    for name in tree.names:
        match = _BUNDLE.fullmatch(_whole(tree, name))
        if not match:
            continue
        if match["rest"].lower() in _TEXTS:
            yield from _note(tree, name, match["name"])
        elif match["rest"].startswith("assets/"):
            yield Attachment(f"{match['name']} files/{match['rest'][7:]}", name)


def _whole(tree: Tree, name: str) -> str:
    """Return the path of a file, with its bundle's folder added when the bundle itself was brought."""
    return f"{tree.name}/{name}" if tree.name.endswith(".textbundle") else name


def _note(tree: Tree, name: str, title: str) -> Iterator[Item]:
    try:
        info = _info(tree, str(PurePosixPath(name).parent / "info.json"))
        text = tree.text(name)
    except VaultError as error:
        yield UnreadableItem(title, error.why)
        return
    if info.get("trashed"):
        yield UnreadableItem(title, "is in the trash")
    elif info.get("encrypted") or not text.strip():
        yield UnreadableItem(title, "is locked" if info.get("encrypted") else "is empty")
    else:
        id = f"{info.get('uniqueIdentifier') or ''}/{title}"
        at = moment(info.get("creationDate"))
        folder = title.replace(" ", "%20")
        text = _WIDE_TAG.sub(lambda match: "#" + "-".join(match[1].split()), text)
        text = _ASSET.sub(lambda match: f"{match[1]}{folder}%20files/", text)
        yield Page(f"{title}.md", text, f"bear:{id}", at, title)


def _info(tree: Tree, name: str) -> dict[str, Any]:
    """Return what Bear says about a note, which stands under a key of its own."""
    told = tree.json(name) if name in tree.sizes else {}
    own = next((value for key, value in told.items() if key.startswith("net.shinyfrog.bear")), None)
    return own if isinstance(own, dict) else {k.rpartition("/")[2]: v for k, v in told.items()}


FORMAT = Format("Bear's backup or text bundles", knows, read_items)
