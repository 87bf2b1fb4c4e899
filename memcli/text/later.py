"""Compile regular expressions when they are first used: most commands use few of those that their modules define."""

from __future__ import annotations

import re
from typing import Any, cast


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what works like `re.compile(pattern, flags)` and is compiled when a method of it is first looked up."""
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    """Stands for a compiled pattern. Each method is kept once it was looked up, so that later calls cost no more."""

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
