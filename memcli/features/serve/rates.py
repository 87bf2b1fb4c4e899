"""Limit how many requests a token may make in a minute. They may come all at once until they are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from memcli.features.serve.access import Access
from memcli.features.serve.problems import Problem
from memcli.message import Message

MINUTE = 60.0
KEPT = 10_000  # how many tokens' use is remembered


class Rates:
    """Counts the requests of tokens that have a rate. Tokens are made without one, and the owner's page has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._free: dict[str, float] = {}  # by token: the time at which all its requests so far fit its rate

    def count(self, access: Access) -> None:
        """Count one more request. Raise Problem if it comes too early."""
        if not access.rate:
            return
        now = self.clock()
        due = max(self._free.pop(access.token, now), now) + MINUTE / access.rate
        wait = due - now - MINUTE
        self._free[access.token] = due if wait <= 1e-9 else due - MINUTE / access.rate
        if len(self._free) > KEPT:
            self._free = {token: at for token, at in self._free.items() if at > now}
        if wait > 1e-9:
            again = str(math.ceil(wait))
            detail = f"{access.token} may ask {access.rate} times a minute; nothing was done"
            raise Problem(429, detail, Message("again in {n} s", n=again), {"Retry-After": again})
