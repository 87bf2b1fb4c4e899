"""From a part of a source to documents in pieces, without what is secret: the same functions for every engine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from memcli.knowledge import cut, read
from memcli.knowledge.documents import Broken, Document, Part, Piece
from memcli.knowledge.sources import Options

WORKERS = max(2, os.cpu_count() or 1)  # that read side by side: PDFs are read by programs of their own

Redact = Callable[[str], tuple[str, list[str]]]  # the text without what is secret, and the kinds of that
T = TypeVar("T")


class Cut(NamedTuple):
    """A document and its pieces; None when the shelf has it as it is."""

    document: Document
    pieces: list[Piece] | None
    secrets: list[str]


@dataclass
class Added:
    """What was done, and while it runs, how far it is."""

    files: int = 0  # to look into
    done: int = 0
    documents: int = 0  # written
    replaced: int = 0  # of them
    chunks: int = 0
    unchanged: int = 0  # files and documents
    left_out: int = 0  # because they were archived or removed
    gone: int = 0
    embedded: int = 0
    known: int = 0  # texts whose vectors were known
    broken: list[Broken] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # files that were made for what has none
    model: str = ""
    made_anew: str = ""  # why, when it was
    seconds: float = 0.0


def taken(part: Part, options: Options, redact: Redact, known: Mapping[str, str]) -> list[Cut | Broken]:
    """All documents of a part; those whose hash is `known` under their id need no cutting."""
    found: list[Cut | Broken] = []
    for each in read.documents(part, options.given):
        if isinstance(each, Broken):
            found.append(each)
            continue
        document, secrets = clean(each, redact)
        if known.get(document.id) == document.hash:
            found.append(Cut(document, None, []))
            continue
        pieces = cut.pieces(document, options.limit, min(cut.OVERLAP, options.limit // 10))
        found.append(Cut(document, pieces, secrets) if pieces else Broken(each.origin, "has no text"))
    return found


def clean(document: Document, redact: Redact) -> tuple[Document, list[str]]:
    """Without keys and passwords, wherever it holds them."""
    text, kinds = redact(document.text)
    title, more = redact(document.title)
    meta = {key: redact(value) if isinstance(value, str) else (value, []) for key, value in document.meta.items()}
    found = [*kinds, *more, *(kind for _, kinds in meta.values() for kind in kinds)]
    if not found:
        return document, []
    shown = {key: value for key, (value, _) in meta.items()}
    return replace(document, text=text, title=title, meta=shown), list(dict.fromkeys(found))


def ahead(
    work: Callable[[Part, Options], T], parts: Iterable[tuple[Part, Options]]
) -> Iterator[tuple[Part, Options, T]]:
    """What is made of each part, in their order, some of them ahead of who writes them."""
    running: deque[tuple[Part, Options, Future[T]]] = deque()
    with ThreadPoolExecutor(WORKERS) as pool:
        try:
            for part, options in parts:
                running.append((part, options, pool.submit(work, part, options)))
                if len(running) > 2 * WORKERS:
                    yield _done(running)
            while running:
                yield _done(running)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _done(running: deque[tuple[Part, Options, Future[T]]]) -> tuple[Part, Options, T]:
    part, options, future = running.popleft()
    return part, options, future.result()
