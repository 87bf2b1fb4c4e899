"""Sort an import: decide where each item goes, whether it exists already, and whether the gates refuse it.

The same pass runs twice, once to preview and once to import, so that each has only one item in memory at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from memcli.features.move import attach, formats, keyed_records
from memcli.features.move.holdings import digest_body, digest_memory, read_holdings
from memcli.features.move.import_plan import (
    NAME_LENGTH,
    ImportOptions,
    ImportProgress,
    NewItem,
    Plan,
    PlannedFile,
    Tell,
)
from memcli.features.move.keyed_records import KeyedRecord
from memcli.features.move.redactor import Redactor
from memcli.features.move.render import safe_path, tags_and_fields, with_front
from memcli.file_tree import LARGEST, Tree
from memcli.format import Attachment, ImportedTalk, Item, Page, Statement, UnreadableItem
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import edit, entries, files, layout
from memcli.vault.vault import Vault

SPLIT = 2**20  # characters of a file of statements before another one begins


class Sorter:
    """Decide the fate of each item of an import, and count it in the plan."""

    def __init__(self, vault: Vault, tree: Tree, wanted: ImportOptions, clean: set[int] | None = None) -> None:
        self.vault, self.tree, self.wanted = vault, tree, wanted
        self.format = formats.load(wanted.format)
        self.plan = Plan(wanted.format, self.format.title, clean=clean or set())
        # A folder outside the vault is refused.
        home = files.inside(vault.root, wanted.to or f"{layout.IMPORTED}/{wanted.format}")
        self.folder = home.relative_to(vault.root.resolve()).as_posix()
        self.holdings = read_holdings(vault)
        self._redactor = Redactor(vault.settings.gates, self.plan, wanted.sensitive)
        self._links = attach.AttachmentLinks(self.format, tree) if wanted.attachments == attach.LINK else None
        self._digests: dict[str, str] = {}  # by source, for the items of this run
        self._names: dict[str, str] = {}  # the names of these sources for people
        self._sizes: Counter[str] = Counter()
        self._attached: dict[str, int] = {}  # the sizes of attachments that come, by path

    def sort(self, tell: Tell) -> Iterator[NewItem]:
        """Yield every new item with its place. Count every item, and report the progress before each."""
        begun, whole = self.tree.taken, self.tree.size
        for name, why in self.tree.left_out:
            self.plan.leave_out(name, why)
        for item in self.format.read(self.tree):
            tell(ImportProgress(self.tree.taken - begun, whole))
            yield from filter(None, self._sort_item(item))

    def _sort_item(self, item: Item) -> Iterator[NewItem | None]:
        """Yield the new parts of an item: one or none, or several for a page with records."""
        match item:
            case UnreadableItem():
                self.plan.leave_out(item.name, item.why)
            case Statement():
                yield self._sort_statement(item)
            case Page():
                yield from self._sort_page(self._redactor.redact_page(item))
            case Attachment():
                yield self._sort_attachment(item)
            case ImportedTalk():
                yield self._sort_talk(self._redactor.redact_talk(item))

    def _sort_statement(self, item: Statement) -> NewItem | None:
        if record := keyed_records.keyed_record_of(item):
            return self._sort_record(item, record)
        return self._sort_memory(self._redactor.redact_statement(item))

    def _sort_record(self, item: Statement, record: KeyedRecord) -> NewItem | None:
        """Add a record whose slot is free. `mem review` asks about one that contradicts the vault."""
        if reason := self._redactor.refusal_of_record(record):
            self.plan.refused.append((item.source, reason))
            return None
        known = self.holdings.records.get(record.slot)
        if known == record.content:
            self.plan.same += 1
            return None
        if known is None:
            return self.plan.add("memories", record, keyed_records.FILES[record.kind])
        return self.plan.add("disputed", record)

    def _sort_memory(self, item: Statement) -> NewItem | None:
        """Add a memory to the file of its year, unless it is known, refused or unusable."""
        if (source := self._new_source(item.source, item.text, item.source)) is None:
            return None
        item = replace(item, source=source)
        text, kinds = self._redactor.redact_text(item.text.strip())
        if reason := self._redactor.refusal_of_text(kinds):
            self.plan.refused.append((item.source, reason))
            return None
        path = self._dated_file(item.at.year if item.at else None)
        block = "" if item.block in self.holdings.blocks else item.block
        line = edit.list_item("", text, tags_and_fields(replace(item, text=text, block=block)))
        parsed = entries.parse_document(path, line).entries
        if len(max(line.split("\n"), key=len)) > entries.LONGEST_LINE or not parsed:
            self.plan.leave_out(item.source, "too long, or without words")
            return None
        if (digest := digest_memory(*parsed)) in self.holdings.texts:
            self.plan.same += 1
            return None
        self.holdings.texts.add(digest)
        self.holdings.blocks.add(block)
        self._redactor.record(item.source, kinds)
        self._sizes[path] += len(line)
        return self.plan.add("memories", PlannedFile(path, line + "\n"), path, item.at.date() if item.at else None)

    def _sort_page(self, item: Page) -> Iterator[NewItem | None]:
        """Yield the records in a page, then the rest of it, unless nothing is left."""
        text, records = keyed_records.split_off_records(item.text)
        for record in records:
            yield self._sort_statement(record)
        if not records or entries.parse_document(item.path, text).entries:
            yield self._sort_note(replace(item, text=text))

    def _sort_note(self, item: Page) -> NewItem | None:
        item = self._links.page(item) if self._links else item
        if (source := self._new_source(item.source, item.text, item.path)) is None:
            self._report_difference(item)
            return None
        item = replace(item, source=source)
        text, kinds = self._redactor.redact_text(item.text)
        if len(text.encode()) > layout.LARGEST_NOTE:
            self.plan.leave_out(item.path, layout.too_large(len(text.encode()), layout.LARGEST_NOTE))
            return None
        self._redactor.record(item.path, kinds)
        path = self._free_path(item.path)
        day = item.at.date() if item.at else layout.day_of(path)
        return self.plan.add("pages", PlannedFile(path, with_front(text, item)), path, day)

    def _report_difference(self, item: Page) -> None:
        """Report a note that was brought before and has changed since, here or there."""
        if f"{item.source}~{digest(item.text, 10)}" in self.holdings.sources:  # another note with the same id
            return
        path, known = self.holdings.pages.get(item.source, ("", ""))
        if path and known not in (digest_body(item.text), digest_body(self._redactor.redact_text(item.text)[0])):
            why = "it was brought before, and {path} differs from it; without that file it comes anew"
            self.plan.leave_out(item.path, Message(why, path=path))

    def _sort_attachment(self, item: Attachment) -> NewItem | None:
        if self.wanted.attachments == attach.LEAVE:
            self.plan.left += 1
            return None
        if self._links and item.path in self._links.places:
            self.plan.linked += 1
            return None
        path = f"{self.folder}/{safe_path(self._redactor.redact_path(item.path))}"
        size = len(item.data) or self.tree.sizes.get(item.name, 0)
        if path in self._attached or (self.vault.root / path).exists():
            if self._attached.get(path, files.size_of(self.vault.root / path)) != size:
                self.plan.leave_out(item.path, "another file has this name already")
            return None
        self._attached[path] = size
        if not item.data and size > LARGEST:
            self.plan.leave_out(item.name, Message("{n} MB, its note comes without it", n=size // 2**20))
            return None
        return self.plan.add("attachments", PlannedFile(path, copied=item.name, data=item.data))

    def _sort_talk(self, item: ImportedTalk) -> NewItem | None:
        """Return a conversation if its source is new. Its text is not compared, because a conversation grows and keeps
        its source."""
        if self._new_source(item.source, "", item.title or item.source) is None:
            return None
        return self.plan.add("talks", self._redactor.redact_messages(item), day=item.at.date() if item.at else None)

    def _new_source(self, source: str, text: str, name: str) -> str | None:
        """Return the source of a new item, or None for one that is known, which is counted.

        Items with the same id and different texts, such as notes with one title made in one second, get different
        sources.
        """
        short = digest(text, 10)
        if self._digests.get(source, short) != short:
            source = f"{source}~{short}"
        if source in self._digests:
            self.plan.copies.append((one_line(name, NAME_LENGTH), self._names[source]))
            return None
        if source in self.holdings.sources:
            self.plan.known += 1
            return None
        self.holdings.sources.add(source)
        self._digests[source], self._names[source] = short, one_line(name, NAME_LENGTH)
        return source

    def _dated_file(self, year: int | None) -> str:
        """Return the file of a year, or the next one where that would grow too large."""
        stem, number = f"{self.folder}/{year or 'undated'}", 1
        path = f"{stem}.md"
        while self._sizes[path] + files.size_of(self.vault.root / path) > SPLIT:
            number += 1
            path = f"{stem}-{number}.md"
        return path

    def _free_path(self, name: str) -> str:
        """Return a path in the folder that is not taken yet."""
        path = f"{self.folder}/{safe_path(name)}"
        stem, number = path.removesuffix(".md"), 1
        while path.casefold() in self.holdings.paths:
            number += 1
            path = f"{stem} {number}.md"
        self.holdings.paths.add(path.casefold())
        return path


def plan_import(vault: Vault, tree: Tree, wanted: ImportOptions, tell: Tell = str) -> Plan:
    """Return what an import would do, without writing anything."""
    sorter = Sorter(vault, tree, wanted)
    for _ in sorter.sort(tell):
        pass
    return sorter.plan
