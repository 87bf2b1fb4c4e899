"""The vaults of a server: opened when somebody asks, kept in memory while they are used, then let go.

What is open is bounded by number, by the size of its notes and by time: a thousand vaults cost what the busy ones do.
A small vault is compared with its files when somebody asks, every other second at most; a large one is watched.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memcli.vault import files, journal, json_read
from memcli.vault.vault import Vault, open_vault
from memcli.watch.resident import Resident

MOST = 256  # vaults open at once
ROOM = 128 * 2**20  # bytes of notes in all of them; memory is about ten times that
IDLE = 900.0  # seconds after which a vault that nobody asks is let go
FRESH = 2.0  # seconds for which what was compared with the files holds
SMALL = 500  # files of a vault that are compared in a few milliseconds
WATCHED = 64  # large vaults that may be watched: the system has few watches to give


class Vaults:
    """All that is open. `tell` hears of what goes wrong on the way."""

    def __init__(
        self, tell: Callable[[str], object] = str, most: int = MOST, room: int = ROOM, idle: float = IDLE
    ) -> None:
        self.tell, self.most, self.room, self.idle = tell, most, room, idle
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, WarmVault] = OrderedDict()  # that which was asked last at the end
        self._done = threading.Event()
        self._sweeper: threading.Thread | None = None

    def at(self, root: Path) -> WarmVault:
        """The vault in a folder; it is read when somebody reads in it."""
        with self._lock:
            vault = self._open.get(root) or WarmVault(root, self)
            self._open[root] = vault
            self._open.move_to_end(root)
            vault.asked = time.monotonic()
            if self._sweeper is None and not self._done.is_set():
                self._sweeper = threading.Thread(target=self._sweep, name="idle vaults", daemon=True)
                self._sweeper.start()
        self.let_go()
        return vault

    def let_go(self) -> None:
        """Forget the vaults that are too many, too large together, or idle; who works with one keeps it to the end."""
        gone, now = [], time.monotonic()
        with self._lock:
            size = sum(vault.size for vault in self._open.values())
            while len(self._open) > 1:
                root, oldest = next(iter(self._open.items()))
                if len(self._open) <= self.most and size <= self.room and now - oldest.asked < self.idle:
                    break
                gone.append(self._open.pop(root))
                size -= oldest.size
            if len(self._open) == 1 and now - next(iter(self._open.values())).asked >= self.idle:
                gone.append(self._open.popitem()[1])
        for vault in gone:
            vault.close()

    def may_watch(self) -> bool:
        with self._lock:
            return sum(vault.is_watched for vault in self._open.values()) < WATCHED

    def state(self) -> dict[str, int]:
        """How much is open: vaults, bytes of their notes, and those that are watched."""
        with self._lock:
            vaults = list(self._open.values())
        return {
            "vaults": len(vaults),
            "bytes": sum(vault.size for vault in vaults),
            "watched": sum(vault.is_watched for vault in vaults),
        }

    def close(self) -> None:
        self._done.set()
        with self._lock:
            vaults = [self._open.popitem()[1] for _ in range(len(self._open))]
        for vault in vaults:
            vault.close()

    def _sweep(self) -> None:
        while not self._done.wait(self.idle / 4):
            self.let_go()


class WarmVault:
    """One vault, in memory from the first who reads in it until it is let go."""

    def __init__(self, root: Path, vaults: Vaults) -> None:
        self.root, self.vaults = root, vaults
        self.asked = 0.0
        self.size = 0  # bytes of its notes
        self._opening, self._comparing = threading.Lock(), threading.Lock()
        self._resident: Resident | None = None
        self._compared = 0.0
        self._watch: Any = None  # of a large one
        self._journalled = 0  # bytes of the audit that are known
        self._closed = False

    @property
    def is_watched(self) -> bool:
        return self._watch is not None

    def reading(self, root: Path, *settings: Any) -> Vault:
        """The vault as a command that reads opens it: from memory, and what changed in its files is seen."""
        resident = self._opened()
        if self._watch is not None:
            self._watch.flush()
        elif time.monotonic() - self._compared > FRESH and self._comparing.acquire(blocking=False):
            try:
                self._compare(resident)
            finally:
                self._comparing.release()
        vault = resident.vault(*settings)
        # Where `mem add` writes: another process's memory is found at once.
        for path in (vault.today.strftime(vault.settings.write.log), *vault.settings.recall.priorities):
            resident.is_current(path)
        return vault

    def writing(self, root: Path, *settings: Any) -> Vault:
        """The vault as a command that writes opens it: from its files."""
        return open_vault(self.root, *settings)

    def wrote(self) -> None:
        """A write is done: the next one who reads must see it. The writer waits for that, no reader does."""
        resident = self._resident
        if resident is None:
            return
        if self._watch is None:
            with self._comparing:
                self._compare(resident)
        else:
            resident.changed(self._written())

    def close(self) -> None:
        with self._opening:
            self._closed, watch = True, self._watch
            self._watch = self._resident = None
        if watch is not None:
            watch.stop()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _opened(self) -> Resident:
        with self._opening:
            if self._resident is None:
                self._journalled = files.size_of(self._audit)
                self._resident, self._compared = Resident.open(self.root), time.monotonic()
                self._measure(self._resident)
                if len(self._resident.paths) > SMALL and not self._closed and self.vaults.may_watch():
                    self._begin_to_watch(self._resident)
            return self._resident

    def _compare(self, resident: Resident) -> None:
        """Compare all files with what is known of them."""
        before = time.monotonic()
        if resident.changed(None):
            self._measure(resident)
        self._compared = before

    def _measure(self, resident: Resident) -> None:
        self.size = sum(files.size_of(self.root / path) for path in resident.paths)

    def _begin_to_watch(self, resident: Resident) -> None:
        try:
            from memcli.watch.events import Watch  # brings watchdog along, which may be missing
        except ImportError:
            return
        self._watch = Watch(self.root, lambda paths: self._changed(resident, paths), self.vaults.tell)
        self._watch.start()
        self._watch.hint(None)  # what changed since it was read

    def _changed(self, resident: Resident, paths: set[str] | None) -> None:
        if resident.changed(paths):
            self._measure(resident)

    @property
    def _audit(self) -> Path:
        return journal.place(self.root, journal.AUDIT)

    def _written(self) -> set[str] | None:
        """The files that were written since the last time, by the audit; None when it does not tell."""
        known, self._journalled = self._journalled, files.size_of(self._audit)
        if not 0 < known < self._journalled:
            return None
        lines = files.tail(self._audit, self._journalled - known + 1)  # with the line end before them
        paths = {str(path) for record in json_read.records(lines) for path in record.get("paths") or ()}
        is_folder = any("." not in path.rpartition("/")[2] for path in paths)  # a whole one was moved
        return None if is_folder else paths
