"""Read conversations as programs store them: JSON lines with `role` and `content`, and exported JSON documents.
`text/transcripts.py` reads what coding agents leave behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any

from memcli.features.learn.stamps import moment
from memcli.features.learn.turns import SpeakerTurn
from memcli.message import Message
from memcli.text import transcripts


def turns_of_json(text: str, tell: Callable[[str], object]) -> list[SpeakerTurn] | None:
    """Return the messages of JSON lines or of one JSON document, or None if the text is not JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    if transcripts.is_agents(text):
        turns = transcripts.read_turns(text)
        return [SpeakerTurn(each.role, each.text, each.line, moment(each.at), _project(each.cwd)) for each in turns]
    try:
        return list(_records(json.loads(text), 1))
    except (json.JSONDecodeError, RecursionError):
        pass
    found: list[SpeakerTurn] = []
    broken = good = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found += _records(json.loads(line), number)
            good += 1
        except (json.JSONDecodeError, RecursionError):
            broken += 1  # a program that was killed leaves half a line
    if broken and good > broken:
        tell(Message("{n} line{s} of the conversation could not be read, the others were", n=broken))
    return found if good > broken else None


def _records(value: Any, line: int) -> Iterator[SpeakerTurn]:
    """Yield the messages found anywhere in a JSON value, oldest first."""
    if isinstance(value, list):
        for each in value:
            yield from _records(each, line)
    if not isinstance(value, dict) or value.get("type") == "service":
        return
    for key in ("messages", "chat_messages", "conversation"):
        if isinstance(value.get(key), list):
            yield from _records(value[key], line)
            return
    if isinstance(value.get("mapping"), dict):  # versions form a tree: take the branch shown last
        nodes, at = value["mapping"], value.get("current_node")
        branch: list[Any] = []
        while isinstance(at, str) and isinstance(node := nodes.get(at), dict) and len(branch) < len(nodes):
            branch.append(node.get("message"))
            at = node.get("parent")
        yield from _records(branch[::-1], line)
        return
    inner = next((value[key] for key in ("message", "payload") if isinstance(value.get(key), dict)), value)
    author = inner.get("author")
    role = (author.get("role") or author.get("name")) if isinstance(author, dict) else author
    named = ("forwarded_from", "role", "sender", "speaker", "from", "name", "username", "user")
    if isinstance(profile := inner.get("user_profile"), dict):  # Slack gives people numbers, and a profile beside them
        role = role or profile.get("real_name") or profile.get("display_name")
    role = role or next((inner[key] for key in named if isinstance(inner.get(key), str) and inner[key]), "")
    cwd = value.get("cwd") or inner.get("cwd") or ""
    project = _project(cwd) if isinstance(cwd, str) else ""
    content = _text(inner.get("content") or "") or _text(inner.get("text") or "", "")
    times = (
        each.get(key)
        for each in (inner, value)
        for key in ("timestamp", "time", "at", "created_at", "create_time", "date", "ts")
    )
    if content.strip() and isinstance(role, str) and role:
        yield SpeakerTurn(role, content, line, moment(next((each for each in times if each), None)), project)


def _project(cwd: str) -> str:
    return PurePath(cwd.replace("\\", "/")).name


def _text(content: Any, between: str = "\n") -> str:
    """Return the words of a message. Telegram splits a line into parts where it is bold or linked; they are joined."""
    if isinstance(content, dict):
        content = content.get("parts") or content.get("text") or ""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = (
        part.get("text") if isinstance(part, dict) and part.get("type") != "tool_result" else part for part in content
    )
    return between.join(part for part in parts if isinstance(part, str))
