"""Read and write OpenClaw's workspaces: `MEMORY.md` for what lasts, `USER.md`, and a note a day in `memory/`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcli.features.move.formats.markdown import read_notes
from memcli.features.move.render import list_item
from memcli.file_tree import Tree
from memcli.format import Format, Item, Statement

_DAILY = re.compile(r"(?:.*/)?memory/\d{4}-\d\d-\d\d[\w-]*\.md")
_SIGNS = ("soul.md", "identity.md", "heartbeat.md", "tools.md")  # files about the agent itself have no memories
_LASTING = ("", "fact", "preference", "decision", "rule", "insight", "project", "profile")


def knows(tree: Tree) -> bool:
    daily = any(map(_DAILY.fullmatch, tree.names))
    return bool(tree.called("memory.md") and (daily or tree.called(*_SIGNS))) or (daily and bool(tree.called(*_SIGNS)))


def read_items(tree: Tree) -> Iterator[Item]:
    theirs = {*tree.called(*_SIGNS, "agents.md", "bootstrap.md")}
    yield from read_notes(tree, "openclaw", lambda name: name not in theirs)


def write_files(statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    for each in statements:
        lasting = each.at is None or each.type in _LASTING[1:]
        yield "MEMORY.md" if lasting or each.at is None else f"memory/{each.at:%Y-%m-%d}.md", list_item(each)


FORMAT = Format("an OpenClaw workspace", knows, read_items, write_files=write_files)
