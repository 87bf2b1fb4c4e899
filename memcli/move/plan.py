"""What would become of what somebody brings: where each thing goes, what is there already, what the gates say.

The same pass is made twice, once to tell and once to do it, so that neither holds more than one thing at a time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from memcli.move import formats
from memcli.move.items import Attachment, Page, Said, Statement, Talk, Unread
from memcli.move.tree import Tree
from memcli.remember import redacted
from memcli.text import words
from memcli.text.clean import harmless, one_line
from memcli.vault import edit, entries, files, journal, layout
from memcli.vault.gates import KINDS, REFUSE
from memcli.vault.vault import Filter, Vault

HOME = "imported"
JOURNAL = "imports"  # the talks that were brought, so that each is brought once
NAMED = 20  # of what can't be read or is refused, in what is told
SPLIT = 2**20  # characters of a file of statements, then another is begun
_SLASHES = re.compile(r"[\\:*?\"<>|\x00-\x1f]+")
_TAG = re.compile(r"[^\w/-]+")


@dataclass
class Plan:
    """What a pass over all of it has found."""

    format: str
    title: str
    memories: int = 0
    pages: int = 0
    talks: int = 0
    messages: int = 0
    attachments: int = 0
    known: int = 0  # brought before
    same: int = 0  # the vault says so already
    first: date | None = None
    last: date | None = None
    files: Counter[str] = field(default_factory=Counter)
    blacked_out: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)

    @property
    def fresh(self) -> int:
        """How many things are new."""
        return self.memories + self.pages + self.talks


@dataclass(frozen=True)
class Placed:
    """A file to write or to add to: a text, or what lies in the tree under a name."""

    path: str
    text: str = ""
    copied: str = ""


@dataclass(frozen=True)
class Wanted:
    """How somebody wants it brought."""

    format: str
    to: str = ""  # a folder of the vault
    keep: bool = False  # talks as they are, instead of what is worth keeping of them


class Sorter:
    """Gives every item its place, and counts."""

    def __init__(self, vault: Vault, tree: Tree, wanted: Wanted) -> None:
        self.vault, self.tree, self.wanted = vault, tree, wanted
        self.format = formats.load(wanted.format)
        self.plan = Plan(wanted.format, self.format.title)
        self.folder = wanted.to.strip("/") or f"{HOME}/{wanted.format}"
        self._rules: dict[str, str] = {kind: getattr(vault.settings.gates, kind) for kind in KINDS}
        self._sources, self._texts, self._paths = _held(vault)
        self._sizes: Counter[str] = Counter()
        self._renamed: dict[str, str] = {}

    def placed(self) -> Iterator[Placed | Talk]:
        """All that is new, with its place; talks come as they are."""
        for name, why in self.tree.left_out:
            self._unread(name, why)
        for item in self.format.read(self.tree):
            if isinstance(item, Unread):
                self._unread(item.name, item.why)
            elif isinstance(item, Statement):
                yield from self._statement(item)
            elif isinstance(item, Page):
                yield from self._page(item)
            elif isinstance(item, Attachment):
                yield from self._attachment(item)
            else:
                yield from self._talk(item)

    def _is_new(self, source: str) -> bool:
        if source in self._sources:
            self.plan.known += 1
            return False
        self._sources.add(source)
        return True

    def _unread(self, name: str, why: str) -> None:
        self.plan.unread.append((one_line(name, 200), one_line(why, 200)))

    def _statement(self, item: Statement) -> Iterator[Placed]:
        if not self._is_new(item.source):
            return
        text, kinds = redacted(harmless(item.text).strip(), self._rules)
        if refused := [kind for kind in kinds if self._rules[kind] == REFUSE]:
            self.plan.refused.append((item.source, KINDS[refused[0]]))
            return
        if (said := _folded(text)) in self._texts:
            self.plan.same += 1
            return
        self._texts.add(said)
        self.plan.blacked_out.update(kinds)
        path = self._dated_file(item.at.year if item.at else None)
        line = edit.item("", text, _notes(replace(item, text=text)))
        if len(max(line.split("\n"), key=len)) > entries.LONGEST_LINE or not entries.read(path, line).entries:
            self._unread(item.source, "too long, or without words")
            return
        self._sizes[path] += len(line)
        self.plan.memories += 1
        yield self._counted(Placed(path, line + "\n"), item.at.date() if item.at else None)

    def _dated_file(self, year: int | None) -> str:
        """A file a year, and another where one would grow too large."""
        stem, number = f"{self.folder}/{year or 'undated'}", 1
        path = f"{stem}.md"
        while self._sizes[path] + self._on_disk(path) > SPLIT:
            number += 1
            path = f"{stem}-{number}.md"
        return path

    def _on_disk(self, path: str) -> int:
        return files.size_of(self.vault.root / path)

    def _page(self, item: Page) -> Iterator[Placed]:
        if not self._is_new(item.source):
            return
        text, kinds = redacted(harmless(item.text), self._rules)
        if len(text.encode()) > layout.LARGEST_NOTE:
            self._unread(item.path, layout.too_large(len(text.encode()), layout.LARGEST_NOTE))
            return
        self.plan.blacked_out.update(kinds)
        self.plan.pages += 1
        path = self._free(item.path)
        yield self._counted(Placed(path, with_front(text, item)), item.at.date() if item.at else layout.day_of(path))

    def _attachment(self, item: Attachment) -> Iterator[Placed]:
        path = f"{self.folder}/{_clean(item.path)}"
        if path not in self._paths and not (self.vault.root / path).exists():
            self._paths.add(path)
            self.plan.attachments += 1
            yield Placed(path, copied=item.name)

    def _talk(self, item: Talk) -> Iterator[Talk]:
        if self._is_new(item.source):
            self.plan.talks += 1
            self.plan.messages += len(item.messages)
            self._days(item.at.date() if item.at else None)
            yield replace(item, messages=tuple(self._without(said) for said in item.messages))

    def _without(self, said: Said) -> Said:
        text, kinds = redacted(harmless(said.text), self._rules)
        self.plan.blacked_out.update(kinds)
        return replace(said, text=text)

    def _free(self, name: str) -> str:
        """A place in the folder where nothing lies yet."""
        path = f"{self.folder}/{_clean(name)}"
        stem, number = path.removesuffix(".md"), 1
        while path.casefold() in self._paths:
            number += 1
            path = f"{stem} {number}.md"
        self._paths.add(path.casefold())
        return path

    def _counted(self, placed: Placed, day: date | None) -> Placed:
        self.plan.files[placed.path] += 1
        self._days(day)
        return placed

    def _days(self, day: date | None) -> None:
        if day:
            self.plan.first = min(self.plan.first or day, day)
            self.plan.last = max(self.plan.last or day, day)


def plan(vault: Vault, tree: Tree, wanted: Wanted) -> Plan:
    """What would become of it, nothing written."""
    sorter = Sorter(vault, tree, wanted)
    for _ in sorter.placed():
        pass
    return sorter.plan


def _held(vault: Vault) -> tuple[set[str], set[str], set[str]]:
    """The sources, words and paths that the vault has already."""
    sources: set[str] = set()
    texts: set[str] = set()
    paths = {path.casefold() for path in layout.walk(vault.root)}
    for document in vault.documents(Filter()):
        if document.front.get("source"):
            sources.add(str(document.front["source"]))
        for entry in document.entries:
            texts.add(_folded(entry.words))
            if entry.fields.get("source"):
                sources.add(entry.fields["source"])
    for record in journal.read(vault.root, JOURNAL, vault.notice):
        talks = record.get("talks")
        sources.update(map(str, talks) if isinstance(talks, list) else ())
    return sources, texts, paths


def _folded(text: str) -> str:
    return hashlib.sha1(" ".join(words.WORD.findall(text.casefold())).encode("utf-8", "replace")).hexdigest()


def _notes(item: Statement) -> list[str]:
    """What else is known of a statement, as a person would write it behind the words."""
    tags = [f"#{tag}" for raw in item.tags if (tag := _TAG.sub("-", raw.strip("# ")).strip("-")) and not tag.isdigit()]
    fields: dict[str, Any] = {
        "type": _word(item.type),
        "date": item.at.isoformat(" ", "minutes").removesuffix(" 00:00") if item.at else "",
        "confidence": "" if item.confidence is None else f"{item.confidence:g}",
        "importance": "" if item.importance is None else f"{item.importance:g}",
        "author": _plain(item.author),
        "superseded": _plain(item.superseded),
        "source": _plain(item.source),
    }
    have = entries.tags_in(item.text)
    return [
        *(tag for tag in dict.fromkeys(tags) if tag[1:] not in have),
        *(f"[{name}:: {value}]" for name, value in fields.items() if value),
    ]


def _word(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text.strip())[:40]


def _plain(text: str) -> str:
    return re.sub(r"[\[\]]", "", one_line(text, 200))


def _clean(name: str) -> str:
    """A path that any system takes and that is no hidden place."""
    parts = [_SLASHES.sub(" ", part).strip(" .") or "_" for part in name.split("/") if part not in ("", ".", "..")]
    *folders, last = parts or ["_"]
    stem, dot, suffix = last.rpartition(".")
    return "/".join(
        [*(part[:100] for part in folders), f"{(stem or last)[:100].rstrip()}{dot and '.'}{suffix if dot else ''}"]
    )


def with_front(text: str, page: Page) -> str:
    """The text with what is known of the page in its front matter; what stands there already stays."""
    told: dict[str, Any] = {
        "title": page.title, "date": page.at.date().isoformat() if page.at else "", "tags": list(page.tags),
        **{_word(key).lower(): value for key, value in page.fields.items()}, "source": page.source,
    }  # fmt: skip
    head, rest = "", text
    if text.startswith("---\n") and (end := text.find("\n---\n", 3)) > 0:
        head, rest = text[4 : end + 1], text[end + 5 :]
    lines = [
        f"{key}: {json.dumps(value, ensure_ascii=False) if key != 'date' else value}\n" for key, value in told.items()
        if value and not re.search(rf"^{re.escape(key)}\s*:", head, re.M | re.I)
    ]  # fmt: skip
    return f"---\n{head}{''.join(lines)}---\n{rest}"
