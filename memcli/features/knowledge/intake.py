"""Turn parts of a source into rows of the shelf, without secrets. Every engine uses these functions."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from memcli.features.knowledge import cut, read
from memcli.features.knowledge.documents import (
    ACTIVE,
    ARCHIVED,
    KnowledgeDocument,
    Part,
    PieceRow,
    Unreadable,
    UserMetadata,
    digest,
    rows,
)
from memcli.features.knowledge.sources import REMOVED, Options
from memcli.features.knowledge.store import ShelvedDocument

_TOLD = ("tags", "type", "project", "meta")  # the other fields of a document's metadata
WORKERS = max(2, os.cpu_count() or 1)  # threads that read in parallel; PDFs are read by separate processes

Redact = Callable[[str], tuple[str, list[str]]]  # returns the text without secrets, and their kinds
Item = tuple[Part, Options]
ReadDocuments = list[KnowledgeDocument | Unreadable]


@dataclass
class SourceResult:
    """The report on a part that was taken in."""

    part: Part
    options: Options
    hash: str = ""  # of its last document
    documents: int = 0
    chunks: int = 0
    unchanged: int = 0
    left_out: int = 0  # left out because they were archived or removed
    olds: list[ShelvedDocument] = field(default_factory=list)  # the versions that are replaced
    broken: list[Unreadable] = field(default_factory=list)
    secrets: dict[str, list[str]] = field(default_factory=dict)  # the kinds of secrets by origin
    lines: list[str] = field(default_factory=list)  # the ids of the documents in a file of many


@dataclass
class AddedDocuments:
    """The result of adding documents, and the progress while it runs."""

    files: int = 0  # files to read
    done: int = 0
    documents: int = 0  # written
    replaced: int = 0  # how many of them replaced an older version
    chunks: int = 0
    unchanged: int = 0
    left_out: int = 0  # left out because they were archived or removed
    gone: int = 0
    embedded: int = 0
    known: int = 0  # texts whose vectors were known
    broken: list[Unreadable] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # files that were made for texts without one
    model: str = ""
    made_anew: str = ""  # the reason, or "" when it was not
    seconds: float = 0.0

    def count(self, told: SourceResult) -> None:
        self.done += 1
        self.documents += told.documents
        self.replaced += len(told.olds)
        self.chunks += told.chunks
        self.unchanged += told.unchanged
        self.left_out += told.left_out
        self.broken += told.broken


class IntakeResult(NamedTuple):
    """The result of taking in one part."""

    rows: list[PieceRow]
    keep: bool  # whether older versions are archived
    told: SourceResult


@dataclass(frozen=True)
class Ingest:
    """The way parts are taken in. It can be sent to other processes and machines."""

    redact: Redact
    status: Mapping[str, str]  # the status of documents that are not active, by origin
    now: str

    def __call__(self, item: Item, known: Mapping[str, ShelvedDocument]) -> IntakeResult:
        return self.take(item, self.read_documents(item), known)

    def read_documents(self, item: Item) -> ReadDocuments:
        found = read.documents(item[0], item[1].given)
        return [named(each, self.redact) if isinstance(each, KnowledgeDocument) else each for each in found]

    def take(self, item: Item, found: ReadDocuments, known: Mapping[str, ShelvedDocument]) -> IntakeResult:
        """Return the rows of what is new or changed, compared with the `known` documents by their ids."""
        told, options = SourceResult(*item), item[1]
        made: dict[str, list[PieceRow]] = {}
        for each in found:
            if isinstance(each, Unreadable):
                told.broken.append(each)
                continue
            told.lines += [each.id] if each.kind == "jsonl" else []
            old, status = known.get(each.id), self.status.get(each.origin, ACTIVE)
            if is_out(status, old):
                told.left_out += 1
                continue
            document, secrets = clean(each, self.redact)
            told.hash = _mark(document, options)
            if old and old.status == ACTIVE and old.hash == told.hash:
                told.unchanged += 1
                continue
            pieces = cut.pieces(document, options.limit)
            if not pieces:
                told.broken.append(Unreadable(each.origin, "has no text"))
                continue
            made[document.id] = rows(document, pieces, self.now, old.version + 1 if old else 1, status, told.hash)
            told.olds += [old] if old else []
            told.secrets |= {document.origin: secrets} if secrets else {}
        new = [row for each in made.values() for row in each]
        told.documents, told.chunks = len(made), len(new)
        return IntakeResult(new, options.keep, told)


def _mark(document: KnowledgeDocument, options: Options) -> str:
    """Return a mark of a document and its piece size: another limit cuts it again."""
    return digest(f"{document.hash} in pieces of {options.limit}") if options.limit else document.hash


def is_out(status: str, old: ShelvedDocument | None) -> bool:
    """Return whether a document was removed, or archived and is on the shelf as such."""
    return status == REMOVED or (status == ARCHIVED and old is not None)


def clean(document: KnowledgeDocument, redact: Redact) -> tuple[KnowledgeDocument, list[str]]:
    """Return a document without keys and passwords in any field, and the kinds of secrets that were found."""
    kinds: list[str] = []
    told = {name: _without(getattr(document, name), redact, kinds) for name in ("text", "title", *_TOLD)}
    return (replace(document, **told) if kinds else document), list(dict.fromkeys(kinds))


def named(document: KnowledgeDocument, redact: Redact) -> KnowledgeDocument:
    """Return a document whose name holds no secret, unless the name is a path. Two documents keep different names."""
    if "://" not in document.origin and document.kind != "jsonl":
        return document
    shown, secrets = redact(document.origin)
    return replace(document, origin=f"{shown}#{digest(document.origin, 8)}") if secrets else document


def given(said: UserMetadata, redact: Redact) -> UserMetadata:
    """Return the user's metadata without secrets, since it is recorded in the journal."""
    return replace(said, **{name: _without(getattr(said, name), redact, []) for name in ("title", *_TOLD)})


def _without(value: Any, redact: Redact, kinds: list[str]) -> Any:
    """Return a value without secrets, and add their kinds to the list."""
    if isinstance(value, str):
        shown, more = redact(value) if value else (value, [])
        kinds += more
        return shown
    if isinstance(value, Mapping):
        return {_without(key, redact, kinds): _under(key, each, redact, kinds) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_without(each, redact, kinds) for each in value)
    return value


def ahead(taker: Ingest, items: Iterable[Item], known: Mapping[str, ShelvedDocument]) -> Iterator[IntakeResult]:
    """Yield the result of each part, in their order. Some are computed before the caller asks for them."""
    running: deque[Future[IntakeResult]] = deque()
    with ThreadPoolExecutor(WORKERS) as pool:
        try:
            for item in items:
                running.append(pool.submit(taker, item, known))
                if len(running) > 2 * WORKERS:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def grouped(items: Sequence[Item], most: int) -> Iterator[list[Item]]:
    """Yield groups of items, each of about `most` bytes."""
    held: list[Item] = []
    size = 0
    for each in items:
        held.append(each)
        part = each[0]
        size += 4096 + (part.stop - part.start if part.stop >= 0 else int(part.stamp.partition(":")[0] or 0))
        if size >= most:
            yield held
            held, size = [], 0
    if held:
        yield held


def _under(name: Any, value: Any, redact: Redact, kinds: list[str]) -> Any:
    """Return a value without secrets, where its name may be what shows that it is one: `{"password": …}`."""
    begin = f"{name}: "
    if isinstance(value, str) and "\n" not in value and redact(value)[0] == value:
        shown, more = redact(begin + value)
        if more and shown.startswith(begin):
            kinds += more
            return shown.removeprefix(begin)
    return _without(value, redact, kinds)
