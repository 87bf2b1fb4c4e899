"""What a hook prints: one JSON object with the keys that the tool knows, and no others, as some refuse them."""

from __future__ import annotations

from typing import Any

EVENTS = ("prompt", "start", "stop", "compact", "end")

# How most tools call an event to which something can be added.
_CALLED = {"prompt": "UserPromptSubmit", "start": "SessionStart"}
_OF_GEMINI = {"prompt": "BeforeAgent", "start": "SessionStart"}
# Tools that take a text under one key and nothing else.
_PLAIN = {"cursor": "additional_context", "openclaw": "prependContext", "opencode": "additionalContext"}


def adding(context: str, event: str, tool: str = "", called: str = "", notice: str = "") -> dict[str, Any] | None:
    """The answer that adds `context` to what a model reads, and shows a `notice` to the person; None where the tool has
    no place for either. `called` is the event in the tool's own words."""
    if tool == "cursor" and event == "prompt":  # it can only be let through there
        return None
    own_way = tool in ("", "copilot") and called[:1].islower()  # by the names of Claude Code it takes that one's
    if key := _PLAIN.get(tool, "additionalContext" if own_way else ""):
        text = "\n".join(filter(None, (context, notice)))
        return {key: text} if text else None
    names = _OF_GEMINI if tool == "gemini" else _CALLED
    found: dict[str, Any] = {}
    if context:
        name = called if called[:1].isupper() else names[event]
        found["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": context}
        if tool == "copilot" and not called:  # nobody tells which of its two ways is meant
            found["additionalContext"] = context
    if notice:
        found["systemMessage"] = notice
    return found or None
