"""Plan an import: decide where each item goes, what is there already, and what the gates say.

The same pass runs twice, once to preview and once to import, so that neither holds more than one item at a time.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from memcli.move import attach, formats, keyed
from memcli.move.items import Attachment, Page, Statement, Talk, TalkMessage, Unread
from memcli.move.keyed import KeyedRecord
from memcli.move.looked import CleanTexts
from memcli.move.placed import ImportOptions, Plan, PlannedFile, Progress, Tell
from memcli.move.render import notes, safe_path, with_front
from memcli.move.tree import LARGEST, Tree
from memcli.text.clean import harmless, one_line
from memcli.vault import cache_files, edit, entries, files, journal, layout
from memcli.vault.gates import ALLOW, KINDS, REFUSE
from memcli.vault.vault import Filter, Vault

JOURNAL = "imports"  # lists the imported conversations, so that each is imported once
NAMED = 20  # items that can't be read or are refused; the report shows so many
SPLIT = 2**20  # characters of a file of statements before another one begins
SAID = ("password", "private_key")  # kinds of secrets that are recognized by the words around them
_STOPS = re.compile(r"[\s,.;:!?…，。；：！？、*_`\"“”]+")


class Sorter:
    """A pass over an import that gives every item its place, and counts."""

    def __init__(self, vault: Vault, tree: Tree, wanted: ImportOptions, looked: CleanTexts | None = None) -> None:
        self.vault, self.tree, self.wanted = vault, tree, wanted
        self._looked = looked or CleanTexts()
        self.format = formats.load(wanted.format)
        self.plan = Plan(wanted.format, self.format.title, looked=self._looked)
        # A folder outside the vault is refused.
        home = files.inside(vault.root, wanted.to or f"{layout.IMPORTED}/{wanted.format}")
        self.folder = home.relative_to(vault.root.resolve()).as_posix()
        self._rules: dict[str, str] = {kind: getattr(vault.settings.gates, kind) for kind in KINDS}
        self._sources, self._texts, self._paths = _held(vault)
        self.keyed = {each.slot: each.said for kind in keyed.FILES for each in keyed.held(vault, kind)}
        self._linked = attach.AttachmentLinks(self.format, tree) if wanted.attachments == attach.LINK else None
        self._fresh: dict[str, str] = {}  # sources of this run, and a digest of each text
        self._called: dict[str, str] = {}  # the names of these sources for people
        self._sizes: Counter[str] = Counter()

    def placed(self, tell: Tell) -> Iterator[PlannedFile | Talk | KeyedRecord]:
        """Yield everything new with its place; conversations and keyed records come as they are."""
        begun, whole = self.tree.taken, self.tree.size
        for name, why in self.tree.left_out:
            self._unread(name, why)
        for item in self.format.read(self.tree):
            tell(Progress(self.tree.taken - begun, whole))
            if isinstance(item, Unread):
                self._unread(item.name, item.why)
            elif isinstance(item, Statement):
                yield from self._remembered(item)
            elif isinstance(item, Page):
                yield from self._page(self._named(item))
            elif isinstance(item, Attachment):
                yield from self._attachment(item)
            else:
                yield from self._talk(replace(item, source=self._id(item.source), title=self._plain(item.title)))

    def _judged(self, text: str) -> tuple[str, list[str]]:
        """Return a text as it enters the vault, and the kinds of what is sensitive in it."""
        text = harmless(text)
        plain, kinds = self._looked.redacted(text, self._rules, self.vault.settings.gates.contacts)
        return (text if self.wanted.sensitive else plain), kinds

    def _note(self, name: str, kinds: list[str]) -> None:
        """Record what was blacked out of a note or conversation, under its name."""
        self.plan.blacked_out.update(kinds)
        told = self.plan.sensitive.setdefault(one_line(name, 200), []) if kinds else []
        told += [kind for kind in kinds if kind not in told]

    def _plain(self, text: str, rules: dict[str, str] | None = None) -> str:
        """Return a text without what is sensitive in it, unless the user wants that kept."""
        if self.wanted.sensitive:
            return harmless(text)
        plain, kinds = self._looked.redacted(harmless(text), rules or self._rules)
        self.plan.blacked_out.update(kinds)
        return plain

    def _path(self, path: str) -> str:
        """Return a file's name without a secret named in it. Its numbers stay: most are a day, and links lead to it."""
        return self._name(path, (*SAID, "api_key"))

    def _id(self, source: str) -> str:
        """Return a source without a secret. Ids look like keys to the gates, so only what is named as a secret goes."""
        return self._name(source, SAID)

    def _name(self, name: str, kinds: tuple[str, ...]) -> str:
        stem, dot, suffix = name.rpartition(".")  # with its ending the gate would take it for a file, and say nothing
        rules = {kind: rule if kind in kinds else ALLOW for kind, rule in self._rules.items()}
        return f"{self._plain(stem, rules)}.{suffix}" if dot else self._plain(name, rules)

    def _told(self, item: Statement) -> Statement:
        """Return a statement with its metadata redacted, too."""
        tags, author, type = tuple(map(self._plain, item.tags)), self._plain(item.author), self._plain(item.type)
        return replace(item, source=self._id(item.source), tags=tags, author=author, type=type)

    def _named(self, item: Page) -> Page:
        fields = {key: self._plain(f"{key}: {value}").partition(": ")[2] for key, value in item.fields.items()}
        path, title, tags = self._path(item.path), self._plain(item.title), tuple(map(self._plain, item.tags))
        return replace(item, source=self._id(item.source), path=path, title=title, tags=tags, fields=fields)

    def _new(self, source: str, text: str, name: str) -> str:
        """Return the source of a new item, or "" for one that was imported before or repeats another of this import.

        Two items that their tool names alike, such as notes with one title made in one second, are told apart by their
        text.
        """
        said = hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:10]
        if self._fresh.get(source, said) != said:
            source = f"{source}~{said}"
        if source in self._fresh:
            self.plan.copies.append((one_line(name, 200), self._called[source]))
            return ""
        if source in self._sources:
            self.plan.known += 1
            return ""
        self._sources.add(source)
        self._fresh[source], self._called[source] = said, one_line(name, 200)
        return source

    def _unread(self, name: str, why: str) -> None:
        self.plan.unread.append((one_line(name, 200), one_line(why, 200)))

    def _remembered(self, item: Statement) -> Iterator[PlannedFile | KeyedRecord]:
        if (record := keyed.keyed_of(item)) is None:
            yield from self._statement(self._told(item))
            return
        rules = {**self._rules, **(dict.fromkeys(keyed.REACH, ALLOW) if record.kind == "label" else {})}
        kinds = self._looked.redacted(harmless(f"{record.name}: {record.said}"), rules)[1]
        if kinds and not self.wanted.sensitive:
            self.plan.refused.append((item.source, KINDS[kinds[0]]))  # redacted it would be useless
            return
        known = self.keyed.get(record.slot, record.said)
        self.plan.same += record.slot in self.keyed and known == record.said
        self.plan.disputed += known != record.said
        if record.slot not in self.keyed:
            self.plan.memories += 1
            self.plan.files[keyed.FILES[record.kind]] += 1
        if record.slot not in self.keyed or known != record.said:
            yield record

    def _statement(self, item: Statement) -> Iterator[PlannedFile]:
        source = self._new(item.source, item.text, item.source)
        if not source:
            return
        item = replace(item, source=source)
        text, kinds = self._judged(item.text.strip())
        refused = [kind for kind in kinds if self._rules[kind] == REFUSE]
        if refused and not self.wanted.sensitive:
            self.plan.refused.append((item.source, KINDS[refused[0]]))
            return
        if (said := _folded(text)) in self._texts:
            self.plan.same += 1
            return
        self._texts.add(said)
        self._note(item.source, kinds)
        path = self._dated_file(item.at.year if item.at else None)
        line = edit.item("", text, notes(replace(item, text=text)))
        if len(max(line.split("\n"), key=len)) > entries.LONGEST_LINE or not entries.parse_document(path, line).entries:
            self._unread(item.source, "too long, or without words")
            return
        self._sizes[path] += len(line)
        self.plan.memories += 1
        yield self._counted(PlannedFile(path, line + "\n"), item.at.date() if item.at else None)

    def _dated_file(self, year: int | None) -> str:
        """Return the file of a year, or the next one where that would grow too large."""
        stem, number = f"{self.folder}/{year or 'undated'}", 1
        path = f"{stem}.md"
        while self._sizes[path] + self._on_disk(path) > SPLIT:
            number += 1
            path = f"{stem}-{number}.md"
        return path

    def _on_disk(self, path: str) -> int:
        return files.size_of(self.vault.root / path)

    def _page(self, item: Page) -> Iterator[PlannedFile | KeyedRecord]:
        text, records = keyed.out_of(item.text)
        for record in records:
            yield from self._remembered(record)
        if records and not entries.parse_document(item.path, text).entries:
            return
        item = replace(item, text=text)
        item = self._linked.page(item) if self._linked else item
        source = self._new(item.source, item.text, item.path)
        if not source:
            return
        item = replace(item, source=source)
        text, kinds = self._judged(item.text)
        if len(text.encode()) > layout.LARGEST_NOTE:
            self._unread(item.path, layout.too_large(len(text.encode()), layout.LARGEST_NOTE))
            return
        self._note(item.path, kinds)
        self.plan.pages += 1
        path = self._free(item.path)
        yield self._counted(
            PlannedFile(path, with_front(text, item)), item.at.date() if item.at else layout.day_of(path)
        )

    def _attachment(self, item: Attachment) -> Iterator[PlannedFile]:
        if self.wanted.attachments == attach.LEAVE:
            self.plan.left += 1
            return
        if self._linked and item.path in self._linked.places:
            self.plan.linked += 1
            return
        path = f"{self.folder}/{safe_path(self._path(item.path))}"
        if path in self._paths or (self.vault.root / path).exists():
            return
        self._paths.add(path)
        if not item.data and (size := self.tree.sizes.get(item.name, 0)) > LARGEST:
            self._unread(item.name, f"{size // 2**20} MB, its note comes without it")
            return
        self.plan.attachments += 1
        yield PlannedFile(path, copied=item.name, data=item.data)

    def _talk(self, item: Talk) -> Iterator[Talk]:
        if self._new(item.source, "", item.title or item.source):
            self.plan.talks += 1
            self.plan.messages += len(item.messages)
            self._days(item.at.date() if item.at else None)
            yield replace(item, messages=tuple(self._without(said, item) for said in item.messages))

    def _without(self, said: TalkMessage, talk: Talk) -> TalkMessage:
        text, kinds = self._judged(said.text)
        self._note(talk.title or talk.source, kinds)
        return replace(said, text=text)

    def _free(self, name: str) -> str:
        """Return a path in the folder that nothing has yet."""
        path = f"{self.folder}/{safe_path(name)}"
        stem, number = path.removesuffix(".md"), 1
        while path.casefold() in self._paths:
            number += 1
            path = f"{stem} {number}.md"
        self._paths.add(path.casefold())
        return path

    def _counted(self, placed: PlannedFile, day: date | None) -> PlannedFile:
        self.plan.files[placed.path] += 1
        self._days(day)
        return placed

    def _days(self, day: date | None) -> None:
        if day:
            self.plan.first = min(self.plan.first or day, day)
            self.plan.last = max(self.plan.last or day, day)


