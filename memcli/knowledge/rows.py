"""What the table keeps of a document: a row a piece. Pure, so that every engine makes the same rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from memcli.index.texts import with_parents
from memcli.knowledge.documents import KnowledgeDocument, Piece, digest

ACTIVE, ARCHIVED = "active", "archived"


class PieceRow(NamedTuple):
    """A piece of a document, as it is searched and shown."""

    id: str
    doc: str  # the same for all versions of a document
    version: int  # from 1
    number: int  # of the piece
    pieces: int  # that the document has
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
    hash: str  # of the document
    tokens: int
    line: int
    text: str  # its first line is the head: title and trail, searched and embedded with the words below it


def rows(
    document: KnowledgeDocument,
    pieces: Sequence[Piece],
    added: str,
    version: int = 1,
    status: str = ACTIVE,
    hash: str = "",
) -> list[PieceRow]:
    """The rows of a document. Their ids are made of where it came from and what it says."""
    mark = hash or document.hash
    meta = json.dumps(dict(document.meta), ensure_ascii=False, sort_keys=True, default=str) if document.meta else ""
    tags = list(with_parents(document.tags))
    return [
        PieceRow(
            digest(f"{document.id}\n{mark}\n{each.number}"), document.id, version, each.number, len(pieces), status,
            document.origin, document.title, each.trail, document.lang, document.kind, tags, document.type,
            document.project, document.date, meta, added, mark, each.tokens, each.line,
            f"{head(document.title, each.trail)}\n{each.text}",
        )
        for each in pieces
    ]  # fmt: skip


def head(title: str, trail: str) -> str:
    """Under which words a piece stands; a title that is the first heading as well is said once."""
    parts = [title, trail] if title and title != trail.split(" > ")[0] else [trail or title]
    return " > ".join(" ".join(part.split()) for part in parts if part)
