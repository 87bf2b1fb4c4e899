"""Keep one vault in memory while it is served. Readers use that copy, writers use the files, and waiting work is done
in the background.

A small vault is compared with its files when somebody asks, at most every other second. A large one is watched.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli import jobs
from memcli.vault import files, journal
from memcli.vault.vault import Vault, open_vault
from memcli.watch.background import Background
from memcli.watch.resident import Resident

TAIL = 2**20  # the most bytes of the audit that are read after a write
FRESH = 2.0  # seconds for which a comparison with the files is trusted
SMALL = 500  # so many files are compared in a few milliseconds


class WarmVault:
    """Keeps one vault in memory, from its first reader until `close`. `may_watch` says whether one more may be
    watched."""

    def __init__(
        self,
        root: Path,
        clock: Callable[[], datetime],
        environ: Mapping[str, str],
        tell: Callable[[str], Any],
        background: Background | None = None,
        may_watch: Callable[[], bool] = lambda: True,
        jobs: bool = True,
    ) -> None:
        self.root, self.clock, self.environ, self.tell, self.may_watch = root, clock, environ, tell, may_watch
        self.background, self.jobs = background or Background(lambda _, why: tell(why)), jobs
        self._alone = background is None
        self.asked = 0.0  # when the vault was last asked for
        self._resident: Resident | None = None
        self._opening, self._comparing = threading.Lock(), threading.Lock()
        self._compared = 0.0
        self._watch: Any = None
        self._audit = 0  # bytes of the audit that were read
        self._warmed = self._closed = False

    @property
    def size(self) -> int:
        """Return the bytes of its notes, as far as they are in memory."""
        resident = self._resident
        return resident.size if resident else 0

    @property
    def is_watched(self) -> bool:
        return self._watch is not None

    @property
    def resident(self) -> Resident:
        """Return the copy in memory. The first call reads the files."""
        with self._opening:
            if self._resident is None:
                self._audit, self._compared = files.size_of(self._journal), time.monotonic()
                self._resident = Resident(self.root)
                if not self._closed:
                    self._begin_to_watch(self._resident)
                    self.background.schedule(self)
            return self._resident

    def close(self) -> None:
        """Let go of the copy in memory. A request at work with it keeps it to its end."""
        with self._opening:
            watch, self._watch, self._resident, self._closed = self._watch, None, None, True
        self.background.forget(self)
        if watch is not None:
            watch.stop()
        if self._alone:
            self.background.stop()

    # -- for commands ------------------------------------------------------------------------------------------------

    def reading(self, root: Path, *settings: Any) -> Vault:
        """Return the vault from memory."""
        resident = self.resident
        if watch := self._watch:
            watch.flush()
        elif time.monotonic() - self._compared > FRESH and self._comparing.acquire(blocking=False):
            try:
                self._compare(resident)
            finally:
                self._comparing.release()
        return resident.vault(*settings)

    def writing(self, root: Path, *settings: Any) -> Vault:
        return open_vault(self.root, *settings)

    def wrote(self) -> None:
        """Take in what was written since the last time, so that the next reader sees it. The writer waits for that;
        readers do not."""
        if resident := self._resident:
            if self._watch is None:
                with self._comparing:
                    self._compare(resident)
            else:
                self._take_in(resident, self._written())
        self.background.schedule(self)

    # -- what has changed --------------------------------------------------------------------------------------------

    def _begin_to_watch(self, resident: Resident) -> None:
        if len(resident.paths) <= SMALL or not self.may_watch():
            return
        try:
            from memcli.watch.events import FolderWatch  # imports watchdog, which may not be installed
        except ImportError:
            return
        self._watch = FolderWatch(self.root, lambda paths: self._take_in(resident, paths), self.tell)
        self._watch.start()
        self._watch.hint(None)  # takes in what changed since the files were read

    def _compare(self, resident: Resident) -> None:
        before = time.monotonic()
        self._take_in(resident, None)
        self._compared = before

    def _take_in(self, resident: Resident, paths: set[str] | None) -> None:
        if resident.changed(paths):
            self.background.schedule(self)

    @property
    def _journal(self) -> Path:
        return journal.place(self.root, journal.AUDIT)

    def _written(self) -> set[str] | None:
        """Return the paths that were written since the last time, from the audit, or None if the audit does not say."""
        known, self._audit = self._audit, files.size_of(self._journal)
        if not 0 < self._audit - known <= TAIL:
            return None
        # One byte more, for the line that a window cuts off is the end of the one before.
        new = journal.read_journal(self.root, journal.AUDIT, size=max(journal.LINE, self._audit - known + 1))
        return {path for record in new for path in journal.paths_of(record)} or None

    # -- beside them -------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Update the index, if there is one, and do what waits in the queue."""
        # At normal priority: a slower thread would hold Python's lock while it waits for a processor.
        resident = self._resident
        if resident and not self._warmed:
            resident.warm_up(lambda: self._closed)
            self._warmed = True
        vault = open_vault(self.root, self.clock, self.environ, actor="serve")
        if resident:
            resident.catch_up(vault)
        if self.jobs:
            jobs.work(vault)
        if self._closed:  # a write after the close has queued the vault again
            self.background.forget(self)