def plan(vault: Vault, tree: Tree, wanted: ImportOptions, tell: Tell = str) -> Plan:
    """Return what an import would do, without writing anything."""
    sorter = Sorter(vault, tree, wanted)
    for _ in sorter.placed(tell):
        pass
    return sorter.plan


def _held(vault: Vault) -> tuple[set[str], set[str], set[str]]:
    """Return the sources, the digests of texts, and the paths that the vault has already."""
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
    listed = cache_files.names(vault.root / layout.JOURNAL / JOURNAL, ".jsonl")
    for name in (JOURNAL, *(f"{JOURNAL}/{each.removesuffix('.jsonl')}" for each in listed)):
        sources |= _talks(vault, name)
    return sources, texts, paths


def _talks(vault: Vault, name: str) -> set[str]:
    """Return the conversations that a file of the journal names."""
    sources: set[str] = set()
    for record in journal.read_journal(vault.root, name, vault.notice):
        talks = record.get("talks")
        sources.update(map(str, talks) if isinstance(talks, list) else ())
    return sources


def _folded(text: str) -> str:
    """Return a digest of a text that ignores case, spaces and stops; `C++` and `C#`, 5 and -5 stay different."""
    return hashlib.sha1(" ".join(_STOPS.split(text.casefold())).strip().encode("utf-8", "replace")).hexdigest()
