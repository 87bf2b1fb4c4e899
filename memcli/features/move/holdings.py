"""Read the contents of a vault, so that an import leaves out items that exist already."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memcli.features.move import keyed_records
from memcli.features.move.render import split_front
from memcli.text.digest import digest
from memcli.vault import cache_files, journal, layout
from memcli.vault.entries import Entry
from memcli.vault.tags import without_end_tags
from memcli.vault.vault import Filter, Vault

JOURNAL = "imports"  # lists the imported conversations, so that each is imported once
_STOPS = re.compile(r"[\s,.;:!?…，。；：！？、*_`\"“”]+")


@dataclass
class Holdings:
    """Hold the sources, texts, paths and records of a vault. An import adds its own."""

    sources: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)  # digests
    blocks: set[str] = field(default_factory=set)  # block ids, each of which is given once
    paths: set[str] = field(default_factory=set)  # in lower case
    pages: dict[str, tuple[str, str]] = field(default_factory=dict)  # source → path and digest of a note brought before
    records: dict[tuple[str, ...], str] = field(default_factory=dict)  # the content of each slot


def read_holdings(vault: Vault) -> Holdings:
    """Return the contents of a vault, for comparison."""
    holdings = Holdings(paths={path.casefold() for path in layout.walk(vault.root)})
    for document in vault.documents(Filter()):
        if document.front.get("source"):
            source = str(document.front["source"])
            holdings.sources.add(source)
            holdings.pages[source] = document.path, digest_body(document.text)
        for entry in document.entries:
            holdings.texts.add(digest_memory(entry))
            holdings.blocks.add(entry.block_id or "")
            if entry.fields.get("source"):
                holdings.sources.add(entry.fields["source"])
    holdings.sources |= _talk_sources(vault)
    for kind in keyed_records.FILES:
        holdings.records.update(
            (record.slot, record.content) for record in keyed_records.read_keyed_records(vault, kind)
        )
    return holdings


def _talk_sources(vault: Vault) -> set[str]:
    """Return the conversations that the journal says were imported."""
    listed = cache_files.names(vault.root / layout.JOURNAL / JOURNAL, ".jsonl")
    sources: set[str] = set()
    for name in (JOURNAL, *(f"{JOURNAL}/{file.removesuffix('.jsonl')}" for file in listed)):
        for record in journal.read_journal(vault.root, name, vault.notice):
            talks = record.get("talks")
            sources.update(map(str, talks) if isinstance(talks, list) else ())
    return sources


def digest_memory(*parts: Entry) -> str:
    """Return a digest of a memory without the tags behind it; a task that is done is the same as an open one."""
    return digest_text(without_end_tags("\n".join(part.words for part in parts)))


def digest_text(text: str) -> str:
    """Return a digest of a text that ignores case, spaces and stops; `C++` and `C#`, 5 and -5 stay different."""
    return digest(" ".join(_STOPS.split(text.casefold())).strip())


def digest_body(text: str) -> str:
    """Return such a digest of a note without its front matter."""
    return digest_text(split_front(text)[1])
