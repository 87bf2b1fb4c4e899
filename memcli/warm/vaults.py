"""Keep the vaults of a server: they are opened on demand, kept in memory while they are used, and then let go.

The number of open vaults, the size of their notes and their idle time are limited, so a thousand vaults cost only what
the busy ones need.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memcli.message import Message
from memcli.warm.warm import WarmVault
from memcli.watch.background import Background

MOST = 256  # the most vaults open at once
ROOM = 64 * 2**20  # bytes of notes in all of them; memory is about twenty times that
IDLE = 900.0  # seconds after which an unused vault is closed
WATCHED = 64  # the most vaults that may be watched, because the system has few watches


class WarmVaults:
    """Holds all open vaults. `tell` reports failures. With `jobs` the work in their queues is done by this process."""

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
        self._background = Background(lambda root, why: tell(Message("{place}: {WHY}", place=root, WHY=why)))
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, WarmVault] = OrderedDict()  # the one used last is at the end
        self._done = threading.Event()
        self._sweeper: threading.Thread | None = None

    def at(self, root: Path) -> WarmVault:
        """Return the vault in a folder. Its files are read when the first reader needs them."""
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
        vault = WarmVault(root, self.clock, self.environ, self.tell, self._background, self._may_watch, self.jobs)
        self._open[root] = vault
        if self.jobs:
            self._background.schedule(vault)  # also when reader processes do the reading
        return vault

    def let_go(self) -> None:
        """Close vaults that are idle, too many or too large together. A request at work with one keeps it to its
        end."""
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
        """Return the number of open vaults, the bytes of their notes, and how many are watched."""
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
        self._background.stop()

    def _may_watch(self) -> bool:
        return self.state()["watched"] < WATCHED

    def _sweep(self) -> None:
        while not self._done.wait(self.idle / 4):
            self.let_go()
