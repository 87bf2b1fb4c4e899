"""Keep a vault in memory: its files, their lines and their meaning, brought up to date when something changes.

No answer comes from memory alone: each file that is quoted is first compared with the one on disk.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from threading import RLock
from typing import Any

from memcli.errors import MemError
from memcli.index import catalog, models, refresh, texts
from memcli.index.embed import Embedder
from memcli.index.vector_index import VectorIndex, open_vectors, own_vectors
from memcli.text import tokens
from memcli.text.words import Term
from memcli.vault import entries, files, layout
from memcli.vault.entries import Document, Entry
from memcli.vault.grep import LineSearch, grep
from memcli.vault.search import Findings, LinePattern, line_search, tell_unreadable
from memcli.vault.vault import Filter, T, Vault, open_vault
from memcli.watch.postings import Postings
from memcli.watch.tally import MemoryFindings

SAME, WINDOW = 0.95, timedelta(days=7)  # from this similarity on two memories within this time are the same
WHOLE = 500  # characters that every model reads whole; it may cut a longer text
PATIENCE = 5  # times a question is repeated because a file changed meanwhile
WASTE = 0.5  # share of dead lines above which the postings are rebuilt


class Resident:
    """Hold a watcher's copy of a vault. Callers take `lock` for each question or change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = RLock()
        self.vectors: VectorIndex | None = None  # None without a model
        self.paths: list[str] = []  # every Markdown file
        self.shared: list[str] = []  # those that recall reads unfiltered; callers know this very list by `is`
        self.left_out: dict[str, str] = {}  # files and folders that are not read, each with the reason
        self.size = 0  # bytes of all files
        self.links: set[str] = set()  # files that are links: for an agent it matters where they lead
        self.changed_meanwhile = False  # whether a file changed after it was searched: the question must be asked again
        self.too_large: set[str] = set()  # files too large to keep in memory, which only ripgrep can search
        self.not_text: set[str] = set()  # files that are not valid text; ripgrep may still find words in them
        self._behind: set[str] | None = None  # files that the index has not seen; None means possibly all
        self._had_index = False
        self._stamps: dict[str, tuple[int, ...]] = {}
        self._documents: dict[str, Document] = {}
        self.postings = Postings()
        tokens.encoding()
        self.reread(None)  # reads everything; parsing waits for `warm_up`

    def reread(self, paths: Iterable[str] | None) -> set[str]:
        """Read these files again, or all with a new stamp. Return the files that are new, changed or gone."""
        left_out: dict[str, str] = {}
        walked = set(layout.walk(self.root, tell=left_out.__setitem__)) if paths is None else set()
        if paths is None:
            self.left_out = left_out
        touched = set()
        for path in {*walked, *self.paths} if paths is None else paths:
            if path.endswith(layout.MARKDOWN):
                with self.lock:  # of two threads that read one file, the slower one must not leave an old text
                    if self._read(path, path in walked or self._is_file(path), trust=paths is None):
                        touched.add(path)
        with self.lock:
            if touched:
                self._list()
                self.size = sum(stamp[1] for stamp in self._stamps.values() if stamp)
                self._behind = None if self._behind is None else self._behind | touched
            if self.postings.wasted > WASTE:
                self._rebuild()
        return touched

    def warm_up(self, stop: Callable[[], bool]) -> None:
        """Parse what is not parsed yet, one file at a time, so that no question waits for it."""
        for path in list(self.shared):
            if stop():
                return
            with self.lock, suppress(MemError):
                self.document(path)

    def refresh_if_changed(self, path: str) -> bool:
        """Read a file again if its stamp differs, and return whether its lines changed."""
        return _stamp(self.root / path) != self._stamps.get(path) and bool(self.reread([path]))

    def document(self, path: str) -> Document:
        """Return a file, parsed. Raise MemError when it can't be read."""
        if path not in self._documents:
            text = files.read_file(files.inside(self.root, path), path).text
            self._documents[path] = entries.parse_document(path, text)
        return self._documents[path]

    def catch_up(self, vault: Vault) -> None:
        """Bring the index, if there is one or a model for one, up to date with all changes, and the vectors with it.

        With many new texts it is slow, so the lock is held only while the vectors are updated.
        """
        embedder = self.vectors.embedder if self.vectors else None
        exists, model = (vault.cache / catalog.NAME).exists(), models.usable_model(vault)
        with self.lock:
            paths, self._behind = self._behind, set()
        if model != (embedder.model if embedder else None):
            embedder, paths = Embedder(model, vault.environ) if model else None, None
        if self._had_index and not exists:  # somebody deleted it
            paths = None
        if (exists or model or self._had_index) and (paths is None or paths):
            try:
                self._index(vault, embedder, paths)
            except BaseException:
                with self.lock:
                    self._behind = None
                raise
            exists = True
        self._had_index = exists

    def _index(self, vault: Vault, embedder: Embedder | None, paths: set[str] | None) -> None:
        made_anew = refresh.refresh(vault, embedder, paths=paths).made_anew
        if embedder is None or self.vectors is None or self.vectors.embedder is not embedder or not paths or made_anew:
            vectors = open_vectors(vault, embedder) if embedder else None
            with self.lock:
                self.vectors = vectors
            return
        with catalog.Catalog(vault.cache) as held:
            known = held.meanings(sorted(paths))
        with self.lock:
            for path in paths:
                self.vectors.drop(path)
            self.vectors.fill(known)

    def alike(self, vault: Vault, text: str, day: date) -> Entry | None:
        """Return the memory of the last days that means the same as a text, by likeness `SAME`, or None."""
        if self.vectors is None or len(text) > WHOLE or not self.vectors.embedder.model.reads(text):
            return None
        with self.lock:
            around = layout.dated(self.shared, day - WINDOW, day + WINDOW)
            near = {path for _, path in around if path not in self.not_text}
            known = {row.hash: row for path in sorted(near) for row in texts.rows(self.document(path))}
            noticed = {*self.postings.files_with("[seen::")} & {*self.shared}
            for path in sorted(noticed - near):  # older, but seen again since
                seen = {
                    entry.hash: layout.day_in(entry.fields.get("seen", "")) for entry in self.document(path).entries
                }
                again = {hash for hash, last in seen.items() if last and abs(last - day) <= WINDOW}
                known |= {row.hash: row for row in texts.rows(self.document(path)) if row.parent in again}
            embedder = self.vectors.embedder
        own = own_vectors(vault.cache, embedder.model, list(known))
        if not own:
            return None
        asked = embedder.passages([text])[0]
        likeness = {hash: float(vector @ asked) for hash, vector in own.items()}
        best = max(likeness, key=lambda hash: (likeness[hash], hash))
        if likeness[best] < SAME:
            return None
        row = known[best]
        return next((entry for entry in self.document(row.path).entries if entry.hash == row.parent), None)

    def vault(self, *settings: Any) -> Vault:
        """Return the vault for one command. `settings` are the arguments of `open_vault` after the folder."""
        vault = ResidentVault(open_vault(self.root, *settings), self)
        # Where `mem add` writes: the next command must find its memory even if the system has not reported it yet.
        for path in (vault.today.strftime(vault.settings.write.log), *vault.settings.recall.priorities):
            self.refresh_if_changed(path)
        return vault

    def _read(self, path: str, exists: bool, trust: bool) -> bool:
        """Read a file again, under the lock, and return whether it changed. `trust` relies on an equal stamp."""
        # Two saves within a tick of the clock may have the same stamp, so it is not trusted when a change was reported.
        (self.links.add if exists and os.path.islink(self.root / path) else self.links.discard)(path)
        stamp = _stamp(self.root / path) if exists else None
        if trust and stamp is not None and stamp == self._stamps.get(path):
            return False
        text = None
        self.not_text.discard(path)
        if stamp is not None:
            try:
                source = files.read_file(files.inside(self.root, path), path)
                text, stamp = source.text, source.stamp or stamp
            except MemError:  # the command reports it when it reads the file; until then ripgrep finds words in it
                self.not_text.add(path)
                text = self._as_ripgrep_sees(path) if stamp[1] <= files.LARGEST else None
        known = path in self._stamps
        if text is not None and path in self.postings and text == self.postings.text(path):
            self._stamps[path] = stamp or ()
            return False
        self._documents.pop(path, None)
        self._stamps.pop(path, None)
        if stamp is not None:
            self._stamps[path] = stamp
        self.postings.drop(path)
        if text is not None:
            self.postings.index_text(path, text)
        return known or stamp is not None

    def _as_ripgrep_sees(self, path: str) -> str:
        """Return the lines of a file that is not UTF-8."""
        hits = {hit.line: hit.text for hit in grep(self.root, [path], LineSearch([".*"])).get(path, ())}
        return "\n".join(hits.get(number, "") for number in range(1, max(hits, default=0) + 1))

    def _list(self) -> None:
        if (known := sorted(self._stamps)) != self.paths:  # most changes add and remove no file
            self.paths = known
            self.shared = [path for path in self.paths if layout.in_view(path, None) and Filter().admits_file(path)]
        absent = (path for path in self.paths if path not in self.postings)
        self.too_large = {path for path in absent if os.access(self.root / path, os.R_OK)}

    def _rebuild(self) -> None:
        old, self.postings = self.postings, Postings()
        for path in filter(old.__contains__, self.paths):
            self.postings.index_text(path, old.text(path))

    def _is_file(self, path: str) -> bool:
        """Return whether `layout.walk` would yield it: not below a hidden or linked folder, and really in the vault."""
        folder, _, _ = path.rpartition("/")
        if any(part.startswith(".") or part == "node_modules" for part in path.split("/")):
            return False
        if folder and (self.root / folder).resolve() != self.root.resolve() / folder:
            return False
        self.left_out.pop(path, None)
        if os.path.lexists(self.root / path) and (why := layout.why_not(path, self.root / path, self.root)):
            self.left_out[path] = why
            return False
        return layout.is_file(self.root / path, self.root)


