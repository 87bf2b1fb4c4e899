"""Read JSON lines as documents, one a line. The metadata dumps of arXiv are recognized without any options."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memcli.features.knowledge.documents import FilePart, KnowledgeDocument, Unreadable, digest
from memcli.message import Message

RUN = 8 * 2**20  # bytes that one worker reads at a time
LONGEST = 16 * 2**20  # bytes of a line
DEEPEST = 6  # levels of one JSON document that are searched
NAMED = 3  # broken lines of a run that are named one by one
AUTHORS = 12
PROSE = 12  # characters; from this length on the text under a headword is an article

# The names of a document's fields elsewhere. The first one with a value counts.
_NAMES = {
    "title": ("title", "name", "headword", "headline", "subject", "term", "标题", "名称", "词条", "名字"),
    "text": ("text", "content", "body", "markdown", "abstract", "summary", "description", "entry", "definition",
             "正文", "内容", "描述", "释义", "简介", "说明"),
    "also": ("aliases", "alias", "keys", "synonyms", "also", "别名", "又名"),
    "origin": ("url", "link", "href", "origin"),
    "id": ("id", "_id", "doc_id", "docid", "uid"),
    "tags": ("tags", "keywords", "categories", "labels"),
    "date": ("date", "published", "created", "update_date", "updated", "timestamp"),
    "type": ("type",),
    "project": ("project",),
}  # fmt: skip
_ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")


def _lines(part: FilePart) -> Iterator[bytes | Unreadable]:
    """Yield the lines that begin in this range of bytes."""
    with open(part.path, "rb") as handle:
        if part.start:
            handle.seek(part.start - 1)
            while (rest := handle.readline(LONGEST)) and not rest.endswith(b"\n"):
                if 0 <= part.stop <= handle.tell():  # no line begins here
                    return
        while part.stop < 0 or handle.tell() < part.stop:
            line = handle.readline(LONGEST)
            if len(line) == LONGEST and not line.endswith(b"\n"):
                yield Unreadable(part.origin, Message("a line of more than {n} MB", n=LONGEST // 2**20))
                while (line := handle.readline(LONGEST)) and not line.endswith(b"\n"):
                    pass
            elif line:
                yield line
            if not line:
                return


def is_whole(path: Path, head: bytes) -> bool:
    """Return whether a file is one JSON document. It is not when its first line is an object and others follow."""
    first, feed, rest = head.partition(b"\n")
    if path.suffix.lower() != ".json":
        return False
    try:
        return not (isinstance(json.loads(first), dict) and feed and rest.strip())
    except (ValueError, RecursionError):
        return True


def read_whole(part: FilePart) -> Iterator[dict[str, Any] | Unreadable]:
    """Yield the records of one JSON document.

    The document is an article, a list of them, or an encyclopaedia by its headwords.
    """
    try:
        found = list(_articles(json.loads(Path(part.path).read_text(encoding="utf-8-sig"))))
    except (ValueError, RecursionError):
        yield Unreadable(part.origin, "not JSON")
        return
    yield from found
    if not found:
        yield Unreadable(part.origin, "no text in it")


def _articles(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the records with a text anywhere in a JSON value.

    One without a title gets the key above it as its title.
    """
    if isinstance(value, dict) and _text(_first(value, _NAMES["text"])[1]).strip():
        yield value
    elif isinstance(value, dict) and value and all(isinstance(each, str) for each in value.values()):
        yield from ({"title": key, "text": text} for key, text in value.items() if len(text) >= PROSE)
    elif isinstance(value, dict | list) and depth < DEEPEST:
        for key, inner in value.items() if isinstance(value, dict) else (("", each) for each in value):
            titled = {"title": key, **inner} if key and isinstance(inner, dict) else inner
            yield from _articles(titled, depth + 1)


def read_lines(part: FilePart) -> Iterator[dict[str, Any] | Unreadable]:
    """Yield the objects that the lines of a part hold. Of many broken lines only the first are named."""
    broken, origin = 0, part.origin
    for line in _lines(part):
        if isinstance(line, Unreadable):
            yield line
            continue
        try:
            found = json.loads(line.decode("utf-8-sig")) if line.strip() else None
        except (ValueError, RecursionError):
            found = ()
        if isinstance(found, dict):
            yield found
        elif found is not None:
            broken += 1
            if broken <= NAMED:
                yield Unreadable(
                    origin, Message("not a JSON object: {WHY}", WHY=line[:60].decode("utf-8", "replace").strip())
                )
    if broken > NAMED:
        yield Unreadable(origin, Message("and {n} more lines that are not JSON objects", n=broken - NAMED))


def document_of(record: Mapping[str, Any], origin: str) -> KnowledgeDocument | None:
    """Return the document in a record, or None when the record holds no text."""
    fields = {field: _first(record, names) for field, names in _NAMES.items()}
    text, title, own = _text(fields["text"][1]), _text(fields["title"][1]), _text(fields["id"][1])
    if not text.strip():
        return None
    used = {name for name, _ in fields.values()}
    address = _text(fields["origin"][1])
    if not address.startswith(("https://", "http://")):  # so a line can't pose as a file or replace one
        address = f"{origin}#{own or digest(title + text, 12)}"
    tags = fields["tags"][1]
    if "abstract" in record and "categories" in record and _ARXIV.fullmatch(own):
        address, tags = f"https://arxiv.org/abs/{own}", _text(tags).split()
        title, text = " ".join(title.split()), " ".join(text.split())
        names = [" ".join(name.split()) for name in re.split(r",|\band\b", _text(record.get("authors", "")))]
        named = ", ".join(filter(None, names[:AUTHORS])) + (" et al." if len(names) > AUTHORS else "")
        text = f"{named}\n\n{text}" if named else text
        used |= {"authors", "authors_parsed", "versions"}
    listed = re.split(r"[,;]\s*", tags) if isinstance(tags, str) else tags if isinstance(tags, list) else []
    meta = {key: value for key, value in record.items() if key not in used and isinstance(value, str | int | float)}
    also = fields["also"][1] if isinstance(fields["also"][1], list) else [fields["also"][1]]
    if others := [name for name in map(_text, also) if name and name not in title]:
        title = f"{title} ({', '.join(others)})" if title else ", ".join(others)
    return KnowledgeDocument(
        address, title, text, "jsonl", tuple(_text(tag) for tag in listed), _text(fields["type"][1]),
        _text(fields["project"][1]), _text(fields["date"][1]), "", meta,
    )  # fmt: skip


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, Any]:
    return next(((name, record[name]) for name in names if record.get(name) not in (None, "", [])), ("", ""))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
