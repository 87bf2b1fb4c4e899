"""Schedule work. Reads have a short queue for each token, and the queues take turns, so that nobody waits long because
of a caller with many requests. Writes to a vault have one queue. A caller that would wait too long is refused at once
and told when to retry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memcli.features.serve.problems import Problem, too_much

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
