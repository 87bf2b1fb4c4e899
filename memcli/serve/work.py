"""Where requests are worked on: those that read in turns, those that write one after the other in each vault.

What waits is bounded: whoever comes when a lane is full is told when to come back, and nothing of theirs was done.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memcli import bounds
from memcli.serve.problems import Problem
from memcli.serve.rows import READ, SLOW, WRITE
from memcli.serve.turns import Turns, Whose, full

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """How much is taken on."""

    readers: int = 2  # threads, where this process reads by itself
    writers: int = 4  # threads; each vault has one writer at a time
    slow: int = 8  # threads of what asks models or other sources
    reads: int = 4  # that wait or are worked on, for each process that reads
    writes: int = 64  # the same, of one vault
    slows: int = 32
    seconds: float = 30.0  # that a request may take, and its body may take to come
    slow_seconds: float = 300.0
    body: int = bounds.BODY  # bytes
    connections: int = 1000
    idle: float = 15.0  # seconds a connection may stand open without a request, or without taking its answer


@dataclass
class Lane:
    """Work that waits for the same thing."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    pace: float = 0.05  # seconds that one takes


class Lanes:
    """The threads, and who waits for them. `workers`: processes that read; 0 when this one does."""

    def __init__(self, limits: Limits, workers: int = 0) -> None:
        self.limits = limits
        at_once = workers or limits.readers
        self._pools = {
            READ: ThreadPoolExecutor(at_once, READ), WRITE: ThreadPoolExecutor(limits.writers, WRITE),
            SLOW: ThreadPoolExecutor(limits.slow, SLOW),
        }  # fmt: skip
        self.reads = Turns(self._begin_to_read, at_once, limits.reads * max(1, workers))
        self._lanes: dict[Hashable, Lane] = {}
        self._slow = 0
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, whose: Whose, same: Hashable, work: Callable[[], T]) -> T:
        """Work that changes nothing; the same for the same token is done once for all who wait for it."""
        try:
            result: T = await asyncio.wait_for(self.reads.read(whose, same, work), self.limits.seconds)
        except asyncio.TimeoutError:
            raise Problem(504, "it takes too long") from None
        return result

    async def as_long_as_it_takes(self, work: Callable[[], T]) -> T:
        """Work that waits for models and other sources, and that nothing else has to wait for."""
        if self._slow >= self.limits.slows:
            raise full(1.0)
        self._slow += 1

        def done(task: object) -> None:
            self._slow -= 1

        return await self._patiently(SLOW, Lane(), work, done)

    async def in_turn(self, kind: str, whose: Hashable, work: Callable[[], T]) -> T:
        """Work that waits until all that came before it in the same vault is done."""
        lane = self._lanes.setdefault((kind, whose), Lane())
        if lane.waiting >= self.limits.writes:
            raise full(lane.waiting * lane.pace)
        lane.waiting += 1

        def done(task: object) -> None:
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop((kind, whose), None)

        return await self._patiently(kind, lane, work, done)

    async def _patiently(self, kind: str, lane: Lane, work: Callable[[], T], done: Callable[[object], None]) -> T:
        """Who gives up waiting takes along what has not begun, and does not stop what has: half a write is none."""
        begun: list[Future[T]] = []
        task = asyncio.ensure_future(self._worked(kind, lane, work, begun))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(done)
        seconds = self.limits.slow_seconds if kind == SLOW else self.limits.seconds
        try:
            return await asyncio.wait_for(asyncio.shield(task), seconds)
        except (asyncio.TimeoutError, asyncio.CancelledError) as error:
            if not begun or begun[0].cancel():  # what runs in a thread can't be cancelled any more
                task.cancel()
                problem = full(1.0)
            else:
                task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody looks at it
                hint = "it may be done yet; an Idempotency-Key lets it be asked again"
                problem = Problem(504, "it takes too long", hint)
            if isinstance(error, asyncio.TimeoutError):
                raise problem from None
            raise

    async def _worked(self, kind: str, lane: Lane, work: Callable[[], T], begun: list[Future[T]]) -> T:
        async with lane.lock:
            began = time.monotonic()
            try:
                begun.append(self._pools[kind].submit(work))
                return await asyncio.wrap_future(begun[0])
            finally:
                lane.pace += (time.monotonic() - began - lane.pace) / 8

    def _begin_to_read(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self._pools[READ], work)

    async def finish(self) -> None:
        """Let what has begun come to its end."""
        if running := {*self._running, *self.reads.running}:
            await asyncio.wait(running, timeout=self.limits.seconds)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
