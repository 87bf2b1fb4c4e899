"""Putting documents on the shelf: what is new or changed is read, cut, embedded and written; the rest is left as it is.

Pieces go to the shelf first and into the book after it: whoever is killed in between does that batch again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from memcli.errors import Refused, UsageError
from memcli.index import lance, models
from memcli.index.book import NAME as BOOK
from memcli.index.book import Book, Damaged, Filed
from memcli.index.embed import Embedder
from memcli.index.vectors import vectors
from memcli.knowledge import address, intake, kept, read, sources, store
from memcli.knowledge.documents import Broken, Document, Part, Want, digest
from memcli.knowledge.intake import Added, Cut, Redact
from memcli.knowledge.rows import ACTIVE, ARCHIVED, SCHEMA, Row, rows
from memcli.knowledge.sources import HOME, REMOVED, Options
from memcli.knowledge.store import Shelved, Store
from memcli.vault import files, layout
from memcli.vault.lock import locked
from memcli.vault.vault import Vault

BATCH = 4000  # pieces of a write
WAIT = 600.0  # seconds for another process that is at it
ASKED = "it was asked for"


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
) -> Added:
    """Take in paths and addresses, and a text; or, when there are none, go through all sources again."""
    began = time.monotonic()
    home = vault.cache / address.FOLDER
    files.make_cache(vault.cache)
    if home.is_symlink():  # a vault from a stranger must not choose where we write
        home.unlink()
    home.mkdir(exist_ok=True)
    why = ASKED if rebuild else ""
    with locked(vault.cache / "knowledge.lock", WAIT, "knowledge add", waiting, "the knowledge store is being written"):
        for attempt in (1, 2):
            try:
                done = _Work(vault, redact, tell).run(given, options, text, why)
                break
            except Damaged as error:
                if attempt == 2:
                    raise
                if BOOK in error.message:  # then every file is read again, no more
                    (home / BOOK).unlink()
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
        self.book = Book(vault.cache / address.FOLDER)

    def run(self, given: Sequence[str], options: Options, text: str, why: str) -> Added:
        try:
            named = self._named(given, options, text)
            new = self._open(why)
            there = self.store.documents(Want(status=""))
            self.known = {
                each.doc: each for each in sorted(there, key=lambda each: (each.status == ACTIVE, each.version))
            }
            self.hashes = {each.doc: each.hash for each in there if each.status == ACTIVE}
            todo = named if (given or text) and not new else list(self.noted.sources)
            parts = list(self._parts(todo, named))
            self.done.files = len(parts)
            self.tell(self.done)  # reading may take its time: say what is to come
            self._forget(todo)
            for held, filed in self._batches(parts):
                self._write(held, filed)
            for old in kept.olds(self.vault) if new else ():
                self._old(old)
            self._settle(new)
        finally:
            self.book.close()
        for kind, where in self.hidden.items():
            more = f" and {len(where) - 3} more" if len(where) > 3 else ""
            self.vault.notice(f"blacked out {kind.replace('_', ' ')}s in {', '.join(where[:3])}{more}")
        return self.done

    # -- what there is to do -----------------------------------------------------------------------------------------

    def _named(self, given: Sequence[str], options: Options, text: str) -> list[str]:
        """The sources that are asked for, noted so that they are found again."""
        names = []
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
        self.done.kept.append(kept.page(self.vault, intake.clean(found, self.redact)[0]))
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

    def _parts(self, names: Sequence[str], named: Sequence[str]) -> Iterator[tuple[Part, Options]]:
        """What has to be read: parts of these sources that were touched, each read as its own source wants it."""
        told = self.book.files()
        mixed = 0
        for name in dict.fromkeys(names):
            place, owner = sources.place_of(self.vault, name), self.noted.owner(name)
            if not place.exists():
                if name != HOME:
                    self.vault.notice(f"{name} is not here: its documents stay; mem knowledge remove takes them off")
                continue
            options = self.noted.sources[owner]
            for part in read.parts(place, self.vault.root, self.vault.notice):
                if isinstance(part, Broken):
                    self.done.broken.append(part)
                elif self.noted.owner(part.origin) != owner:
                    continue
                elif _is_memory(part):
                    mixed += 1
                elif self._is_out(part.origin):
                    self.done.left_out += 1
                elif self._is_known(part, options, told.get(_key(part)), name in named):
                    self.done.unchanged += 1
                else:
                    yield part, options
        if mixed:
            self.vault.notice(f"{mixed} notes of the vault left out: memories are not documents; those lie in {HOME}/")

    def _is_out(self, origin: str) -> bool:
        """Whether it was removed, or archived and is on the shelf as such."""
        status = self.noted.status.get(origin)
        return status == REMOVED or (status == ARCHIVED and digest(origin) in self.known)

    def _is_known(self, part: Part, options: Options, told: Filed | None, named: bool) -> bool:
        """Whether nothing touched it since it was read; of a file of many documents those may have been removed."""
        if not told or told.stamp != f"{part.stamp} {options.mark}" or told.model != (self.print or told.model):
            return False
        return not named if part.kind == "jsonl" else self.hashes.get(digest(part.origin)) == told.hash

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
        self, parts: Sequence[tuple[Part, Options]]
    ) -> Iterator[tuple[list[tuple[Cut, Options]], dict[str, Filed]]]:
        """What was read, in runs of so many pieces, with the parts that end in each."""
        held: list[tuple[Cut, Options]] = []
        filed: dict[str, Filed] = {}
        size = 0
        for part, options, found in intake.ahead(self._taken, parts):
            last = ""
            for each in found:
                if isinstance(each, Broken):
                    self.done.broken.append(each)
                    continue
                last = each.document.hash
                if each.pieces is None:
                    self.done.unchanged += 1
                elif self._is_out(each.document.origin):
                    self.done.left_out += 1
                else:
                    held.append((each, options))
                    size += len(each.pieces)
                if size >= BATCH:
                    yield held, filed
                    held, filed, size = [], {}, 0
            self.done.done += 1
            if found:
                filed[_key(part)] = Filed(f"{part.stamp} {options.mark}", last, len(found), self.print)
        if held or filed:
            yield held, filed

    def _taken(self, part: Part, options: Options) -> list[Cut | Broken]:
        return intake.taken(part, options, self.redact, self.hashes)

    def _write(self, held: Sequence[tuple[Cut, Options]], filed: dict[str, Filed]) -> None:
        for keep in (False, True):
            some = {each.document.id: each for each, options in held if options.keep is keep}
            if some:
                self._put(list(some.values()), keep)
        self.book.enter(filed, (), {"updated": self.vault.now.isoformat(timespec="seconds"), "pending": "yes"})
        self.tell(self.done)

    def _put(self, some: list[Cut], keep: bool) -> None:
        """Documents in one step, each in place of its older version."""
        now = self.vault.now.isoformat(timespec="seconds")
        new: list[Row] = []
        olds = []
        for document, pieces, secrets in some:
            if old := self.known.get(document.id):
                olds.append(old)
            status = self.noted.status.get(document.origin, ACTIVE)
            made = rows(document, pieces or [], now, old.version + 1 if old else 1, status)
            new += made
            self.known[document.id] = _shelved(made[0])
            for kind in dict.fromkeys(secrets):
                self.hidden.setdefault(kind, []).append(document.origin)
        if keep:
            kept.archived(self.vault, self.store, olds)
        self.store.write(new, self._vectors(new), keep)
        self.writes += 1 + len(new) // lance.ROWS
        self.done.documents += len(some)
        self.done.replaced += len(olds)
        self.done.chunks += len(new)

    def _old(self, made: list[Row]) -> None:
        """A version that was kept in the archive, back on the shelf."""
        if made and self.noted.status.get(made[0].origin) != REMOVED:
            there = self.known.get(made[0].doc)
            if not there or there.hash != made[0].hash:
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
        cut_short = bool(self.book.note("pending"))
        writes = int(self.book.note("writes") or 0) + self.writes
        due = writes >= lance.WRITES
        if self.writes or cut_short:
            self.store.settle(due, new and not self.store.at.remote)
        live = sum(each.status == ACTIVE for each in self.known.values())
        notes = {"writes": "0" if due else str(writes), "pending": "", "documents": str(live)}
        self.book.enter({}, (), notes)


def _key(part: Part) -> str:
    return f"{part.origin}\n{part.start}"


def _is_memory(part: Part) -> bool:
    """Whether a file of the vault is none of ours: a memory, or what the house itself keeps."""
    if not kept.is_own(part.origin) or part.origin.startswith(f"{HOME}/"):
        return False
    return part.kind == "markdown" or not layout.is_memory(part.origin)


def _shelved(row: Row) -> Shelved:
    return Shelved(**{name: getattr(row, name) for name in Shelved._fields})
