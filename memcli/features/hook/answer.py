"""Build the output of a hook: one JSON object with only the keys that the tool knows, because some tools refuse
others."""

from __future__ import annotations

from typing import Any

EVENTS = ("prompt", "start", "stop", "compact", "end")

# The names that most tools use for the events whose answer can add something.
_CALLED = {"prompt": "UserPromptSubmit", "start": "SessionStart"}
_OF_GEMINI = {"prompt": "BeforeAgent", "start": "SessionStart"}
# The key under which some tools take a text, and nothing else.
_PLAIN = {"cursor": "additional_context", "openclaw": "prependContext", "opencode": "additionalContext"}


def answer_with(context: str, event: str, tool: str = "", called: str = "", notice: str = "") -> dict[str, Any] | None:
    """Return the answer that gives `context` to the model and shows `notice` to the person, or None if the tool has no
    place for either. `called` is the tool's own name for the event."""
    if tool == "cursor" and event == "prompt":  # Cursor takes no additions to a prompt
        return None
    own_way = tool in ("", "copilot") and called[:1].islower()  # else Copilot takes the answer of Claude Code
    if key := _PLAIN.get(tool, "additionalContext" if own_way else ""):
        text = "\n".join(filter(None, (context, notice)))
        return {key: text} if text else None
    names = _OF_GEMINI if tool == "gemini" else _CALLED
    found: dict[str, Any] = {}
    if context:
        name = called if called[:1].isupper() else names[event]
        found["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": context}
        if tool == "copilot" and not called:  # without an event name, both of Copilot's forms are given
            found["additionalContext"] = context
    if notice:
        found["systemMessage"] = notice
    return found or None