class ResidentVault(Vault):
    """Read the files that are in memory, for one command."""

    stays = True

    def __init__(self, vault: Vault, resident: Resident) -> None:
        vars(self).update(vars(vault), vectors=resident.vectors)
        self._resident = resident

    def steadily(self, ask: Callable[[], T]) -> T:
        """Answer one question at a time, and ask again when a file changed meanwhile."""
        before = list(self.notices)
        with self._resident.lock:
            for _ in range(PATIENCE):
                self._resident.changed_meanwhile, self.notices[:] = False, before
                answer = ask()
                if not self._resident.changed_meanwhile:
                    break
        return answer

    def files(self, want: Filter | None = None) -> list[str]:
        want = want or Filter()
        for path, why in self._resident.left_out.items():
            self.tell_left_out(path, why)
        if want.admits_all_files and not self._sees_more():
            return self._resident.shared
        return self.admitted(self._resident.paths, want)

    def _parse(self, path: str, part: Callable[[str], str]) -> Document:
        if self.agent:
            self.place(path)  # raises for another agent's file
        if self._resident.refresh_if_changed(path):
            self._resident.changed_meanwhile = True
        document = self._resident.document(path)
        text = part(document.text)
        return document if text == document.text else entries.parse_document(path, text)

    def unread(self, paths: Sequence[str]) -> list[str]:
        return [path for path in paths if path in self._resident.not_text] if self._resident.not_text else []

    def search(
        self, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[LinePattern], tells: bool = True
    ) -> Findings:
        """Search the lines in memory, or with ripgrep when a file is wanted whose lines are not there."""
        resident = self._resident
        if tells:
            tell_unreadable(self, self.unread(paths), line_search(terms, looks))
        missing = resident.too_large if paths is resident.shared else resident.too_large.intersection(paths)
        if missing:
            return super().search(paths, terms, looks, tells)
        return MemoryFindings(resident.postings, paths, terms, looks)

    def _sees_more(self) -> bool:
        """Return whether an agent may see other files than the owner finds."""
        if not self.agent:
            return False
        paths, first = self._resident.paths, bisect_left(self._resident.paths, self.space)
        return bool(self._resident.links) or any(path.startswith(self.space) for path in paths[first : first + 1])


def _stamp(path: Path) -> tuple[int, ...] | None:
    info = files.stat_of(path)
    return files.stamp_of(info) if info else None
