"""What coding agents write down of a talk: their records in, what was said by the person and by the assistant out.

Claude Code, Codex, Gemini, Cursor, Copilot and what is like them. Tool output, notices, reasoning and sub-agents are
left out. No file is opened here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from memcli.text import phrases

USER, ASSISTANT = "user", "assistant"

_ROLES = {
    **dict.fromkeys(("user", "human", "user_message", "user.message"), USER),
    **dict.fromkeys(("assistant", "gemini", "model", "agent_message", "assistant.message"), ASSISTANT),
}
_TEXTS = frozenset(["", "text", "input_text", "output_text"])  # kinds of parts that somebody said
_ASIDE = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "synthetic")
_LISTS = ("messages", "loglines", "events")  # where a document has its records
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.S)
_BY_PROGRAM = re.compile(r"\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted)\b|# AGENTS\.md\b)")
_NOTICE = re.compile(r"<([a-z]+(?:-[a-z]+)+)(?:\s[^<>]*)?>.*?</\1>", re.S)  # <system-reminder>…


class Said(NamedTuple):
    role: str  # USER or ASSISTANT
    text: str
    at: str = ""  # as the agent has it
    cwd: str = ""

    @property
    def line(self) -> str:
        """As a line of JSON that any reader of talks understands."""
        found = {"role": self.role, "content": self.text, "timestamp": self.at, "cwd": self.cwd}
        return json.dumps({key: value for key, value in found.items() if value}, ensure_ascii=False)


def said(text: str) -> list[Said]:
    """All that was said, of lines of JSON or of one document; half lines and what is no message are passed over."""
    found = list(_records(text))
    spoken = list(_spoken(found, repeats=False))
    return spoken if any(each.role == USER for each in spoken) else list(_spoken(found, repeats=True))


def is_by_machine(text: str) -> bool:
    """Whether what looks like a person's message was made by a program."""
    if _BY_PROGRAM.match(text):
        return True
    return phrases.pattern("prompts", "machine", phrases.languages(text)).search(text) is not None


def _records(text: str) -> Iterator[Mapping[str, Any]]:
    if text.lstrip()[:1] == "[" or (text.lstrip()[:1] == "{" and "\n{" not in text):
        if isinstance(whole := _loaded(text), (list, dict)):
            yield from _messages(whole)
            return
    for line in text.split("\n"):
        if line.lstrip()[:1] == "{" and isinstance(record := _loaded(line), dict):
            yield from _messages(record)


def _messages(value: Any) -> Iterator[Mapping[str, Any]]:
    """The records of a document that has them in a list, or the record itself."""
    if isinstance(value, dict):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), value)
    yield from (record for record in (value if isinstance(value, list) else [value]) if isinstance(record, dict))


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _spoken(records: Iterable[Mapping[str, Any]], repeats: bool) -> Iterator[Said]:
    """What was said; with `repeats` also where a record tells again what an event has told, in files without events."""
    cwd = ""
    for record in records:
        inner = next(
            (record[key] for key in ("message", "payload", "data") if isinstance(record.get(key), dict)), record
        )
        context = inner.get("context")
        places = (record, inner, context if isinstance(context, dict) else {})
        cwd = next((place["cwd"] for place in places if isinstance(place.get("cwd"), str) and place["cwd"]), cwd)
        if (
            any(record.get(mark) or inner.get(mark) for mark in _ASIDE)
            or (record.get("type") == "response_item") > repeats
        ):
            continue
        kinds = (inner.get("role"), record.get("role"), inner.get("type"), record.get("type"))
        role = next((_ROLES[kind] for kind in kinds if isinstance(kind, str) and kind in _ROLES), "")
        text = _text(inner.get("content") or inner.get("text") or (inner.get("message") if inner is not record else ""))
        if role == USER:
            asked = _QUERY.findall(text)
            by_machine = "toolUseResult" in record or is_by_machine(text)
            text = "\n".join(asked) if asked else "" if by_machine else _NOTICE.sub("", text)
        if role and text.strip():
            at = next(
                (value for place in places for key in ("timestamp", "time", "at") if (value := place.get(key))), ""
            )
            yield Said(role, text.strip(), str(at), cwd)


def _text(content: Any) -> str:
    """The words of a message, without what tools were asked and what they answered."""
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = (part if isinstance(part, dict) else {"text": part} for part in content)
    texts = (part.get("text") for part in parts if part.get("type", "") in _TEXTS and not part.get("thought"))
    return "\n".join(text for text in texts if isinstance(text, str))
