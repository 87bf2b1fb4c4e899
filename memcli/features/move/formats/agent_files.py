"""Read files that people write for coding agents: CLAUDE.md, AGENTS.md and the like.

It includes the files that they import by `@path`, and the memory folders of those tools.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memcli.errors import VaultError
from memcli.file_tree import Tree
from memcli.format import Format, Item, Page, UnreadableItem
from memcli.message import Message

NAMES = (
    "claude.md", "claude.local.md", "agents.md", "gemini.md", ".cursorrules", ".windsurfrules", ".clinerules",
    "copilot-instructions.md",
)  # fmt: skip
_HOPS = 5
_IMPORT = re.compile(r"(?<![\w`])@((?:\.{0,2}/)?[\w./-]+\.\w+)")


def knows(tree: Tree) -> bool:
    """Return whether these are files for agents, alone or beside code. In a folder of notes they count as notes."""
    own = [*tree.called(*NAMES), *_rules(tree)]
    return bool(own) and 2 * len(_notes(tree)) <= len(tree.sizes) - len(own)


def _notes(tree: Tree) -> list[str]:
    """Return the notes beside the files of agents, without hidden ones."""
    named = set(tree.called(*NAMES))
    return [name for name in tree.ending(".md", ".markdown", ".txt") if name not in named and "/." not in f"/{name}"]


def _rules(tree: Tree) -> list[str]:
    return [name for name in tree.ending(".mdc") if ".cursor/rules/" in f"/{name}"]


def read_items(tree: Tree) -> Iterator[Item]:
    taken: set[str] = set()
    for name in [*tree.called(*NAMES), *_rules(tree)]:
        yield from _file(tree, name, taken, _HOPS)
    if left := [name for name in _notes(tree) if name not in taken]:
        yield UnreadableItem(Message("{n} note{s}", n=len(left)), "no instructions: --from markdown brings them")


def _file(tree: Tree, name: str, taken: set[str], hops: int) -> Iterator[Item]:
    if name in taken or not hops:
        return
    taken.add(name)
    try:
        text = tree.text(name)
    except VaultError as error:
        yield UnreadableItem(name, error.why)
        return
    path = name.lstrip(".") if "." in name.lstrip(".") else f"{name.lstrip('.')}.md"
    yield Page(re.sub(r"\.mdc$", ".md", path), text, f"agent-files:{tree.name}/{name}")
    for match in _IMPORT.finditer(text):
        other = posixpath.normpath(PurePosixPath(name).parent / match[1])
        if other in tree.sizes:
            yield from _file(tree, other, taken, hops - 1)
        elif match[1].endswith(".md"):
            yield UnreadableItem(f"{name}: @{match[1]}", "does not lie in what was brought")


FORMAT = Format("instructions for agents", knows, read_items)
