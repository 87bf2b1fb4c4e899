"""Where requests are worked on: those that read side by side, those that write one after the other in each vault.

What waits is bounded: whoever comes when a lane is full is told when to come back, and nothing of theirs was done.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memcli.serve.problems import Problem
from memcli.serve.rows import READ, SLOW, WRITE

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """How much is taken on."""

    readers: int = 4  # threads
    writers: int = 4  # threads; each vault has one writer at a time
    slow: int = 8  # threads of what asks models or other sources
    reads: int = 256  # that wait or are worked on
    writes: int = 64  # the same, of one vault
    slows: int = 32
    seconds: float = 30.0  # that a request may take, and its body may take to come
    slow_seconds: float = 300.0
    body: int = 2**22  # bytes
    connections: int = 1000
    idle: float = 15.0  # seconds a connection may stand open without a request, or without taking its answer


@dataclass
class Lane:
    """Work that waits for the same thing."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    pace: float = 0.05  # seconds that one takes


class Lanes:
    """The threads, and who waits for them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._pools = {
            READ: ThreadPoolExecutor(limits.readers, READ), WRITE: ThreadPoolExecutor(limits.writers, WRITE),
            SLOW: ThreadPoolExecutor(limits.slow, SLOW),
        }  # fmt: skip
        self._lanes: dict[Hashable, Lane] = {}
        self._waiting = dict.fromkeys(self._pools, 0)
        self._running: set[asyncio.Task[Any]] = set()

    async def side_by_side(self, kind: str, work: Callable[[], T]) -> T:
        """Work that nothing else has to wait for."""
        if self._waiting[kind] >= (self.limits.slows if kind == SLOW else self.limits.reads):
            raise _full(1.0)
        self._waiting[kind] += 1
        return await self._shielded(kind, self._alone(kind, work))

    async def in_turn(self, kind: str, whose: Hashable, work: Callable[[], T]) -> T:
        """Work that waits until all that came before it in the same vault is done."""
        lane = self._lanes.setdefault((kind, whose), Lane())
        if lane.waiting >= self.limits.writes:
            raise _full(lane.waiting * lane.pace)
        lane.waiting += 1
        return await self._shielded(kind, self._queued(kind, whose, lane, work))

    async def _shielded(self, kind: str, work: Coroutine[Any, Any, T]) -> T:
        """Who gives up waiting does not stop what has begun: half a write is none."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.wait_for(asyncio.shield(task), self._seconds(kind))
        except asyncio.TimeoutError:
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else looks at it
            raise Problem(
                504, "it takes too long", "it may be done yet; an Idempotency-Key lets it be asked again"
            ) from None

    def _seconds(self, kind: str) -> float:
        return self.limits.slow_seconds if kind == SLOW else self.limits.seconds

    async def _alone(self, kind: str, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[kind], work)
        finally:
            self._waiting[kind] -= 1

    async def _queued(self, kind: str, whose: Hashable, lane: Lane, work: Callable[[], T]) -> T:
        try:
            async with lane.lock:
                began = time.monotonic()
                try:
                    return await asyncio.get_running_loop().run_in_executor(self._pools[kind], work)
                finally:
                    lane.pace += (time.monotonic() - began - lane.pace) / 8
        finally:
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop((kind, whose), None)

    async def finish(self) -> None:
        """Let what has begun come to its end."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=self.limits.seconds)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def _full(seconds: float) -> Problem:
    again = str(max(1, math.ceil(seconds)))
    return Problem(429, "too much waits already; nothing was done", f"again in {again} s", {"Retry-After": again})
