"""Run the work of requests. Reads take turns, and writes run one after the other in each vault.

Waiting work is limited. A caller that finds a lane full is told when to retry; nothing was done for the request.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from memcli import bounds
from memcli.features.serve.problems import Problem
from memcli.features.serve.turns import QueueName, Turns, too_much_waits
from memcli.rest_rows import READ, SLOW, WRITE

T = TypeVar("T")


@dataclass(frozen=True)
class ServerLimits:
    """Hold the limits of a server."""

    readers: int = 2  # threads, if this process reads by itself
    writers: int = 4  # threads; each vault has one writer at a time
    slow: int = 8  # threads for work that asks models or other sources
    reads: int = 4  # reads that run or wait, for each reader process
    writes: int = 64  # writes that run or wait in one vault
    slows: int = 32
    seconds: float = 30.0  # time limit of a request, and of reading its body
    slow_seconds: float = 300.0
    body: int = bounds.BODY  # bytes
    connections: int = 1000
    idle: float = 15.0  # seconds that a connection may be silent, or not take its answer


class Lane:
    """Hold work that waits for the same thing, of which so much may run at once."""

    def __init__(self, at_once: int) -> None:
        self.turns = asyncio.Semaphore(at_once)
        self.waiting = 0
        self.pace = 0.05  # seconds that one request takes on average


class Lanes:
    """Hold the threads and the work that waits for them. `workers` counts the reader processes; with 0 this process
    reads."""

    def __init__(self, limits: ServerLimits, workers: int = 0) -> None:
        self.limits = limits
        at_once = workers or limits.readers
        self._pools = {
            READ: ThreadPoolExecutor(at_once, READ), WRITE: ThreadPoolExecutor(limits.writers, WRITE),
            SLOW: ThreadPoolExecutor(limits.slow, SLOW),
        }  # fmt: skip
        begin = lambda work: asyncio.get_running_loop().run_in_executor(self._pools[READ], work)  # noqa: E731
        self.reads = Turns(begin, at_once, limits.reads * max(1, workers))
        self._lanes: dict[Hashable, Lane] = {}
        self._running: set[asyncio.Task[Any]] = set()

    async def take_turn(self, whose: QueueName, work: Callable[[], T]) -> T:
        """Run work that changes nothing."""
        try:
            result: T = await asyncio.wait_for(self.reads.take_turn(whose, work), self.limits.seconds)
        except asyncio.TimeoutError:
            raise Problem(504, "it takes too long") from None
        return result

    async def as_long_as_it_takes(self, work: Callable[[], T]) -> T:
        """Run work that waits for models and other sources, and for which nothing else has to wait."""
        return await self.in_turn(SLOW, None, work, self.limits.slow, self.limits.slows)

    async def in_turn(
        self, kind: str, whose: Hashable, work: Callable[[], T], at_once: int = 1, most: int | None = None
    ) -> T:
        """Run work after all earlier work in the same lane, which for writes is the vault, with a deadline. A caller
        who gives up cancels work that has not begun. Running work goes on, because half a write is worse than none."""
        lane = self._lanes.setdefault((kind, whose), Lane(at_once))
        if lane.waiting >= (most or self.limits.writes):
            raise too_much_waits(lane.waiting * lane.pace / at_once)
        lane.waiting += 1

        def done(task: object) -> None:
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop((kind, whose), None)

        begun: list[Future[T]] = []
        task = asyncio.ensure_future(self._worked(kind, lane, work, begun))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(done)
        seconds = self.limits.slow_seconds if kind == SLOW else self.limits.seconds
        try:
            return await asyncio.wait_for(asyncio.shield(task), seconds)
        except (asyncio.TimeoutError, asyncio.CancelledError) as error:
            if not begun or begun[0].cancel():  # work that runs in a thread can't be cancelled
                task.cancel()
                problem = too_much_waits(1.0)
            else:
                task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody reads the result
                hint = "it may be done yet; an Idempotency-Key lets it be asked again"
                problem = Problem(504, "it takes too long", hint)
            if isinstance(error, asyncio.TimeoutError):
                raise problem from None
            raise

    async def _worked(self, kind: str, lane: Lane, work: Callable[[], T], begun: list[Future[T]]) -> T:
        async with lane.turns:
            began = time.monotonic()
            try:
                begun.append(self._pools[kind].submit(work))
                return await asyncio.wrap_future(begun[0])
            finally:
                lane.pace += (time.monotonic() - began - lane.pace) / 8

    async def finish(self) -> None:
        """Wait for running work to end."""
        if running := {*self._running, *self.reads.running}:
            await asyncio.wait(running, timeout=self.limits.seconds)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
