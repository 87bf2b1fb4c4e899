"""Read and write Letta's agent files (`.af`): labelled blocks of memory, and the messages of the agent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from memcli.features.move.formats.records import ALL_BUT_TEXT, each_file
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, Page, Statement, TalkMessage

_LABEL = "human"  # the block that says who the user is


def knows(tree: Tree) -> bool:
    return bool(tree.ending(".af"))


def read_items(tree: Tree) -> Iterator[Item]:
    def agent(name: str) -> Iterator[Item]:
        value = tree.json(name)
        value = json.loads(value) if isinstance(value, str) else value  # some are written as JSON in JSON
        return _agent(value, name.rpartition("/")[2].removesuffix(".af"))

    return each_file(tree.ending(".af"), agent)


def _agent(value: dict[str, Any], name: str) -> Iterator[Item]:
    agents = value.get("agents") or [value]
    for block in [*(value.get("blocks") or ()), *(value.get("core_memory") or ())]:
        text, label = str(block.get("value") or "").strip(), str(block.get("label") or "block")
        if text:
            yield Page(f"{name}/{label}.md", text, f"letta:{name}/{label}", title=f"{name}: {label}")
    for agent in agents:
        messages = tuple(filter(None, map(_read_message, agent.get("messages") or ())))
        if messages:
            title = str(agent.get("name") or name)
            yield ImportedTalk(f"letta:{name}/{agent.get('id') or title}", messages, title, messages[0].at)


def _read_message(message: dict[str, Any]) -> TalkMessage | None:
    content = message.get("content") or message.get("text")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    text = str(content or "").strip()
    if text.startswith("{"):  # the user's words come as JSON, among notices of the program
        try:
            packed = json.loads(text)
            text = str(packed.get("message") or "") if packed.get("type") == "user_message" else ""
        except (ValueError, AttributeError):
            pass
    if message.get("role") not in ("user", "assistant") or not text:
        return None
    return TalkMessage(message["role"], text, moment(message.get("created_at")))


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield one block with a line for each memory, which an importer puts into the agent's context."""
    value = "\n".join(f"- {' '.join(each.text.split())}" for each in statements)
    block = {"id": "block-0", "label": _LABEL, "value": value, "limit": max(20_000, len(value)), "metadata": {}}
    yield json.dumps({"agents": [], "groups": [], "blocks": [block], "files": [], "sources": [], "tools": []}, indent=1)


FORMAT = Format("Letta's agent file", knows, read_items, write_items, loses=ALL_BUT_TEXT)
