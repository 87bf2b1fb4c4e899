"""Compile regular expressions when they are first used: most commands use few of those that their modules define."""

from __future__ import annotations

import re
from typing import Any, cast


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern like `re.compile(pattern, flags)` that is compiled when it is first used."""
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    """Represent a compiled pattern. Each method is cached at its first use, so that later calls cost nothing extra."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._how = flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._how)
        value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value
