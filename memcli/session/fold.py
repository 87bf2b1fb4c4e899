"""Read and write the files of sessions: fold their lines, messages and events, into one value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli.errors import Refused, UsageError, VaultError
from memcli.session.anchors import Anchor, apply_anchors
from memcli.text.clean import harmless, one_line
from memcli.text.later import compile_later
from memcli.vault import files, json_read, layout
from memcli.vault.lock import lock_vault
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault

ROLES = ("user", "assistant", "system", "tool")
_ALSO = {"developer": "system", "function": "tool"}  # other names of roles
SHOWN = 20  # messages of the window that are shown verbatim

Span = tuple[int, int]  # the first message, and the one after the last
# only such a file is replaced by a later one
_SNAPSHOT = compile_later(r"(?:agents/[^\W_][\w.-]*/)?snapshots/[\w-]+\.md")


@dataclass(frozen=True)
class SessionMessage:
    """Hold who said what, when, and which tools were called with it."""

    role: str  # user, assistant, system or tool
    content: str
    at: datetime | None = None
    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """Hold the current state of one conversation."""

    id: str
    path: str  # the path of its file in the vault
    title: str = ""
    role: str = ""  # empty: the role of the state
    role_kept: Mapping[str, Any] = field(default_factory=dict)  # content of the role's file when it was taken
    knowledge: bool | None = None  # None: as in the settings
    started: datetime | None = None
    ended: datetime | None = None
    messages: tuple[SessionMessage, ...] = ()
    anchors: Mapping[str, str] = field(default_factory=dict)
    folded: Mapping[Span, str] = field(default_factory=dict)  # messages that left the window, with their line
    stages: Mapping[Span, str] = field(default_factory=dict)  # complete stages, with their subject
    shifts: tuple[int, ...] = ()  # the messages that opened another topic
    snapshots: Mapping[int, str] = field(default_factory=dict)  # the file of each stage; 0 stands for the whole
    cleared: int = 0  # messages before the user asked to start afresh: they are kept but ignored
    kept: int = 0  # messages that the snapshot of the whole covers
    size: int = -1  # bytes of the file that were read

    @property
    def window(self) -> tuple[SessionMessage, ...]:
        """Return the latest messages, verbatim."""
        return self.messages[max(self.kept_from, len(self.messages) - SHOWN) :]

    @property
    def kept_from(self) -> int:
        """Return the number of the first message that is in no summary yet."""
        return max((last for _, last in self.folded), default=self.cleared)

    @property
    def staged(self) -> int:
        """Return the number of the first message of the present stage."""
        return max((last for _, last in self.stages), default=self.cleared)

    @property
    def summaries(self) -> tuple[str, ...]:
        """Return a line for each stretch that left the window, oldest first."""
        return tuple(self.folded[span] for span in sorted(self.folded))

    @property
    def rounds(self) -> int:
        return sum(message.role == "user" for message in self.messages)

    @property
    def tools(self) -> tuple[str, ...]:
        """Return the tools that were called, each once. "tool" stands for unnamed tools if no other was named."""
        called = (message.tools or ("tool",) * (message.role == "tool") for message in self.messages)
        names = dict.fromkeys(name for tools in called for name in tools)
        return tuple(name for name in names if name != "tool" or len(names) == 1)

    @property
    def agent(self) -> str | None:
        return layout.agent_of(self.path)


@contextmanager
def lock_sessions(vault: Vault, action: str) -> Iterator[None]:
    """Keep other processes from writing to any session while the block runs; it should take milliseconds."""
    with lock_vault(vault, action, "sessions", "a session is being written"):
        yield


def read_session(vault: Vault, path: str) -> Session:
    """Return the session in a file. Skip a line that a crash left incomplete. Raise UsageError if it can't be read."""
    place = _place(vault, path)
    try:
        data = files.read_bytes(place)
    except VaultError as error:
        hint = "mem session list shows what there is"
        raise UsageError("{place}: {WHY}", hint, place=path, WHY=error.message) from error
    return fold(Session(place.stem, path, size=len(data)), data.decode("utf-8", "replace").split("\n"))


def reread_session(vault: Vault, session: Session) -> Session:
    """Return the session as it is now, since other processes may have added messages."""
    place = _place(vault, session.path)
    same = place.is_file() and place.stat().st_size == session.size
    return session if same else read_session(vault, session.path)


def append(vault: Vault, session: Session, records: Sequence[Mapping[str, Any]]) -> Session:
    """Append lines, all at once, and return the session with them. The caller holds the lock."""
    if not records:
        return session
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records]
    if session.size + sum(map(len, lines)) > files.LARGEST:
        grown, hint = files.LARGEST // 2**20, "end it and start another"
        raise Refused("session {id} has grown to {n} MB", hint, id=session.id, n=grown)
    place = _place(vault, session.path)
    files.append(place, "\n".join(lines))
    return replace(fold(session, lines), size=place.stat().st_size)


