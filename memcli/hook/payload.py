"""What an agent hands to a hook: one JSON object, whose fields each tool names in its own way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memcli import bounds

# The same field as the tools call it.
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


@dataclass(frozen=True)
class Payload:
    event: str = ""  # as the tool calls it
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    source: str = ""  # of a prompt: who made it; of a start: why
    transcript: str = ""
    agent: str = ""  # which sub-agent, where it is one
    tool: str = ""  # whose it is, where that shows


def read(data: bytes, here: str = "") -> Payload:
    """The payload; ValueError when it is no JSON object. Where it names no folder it is the one we stand in."""
    try:
        found = json.loads(data.decode("utf-8-sig", "replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    payload = of(found)
    return payload if payload.cwd else replace(payload, cwd=here)


def of(found: Mapping[str, Any]) -> Payload:
    """The fields that are known; what is of another type than a text is as if it were not there."""
    fields = {name: _text(found, names) for name, names in _NAMES.items()}
    roots: list[Any] = next((found[name] for name in _ROOTS if isinstance(found.get(name), list)), [])
    if not fields["cwd"] and roots and isinstance(roots[0], str):
        fields["cwd"] = roots[0]
    fields["tool"] = "cursor" if any(name in found for name in _OF_CURSOR) else ""
    return Payload(**{name: value.replace("\0", "") for name, value in fields.items()})


def _text(found: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first of these fields that holds a text; a place or an id of more than `VALUE` characters is none."""
    most = bounds.HOOK if "prompt" in names else bounds.VALUE
    return next((value for name in names if isinstance(value := found.get(name), str) and 0 < len(value) <= most), "")
