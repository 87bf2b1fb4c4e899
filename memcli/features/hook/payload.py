"""Parse the payload of a hook: one JSON object, whose field names differ between tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from memcli import bounds
from memcli.message import Message

# The names that tools use for each field.
_NAMES = {
    "event": ("hook_event_name", "hookEventName", "event"),
    "session": ("session_id", "sessionId", "conversation_id", "conversationId", "sessionID"),
    "cwd": ("cwd", "workspace_root", "workspaceRoot", "directory"),
    "prompt": ("prompt", "user_prompt", "userPrompt", "text"),
    "source": ("source", "prompt_source", "reason", "trigger"),
    "transcript": ("transcript_path", "transcriptPath"),
    "agent": ("agent_id", "agentId", "subagent_id"),
}
_OF_CURSOR = ("cursor_version", "generation_id", "workspace_roots")
_ROOTS = ("workspace_roots", "workspaceRoots")


class Payload(NamedTuple):
    event: str = ""  # the tool's own name for it
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    source: str = ""  # who wrote a prompt, or why a session started
    transcript: str = ""
    agent: str = ""  # the sub-agent's id; "" for the main agent
    tool: str = ""  # the tool that sent it, if the fields show which one


def read_payload(data: bytes, here: str = "") -> Payload:
    """Return the parsed payload, with the folder `here` if it names none. Raise ValueError without a JSON object."""
    try:
        found = json.loads(data.decode("utf-8-sig", "replace"))
    except RecursionError:
        raise ValueError(Message("nested too deeply")) from None
    except ValueError:
        raise ValueError(Message("no JSON object")) from None
    if not isinstance(found, dict):
        raise ValueError(Message("no JSON object"))
    payload = payload_from(found)
    return payload if payload.cwd else payload._replace(cwd=here)


def payload_from(found: Mapping[str, Any]) -> Payload:
    """Return the known fields. A field that holds anything but a text counts as missing."""
    fields = {name: _text(found, names) for name, names in _NAMES.items()}
    roots: list[Any] = next((found[name] for name in _ROOTS if isinstance(found.get(name), list)), [])
    if not fields["cwd"] and roots and isinstance(roots[0], str):
        fields["cwd"] = roots[0]
    fields["tool"] = "cursor" if any(name in found for name in _OF_CURSOR) else ""
    return Payload(**{name: value.replace("\0", "") for name, value in fields.items()})


def _text(found: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first of these fields that holds a text, or "". A place or an id longer than `bounds.VALUE` is
    ignored."""
    most = bounds.HOOK if "prompt" in names else bounds.VALUE
    return next((value for name in names if isinstance(value := found.get(name), str) and 0 < len(value) <= most), "")
