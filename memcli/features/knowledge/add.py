"""Add documents: read, cut, embed and write new and changed ones, and leave the rest unchanged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from memcli.errors import Refused, UsageError
from memcli.evidence import Want
from memcli.features.knowledge import address, intake, ray_engine, read, sources, store, text_copies, word_cache
from memcli.features.knowledge.documents import ACTIVE, ARCHIVED, KnowledgeDocument, PieceRow, Unreadable, digest
from memcli.features.knowledge.intake import AddedDocuments, IntakeReport, IntakeResult, Item, Redact
from memcli.features.knowledge.sources import HOME, REMOVED, Options
from memcli.features.knowledge.store import DocumentTable, ShelvedDocument
from memcli.index import sync
from memcli.index.catalog import NAME as CATALOG
from memcli.index.catalog import IndexedFile, UnreadableCatalog, UnreadableIndex
from memcli.index.store import TableOptions
from memcli.index.sync import Sync
from memcli.message import Message, some
from memcli.vault import cache_files, files
from memcli.vault.vault import Vault

BATCH = 4000  # pieces of one write
ASKED = "it was asked for"

Tell = Callable[[AddedDocuments], None]
Run = tuple[list[IntakeReport], Callable[[], None]]  # the reports on a run, and the step that writes it


def add(
    vault: Vault,
    given: Sequence[str],
    options: Options,
    redact: Redact,
    tell: Tell | None = None,
    rebuild: bool = False,
    waiting: Callable[[str], None] | None = None,
    text: str = "",
    with_ray: bool = False,
    cluster: str = "",
) -> AddedDocuments:
    """Add paths, addresses and a text, or update all sources. With `with_ray`, Ray's workers do it."""
    began = time.monotonic()
    if with_ray:
        ray_engine.check(cluster, address.address_of(vault).url)
    files.make_cache(vault.cache)
    home = cache_files.cleared(vault.cache / address.FOLDER)
    files.make_folder(home)
    why = ASKED if rebuild else ""

    def bring() -> AddedDocuments:
        sync = _DocumentSync(vault, home, AddedDocuments(), tell)
        return sync.run(given, options, redact, text, why, with_ray, cluster)

    def recover(error: UnreadableIndex) -> None:
        nonlocal why
        if isinstance(error, UnreadableCatalog):  # a lost catalog only means that all files are read again
            files.remove(home / CATALOG)
        else:
            why = error.message

    done = sync.in_turn(vault, DocumentTable.kind, "knowledge.lock", "knowledge add", bring, recover, waiting)
    done.seconds = round(time.monotonic() - began, 2)
    return done


