"""Keep the vaults of a server: they are opened on demand, kept in memory while they are used, and then let go.

Readers use the copy in memory, writers use the files, and waiting work is done in the background. A request compares a
small vault with its files, at most every other second. A large vault is watched. The number of open vaults, the size of
their notes and their idle time are limited, so a thousand vaults cost only what the busy ones need.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli import jobs
from memcli.message import Message
from memcli.vault import files, journal
from memcli.vault.vault import Vault, open_vault
from memcli.watch.background import Background
from memcli.watch.resident import Resident

TAIL = 2**20  # the most bytes of the audit that are read after a write
FRESH = 2.0  # seconds for which a comparison with the files is trusted
SMALL = 500  # so many files are compared in a few milliseconds
MOST = 256  # the most vaults open at once
ROOM = 64 * 2**20  # bytes of notes in all of them; memory is about twenty times that
IDLE = 900.0  # seconds after which an unused vault is closed
WATCHED = 64  # the most vaults that may be watched, because the system has few watches


class WarmVault:
    """Keep one vault in memory, from its first reader until `close`. `vaults` are those that it is one of."""

    def __init__(self, root: Path, vaults: WarmVaults) -> None:
        self.root, self.vaults = root, vaults
        self.asked = 0.0  # when the vault was last asked for
        self._resident: Resident | None = None
        self.kepting, self._comparing = threading.Lock(), threading.Lock()
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
        with self.kepting:
            if self._resident is None:
                self._audit, self._compared = files.size_of(self._journal), time.monotonic()
                self._resident = Resident(self.root)
                if not self._closed:
                    self._begin_to_watch(self._resident)
                    self.vaults.background.schedule(self)
            return self._resident

    def close(self) -> None:
        """Drop the copy in memory. A running request can still use it until it ends."""
        with self.kepting:
            watch, self._watch, self._resident, self._closed = self._watch, None, None, True
        self.vaults.background.forget(self)
        if watch is not None:
            watch.stop()

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
        """Update the copy with the latest writes, so that the next reader sees them. The writer waits for this; readers
        do not."""
        if resident := self._resident:
            if self._watch is None:
                with self._comparing:
                    self._compare(resident)
            else:
                self._take_in(resident, self._written())
        self.vaults.background.schedule(self)

    # -- what has changed --------------------------------------------------------------------------------------------

    def _begin_to_watch(self, resident: Resident) -> None:
        if len(resident.paths) <= SMALL or not self.vaults.may_watch():
            return
        try:
            from memcli.watch.events import FolderWatch  # imports watchdog, which may not be installed
        except ImportError:
            return
        self._watch = FolderWatch(self.root, lambda paths: self._take_in(resident, paths), self.vaults.tell)
        self._watch.start()
        self._watch.hint(None)  # takes in what changed since the files were read

    def _compare(self, resident: Resident) -> None:
        before = time.monotonic()
        self._take_in(resident, None)
        self._compared = before

    def _take_in(self, resident: Resident, paths: set[str] | None) -> None:
        if resident.reread(paths):
            self.vaults.background.schedule(self)

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
        vault = open_vault(self.root, self.vaults.clock, self.vaults.environ, actor="serve")
        if resident:
            resident.catch_up(vault)
        if self.vaults.jobs:
            jobs.work(vault)
        if self._closed:  # a write after the close has queued the vault again
            self.vaults.background.forget(self)


class WarmVaults:
    """Hold all open vaults. `tell` reports failures. With `jobs` the work in their queues is done by this process."""

    def __init__(
        self,
        clock: Callable[[], datetime],
        environ: Mapping[str, str],
        tell: Callable[[str], Any],
        most: int = MOST,
        room: int = ROOM,
        idle: float = IDLE,
        jobs: bool = True,
    ) -> None:
        self.clock, self.environ, self.tell = clock, environ, tell
        self.most, self.room, self.idle, self.jobs = most, room, idle, jobs
        self.background = Background(lambda root, why: tell(Message("{place}: {WHY}", place=root, WHY=why)))
        self._lock = threading.Lock()
        self.kept: OrderedDict[Path, WarmVault] = OrderedDict()  # the one used last is at the end
        self._done = threading.Event()
        self._sweeper: threading.Thread | None = None

    def at(self, root: Path) -> WarmVault:
        """Return the vault in a folder. Its files are read when the first reader needs them."""
        with self._lock:
            if root not in self.kept:
                self.kept[root] = WarmVault(root, self)
                if self.jobs:
                    self.background.schedule(self.kept[root])  # also when reader processes do the reading
            vault = self.kept[root]
            self.kept.move_to_end(root)
            vault.asked = time.monotonic()
            if self._sweeper is None and not self._done.is_set():
                self._sweeper = threading.Thread(target=self._sweep, name="idle vaults", daemon=True)
                self._sweeper.start()
        self.let_go()
        return vault

    def let_go(self) -> None:
        """Close vaults that are idle, too many, or too large together. A running request can still use its vault until
        it ends."""
        gone: list[WarmVault] = []
        with self._lock:
            size, now = sum(vault.size for vault in self.kept.values()), time.monotonic()
            while self.kept:
                root, oldest = next(iter(self.kept.items()))
                too_much = len(self.kept) > 1 and (len(self.kept) > self.most or size > self.room)
                if not too_much and now - oldest.asked < self.idle:
                    break
                gone.append(self.kept.pop(root))
                size -= oldest.size
        for vault in gone:
            vault.close()

    def close(self) -> None:
        self._done.set()
        with self._lock:
            vaults = [self.kept.popitem()[1] for _ in range(len(self.kept))]
        for vault in vaults:
            vault.close()
        self.background.stop()

    def may_watch(self) -> bool:
        """Return whether one more vault may be watched."""
        with self._lock:
            return sum(vault.is_watched for vault in self.kept.values()) < WATCHED

    def _sweep(self) -> None:
        while not self._done.wait(self.idle / 4):
            self.let_go()
