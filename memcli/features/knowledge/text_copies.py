"""Store texts without a file, and texts whose file may change, as Markdown, so that the table can be rebuilt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memcli.features.knowledge import cut, read
from memcli.features.knowledge.documents import ARCHIVED, FilePart, KnowledgeDocument, PieceRow, digest, rows_of
from memcli.features.knowledge.sources import HOME
from memcli.features.knowledge.store import DocumentTable, ShelvedDocument
from memcli.vault import cache_files, json_read, layout
from memcli.vault.vault import Vault
from memcli.vault.write import write_vault

OLD = f"{layout.ARCHIVE}/{HOME}"
_NO_NAME = re.compile(r"[\W_]+")


def write_page(vault: Vault, document: KnowledgeDocument) -> str:
    """Write a text that was piped in or fetched to a file under `knowledge/`, and return its path.

    An address keeps its file.
    """
    source = document.origin if "://" in document.origin else ""
    called = f"{_slug(document.title, source or document.text)}.md"
    if source:  # its title may have changed since
        called = next(iter(cache_files.names(vault.root / HOME, f"-{digest(source, 6)}.md")), called)
    path = f"{HOME}/{called}"
    tags, meta = list(document.tags), {key: value for key, value in document.meta.items() if key != "source"}
    front: dict[str, Any] = {
        "title": document.title,
        "source": source,
        "fetched": vault.today.isoformat() if source else "",
    }
    front |= {"date": document.date, "tags": tags, "type": document.type, "project": document.project, **meta}
    new = _file(front, document.text)

    def copied(before: str) -> str:
        """Return the file with the new text. The file name identifies a typed text, so any difference was written by
        hand."""
        return before if before.strip() and (not source or _body(before) == _body(new)) else new

    write_vault(vault, "knowledge", [(path, copied)])
    return path


def write_archived(vault: Vault, store: DocumentTable, olds: Sequence[ShelvedDocument]) -> None:
    """Write the texts of versions that their files no longer have, or may lose later."""
    edits = []
    for old in olds:
        front = {"title": old.title, "origin": old.origin, "version": old.version, "hash": old.hash, "added": old.added}
        front |= {"date": old.date, "tags": old.tags, "type": old.type, "project": old.project, "kind": old.kind}
        new = _file(front | {"meta": old.meta}, store.text(old.doc, old.version))
        edits.append((f"{OLD}/{_slug(old.title, old.origin)}-v{old.version}.md", lambda before, new=new: new))
    if edits:
        write_vault(vault, "knowledge", edits)


def read_archived(vault: Vault) -> Iterator[list[PieceRow]]:
    """Yield the rows of each document in the archive, for a shelf that is rebuilt."""
    for path in [vault.root / OLD / name for name in cache_files.names(vault.root / OLD, ".md")]:
        for found in read.read_documents(FilePart(str(path), f"{OLD}/{path.name}", "markdown")):
            front = found.meta if isinstance(found, KnowledgeDocument) else {}
            if isinstance(found, KnowledgeDocument) and {"origin", "hash", "version"} <= front.keys():
                known = replace(found, origin=str(front["origin"]), kind=str(front.get("kind") or "markdown"))
                known = replace(known, meta=json_read.parse_mapping(str(front.get("meta") or "")))
                version = int(str(front["version"])) if re.fullmatch("[0-9]{1,6}", str(front["version"])) else 1
                pieces = cut.cut_pieces(known)
                yield rows_of(known, pieces, str(front.get("added") or ""), version, ARCHIVED, str(front["hash"]))


def _file(told: Mapping[str, Any], text: str) -> str:
    import yaml

    said = {key: value for key, value in told.items() if value not in ("", [], None)}
    return f"---\n{yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=10000)}---\n\n{text.strip()}\n"


def _body(text: str) -> str:
    """Return the text without the day it was fetched on."""
    return re.sub(r"^fetched: .*$", "", text, count=1, flags=re.M)


def _slug(title: str, of: str) -> str:
    return f"{_NO_NAME.sub('-', title.lower()).strip('-')[:60].strip('-') or 'page'}-{digest(of, 6)}"
