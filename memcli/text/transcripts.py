"""Parse the records of coding agents into what the person and the assistant said.

It reads those of Claude Code, Codex, Gemini, Cursor, Copilot and similar agents. Tool output, notices, reasoning and
sub-agents are left out. This module opens no file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from memcli.text import phrases
from memcli.text.later import compile_later

USER, ASSISTANT = "user", "assistant"

_ROLES = {
    **dict.fromkeys(("user", "human", "user_message", "user.message"), USER),
    **dict.fromkeys(("assistant", "gemini", "model", "agent_message", "assistant.message"), ASSISTANT),
}
_KINDS = frozenset([*_ROLES, "event_msg", "response_item", "session_meta", "session.start"])
LOOKED = 50  # records that are checked to recognize an agent's transcript
_TEXTS = frozenset(["", "text", "input_text", "output_text"])  # the kinds of parts that hold what somebody said
_ASIDE = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "synthetic")
_SPEAKERS = ("role", "sender", "speaker")  # keys of who said it
_LISTS = ("messages", "loglines", "events")  # keys under which a document has its records
_TIMES = ("timestamp", "time", "at", "created_at", "create_time", "date", "ts")
_QUERY = compile_later(r"<user_query>((?:(?!<user_query>).)*?)</user_query>", re.S)
_BY_PROGRAM = compile_later(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted)\b|# AGENTS\.md\b)"
)
_ROLE = compile_later(rf'"(?:{"|".join(_SPEAKERS)})"\s*:\s*"(?:user|human|assistant|model)"')
_SAYS = compile_later(r'"(?:content|text)"\s*:')
_TAG = compile_later(r"<(/?)([A-Za-z][\w-]*)(?:\s[^<>]*)?>")


class TranscriptTurn(NamedTuple):
    role: str  # USER or ASSISTANT
    text: str
    at: str = ""  # in the agent's own format
    cwd: str = ""
    line: int = 1  # the number of its record in the file

    @property
    def as_json(self) -> str:
        """Return this as a line of JSON that every reader of conversations understands."""
        found = {"role": self.role, "content": self.text, "timestamp": self.at, "cwd": self.cwd}
        return json.dumps({key: value for key, value in found.items() if value}, ensure_ascii=False)


def is_agents(text: str) -> bool:
    """Return whether a text is the transcript of a coding agent and not another export of a conversation."""
    return any(_is_agents(record) for _, record in islice(_records(text), LOOKED))


def is_talk(text: str) -> bool:
    """Return whether the beginning of a JSON file is a conversation: its records say what a role said."""
    return is_agents(text) or bool(_ROLE.search(text) and _SAYS.search(text))


def read_turns(text: str) -> list[TranscriptTurn]:
    """Return all turns, from lines of JSON or from one document.

    Torn lines and records that are not a message are skipped.
    """
    found: list[TranscriptTurn] = []
    kind_before = ""
    for kind, spoken in _read_turns(_records(text)):
        if not (found and kind != kind_before and spoken[:2] == found[-1][:2]):  # a second record of the same message
            found.append(spoken)
        kind_before = kind
    return found


def tagged(text: str, notices: bool = False) -> list[tuple[int, int]]:
    """Return the ranges from each opening tag to the next one that closes it.

    With `notices` only tags whose name has a hyphen count.
    """
    tags = [tag for tag in _TAG.finditer(text) if "-" in tag[2] or not notices]
    closing: dict[str, list[int]] = {}
    for tag in tags:
        if tag[1]:
            closing.setdefault(tag[2], []).append(tag.end())
    spans: list[tuple[int, int]] = []
    at = 0
    for tag in tags:
        ends = closing.get(tag[2], [])
        if not tag[1] and tag.start() >= at and (last := bisect(ends, tag.end())) < len(ends):
            at = ends[last]
            spans.append((tag.start(), at))
    return spans


def untagged(text: str, notices: bool = False) -> str:
    """Return a text without the ranges that `tagged` finds."""
    remaining, at = [], 0
    for start, stop in tagged(text, notices):
        remaining.append(text[at:start])
        at = stop
    return "".join([*remaining, text[at:]])


def is_by_machine(text: str) -> bool:
    """Return whether a program wrote what looks like a person's message."""
    return bool(_BY_PROGRAM.match(text) or phrases.find_phrase("prompts", "machine", text))


def _is_agents(record: Mapping[str, Any]) -> bool:
    kind, parts = record.get("type"), [record.get(key) for key in ("message", "payload", "data")]
    inner = any(isinstance(part, dict) for part in parts)
    return (kind in _KINDS and (inner or "content" in record)) or (inner and record.get("role") in _ROLES)


def _records(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the records of JSON lines, or of a document that lists them, each with its number."""
    begins = text.lstrip()[:1]
    whole = _loaded(text) if begins == "[" or (begins == "{" and "\n{" not in text) else None
    if isinstance(whole, dict):
        whole = _listed(whole)
    found = whole or (_loaded(line) if line.lstrip()[:1] == "{" else None for line in text.split("\n"))
    for number, record in enumerate(found, 1):
        listed = _listed(record) if isinstance(record, dict) else ()  # a line may be a document, too
        yield from ((number, each) for each in listed if isinstance(each, dict))


def _listed(document: Mapping[str, Any]) -> Sequence[Any]:
    """Return the records that a document lists, or itself alone."""
    return next((document[key] for key in _LISTS if isinstance(document.get(key), list)), [document])


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_turns(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[tuple[str, TranscriptTurn]]:
    """Yield the turns, each with the kind of its record."""
    cwd = ""
    for number, record in records:
        inner = next(
            (record[key] for key in ("message", "payload", "data") if isinstance(record.get(key), dict)), record
        )
        context = inner.get("context")
        places = (record, inner, context if isinstance(context, dict) else {})
        cwd = next((place["cwd"] for place in places if isinstance(place.get("cwd"), str) and place["cwd"]), cwd)
        if any(record.get(mark) or inner.get(mark) for mark in _ASIDE):
            continue
        kinds = [each[key] for key in (*_SPEAKERS, "type") for each in (inner, record) if each.get(key)]
        role = next((_ROLES[kind] for kind in kinds if isinstance(kind, str) and kind in _ROLES), "")
        text = _text(inner.get("content") or inner.get("text") or (inner.get("message") if inner is not record else ""))
        if role == USER:
            text = "" if "toolUseResult" in record else own_words(text)
        if role and text.strip():
            at = next((place[key] for place in places for key in _TIMES if place.get(key)), "")
            yield str(record.get("type")), TranscriptTurn(role, text.strip(), str(at), cwd, number)


def own_words(text: str) -> str:
    """Return what the person wrote, without what programs add or put in its place, such as <system-reminder>."""
    asked = "\n".join(_QUERY.findall(text)) if "</user_query>" in text else ""
    text = asked or untagged(text, notices=True)
    return "" if is_by_machine(text) else text


def _text(content: Any) -> str:
    """Return the words of a message, without the calls of tools and their results."""
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = (part if isinstance(part, dict) else {"text": part} for part in content)
    texts = (part.get("text") for part in parts if part.get("type", "") in _TEXTS and not part.get("thought"))
    return "\n".join(text for text in texts if isinstance(text, str))
