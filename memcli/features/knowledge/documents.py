"""Define the data of this package: documents, their parts, pieces and table rows, and filters.

All of it is pure, so that every engine makes the same rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from memcli.vault.tags import with_parents

ACTIVE, ARCHIVED = "active", "archived"


@dataclass(frozen=True)
class UserMetadata:
    """Hold the user's metadata for all documents of one run.

    It overrides a document's own metadata; tags and meta are added to those of the document.
    """

    title: str = ""
    tags: tuple[str, ...] = ()
    type: str = ""
    project: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FilePart:
    """Describe the unit that one worker reads at a time: a file, or a range of bytes of a long JSONL file."""

    path: str  # absolute
    origin: str  # the name of the file: below the vault its path in there
    kind: str  # markdown, text, html, pdf or jsonl
    start: int = 0
    stop: int = -1  # -1: to the end
    stamp: str = ""  # a stamp that changes when the file does

    @property
    def key(self) -> str:
        """Return a key that differs from those of other parts, also of the same file."""
        return f"{self.origin}\n{self.start}"


@dataclass(frozen=True)
class KnowledgeDocument:
    """Hold the text of a document as Markdown, with its metadata."""

    origin: str  # an address, a path, `path#id` of a line in a JSONL file
    title: str
    text: str
    kind: str  # markdown, text, html, pdf or jsonl
    tags: tuple[str, ...] = ()  # in lower case, without `#`
    type: str = ""
    project: str = ""
    date: str = ""  # ISO, or empty
    lang: str = ""  # en, zh or other
    meta: Mapping[str, Any] = field(default_factory=dict)  # its other metadata: text, numbers, lists
    line: int = 1  # the line of its source on which the text begins

    @cached_property
    def id(self) -> str:
        """Return an id that is the same for every version of a document."""
        return digest(self.origin)

    @cached_property
    def hash(self) -> str:
        """Return a hash of all stored data of the document, except its origin."""
        known = (self.title, self.kind, self.tags, self.type, self.project, self.date, dict(self.meta), self.line)
        return digest(json.dumps(known, ensure_ascii=False, sort_keys=True, default=str) + "\n" + self.text)


@dataclass(frozen=True)
class DocumentPiece:
    """Hold a passage of a document that is found and shown as a unit."""

    number: int  # from 0, in the document's order
    line: int  # the line of the source, as in `KnowledgeDocument.line`
    trail: str  # the headings above it, `h1 > h2`
    text: str
    tokens: int  # estimated, or counted where the limit required it


@dataclass(frozen=True)
class Unreadable:
    """Name something that could not be read, with the reason in words for a person."""

    origin: str
    why: str


class PieceRow(NamedTuple):
    """Hold a piece of a document as a row of the table."""

    id: str
    doc: str  # the same for all versions of a document
    version: int  # from 1
    number: int  # the number of the piece
    pieces: int  # the number of pieces of the document
    status: str
    origin: str
    title: str
    trail: str
    lang: str
    kind: str
    tags: list[str]  # in lower case; `work/api` is `work` too
    type: str
    project: str
    date: str  # ISO, or empty
    meta: str  # JSON
    added: str  # ISO
    hash: str  # the hash of the document
    tokens: int
    line: int
    text: str  # its first line is the head: title and trail, searched and embedded with the words below it


def rows_of(
    document: KnowledgeDocument,
    pieces: Sequence[DocumentPiece],
    added: str,
    version: int = 1,
    status: str = ACTIVE,
    hash: str = "",
) -> list[PieceRow]:
    """Return the rows of a document. A row's id is derived from the document's origin and content."""
    mark = hash or document.hash
    meta = json.dumps(dict(document.meta), ensure_ascii=False, sort_keys=True, default=str) if document.meta else ""
    tags = list(with_parents(document.tags))
    return [
        PieceRow(
            digest(f"{document.id}\n{mark}\n{each.number}"), document.id, version, each.number, len(pieces), status,
            document.origin, document.title, each.trail, document.lang, document.kind, tags, document.type,
            document.project, document.date, meta, added, mark, each.tokens, each.line,
            f"{head_of(document.title, each.trail)}\n{each.text}",
        )
        for each in pieces
    ]  # fmt: skip


def head_of(title: str, trail: str) -> str:
    """Return the words above a piece: title and headings. A title that is also the first heading appears once."""
    parts = [title, trail] if title and title != trail.split(" > ")[0] else [trail or title]
    return " > ".join(" ".join(part.split()) for part in parts if part)


def digest(text: str, length: int = 20) -> str:
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:length]
