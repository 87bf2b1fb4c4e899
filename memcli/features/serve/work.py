"""Run the work of requests. Reads take turns, and writes run one after the other in each vault.

Waiting work is limited. A caller that finds a lane full is told when to retry; nothing was done for the request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memcli import bounds
from memcli.features.serve.problems import Problem, too_much
from memcli.features.serve.turns import FULL, QueueName, Turns
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
