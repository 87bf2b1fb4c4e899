"""The layer that may be late: documents of the world. It has a limit in time, and a breaker that spares it to the next prompts
when it fails again and again.

What it learnt about failing lies in the cache: for processes that have LanceDB in memory, and apart from them for those
that must load it first, because that alone may take longer than the limit.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memcli.errors import MemError
from memcli.prompt.layers import NO_ROOM, SMALLEST, Count, Layer
from memcli.vault import files
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.deep import Found

NAME = "breaker.json"
THREAD = "left-behind"  # how a thread is called that the process need not wait for


def layer(vault: Vault, said: str, budget: int, room: int, count: Count, wanted: bool) -> Layer:
    """What documents say to the user's words; empty, with the reason, when they don't or can't in time."""
    made = Layer("knowledge", budget)
    if not (wanted and said):
        return replace(made, why="" if wanted else "switched off")
    if room < SMALLEST:
        return replace(made, why=NO_ROOM)
    breaker = Breaker(vault)
    if until := breaker.open_until():
        why = f"left alone until {until:%H:%M}: it failed {breaker.failures} times in a row"
        vault.notice(f"knowledge is {why}")
        return replace(made, why=why)
    try:
        found = _in_time(vault, said, room, vault.settings.prompt.knowledge_limit)
        used = count(found.text.strip() + "\n\n") if found.text.strip() else 0
        if used > room:
            raise MemError(f"gave {used} tokens where {room} were asked for")
    except Exception as error:
        breaker.failed()
        why = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
        vault.notice(f"knowledge is left out: {why}")
        return replace(made, why=why)
    breaker.worked()
    text = found.text.strip() + "\n\n" if used else ""
    return replace(made, tokens=used, items=tuple(each.place for each in found.items), text=text)


def _in_time(vault: Vault, said: str, room: int, limit: int) -> Found:
    """The answer of the knowledge store, if it comes in so many milliseconds."""
    from queue import Empty, SimpleQueue
    from threading import Thread

    given: SimpleQueue[Found | Exception] = SimpleQueue()
    own = replace(vault, notices=[])  # what comes too late must not be told by another prompt

    def ask() -> None:
        try:
            from memcli import deep

            given.put(deep.evidence(own, said, room))
        except Exception as error:
            given.put(error)

    Thread(target=ask, name=THREAD, daemon=True).start()
    try:
        found = given.get(timeout=limit / 1000)
    except Empty:
        raise MemError(f"it took longer than {limit} ms") from None
    for message in own.notices:
        vault.notice(message)
    if isinstance(found, Exception):
        raise found
    return found


class Breaker:
    """Failures in a row, and until when nothing is asked after too many; kept in a file that may hold any garbage."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.sizes = vault, vault.settings.prompt
        self.path = vault.cache / NAME
        self.side = "warm" if "lancedb" in sys.modules else "cold"
        self.before = files.Source("", None)
        self.all: dict[str, Any] = {}
        self.failures, self.until = 0, datetime.min
        try:
            self.before = files.read_or_empty(self.path, NAME)
            self.all = dict(json.loads(self.before.text or "{}"))
            failures, until = self.all.get(self.side) or (0, "")
            self.failures = int(failures)
            self.until = datetime.fromisoformat(until) if until else datetime.min
        except (MemError, ValueError, TypeError, RecursionError):
            self.path.unlink(missing_ok=True)  # a cache that makes no sense is none
            self.before, self.all = files.Source("", None), {}

    @property
    def _pause(self) -> timedelta:
        return timedelta(minutes=self.sizes.breaker_minutes)

    def open_until(self) -> datetime | None:
        """When it may be tried again; None when it may now. Whoever may after a pause is alone with it: should it fail
        or hang, the others have not waited too."""
        now = self.vault.now
        if self.failures < max(1, self.sizes.breaker_failures):
            return None
        if now < self.until <= now + self._pause:  # a clock that was put back must not keep it shut for ever
            return self.until
        self._keep(self.failures, now + self._pause)
        return None

    def failed(self) -> None:
        self._keep(self.failures + 1, self.vault.now + self._pause)

    def worked(self) -> None:
        if self.failures:
            self._keep(0, None)

    def _keep(self, failures: int, until: datetime | None) -> None:
        self.failures = failures
        self.all[self.side] = [failures, until.isoformat(timespec="seconds") if until else ""]
        try:
            files.make_cache(self.vault.cache)
            files.replace(self.path, json.dumps(self.all), self.before)
            self.before = files.read_or_empty(self.path, NAME)
        except MemError as error:
            self.vault.notice(error.message)
