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
    FilePart,
    KnowledgeDocument,
    PieceRow,
    Unreadable,
    UserMetadata,
    digest,
    rows_of,
)
from memcli.features.knowledge.sources import REMOVED, Options
from memcli.features.knowledge.store import ShelvedDocument

_TOLD = ("tags", "type", "project", "meta")  # the other fields of a document's metadata
WORKERS = max(2, os.cpu_count() or 1)  # threads that read in parallel; PDFs are read by separate processes

Redact = Callable[[str], tuple[str, list[str]]]  # returns the text without secrets, and their kinds
Item = tuple[FilePart, Options]
ReadDocuments = list[KnowledgeDocument | Unreadable]


@dataclass
class IntakeReport:
    """Report on a part that was read."""

    part: FilePart
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
    """Report the result of adding documents, or the progress while it runs."""

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

    def count(self, report: IntakeReport) -> None:
        self.done += 1
        self.documents += report.documents
        self.replaced += len(report.olds)
        self.chunks += report.chunks
        self.unchanged += report.unchanged
        self.left_out += report.left_out
        self.broken += report.broken


class LineFiles:
    """Record the files with many documents that a run reads, and their current documents.

    A document that is missing from a file that was read as a whole was removed from it.
    """

    def __init__(self) -> None:
        self._held: dict[str, set[str]] = {}  # by file
        self._in_part: set[str] = set()  # read in part, or with lines that can't be read and may be known ones

    def reads(self, part: FilePart) -> None:
        if part.kind == "jsonl":
            self._held.setdefault(part.origin, set())

    def skips(self, part: FilePart) -> None:
        self._in_part.add(part.origin)

    def add(self, report: IntakeReport) -> None:
        """Record the documents of a part."""
        if report.broken:
            self._in_part.add(report.part.origin)
        self._held.get(report.part.origin, set()).update(report.lines)

    def has_lost(self, document: ShelvedDocument) -> bool:
        """Return whether the file of an active document was read as a whole and does not hold it any more."""
        ends = (at for at, sign in enumerate(document.origin) if sign == "#")
        file = next((document.origin[:at] for at in ends if document.origin[:at] in self._held), None)
        if file is None or file in self._in_part or document.status != ACTIVE:
            return False
        return document.doc not in self._held[file]


class IntakeResult(NamedTuple):
    """Hold the result of reading one part."""

    rows: list[PieceRow]
    report: IntakeReport


@dataclass(frozen=True)
class Ingest:
    """Turn parts into rows. It can be sent to other processes and machines."""

    redact: Redact
    status: Mapping[str, str]  # the status of documents that are not active, by origin
    now: str

    def __call__(self, item: Item, known: Mapping[str, ShelvedDocument]) -> IntakeResult:
        return self.take(item, self.read_documents(item), known)

    def read_documents(self, item: Item) -> ReadDocuments:
        found = read.read_documents(item[0], item[1].given)
        return [redact_name(each, self.redact) if isinstance(each, KnowledgeDocument) else each for each in found]

    def take(self, item: Item, found: ReadDocuments, known: Mapping[str, ShelvedDocument]) -> IntakeResult:
        """Return the rows of new and changed documents. `known` has the known documents by id."""
        report, options = IntakeReport(*item), item[1]
        made: dict[str, list[PieceRow]] = {}
        for each in found:
            if isinstance(each, Unreadable):
                report.broken.append(each)
                continue
            report.lines += [each.id] if each.kind == "jsonl" else []
            old, status = known.get(each.id), self.status.get(each.origin, ACTIVE)
            if is_out(status, old):
                report.left_out += 1
                continue
            document, secrets = redact_document(each, self.redact)
            report.hash = _mark(document, options)
            if old and old.status == ACTIVE and old.hash == report.hash:
                report.unchanged += 1
                continue
            pieces = cut.cut_pieces(document, options.limit)
            if not pieces:
                report.broken.append(Unreadable(each.origin, "has no text"))
                continue
            made[document.id] = rows_of(document, pieces, self.now, old.version + 1 if old else 1, status, report.hash)
            report.olds += [old] if old else []
            report.secrets |= {document.origin: secrets} if secrets else {}
        new = [row for each in made.values() for row in each]
        report.documents, report.chunks = len(made), len(new)
        return IntakeResult(new, report)


def _mark(document: KnowledgeDocument, options: Options) -> str:
    """Return a mark for a document and its piece size, so that another limit cuts it again."""
    return digest(f"{document.hash} in pieces of {options.limit}") if options.limit else document.hash


def is_out(status: str, old: ShelvedDocument | None) -> bool:
    """Return whether a document was removed, or archived and is on the shelf as such."""
    return status == REMOVED or (status == ARCHIVED and old is not None)


def redact_document(document: KnowledgeDocument, redact: Redact) -> tuple[KnowledgeDocument, list[str]]:
    """Return a document without keys and passwords in any field, and the kinds of secrets that were found."""
    kinds: list[str] = []
    redacted = {name: _without(getattr(document, name), redact, kinds) for name in ("text", "title", *_TOLD)}
    return (replace(document, **redacted) if kinds else document), list(dict.fromkeys(kinds))


def redact_name(document: KnowledgeDocument, redact: Redact) -> KnowledgeDocument:
    """Return a document whose name holds no secret, unless the name is a path. Two documents keep different names."""
    if "://" not in document.origin and document.kind != "jsonl":
        return document
    shown, secrets = redact(document.origin)
    return replace(document, origin=f"{shown}#{digest(document.origin, 8)}") if secrets else document


def redact_metadata(said: UserMetadata, redact: Redact) -> UserMetadata:
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


def take_ahead(taker: Ingest, items: Iterable[Item], known: Mapping[str, ShelvedDocument]) -> Iterator[IntakeResult]:
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


def group_items(items: Sequence[Item], most: int) -> Iterator[list[Item]]:
    """Yield groups of items, each of about `most` bytes."""
    group: list[Item] = []
    size = 0
    for each in items:
        group.append(each)
        part = each[0]
        size += 4096 + (part.stop - part.start if part.stop >= 0 else int(part.stamp.partition(":")[0] or 0))
        if size >= most:
            yield group
            group, size = [], 0
    if group:
        yield group


def _under(name: Any, value: Any, redact: Redact, kinds: list[str]) -> Any:
    """Return a named value without secrets; the name may show that it is one: `{"password": …}`."""
    begin = f"{name}: "
    if isinstance(value, str) and "\n" not in value and redact(value)[0] == value:
        shown, more = redact(begin + value)
        if more and shown.startswith(begin):
            kinds += more
            return shown.removeprefix(begin)
    return _without(value, redact, kinds)
