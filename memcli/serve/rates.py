"""How often a token may ask: so many requests a minute, as fast as they come until they are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from memcli.serve.access import Access
from memcli.serve.problems import Problem

MINUTE = 60.0
KEPT = 10_000  # tokens whose use is remembered


class Rates:
    """Who has no rate is never counted: a token is made without one, and the owner's own page has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._free: dict[str, float] = {}  # when all that a token has asked will have been due

    def count(self, access: Access) -> None:
        """One request more; Problem when it is too early for it."""
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
            raise Problem(429, detail, f"again in {again} s", {"Retry-After": again})
