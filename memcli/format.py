"""Define a format of another tool, and the items it holds: statements, pages, conversations, and what is unreadable.

These are the types that a feature needs to bring a format of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.file_tree import Tree


@dataclass(frozen=True)
class Statement:
    """Hold a memory as another tool has it: one thing that is known."""

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
    block: str = ""  # the block id that stands behind it, without ^


@dataclass(frozen=True)
class Page:
    """Hold a note: a separate text with its metadata."""

    path: str  # its path there, with forward slashes and the suffix .md
    text: str  # Markdown
    source: str
    at: datetime | None = None
    title: str = ""
    tags: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Attachment:
    """Hold an image or file that pages name."""

    path: str
    name: str  # its name in the tree
    data: bytes = b""  # its content, if it was packed in another file


@dataclass(frozen=True)
class TalkMessage:
    """Hold one message of a conversation."""

    role: str  # user, assistant, or the name of a person
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class ImportedTalk:
    """Hold a conversation, from its first message to its last."""

    source: str
    messages: tuple[TalkMessage, ...]
    title: str = ""
    at: datetime | None = None
    project: str = ""


@dataclass(frozen=True)
class UnreadableItem:
    """Name an item that could not be read, and the reason."""

    name: str
    why: str


Item = Statement | Page | Attachment | ImportedTalk | UnreadableItem


def never(tree: Tree) -> bool:
    """Return False, for a format that is only written."""
    return False


def nothing(tree: Tree) -> Iterator[Item]:
    return iter(())


@dataclass(frozen=True)
class Format:
    """Say how a tool's memories are read, and how they are written for the tool to read again."""

    title: str  # its name for people
    knows: Callable[[Tree], bool] = never
    read: Callable[[Tree], Iterator[Item]] = nothing
    write: Callable[[Iterable[Statement]], Iterator[str]] | None = None  # pieces of one text
    write_files: Callable[[Iterable[Statement]], Iterator[tuple[str, str]]] | None = None  # names and content of files
    expects: str = ""  # the content that a file must have, for the message when it has none
    loses: tuple[str, ...] = ()  # the fields that it can't hold: names of `move.export.FIELDS`
