"""Define the items of other tools in our terms: statements, pages, conversations, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Statement:
    """A memory as another tool has it: one thing that is known."""

    text: str
    source: str  # its id there, the same on each import: mem0:5f1c…
    type: str = ""
    at: datetime | None = None
    tags: tuple[str, ...] = ()
    confidence: float | None = None
    importance: float | None = None
    author: str = ""
    superseded: str = ""  # the source of the statement that replaced it
    heading: str = ""  # the headings above it, the outermost first: `Friday > Plans`
    record: dict[str, Any] = field(default_factory=dict, hash=False)  # for a record with a key, all its fields


@dataclass(frozen=True)
class Page:
    """A note: a separate text with its metadata."""

    path: str  # its path there, with forward slashes and the suffix .md
    text: str  # Markdown
    source: str
    at: datetime | None = None
    title: str = ""
    tags: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Attachment:
    """An image or file that pages name."""

    path: str
    name: str  # its name in the tree
    data: bytes = b""  # its content, if it was packed in another file


@dataclass(frozen=True)
class TalkMessage:
    """One message of a conversation."""

    role: str  # user, assistant, or the name of a person
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class Talk:
    """A conversation, from its first message to its last."""

    source: str
    messages: tuple[TalkMessage, ...]
    title: str = ""
    at: datetime | None = None
    project: str = ""


@dataclass(frozen=True)
class Unread:
    """An item that could not be read, and the reason."""

    name: str
    why: str


Item = Statement | Page | Attachment | Talk | Unread
