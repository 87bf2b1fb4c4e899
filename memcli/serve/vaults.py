"""The vaults of a server: opened when somebody asks, kept in memory while they are used, then let go.

What is open is bounded by number, by the size of its notes and by time: a thousand vaults cost what the busy ones do.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli.serve.later import Later
from memcli.serve.warm import WarmVault

MOST = 256  # vaults open at once
ROOM = 64 * 2**20  # bytes of notes in all of them; memory is about twenty times that
IDLE = 900.0  # seconds after which a vault that nobody asks is let go
WATCHED = 64  # vaults that may be watched: the system has few watches to give


class Vaults:
    """All that is open. `tell` hears of what goes wrong on the way. `jobs`: whether what waits in their queues is done
    here, and not in another process."""

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
        self._later = Later(tell)
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, WarmVault] = OrderedDict()  # that which was asked last at the end
        self._done = threading.Event()
        self._sweeper: threading.Thread | None = None

    def at(self, root: Path) -> WarmVault:
        """The vault in a folder; its files are read when somebody reads in it."""
        with self._lock:
            vault = self._open.get(root) or self._opened(root)
            self._open.move_to_end(root)
            vault.asked = time.monotonic()
            if self._sweeper is None and not self._done.is_set():
                self._sweeper = threading.Thread(target=self._sweep, name="idle vaults", daemon=True)
                self._sweeper.start()
        self.let_go()
        return vault

    def _opened(self, root: Path) -> WarmVault:
        vault = WarmVault(root, self.clock, self.environ, self.tell, self._later, self._may_watch, self.jobs)
        self._open[root] = vault
        if self.jobs:
            self._later.put(vault)  # also where others read it
        return vault

    def let_go(self) -> None:
        """Forget the vaults that are too many, too large together, or idle; who works with one keeps it to the end."""
        gone: list[WarmVault] = []
        with self._lock:
            size, now = sum(vault.size for vault in self._open.values()), time.monotonic()
            while self._open:
                root, oldest = next(iter(self._open.items()))
                too_much = len(self._open) > 1 and (len(self._open) > self.most or size > self.room)
                if not too_much and now - oldest.asked < self.idle:
                    break
                gone.append(self._open.pop(root))
                size -= oldest.size
        for vault in gone:
            vault.close()

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
        self._later.stop()

    def _may_watch(self) -> bool:
        return self.state()["watched"] < WATCHED

    def _sweep(self) -> None:
        while not self._done.wait(self.idle / 4):
            self.let_go()