def blank_messages(vault: Vault, session: Session, first: int) -> Session:
    """Return the session without the words of the messages from `first` on. Their lines stay, so that numbers stay.
    The caller holds the lock."""
    lines, number = [], -1
    for line in files.read_bytes(_place(vault, session.path)).decode("utf-8", "replace").split("\n"):
        record = json_read.parse_mapping(line)
        if record and "event" not in record:
            with suppress(ValueError):
                parse_message(record)
                number += 1
                line = line if number < first else json.dumps({**record, "content": ""}, ensure_ascii=False)
        elif record.get("event") == "anchor" and number >= first:
            continue  # what they asked for no longer holds
        lines.append(line)
    files.write_file(_place(vault, session.path), "\n".join(lines))
    return read_session(vault, session.path)


def _place(vault: Vault, path: str) -> Path:
    """Return the path of a session's file. Raise Refused for any other place: the vault may come from a stranger."""
    place = vault.place(path)
    if layout.kind_of(place.relative_to(vault.root.resolve()).as_posix()) != "session":
        raise Refused("{place} is not a session", place=path)
    return place


def fold(session: Session, lines: Iterable[str]) -> Session:
    """Return the session after more lines. A line that can't be understood changes nothing."""
    messages, shifts = [*session.messages], [*session.shifts]
    folded, stages, snapshots = dict(session.folded), dict(session.stages), dict(session.snapshots)
    anchors: Mapping[str, str] = session.anchors
    now: dict[str, Any] = {}
    for line in lines:
        record = json_read.parse_mapping(line)
        event, at = record.get("event"), moment(record.get("at"))
        if event is None:
            with suppress(ValueError):
                messages.append(parse_message(record))
        elif event in ("start", "resume", "switch"):
            now |= {key: one_line(record[key]) for key in ("title", "role") if isinstance(record.get(key), str)}
            now |= {"role_kept": record["as"] if isinstance(record.get("as"), dict) else {}} if "role" in record else {}
            now |= {"knowledge": record["knowledge"]} if isinstance(record.get("knowledge"), bool) else {}
            now |= {"started": at} if event == "start" else {"ended": None}
        elif event == "end":
            now["ended"] = at or datetime.min
        elif event == "anchor":
            anchor = Anchor(one_line(str(record.get("key"))), one_line(str(record.get("value") or "")))
            anchors = apply_anchors(anchors, [anchor])
        elif event == "clear":
            anchors, folded, stages, shifts = {}, {}, {}, []
            now["cleared"] = len(messages)
        elif event in ("summary", "stage") and (span := _span(record, len(messages))):
            (folded if event == "summary" else stages)[span] = one_line(str(record.get("summary") or ""))
        elif event in ("shift", "no-shift") and isinstance(at_message := record.get("message"), int):
            shifts = [each for each in shifts if each != at_message]
            shifts += [at_message] if event == "shift" else []
        elif (
            event == "snapshot"
            and isinstance(stage := record.get("stage"), int)
            and _SNAPSHOT.fullmatch(str(record.get("path")))
        ):
            snapshots[stage] = record["path"]
            now |= {} if stage else {"kept": len(messages)}
    if session.started is None and "started" not in now and messages:
        now["started"] = messages[0].at
    return replace(
        session, messages=tuple(messages), anchors=anchors, folded=folded, stages=stages, shifts=tuple(sorted(shifts)),
        snapshots=snapshots, **now,
    )  # fmt: skip


def line_of(message: SessionMessage, now: datetime) -> dict[str, Any]:
    """Return a message as it is written in the file."""
    at = (message.at or now).isoformat(timespec="seconds")
    tools = {"tools": list(message.tools)} if message.tools else {}
    return {"role": message.role, "content": message.content, "at": at, **tools}


def is_open(vault: Vault, path: str) -> bool:
    """Return whether the session of a file goes on, from its last lines: only short ones follow the end."""
    for line in reversed(files.tail(vault.root / path, 8192).split("\n")):
        if (event := json_read.parse_mapping(line).get("event")) in ("start", "resume", "end"):
            return bool(event != "end")
    return True


def parse_message(record: Any) -> SessionMessage:
    """Return a message from JSON. Raise ValueError if the value is not a message."""
    facts = record if isinstance(record, dict) else {}
    role = str(facts.get("role"))
    role, tools = _ALSO.get(role, role), _tools(facts)
    content = _content(facts.get("content"), bool(tools))
    if role not in ROLES or content is None:
        raise ValueError("no message")
    return SessionMessage(role, harmless(content), moment(facts.get("at")), tools)


def _content(content: Any, calls: bool) -> str | None:
    """Return the text of a message, plain or in parts as in chat APIs. It may be "" beside calls of tools; None
    means that it is invalid."""
    if content is None and calls:
        return ""
    if isinstance(content, list) and all(isinstance(part, dict) for part in content):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else None


def _tools(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the tools that a message calls or answers, from our files or from chat APIs."""
    calls = [facts.get("name")] if facts.get("role") in ("tool", "function") else []
    for key in ("tools", "tool_calls"):
        calls += facts[key] if isinstance(facts.get(key), list) else []
    names = []
    for call in [*calls, facts.get("function_call")]:
        call = call.get("function", call) if isinstance(call, dict) else call
        names.append(call.get("name") if isinstance(call, dict) else call)
    return tuple(dict.fromkeys(one_line(name) for name in names if isinstance(name, str)))


def _span(record: Mapping[str, Any], most: int) -> Span | None:
    first, last = record.get("first"), record.get("last")
    if not (isinstance(first, int) and isinstance(last, int)):
        return None
    return (first, last) if 0 <= first < last <= most else None
