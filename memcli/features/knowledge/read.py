"""Read a folder or file as parts that can be read in parallel, and each part as documents.

Everything here is a pure function of files and words, so that a pool of processes and remote workers read alike.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memcli.errors import VaultError
from memcli.features.knowledge import jsonl, pdf, web
from memcli.features.knowledge.documents import FilePart, KnowledgeDocument, Unreadable, UserMetadata
from memcli.message import Message
from memcli.text.clean import harmless, one_line
from memcli.text.encodings import decode_text
from memcli.text.words import CJK_RUN, is_stop
from memcli.vault import entries, layout
from memcli.vault.tags import front_tags

KINDS = {
    "markdown": (".md", ".markdown", ".mdx", ".mkd"),
    "text": (".txt", ".text", ".rst", ".org", ".adoc", ".tex"),
    "html": (".html", ".htm", ".xhtml"),
    "pdf": (".pdf",),
    "jsonl": (".jsonl", ".ndjson", ".json"),
}
NOTHING = UserMetadata()
SAMPLE = 500  # characters from which the language is detected
LARGEST = 64 * 2**20  # bytes of a file that is read as a whole
_KIND = {suffix: kind for kind, suffixes in KINDS.items() for suffix in suffixes}
_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t#]*$", re.M)
_FRONT = re.compile(r"---[ \t]*\r?\n(?:(?!---|\.\.\.).*\n){0,500}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_KANA = re.compile("[\u3041-\u30ff]{2}")
_WORD = re.compile(r"[^\W\d_]+")
_KNOWN = {"title", "tags", "tag", "date", "created", "published", "updated", "type", "project", "lang"}


def list_parts(
    source: Path, root: Path | None = None, tell: Callable[[str], object] = str
) -> Iterator[FilePart | Unreadable]:
    """Yield all that can be read in a folder or file, ordered by name.

    What lies below `root` is named by its path in there. Hidden files are skipped; files of other kinds are counted and
    reported through `tell`.
    """
    try:
        real = source.resolve(strict=True)
    except (OSError, RuntimeError):
        yield Unreadable(str(source), "no such file, or a link that leads nowhere")
        return
    home = root.resolve() if root else None
    if not real.is_dir():
        yield from _parts_of(real, home, named=True)
        return
    others: Counter[str] = Counter()
    for path in _files(real):
        if _KIND.get(path.suffix.lower()):
            yield from _parts_of(path, home)
        else:
            others[path.suffix.lower() or "without an ending"] += 1
    if others:
        most = ", ".join(f"{times} {suffix}" for suffix, times in others.most_common(4))
        most += " …" if len(others) > 4 else ""
        message = "{path}: {n} file{s} of other kinds left out ({kinds})"
        tell(Message(message, path=source, n=others.total(), kinds=most))


def read_documents(part: FilePart, metadata: UserMetadata = NOTHING) -> Iterator[KnowledgeDocument | Unreadable]:
    """Yield the documents in a part. A fault in one never stops the others."""
    try:
        if part.kind == "jsonl":
            is_whole = part.stop < 0 and part.path.lower().endswith(".json")
            records = jsonl.read_whole(part) if is_whole else jsonl.read_lines(part)
            yield from _of_records(records, part.origin, metadata)
        else:
            yield document_in(Path(part.path).read_bytes(), part.origin, part.kind, metadata)
    except OSError as error:
        yield Unreadable(part.origin, Message("can't be read: {WHY}", WHY=error.strerror))


def document_in(
    data: bytes, origin: str, kind: str, metadata: UserMetadata, charset: str = ""
) -> KnowledgeDocument | Unreadable:
    """Return the document in some bytes. Their kind is detected when it is not known."""
    kind = kind or _sniffed(data)
    try:
        if kind == "pdf":
            title, text = pdf.pdf_to_markdown(data)
            found = KnowledgeDocument(origin, title, text, kind)
        elif kind == "html":
            found = web.page_to_document(decode_text(data, charset or web.charset(data)), origin)
        else:
            found = _of_text(decode_text(data, charset), origin, kind)
    except ValueError as error:
        return Unreadable(origin, str(error))
    return _finished(found, metadata)


def fetch_document(url: str, metadata: UserMetadata = NOTHING) -> KnowledgeDocument | Unreadable:
    """Return the document at a web address."""
    try:
        data, kind, charset = web.fetch(url)
    except ValueError as error:
        return Unreadable(url, str(error))
    return document_in(data, url, kind, metadata, charset)


def _files(folder: Path) -> Iterator[Path]:
    """Yield every file that is not hidden. A linked folder is entered once at most."""
    seen: set[tuple[int, int]] = set()
    for above, below, names in os.walk(folder, followlinks=True):
        info = os.stat(above)
        if (info.st_dev, info.st_ino) in seen:
            below.clear()
            continue
        seen.add((info.st_dev, info.st_ino))
        below[:] = sorted(name for name in below if not name.startswith(".") and name != "node_modules")
        yield from (Path(above, name) for name in sorted(names) if not name.startswith("."))


def _parts_of(path: Path, root: Path | None, named: bool = False) -> Iterator[FilePart | Unreadable]:
    inside = root is not None and path.is_relative_to(root)
    origin = path.relative_to(root).as_posix() if inside and root else str(path)
    kind = _KIND.get(path.suffix.lower(), "")
    try:
        info = os.stat(path)
        if not path.is_file():
            yield Unreadable(origin, "not a regular file")
            return
        with open(path, "rb") as handle:
            head = handle.read(65536) if (named and not kind) or path.suffix.lower() == ".json" else b""
        kind = kind or _sniffed(head)
    except OSError as error:
        yield Unreadable(origin, Message("can't be read: {WHY}", WHY=error.strerror))
        return
    stamp = f"{info.st_size}:{info.st_mtime_ns}"
    if kind == "jsonl" and (info.st_size > LARGEST or not jsonl.is_whole(path, head)):
        for start in range(0, info.st_size, jsonl.RUN):
            yield FilePart(str(path), origin, kind, start, min(start + jsonl.RUN, info.st_size), stamp)
    elif info.st_size > (pdf.LARGEST if kind == "pdf" else LARGEST):
        yield Unreadable(origin, Message("{n} MB are too many for one document", n=info.st_size // 2**20))
    else:
        yield FilePart(str(path), origin, kind, stamp=stamp)


def _sniffed(data: bytes) -> str:
    head = data[:1024].lstrip().lower()
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if head.startswith((b"<!doctype html", b"<html", b"<head")):
        return "html"
    return "markdown"


def _of_records(
    records: Iterator[dict[str, Any] | Unreadable], origin: str, metadata: UserMetadata
) -> Iterator[KnowledgeDocument | Unreadable]:
    without = 0
    for record in records:
        if isinstance(record, Unreadable):
            yield record
        elif found := jsonl.document_of(record, origin):
            yield _finished(found, metadata)
        else:
            without += 1
    if without:
        yield Unreadable(origin, Message("{n} line{s} without a text", n=without))


def _of_text(text: str, origin: str, kind: str) -> KnowledgeDocument:
    """Return Markdown or plain text as a document, with the data of its front matter.

    Broken front matter does not stop it.
    """
    front: dict[str, Any] = {}
    line = 1
    head = _FRONT.match(text) if kind == "markdown" else None
    if head:
        text, line = text[head.end() :], head[0].count("\n") + 1
        try:
            front = dict(entries.front_matter(origin, head[0]))
        except VaultError as error:
            front = {"problem": error.message}
    fields = {key: "" if isinstance(value, list | dict) else str(value or "") for key, value in front.items()}
    date = next((fields[name] for name in ("date", "published", "created", "updated") if fields.get(name)), "")
    own = _TITLE.search(text.split("```", 1)[0]) if kind == "markdown" else None
    title = fields.get("title") or (own[1] if own else "")
    meta = {key: value for key, value in front.items() if key not in _KNOWN}
    return KnowledgeDocument(
        origin, title, text, kind, front_tags(front), fields.get("type", ""), fields.get("project", ""), date,
        fields.get("lang", ""), meta, line,
    )  # fmt: skip


def _finished(found: KnowledgeDocument, metadata: UserMetadata) -> KnowledgeDocument:
    """Return a document cleaned, with the user's metadata. What it lacks itself is looked for in its name and text."""
    text = harmless(found.text).rstrip()
    name = found.origin.rpartition("/")[2] if found.kind != "jsonl" else ""
    tags = (one_line(str(tag), 60).lower().lstrip("#") for tag in (*found.tags, *metadata.tags))
    day = layout.day_in(found.date) or (layout.day_of(found.origin) if name and "://" not in found.origin else None)
    meta = {one_line(key, 60): _plain(value) for key, value in {**found.meta, **metadata.meta}.items()}
    return replace(
        found,
        text=text,
        title=one_line(metadata.title or found.title or name.rpartition(".")[0] or name or text[:80], 200),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        type=one_line(metadata.type or found.type, 60),
        project=one_line(metadata.project or found.project, 100),
        date=day.isoformat() if day else "",
        lang=language(text),
        meta={key: value for key, value in meta.items() if value not in ("", None, [])},
    )


def language(text: str) -> str:
    """Return the language of a text for the choice of models and words: en, zh or other; "" when it has no words."""
    words = _WORD.findall(text[:SAMPLE].lower())
    letters = sum(map(len, words))
    if sum(map(len, CJK_RUN.findall(text[:SAMPLE]))) * 5 > letters:  # a Chinese character counts as several letters
        return "other" if any(map(_KANA.search, words)) else "zh"
    plain = sum(map(str.isascii, words)) / max(1, len(words))
    stops = sum(map(is_stop, words)) / max(1, len(words))
    return ("en" if plain > 0.9 and (stops > 0.12 or len(words) < 20) else "other") if words else ""


def _plain(value: Any, inner: bool = False) -> Any:
    """Return a value of a document's metadata as JSON can hold it, short enough to be shown.

    Nested lists are not entered, because ten lines of YAML can name a billion.
    """
    if isinstance(value, list | tuple | dict) and inner:
        return ""
    if isinstance(value, dict):
        value = ", ".join(f"{key}: {_plain(each, True)}" for key, each in list(value.items())[:50])
    if isinstance(value, list | tuple):
        return [_plain(each, True) for each in value[:50]]
    return value if isinstance(value, bool | int | float) else one_line(str(value or ""), 500)
