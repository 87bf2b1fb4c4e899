"""What a hook prints: one JSON object with the keys that the tool knows, and no others, as some refuse them."""

from __future__ import annotations

from typing import Any

TOOLS = ("claude", "codex", "gemini", "cursor", "opencode", "copilot", "openclaw")
EVENTS = ("prompt", "start", "stop", "compact", "end")

# How most tools call an event to which something can be added.
_CALLED = {"prompt": "UserPromptSubmit", "start": "SessionStart"}
_OF_GEMINI = {"prompt": "BeforeAgent", "start": "SessionStart"}


def adding(context: str, event: str, tool: str = "", called: str = "", notice: str = "") -> dict[str, Any] | None:
    """The answer that adds `context` to what a model reads, and shows a `notice` to the person; None where the tool has
    no place for either. `called` is the event in the tool's own words."""
    if tool == "cursor":  # a prompt can only be let through there
        text = "\n".join(filter(None, (context, notice)))
        return {"additional_context": text} if event == "start" and text else None
    if tool == "openclaw":
        text = "\n".join(filter(None, (context, notice)))
        return {"prependContext": text} if text else None
    if tool == "copilot" and called[:1].islower():  # its own way; with the names of Claude Code it takes that one's
        text = "\n".join(filter(None, (context, notice)))
        return {"additionalContext": text} if text else None
    names = _OF_GEMINI if tool == "gemini" else _CALLED
    found: dict[str, Any] = {}
    if context:
        name = called if called[:1].isupper() else names[event]
        found["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": context}
    if notice:
        found["systemMessage"] = notice
    return found or None
