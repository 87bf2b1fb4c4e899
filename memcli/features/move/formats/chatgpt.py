"""Read ChatGPT's export: `conversations.json`, a list of message trees. The branch shown last is the conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from memcli.errors import VaultError
from memcli.file_tree import Tree, moment
from memcli.format import Format, Item, Talk, TalkMessage, UnreadableItem

_ROLES = ("user", "assistant")


def _files(tree: Tree) -> list[str]:
    return [name for name in tree.ending(".json") if '"mapping"' in tree.head(name, 2**20)]


def knows(tree: Tree) -> bool:
    named = [name for name in tree.called("conversations.json") or tree.names[:1] if name.endswith(".json")]
    return any('"mapping"' in tree.head(name, 2**20) for name in named)


def read_items(tree: Tree) -> Iterator[Item]:
    for name in _files(tree):
        try:
            for number, value in enumerate(tree.values(name), 1):
                yield _talk(value) or UnreadableItem(f"{name}, conversation {number}", "no messages in it")
        except VaultError as error:
            yield UnreadableItem(name, error.why)


def _talk(value: Any) -> Talk | None:
    if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict):
        return None
    nodes: dict[str, Any] = value["mapping"]
    at: Any = value.get("current_node")
    if at not in nodes:  # older exports don't say which, so the last leaf
        at = next((key for key in reversed(nodes) if not (nodes[key] or {}).get("children")), None)
    messages: list[TalkMessage] = []
    seen: set[str] = set()
    while isinstance(node := nodes.get(at), dict) and at not in seen:
        seen.add(at)
        if said := _said(node.get("message")):
            messages.append(said)
        at = node.get("parent")
    if not messages:
        return None
    messages.reverse()
    started = moment(value.get("create_time")) or messages[0].at
    id = str(value.get("conversation_id") or value.get("id") or "") or _made_up(value, messages[0])
    return Talk(f"chatgpt:{id}", tuple(messages), str(value.get("title") or ""), started)


def _made_up(value: dict[str, Any], first: TalkMessage) -> str:
    """Return an id for a conversation of an older export, which has none; many of them share a title."""
    told = f"{value.get('title')}\n{value.get('create_time')}\n{first.text}"
    return hashlib.sha1(told.encode("utf-8", "replace")).hexdigest()[:12]


def _said(message: Any) -> TalkMessage | None:
    if not isinstance(message, dict) or (message.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
        return None
    role = (message.get("author") or {}).get("role")
    content = message.get("content") or {}
    parts = content.get("parts") if isinstance(content, dict) else None
    text = "\n".join(part for part in parts or () if isinstance(part, str)).strip()
    if role not in _ROLES or not text or content.get("content_type") not in ("text", "multimodal_text", None):
        return None
    return TalkMessage(role, text, moment(message.get("create_time")))


FORMAT = Format("ChatGPT's export", knows, read_items)