class _DocumentSync(Sync[AddedDocuments]):
    """Run one round of adding."""

    kind = DocumentTable.kind

    def run(
        self, given: Sequence[str], options: Options, redact: Redact, text: str, why: str, with_ray: bool,
        cluster: str,
    ) -> AddedDocuments:  # fmt: skip
        self.redact = redact
        self.noted = sources.read_register(self.vault)
        if options.keep and not (given or text):  # of all sources, in this run
            kept_ones = {name: replace(each, keep=True) for name, each in self.noted.sources.items()}
            self.noted = replace(self.noted, sources=kept_ones)
        self.hidden: dict[str, list[str]] = {}  # kinds of secrets, and the places of each
        self.line_files = intake.LineFiles()
        with self.catalog:
            named = self._named(given, options, text)
            new = self._open(why)
            # older versions first, since the run adds later ones
            for rows in text_copies.read_archived(self.vault) if new else ():
                if rows and self.noted.status.get(rows[0].origin) != REMOVED:
                    self.store.append(rows, self._vectors(rows))
            versions = self.store.documents(Want(status=""))
            versions.sort(key=lambda version: (version.status == ACTIVE, version.version))
            self.known = {version.doc: version for version in versions}  # the active one, else the latest archived
            todo = named if (given or text) and not new else list(self.noted.sources)
            items = list(self._items(todo, named))
            self.progress.files = len(items)
            self.tell(self.progress)  # report the amount, since reading may take long
            self._forget(todo)
            for results, commit in self._by_ray(items, cluster) if with_ray else self._by_this_process(items):
                self._write(results, commit)
            self._take_off([each for each in self.known.values() if self.line_files.has_lost(each)])
            documents, chunks = self.store.size()
            self.catalog.enter({}, (), {"documents": str(documents), "chunks": str(chunks)})
            self.settle(self.store, new and not self.store.at.remote)
        if self.progress.documents or self.progress.gone or new or not word_cache.is_current(self.vault):
            word_cache.build(self.vault)
        for secret, where in self.hidden.items():
            what = f"{'an' if secret[0] in 'aeiou' else 'a'} {secret.replace('_', ' ').replace('api', 'API')}"
            self.vault.notice("blacked out {KIND} in {PLACES}", KIND=what, PLACES=some(where, 3))
        return self.progress

    def _named(self, given: Sequence[str], options: Options, text: str) -> list[str]:
        """Return the requested sources, and record them for later updates."""
        names = []
        options = replace(options, given=intake.redact_metadata(options.given, self.redact))
        if text:
            names += self._page(read.document_in(text.encode("utf-8", "replace"), "stdin", "markdown", options.given))
        for each in given:
            if each.startswith(("http://", "https://")):
                names += self._page(read.fetch_document(each, options.given))
                continue
            if not (path := Path(each)).exists():
                fix = "name files, folders, addresses, or - for stdin"
                raise UsageError("{place}: no such file or folder", fix, place=each)
            name = sources.name_of(self.vault, path)
            if name == ".":
                where = Message("put documents into {folder}/", folder=HOME)
                raise UsageError("a vault holds memories, and those are not documents", where)
            old = self.noted.sources.get(self.noted.owner(name), Options())
            if (now := sources.merge_options(old, options)) != old or not self.noted.owner(name):
                sources.note_action(self.vault, sources.ADD, source=name, options=now)
            sources.note_named_here(self.vault, name)
            names.append(name)
        out = [each for each in self.noted.status if each in names or each.partition("#")[0] in names]
        if out:  # naming an archived or removed document restores it
            sources.note_action(self.vault, sources.RESTORE, out)
        if names:
            self.noted = sources.read_register(self.vault)
        return names

    def _page(self, found: KnowledgeDocument | Unreadable) -> list[str]:
        """Write a text that has no file to one in the vault, and return its path."""
        if isinstance(found, Unreadable):
            self.progress.broken.append(found)
            return []
        shown, secrets = intake.redact_document(intake.redact_name(found, self.redact), self.redact)
        for kind in secrets:
            self.hidden.setdefault(kind, []).append("what was given")
        self.progress.kept.append(text_copies.write_page(self.vault, shown))
        return self.progress.kept[-1:]

    def _open(self, why: str) -> bool:
        """Open the store to write to, and return whether it is a new one."""
        at = address.address_of(self.vault)
        there = None if why else store.open_table_at(at)
        why = why or (self.outdated(there.version, there.model, there.print) if there else "")
        if why and why != ASKED:
            if at.remote:
                fix = "--rebuild makes it anew, of the sources of this vault"
                raise Refused("{name}, and others may use it", fix, name=why)
            self.vault.notice("{name}: the knowledge store is made anew", name=why)
        if why:
            store.drop_table(at)
        self.progress.made_anew = why
        made = TableOptions(self.dim, self.progress.model, self.print)
        self.store = there if there and not why else DocumentTable(at, made)
        if not self.store.made or self.catalog.note("made") != self.store.made:
            self.catalog.begin({"made": self.store.made, "model": self.store.model})
        return self.store is not there

    def _items(self, names: Sequence[str], named: Sequence[str]) -> Iterator[Item]:
        """Yield the changed parts of these sources, each with the options of its own source."""
        before = self.catalog.files()
        mixed = 0
        for name in dict.fromkeys(names):
            place, owner = sources.place_of(self.vault, name), self.noted.owner(name)
            if why := sources.why_not_read(self.vault, name):
                self.vault.notice("{name} {WHY}", name=name, WHY=why)
            if why or not place.exists():
                continue
            options = self.noted.sources[owner]
            for part in read.list_parts(place, self.vault.root, self.vault.notice):
                if isinstance(part, Unreadable):
                    self.progress.broken.append(part)
                elif self.noted.owner(part.origin) != owner:
                    continue
                elif sources.is_none_of_ours(self.vault, part):
                    mixed += 1
                elif intake.is_out(self.noted.status.get(part.origin, ACTIVE), self.known.get(digest(part.origin))):
                    self.progress.left_out += 1
                elif (file := before.get(part.key)) and self._is_known((part, options), file, name in named):
                    self.progress.unchanged += file.rows
                    self.line_files.skips(part)
                else:
                    self.line_files.reads(part)
                    yield part, options
        if mixed:
            self.vault.notice(
                "{n} files of the vault left out: memories, or links that lead out of it; documents lie in {folder}/",
                n=mixed,
                folder=HOME,
            )

    def _is_known(self, item: Item, file: IndexedFile, named: bool) -> bool:
        """Return whether a part is unchanged. A named file with many documents is read again, because some of them may
        have been removed from the shelf."""
        part, options = item
        if file.stamp != f"{part.stamp} {options.mark}" or file.model != (self.print or file.model):
            return False
        old = self.known.get(digest(part.origin))
        return not named if part.kind == "jsonl" else bool(old and old.hash == file.hash)

    def _forget(self, names: Sequence[str]) -> None:
        """Remove documents whose files are gone, if their source itself is still there."""
        here = {self.noted.owner(name) for name in names if self._is_there(name)}
        gone = [
            each for each in self.known.values()
            if each.status == ACTIVE and "://" not in each.origin and self.noted.owner(each.origin) in here
            and not any(self._is_there(name) for name in (each.origin, each.origin.partition("#")[0]))
        ]  # fmt: skip
        self._take_off(gone)

    def _take_off(self, gone: Sequence[ShelvedDocument]) -> None:
        """Remove documents, or archive them where the options of their source say so."""
        keep = [each for each in gone if self.noted.sources[self.noted.owner(each.origin)].keep]
        text_copies.write_archived(self.vault, self.store, keep)
        self.store.mark(keep, ARCHIVED)
        self.store.remove([each for each in gone if each not in keep])
        for each in gone:
            del self.known[each.doc]
        self.progress.gone += len(gone)

    def _is_there(self, name: str) -> bool:
        return sources.place_of(self.vault, name).exists()

    def _ingest(self) -> intake.Ingest:
        return intake.Ingest(self.redact, self.noted.status, self.vault.now.isoformat(timespec="seconds"))

    def _by_ray(self, items: Sequence[Item], cluster: str) -> Iterator[Run]:
        """Yield the results of Ray's workers, wave by wave."""

        def so_far(parts: int) -> None:  # of a wave that is not committed yet
            self.tell(replace(self.progress, done=self.progress.done + parts))

        model = self.embedder.placed if self.embedder else None
        for wave in ray_engine.waves(self.store, items, self._ingest(), model, cluster, so_far):
            yield wave.reports, wave.commit
            self.progress.embedded += wave.embedded
        ray_engine.index(self.store, cluster)

    def _by_this_process(self, items: Sequence[Item]) -> Iterator[Run]:
        """Yield the results of this process, in runs of at least BATCH pieces."""
        run: list[IntakeResult] = []
        for ingested in intake.take_ahead(self._ingest(), items, self.known):
            run.append(ingested)
            if sum(len(each.rows) for each in run) >= BATCH:
                yield [each.report for each in run], partial(self._write_documents, run)
                run = []
        yield [each.report for each in run], partial(self._write_documents, run)

    def _write(self, results: Sequence[IntakeReport], commit: Callable[[], None]) -> None:
        """Write a run to the store, and then to the catalog."""
        olds = [old for each in results if each.options.keep for old in each.olds]
        text_copies.write_archived(self.vault, self.store, olds)
        commit()
        indexed = {}
        for each in results:
            stamp, count = f"{each.part.stamp} {each.options.mark}", each.documents + each.unchanged
            indexed[each.part.key] = IndexedFile(stamp, each.hash, count, self.print)
            self.progress.count(each)
            self.line_files.add(each)
            for origin, secrets in each.secrets.items():
                for secret in secrets:
                    self.hidden.setdefault(secret, []).append(origin)
            if each.chunks:
                self.wrote(each.chunks)
        self.enter(indexed)

    def _write_documents(self, run: Sequence[IntakeResult]) -> None:
        """Write documents in one step, replacing their older versions. A document that occurs twice is written once."""
        for keep in (False, True):
            rows_of = [groupby(each.rows, lambda row: row.doc) for each in run if each.report.options.keep is keep]
            by_doc = {doc: list(rows) for groups in rows_of for doc, rows in groups}
            if new := [row for rows in by_doc.values() for row in rows]:
                self.store.write_rows(new, self._vectors(new), keep)

    def _vectors(self, rows: Sequence[PieceRow]) -> list[bytes | None]:
        """Return the vector of each piece, or None when the model does not read its language."""
        if not self.embedder or not self.store.dim:
            return [None] * len(rows)
        reads = self.embedder.model.reads
        hashes = [digest(row.text, 16) for row in rows]
        known = self.vectors({hash: row.text for hash, row in zip(hashes, rows, strict=True) if reads(row.text)})
        return [known.get(hash) for hash in hashes]
