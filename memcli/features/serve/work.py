"""Run the work of requests. Reads take turns, and writes run one after the other in each vault.

Reads have a short queue for each token, and the queues take turns, so that nobody waits long because of a caller with
many requests. Writes to a vault have one queue. A caller that would wait too long is refused at once and told when to
retry; nothing was done for the request.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from memcli import bounds
from memcli.features.serve.problems import Problem, too_much
from memcli.rest_rows import READ, SLOW, WRITE

T = TypeVar("T")

FULL = "too much waits already; nothing was done"
KEPT = 10_000  # how many last turns are remembered
LATEST = 30.0  # the longest time in seconds that a refused caller is told to wait


class QueueName(NamedTuple):
    """Identify a queue: the vaults take turns, and then the tokens of each vault."""

    vault: Hashable
    token: str


@dataclass(eq=False)
class QueuedWork:
    """Hold work to do, and its result."""

    work: Callable[[], Any]
    result: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


Begin = Callable[[Callable[[], Any]], "asyncio.Future[Any]"]


class Turns:
    """Runs at most `at_once` pieces of work at a time. Together with those that wait, there are at most `most`."""

    def __init__(self, begin: Begin, at_once: int, most: int) -> None:
        self.begin, self.at_once, self.most = begin, at_once, most
        self.pace = 0.05  # seconds that a piece of work takes on average
        self.busy = 0
        self.running: set[asyncio.Task[None]] = set()
        self._queues: dict[QueueName, list[QueuedWork]] = {}
        self._last: dict[Hashable, int] = {}  # the number of the last turn, by vault and by token
        self._turn = 0
        self._booked = 0.0  # the time until which refused callers have been put off

    @property
    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    async def take_turn(self, whose: QueueName, work: Callable[[], Any]) -> Any:
        """Return the result of `work`. Raise Problem if too much waits. When the caller is cancelled, work that has not
        begun is dropped."""
        if self.busy + self.waiting >= self.most:
            self._make_room(whose)
        queued = QueuedWork(work)
        queued.result.add_done_callback(lambda done: done.cancelled() or done.exception())  # the caller may have gone
        self._queues.setdefault(whose, []).append(queued)
        self._go_on()
        try:
            return await asyncio.shield(queued.result)
        finally:
            self._drop(whose, queued)

    def _make_room(self, whose: QueueName) -> None:
        """Refuse the last request of the longest queue, if that is fair. Else raise Problem for the new one."""
        load = {one: (self._of_vault(one), len(queue)) for one, queue in self._queues.items()}
        longest = max(load, key=lambda one: load[one], default=whose)
        theirs, mine = load.get(longest, (0, 0)), (self._of_vault(whose), len(self._queues.get(whose, ())))
        at = 1 if longest.vault == whose.vault else 0
        if theirs[at] <= mine[at] + 1:
            raise self._full()
        last = self._queues[longest][-1]
        self._drop(longest, last)
        last.result.set_exception(self._full())

    def _of_vault(self, whose: QueueName) -> int:
        return sum(len(queue) for one, queue in self._queues.items() if one.vault == whose.vault)

    def _drop(self, whose: QueueName, queued: QueuedWork) -> None:
        """Remove work from its queue, if it still waits there."""
        if queued in (queue := self._queues.get(whose, [])):
            queue.remove(queued)
            if not queue:
                del self._queues[whose]

    def _full(self) -> Problem:
        """Return the problem for a refused caller. Each gets a different time, so that they do not all come back at
        once."""
        now, step = time.monotonic(), self.pace / self.at_once
        self._booked = min(max(self._booked, now + self.waiting * step) + step, now + LATEST)
        return too_much(FULL, self._booked - now)

    def _go_on(self) -> None:
        """Begin as much work as may run."""
        while self.busy < self.at_once and self._queues:
            whose = min(self._queues, key=lambda one: (self._last.get(one.vault, 0), self._last.get(one, 0)))
            queued = self._queues[whose][0]
            self._drop(whose, queued)
            self._turn += 1
            for one in (whose.vault, whose):
                self._last.pop(one, None)
                self._last[one] = self._turn
            if len(self._last) > KEPT:
                del self._last[next(iter(self._last))]
            self.busy += 1
            task = asyncio.ensure_future(self._worked(queued))
            self.running.add(task)
            task.add_done_callback(self.running.discard)

    async def _worked(self, queued: QueuedWork) -> None:
        began = time.monotonic()
        try:
            queued.result.set_result(await self.begin(queued.work))
        except Exception as error:
            queued.result.set_exception(error)
        finally:
            self.pace += (time.monotonic() - began - self.pace) / 8
            self.busy -= 1
            self._go_on()


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
        self._reads = self._turns(READ, at_once, limits.reads * max(1, workers))
        self._slow = self._turns(SLOW, limits.slow, limits.slows)
        self._writes: dict[tuple[str, Path], Turns] = {}

    def _turns(self, kind: str, at_once: int, most: int) -> Turns:
        return Turns(lambda work: asyncio.get_running_loop().run_in_executor(self._pools[kind], work), at_once, most)

    async def take_turn(self, whose: QueueName, work: Callable[[], T]) -> T:
        """Run work that changes nothing."""
        return await self._in_time(READ, self._reads, whose, work)

    async def as_long_as_it_takes(self, work: Callable[[], T]) -> T:
        """Run work that waits for models and other sources, and for which nothing else has to wait."""
        return await self._in_time(SLOW, self._slow, QueueName(None, ""), work)

    async def in_turn(self, kind: str, vault: Path, work: Callable[[], T]) -> T:
        """Run a write after all earlier ones of its kind in the vault."""
        turns = self._writes.setdefault((kind, vault), self._turns(kind, 1, self.limits.writes))
        return await self._in_time(kind, turns, QueueName(vault, ""), work)

    async def _in_time(self, kind: str, turns: Turns, whose: QueueName, work: Callable[[], T]) -> T:
        """Run work with a deadline. A caller who gives up cancels work that has not begun. Running work goes on,
        because half a write is worse than none."""
        has_begun = is_given_up = False

        def begin() -> T | None:
            nonlocal has_begun
            has_begun = True
            return None if is_given_up else work()  # all threads of the lane may have been busy until now

        try:
            seconds = self.limits.slow_seconds if kind == SLOW else self.limits.seconds
            result: T = await asyncio.wait_for(turns.take_turn(whose, begin), seconds)
            return result
        except asyncio.CancelledError:
            is_given_up = True
            raise
        except asyncio.TimeoutError:
            is_given_up = True
            if not has_begun:
                raise too_much(FULL, 1.0) from None
            hint = "" if kind == READ else "it may be done yet; an Idempotency-Key lets it be asked again"
            raise Problem(504, "it takes too long", hint) from None

    async def finish(self) -> None:
        """Wait for running work to end."""
        if running := {task for each in (self._reads, self._slow, *self._writes.values()) for task in each.running}:
            await asyncio.wait(running, timeout=self.limits.seconds)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
