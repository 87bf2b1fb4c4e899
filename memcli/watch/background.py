"""Do background work for vaults in memory with the same few threads: update their indexes, work their queues."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from memcli.errors import MemError

AGAIN = 60.0  # seconds until a vault is visited again, and until failed work is tried again
THREADS = 2  # learning from a long conversation must not hold up all other vaults


class PendingVault(Protocol):
    """Represent a vault with background work."""

    root: Path

    def catch_up(self) -> None: ...


class Background:
    """Run the background work of vaults when it is due. The threads are started with the first vaults.

    `tell` is called with a vault's folder and the reason of a failure, once for each reason.
    """

    def __init__(self, tell: Callable[[Path, str], object], threads: int = THREADS) -> None:
        self.tell, self.threads = tell, threads
        self._due: dict[PendingVault, float] = {}
        self._busy: set[PendingVault] = set()
        self._more = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._told: dict[Path, str] = {}
        self._done = False

    @property
    def is_running(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    @property
    def is_stopped(self) -> bool:
        return self._done

    def trouble(self, root: Path) -> str:
        """Return why the last work for a vault failed, or ""."""
        return self._told.get(root, "")

    def schedule(self, vault: PendingVault, seconds: float = 0.0) -> None:
        """Schedule the work of a vault after so many seconds."""
        with self._more:
            if self._done:
                return
            due = time.monotonic() + seconds
            self._due[vault] = min(due, self._due.get(vault, due))
            if len(self._threads) < self.threads:
                self._threads.append(threading.Thread(target=self._work, name="background", daemon=True))
                self._threads[-1].start()
            self._more.notify()

    def forget(self, vault: PendingVault) -> None:
        with self._more:
            self._due.pop(vault, None)
            self._told.pop(vault.root, None)

    def stop(self) -> None:
        with self._more:
            self._done = True
            self._due.clear()
            self._more.notify_all()
        for thread in self._threads:
            thread.join(5)

    def _work(self) -> None:
        """Work through the vaults as they are due."""
        while (vault := self._next()) is not None:
            try:
                vault.catch_up()
                self._told.pop(vault.root, None)
            except Exception as error:  # recall goes on whatever fails, and the work is tried again
                why = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
                if self._told.get(vault.root) != why:
                    self.tell(vault.root, why)
                self._told[vault.root] = why
            with self._more:
                self._busy.discard(vault)

    def _next(self) -> PendingVault | None:
        """Wait for the next due vault and return it, or None when the server stops. The vault is due again after AGAIN
        seconds."""
        with self._more:
            while not self._done:
                free = {vault: due for vault, due in self._due.items() if vault not in self._busy}
                vault = min(free, key=lambda one: free[one]) if free else None
                wait = free[vault] - time.monotonic() if vault else None
                if vault is None or (wait is not None and wait > 0):
                    self._more.wait(wait)
                    continue
                self._due[vault] = time.monotonic() + AGAIN
                self._busy.add(vault)
                return vault
        return None
