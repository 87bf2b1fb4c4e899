"""A vault kept in memory while it is served: readers find it warm, writers go to its files, and what was left for later
is done beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli import jobs
from memcli.errors import MemError
from memcli.index import catalog, models
from memcli.vault import files, journal
from memcli.vault.vault import Vault, open_vault
from memcli.watch.events import Watch
from memcli.watch.resident import Resident

AGAIN = 60.0  # seconds until what failed is tried again
TAIL = 2**20  # bytes of the audit that are looked at after a write


class WarmVault:
    """One vault, from its opening to `close`."""

    def __init__(
        self, root: Path, clock: Callable[[], datetime], environ: Mapping[str, str], tell: Callable[[str], Any]
    ) -> None:
        self.root, self.clock, self.environ, self.tell = root, clock, environ, tell
        self.resident = Resident.open(root)
        self._audit = files.size_of(journal.place(root, journal.AUDIT))
        self._events = Watch(root, self._changed, tell)
        self._wake, self._done = threading.Event(), False
        self._behind: set[str] | None = None  # paths the index has not seen; None: all may be
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="left for later", daemon=True)
        self._events.start()
        self._events.hint(None)  # what changed since it was read
        self._thread.start()

    def close(self) -> None:
        self._done = True
        self._wake.set()
        self._events.stop()
        self._thread.join(5)

    # -- for commands ------------------------------------------------------------------------------------------------

    def reading(self, root: Path, *settings: Any) -> Vault:
        """From memory. Where `mem add` writes is looked at even if the system has told of no change yet."""
        self._events.flush()
        vault = self.resident.vault(*settings)
        for path in (vault.today.strftime(vault.settings.write.log), *vault.settings.recall.priorities):
            self.resident.is_current(path)
        return vault

    def writing(self, root: Path, *settings: Any) -> Vault:
        return open_vault(root, *settings)

    def wrote(self) -> None:
        """Take in what was written since the last time, by the audit: the next one who reads must see it."""
        audit = journal.place(self.root, journal.AUDIT)
        size = files.size_of(audit)
        if 0 <= size - self._audit <= TAIL:
            new = list(journal.read(self.root, journal.AUDIT, size=max(journal.LINE, size - self._audit)))
            paths = {str(path) for record in new for path in record.get("paths") or ()}
            if paths:
                self._changed(paths)
        else:  # somebody put another audit there
            self._changed(None)
        self._audit = size
        self._wake.set()

    # -- beside them -------------------------------------------------------------------------------------------------

    def _changed(self, paths: set[str] | None) -> None:
        touched = self.resident.changed(paths)
        with self._lock:
            self._behind = None if paths is None or self._behind is None else self._behind | touched
        self._wake.set()

    def _work(self) -> None:
        self.resident.warm_up(lambda: self._done)
        told = ""
        while not self._done:
            with self._lock:
                paths, self._behind = self._behind, set()
            try:
                self._catch_up(paths)
            except Exception as error:  # whatever it is, recall goes on, and it is tried again
                why = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
                if why != told:
                    self.tell(f"{self.root}: {why}")
                told = why
                with self._lock:
                    self._behind = None
            self._wake.wait(AGAIN)
            self._wake.clear()

    def _catch_up(self, paths: set[str] | None) -> None:
        """Bring the index in line with these files, if there is one, and do what waits in the queue."""
        vault = open_vault(self.root, self.clock, self.environ, actor="serve")
        if (paths is None or paths) and (models.chosen(vault) or (vault.cache / catalog.NAME).exists()):
            self.resident.refresh(vault, paths)
        jobs.work(vault)
