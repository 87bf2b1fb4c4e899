"""Read ChatGPT's export: `conversations.json`, a list of message trees. The branch shown last is the conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.features.move.formats.records import digest_of, each_file, each_record, has_keys
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, TalkMessage, UnreadableItem

_ROLES = ("user", "assistant")


def _files(tree: Tree) -> list[str]:
    return [name for name in tree.ending(".json") if has_keys(tree.head(name, 2**20), "mapping")]


def knows(tree: Tree) -> bool:
    named = [name for name in tree.called("conversations.json") or tree.names[:1] if name.endswith(".json")]
    return any(has_keys(tree.head(name, 2**20), "mapping") for name in named)


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(
        _files(tree),
        lambda name: each_record(f"{name}, conversation ", tree.values(name), lambda value: [_talk(value)]),
    )


def _talk(value: dict[str, Any]) -> Item:
    nodes: dict[str, Any] = value["mapping"]
    at: Any = value.get("current_node")
    if at not in nodes:  # older exports don't name the branch, so use the last leaf
        at = next((key for key in reversed(nodes) if not (nodes[key] or {}).get("children")), None)
    messages: list[TalkMessage] = []
    seen: set[str] = set()
    while isinstance(node := nodes.get(at), dict) and at not in seen:
        seen.add(at)
        if message := _read_message(node.get("message")):
            messages.append(message)
        at = node.get("parent")
    if not messages:
        return UnreadableItem("", "no messages in it")
    messages.reverse()
    started = moment(value.get("create_time")) or messages[0].at
    id = str(value.get("conversation_id") or value.get("id") or "") or _made_up(value, messages[0])
    return ImportedTalk(f"chatgpt:{id}", tuple(messages), str(value.get("title") or ""), started)


def _made_up(value: dict[str, Any], first: TalkMessage) -> str:
    """Return an id for a conversation of an older export, which has none; many of them share a title."""
    identity = f"{value.get('title')}\n{value.get('create_time')}\n{first.text}"
    return digest_of(identity)


def _read_message(message: Any) -> TalkMessage | None:
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
