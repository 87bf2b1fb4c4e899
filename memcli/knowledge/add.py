"""Putting documents on the shelf: what is new or changed is read, cut, embedded and written; the rest is left as it is.

Pieces go to the shelf first and into the book after it: whoever is killed in between does that batch again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from memcli.errors import Refused, UsageError
from memcli.index import lance, models
from memcli.index.catalog import NAME as BOOK
from memcli.index.catalog import Catalog, Damaged, IndexedFile
from memcli.index.embed import Embedder
from memcli.index.vectors import vectors
from memcli.knowledge import address, intake, kept, read, sources, store
from memcli.knowledge.documents import Broken, Document, Part, Want, digest
from memcli.knowledge.intake import Added, Ingest, Ingested, Item, Redact, SourceResult, is_out
from memcli.knowledge.rows import ACTIVE, ARCHIVED, SCHEMA, Row
from memcli.knowledge.sources import HOME, REMOVED, Options
from memcli.knowledge.store import Store
from memcli.vault import cache_files, files, layout
from memcli.vault.lock import locked
from memcli.vault.vault import Vault

BATCH = 4000  # pieces of a write
WAIT = 600.0  # seconds for another process that is at it
ASKED = "it was asked for"
RAY = "ray"


Tell = Callable[[Added], None]


def add(
    vault: Vault,
    given: Sequence[str],
    options: Options,
    redact: Redact,
    tell: Tell | None = None,
    rebuild: bool = False,
    waiting: Callable[[str], None] | None = None,
    text: str = "",
    engine: str = "",
    cluster: str = "",
) -> Added:
    """Take in paths and addresses, and a text; or, when there are none, go through all sources again. The engine is this
    process, or Ray on this machine or on the cluster at an address."""
    began = time.monotonic()
    if engine == RAY:
        from memcli.knowledge import ray_engine

        ray_engine.check(cluster, address.of(vault).url)
    files.make_cache(vault.cache)
    home = cache_files.cleared(vault.cache / address.FOLDER)
    files.make_folder(home)
    why = ASKED if rebuild else ""
    with locked(vault.cache / "knowledge.lock", WAIT, "knowledge add", waiting, "the knowledge store is being written"):
        for attempt in (1, 2):
            try:
                done = _Work(vault, redact, tell).run(given, options, text, why, engine, cluster)
                break
            except Damaged as error:
                if attempt == 2:
                    raise
                if BOOK in error.message:  # then every file is read again, no more
                    files.remove(home / BOOK)
                else:
                    why = error.message
    done.seconds = round(time.monotonic() - began, 2)
    return done


class _Work:
    """One round of adding, under the lock."""

    def __init__(self, vault: Vault, redact: Redact, tell: Tell | None) -> None:
        self.vault, self.redact, self.tell = vault, redact, tell or (lambda _: None)
        model = models.chosen(vault)
        self.embedder = Embedder(model, vault.environ) if model else None
        self.print = model.fingerprint if model else ""
        self.done = Added(model=model.name if model else "")
        self.noted = sources.noted(vault)
        self.writes = 0
        self.hidden: dict[str, list[str]] = {}  # kinds of secrets, and where they stood
        self.book = Catalog(vault.cache / address.FOLDER)

    def run(self, given: Sequence[str], options: Options, text: str, why: str, engine: str, cluster: str) -> Added:
        try:
            named = self._named(given, options, text)
            new = self._open(why)
            for old in kept.olds(self.vault) if new else ():  # first: what is read now is a version after them
                self._old(old)
            there = self.store.documents(Want(status=""))
            self.known = {
                each.doc: each for each in sorted(there, key=lambda each: (each.status == ACTIVE, each.version))
            }
            todo = named if (given or text) and not new else list(self.noted.sources)
            parts = list(self._parts(todo, named))
            self.done.files = len(parts)
            self.tell(self.done)  # reading may take its time: say what is to come
            self._forget(todo)
            for told, commit in self._batches(parts, engine, cluster):
                self._write(told, commit)
            self._settle(new)
        finally:
            self.book.close()
        for kind, where in self.hidden.items():
            more = f" and {len(where) - 3} more" if len(where) > 3 else ""
            what = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind.replace('_', ' ').replace('api', 'API')}"
            self.vault.notice(f"blacked out {what} in {', '.join(where[:3])}{more}")
        return self.done

    # -- what there is to do -----------------------------------------------------------------------------------------

    def _named(self, given: Sequence[str], options: Options, text: str) -> list[str]:
        """The sources that are asked for, noted so that they are found again."""
        names = []
        options = replace(options, given=intake.given(options.given, self.redact))
        if text:
            names += self._page(read.of_bytes(text.encode("utf-8", "replace"), "stdin", "markdown", options.given))
        for each in given:
            if each.startswith(("http://", "https://")):
                names += self._page(read.fetched(each, options.given))
                continue
            if not (path := Path(each)).exists():
                raise UsageError(f"{each}: no such file or folder", "name files, folders, addresses, or - for stdin")
            name = sources.name_of(self.vault, path)
            if name == ".":
                raise UsageError("a vault holds memories, and those are no documents", f"put documents into {HOME}/")
            if self.noted.sources.get(self.noted.owner(name)) != options:
                sources.note(self.vault, sources.ADD, source=name, options=options)
            sources.named_here(self.vault, name)
            names.append(name)
        out = [each for each in self.noted.status if each in names or each.partition("#")[0] in names]
        if out:  # who names what was archived or removed wants it back
            sources.note(self.vault, sources.RESTORE, out)
        self.noted = sources.noted(self.vault)
        return names

    def _page(self, found: Document | Broken) -> list[str]:
        """A text without a file gets one in the vault."""
        if isinstance(found, Broken):
            self.done.broken.append(found)
            return []
        shown, secrets = intake.clean(intake.named(found, self.redact), self.redact)
        for kind in secrets:
            self.hidden.setdefault(kind, []).append("what was given")
        self.done.kept.append(kept.page(self.vault, shown))
        return self.done.kept[-1:]

    def _open(self, why: str) -> bool:
        """The shelf to write to; True when it is a new one."""
        at = address.of(self.vault)
        found = None if why else store.opened_at(at)
        why = why or (self._outdated(found) if found else "")
        if why and why != ASKED:
            if at.remote:
                raise Refused(f"{why}, and others may use it", "--rebuild makes it anew, of the sources of this vault")
            self.vault.notice(f"{why}: the knowledge store is made anew")
        if why:
            store.drop(at)
        self.done.made_anew = why
        dim = self.embedder.model.dim if self.embedder else 0
        self.store = found if found and not why else Store(at, (dim, self.done.model, self.print))
        if not self.store.made or self.book.note("made") != self.store.made:
            self.book.begin({"made": self.store.made, "model": self.store.model})
        return self.store is not found

    def _outdated(self, found: Store) -> str:
        """Why the shelf can't be kept."""
        if found.version != SCHEMA:
            return "another version of mem made the knowledge store"
        if self.print and found.print != self.print:
            return f"the model is {self.done.model} now, it was {found.model or 'none'}"
        return ""

    def _parts(self, names: Sequence[str], named: Sequence[str]) -> Iterator[Item]:
        """What has to be read: parts of these sources that were touched, each read as its own source wants it."""
        told = self.book.files()
        mixed = 0
        for name in dict.fromkeys(names):
            place, owner = sources.place_of(self.vault, name), self.noted.owner(name)
            if why := sources.why_not(self.vault, name):
                self.vault.notice(f"{name} {why}")
            if why or not place.exists():
                continue
            options = self.noted.sources[owner]
            for part in read.parts(place, self.vault.root, self.vault.notice):
                if isinstance(part, Broken):
                    self.done.broken.append(part)
                elif self.noted.owner(part.origin) != owner:
                    continue
                elif self._is_none_of_ours(part):
                    mixed += 1
                elif is_out(self.noted.status.get(part.origin, ACTIVE), self.known.get(digest(part.origin))):
                    self.done.left_out += 1
                elif (before := told.get(part.key)) and self._is_known(part, options, before, name in named):
                    self.done.unchanged += before.rows
                else:
                    yield part, options
        if mixed:
            self.vault.notice(
                f"{mixed} files of the vault left out: memories, or links that lead out of it; documents lie in {HOME}/"
            )

    def _is_none_of_ours(self, part: Part) -> bool:
        """A memory of the vault, what the house itself keeps in it, or what a link in it leads out to."""
        if not kept.is_own(part.origin):
            return False
        mine = part.origin.startswith(f"{HOME}/") or (part.kind != "markdown" and layout.is_memory(part.origin))
        return not mine or not sources.is_inside(self.vault, Path(part.path))

    def _is_known(self, part: Part, options: Options, told: IndexedFile, named: bool) -> bool:
        """Whether nothing touched it since it was read; of a file of many documents those may have been removed."""
        if told.stamp != f"{part.stamp} {options.mark}" or told.model != (self.print or told.model):
            return False
        old = self.known.get(digest(part.origin))
        return not named if part.kind == "jsonl" else bool(old and old.hash == told.hash)

    def _forget(self, names: Sequence[str]) -> None:
        """Documents go whose files are gone, if their source itself is still there."""
        here = {self.noted.owner(name) for name in names if sources.place_of(self.vault, name).exists()}
        gone = [
            each for each in self.known.values()
            if each.status == ACTIVE and "://" not in each.origin and self.noted.owner(each.origin) in here
            and not any(sources.place_of(self.vault, name).exists() for name in (each.origin, each.origin.partition("#")[0]))
        ]  # fmt: skip
        keep = [each for each in gone if self.noted.sources[self.noted.owner(each.origin)].keep]
        kept.archived(self.vault, self.store, keep)
        self.store.mark([(each.doc, each.version) for each in keep], ARCHIVED)
        self.store.remove([(each.doc, each.version) for each in gone if each not in keep])
        for each in gone:
            del self.known[each.doc]
        self.done.gone = len(gone)

    # -- doing it ----------------------------------------------------------------------------------------------------

    def _batches(
        self, items: Sequence[Item], engine: str, cluster: str
    ) -> Iterator[tuple[list[SourceResult], Callable[[], None]]]:
        """What was taken in, run by run, each with the step that puts it on the shelf."""
        taker = Ingest(self.redact, self.noted.status, self.vault.now.isoformat(timespec="seconds"))
        if engine == RAY:
            from memcli.knowledge import ray_engine

            def so_far(parts: int) -> None:  # of a wave that is not committed yet
                self.tell(replace(self.done, done=self.done.done + parts))

            model = self.embedder.placed if self.embedder else None
            for wave in ray_engine.waves(self.store, items, taker, model, cluster, so_far):
                yield wave.told, wave.commit
                self.done.embedded += wave.embedded
            ray_engine.index(self.store, cluster)
            return
        held: list[Ingested] = []
        for taken in intake.ahead(taker, items, self.known):
            held.append(taken)
            if sum(len(each.rows) for each in held) >= BATCH:
                yield [each.told for each in held], partial(self._put, held)
                held = []
        yield [each.told for each in held], partial(self._put, held)

    def _write(self, told: Sequence[SourceResult], commit: Callable[[], None]) -> None:
        """Put a run on the shelf, and then into the book."""
        kept.archived(self.vault, self.store, [old for each in told if each.options.keep for old in each.olds])
        commit()
        filed = {}
        for each in told:
            filed[each.part.key] = IndexedFile(
                f"{each.part.stamp} {each.options.mark}", each.hash, each.documents + each.unchanged, self.print
            )
            self.done.count(each)
            for origin, kinds in each.secrets.items():
                for kind in kinds:
                    self.hidden.setdefault(kind, []).append(origin)
        self.writes += sum(1 + each.chunks // lance.ROWS for each in told if each.chunks)
        self.book.enter(filed, (), {"updated": self.vault.now.isoformat(timespec="seconds"), "pending": "yes"})
        self.tell(self.done)

    def _put(self, held: Sequence[Ingested]) -> None:
        """Documents in one step, each in place of its older version; one that turns up twice counts once."""
        for keep in (False, True):
            by_doc = {
                doc: list(some)
                for each in held
                if each.keep is keep
                for doc, some in groupby(each.rows, lambda row: row.doc)
            }
            if new := [row for some in by_doc.values() for row in some]:
                self.store.write(new, self._vectors(new), keep)

    def _old(self, made: list[Row]) -> None:
        """A version that was kept in the archive, back on the shelf."""
        if made and self.noted.status.get(made[0].origin) != REMOVED:
            self.store.append(made, self._vectors(made))

    def _vectors(self, new: Sequence[Row]) -> list[bytes | None]:
        """Of every piece whose language the model reads."""
        if not self.embedder or not self.store.dim:
            return [None] * len(new)
        hashes = [digest(row.text, 16) for row in new]
        said = {mark: row.text for mark, row in zip(hashes, new, strict=True) if self.embedder.model.reads(row.text)}
        found, known = vectors(self.book, self.embedder, said, self._embedded)
        self.done.known += known
        return [found.get(mark) for mark in hashes]

    def _embedded(self, more: int) -> None:
        self.done.embedded += more
        self.tell(self.done)

    def _settle(self, new: bool) -> None:
        writes = int(self.book.note("writes") or 0) + self.writes
        due = writes >= lance.WRITES
        if self.writes or self.book.note("pending"):
            self.store.settle(due, new and not self.store.at.remote)
        documents, chunks = self.store.size()
        notes = {"writes": "0" if due else str(writes), "documents": str(documents), "chunks": str(chunks)}
        self.book.enter({}, (), {**notes, "pending": ""})
