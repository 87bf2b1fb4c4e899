"""The data of this room: parts of a source, documents, pieces of them, what could not be read, and which are wanted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as day
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Given:
    """What the user says of everything that is read in one go. It outranks what a document says of itself; tags and
    meta are added to its own."""

    title: str = ""
    tags: tuple[str, ...] = ()
    type: str = ""
    project: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """What one worker reads at a time: a file, or a run of bytes of a long JSONL file."""

    path: str  # absolute
    origin: str  # what the file is called: below the vault its path in there
    kind: str  # markdown, text, html, pdf or jsonl
    start: int = 0
    stop: int = -1  # -1: to the end
    stamp: str = ""  # what tells whether the file was touched

    @property
    def key(self) -> str:
        """Tells it from other parts, also of the same file."""
        return f"{self.origin}\n{self.start}"


@dataclass(frozen=True)
class KnowledgeDocument:
    """A text of the world, as Markdown, and what is known of it."""

    origin: str  # an address, a path, `path#id` of a line in a JSONL file
    title: str
    text: str
    kind: str  # markdown, text, html, pdf or jsonl
    tags: tuple[str, ...] = ()  # in lower case, without `#`
    type: str = ""
    project: str = ""
    date: str = ""  # ISO, or empty
    lang: str = ""  # en, zh or other
    meta: Mapping[str, Any] = field(default_factory=dict)  # whatever else it says of itself: text, numbers, lists
    line: int = 1  # of its source on which the text begins

    @cached_property
    def id(self) -> str:
        """The same for every version of a document."""
        return digest(self.origin)

    @cached_property
    def hash(self) -> str:
        """Changes with anything that is kept of the document; where it came from does not count."""
        known = (self.title, self.kind, self.tags, self.type, self.project, self.date, dict(self.meta), self.line)
        return digest(json.dumps(known, ensure_ascii=False, sort_keys=True, default=str) + "\n" + self.text)


@dataclass(frozen=True)
class Piece:
    """A run of a document's text that is found and shown as one."""

    number: int  # from 0, in the document's order
    line: int  # of the source, as `KnowledgeDocument.line`
    trail: str  # the headings above it, `h1 > h2`
    text: str
    tokens: int  # estimated, unless the limit made it necessary to count


@dataclass(frozen=True)
class Unreadable:
    """What could not be read, and why, in words for a person."""

    origin: str
    why: str


@dataclass(frozen=True)
class Want:
    """Which pieces are wanted; what is left empty admits everything."""

    tags: tuple[str, ...] = ()  # all of them
    types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    project: str = ""
    since: day | None = None
    until: day | None = None
    status: str = "active"  # empty: archived ones, too
    docs: tuple[str, ...] = ()


def digest(text: str, length: int = 20) -> str:
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:length]
