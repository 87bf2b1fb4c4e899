"""Read Claude.ai's export.

`conversations.json` has the messages of each conversation, and `memories.json` is Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.features.move.formats import plain_text
from memcli.features.move.formats.records import each_file, each_record, has_keys
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, Page, TalkMessage, UnreadableItem

_ROLES = {"human": "user", "assistant": "assistant"}


def knows(tree: Tree) -> bool:
    keys = ("chat_messages", "conversations_memory", "prompt_template")
    files = tree.called("conversations.json", "memories.json") or tree.ending(".json")[:3]
    return any(has_keys(tree.head(name, 2**20), key) for name in files for key in keys)


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(
        tree.ending(".json"),
        lambda name: each_record(f"{name}: ", tree.values(name), lambda value: _item(value, name)),
    )


def _item(value: dict[str, Any], name: str) -> Iterator[Item]:
    if "chat_messages" in value:
        messages = tuple(filter(None, map(_read_message, value.get("chat_messages") or ())))
        at = moment(value.get("created_at"))
        title, source = str(value.get("name") or ""), f"claude:{value.get('uuid')}"
        yield (
            ImportedTalk(source, messages, title, at)
            if messages
            else UnreadableItem(title or name, "no messages in it")
        )
    elif "conversations_memory" in value or "project_memories" in value:
        if text := str(value.get("conversations_memory") or "").strip():
            yield Page("memory.md", text, "claude:memory", title="What Claude remembers")
        for id, memory in (value.get("project_memories") or {}).items():
            if str(memory).strip():
                yield Page(f"projects/{id}.md", str(memory), f"claude:project-memory:{id}")
    elif "prompt_template" in value or "docs" in value:
        project, title = str(value.get("uuid")), str(value.get("name") or "project")
        texts = [str(value[key]) for key in ("description", "prompt_template") if value.get(key)]
        texts += [f"## {doc.get('filename')}\n\n{doc.get('content')}" for doc in value.get("docs") or ()]
        if texts:
            at = moment(value.get("updated_at") or value.get("created_at"))
            yield Page(f"projects/{project}.md", "\n\n".join(texts), f"claude:project:{project}", at, title)


def _read_message(message: Any) -> TalkMessage | None:
    """Return a message with its `text` or the texts among its blocks, or None.

    Older exports have the one, newer ones both.
    """
    if not isinstance(message, dict) or message.get("sender") not in _ROLES:
        return None
    blocks = message.get("content")
    texts = [
        str(block.get("text") or "") for block in blocks if isinstance(block, dict) and block.get("type") == "text"
    ] if isinstance(blocks, list) else []  # fmt: skip
    text = "\n".join(filter(None, texts)) or str(message.get("text") or "")
    return (
        TalkMessage(_ROLES[message["sender"]], text.strip(), moment(message.get("created_at")))
        if text.strip()
        else None
    )


FORMAT = Format("Claude.ai's export", knows, read_items, plain_text.write_grouped, loses=plain_text.LOSES)
