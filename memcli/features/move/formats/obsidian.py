"""Read and write Obsidian's folders: notes, daily notes and attachments, without settings and templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memcli.errors import VaultError
from memcli.features.move.formats.markdown import read_notes
from memcli.features.move.render import list_item
from memcli.file_tree import Tree
from memcli.format import Format, Item, Statement

_SETTINGS = ".obsidian/"


def knows(tree: Tree) -> bool:
    return any(f"/{_SETTINGS}" in f"/{name}" for name in tree.names)


def read_items(tree: Tree) -> Iterator[Item]:
    templates = _templates(tree)
    hidden = (_SETTINGS, ".trash/", "_trash/")
    yield from read_notes(
        tree, "obsidian",
        lambda name: not any(f"/{folder}" in f"/{name}" for folder in hidden)
        and not (templates and name.startswith(templates)),
    )  # fmt: skip


def _templates(tree: Tree) -> str:
    """Return the folder of templates, which hold no memories, with its slash, or ""."""
    for name in tree.names:
        if name.endswith((".obsidian/templates.json", ".obsidian/plugins/templater-obsidian/data.json")):
            try:
                settings = tree.json(name)
            except VaultError:
                continue
            folder = (settings.get("folder") or settings.get("templates_folder")) if isinstance(settings, dict) else ""
            if isinstance(folder, str) and folder.strip("/"):
                return name[: name.index(_SETTINGS)] + folder.strip("/") + "/"
    return ""


def write_files(statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    """Yield a note for each day, whose fields Dataview reads, and the folder that marks an Obsidian vault."""
    yield f"{_SETTINGS}app.json", "{}\n"
    for each in statements:
        yield f"memories/{each.at:%Y-%m-%d}.md" if each.at else "memories/undated.md", list_item(each)


FORMAT = Format("an Obsidian vault", knows, read_items, write_files=write_files)
