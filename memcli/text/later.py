"""Compile regular expressions when they are first used: most commands use few of those that their modules define."""

from __future__ import annotations

import re
from typing import Any, cast


def compile_later(pattern: str, flags: int = 0, in_ascii: str = "") -> re.Pattern[str]:
    """Return a pattern like `re.compile(pattern, flags)` that is compiled when it is first used.

    `in_ascii` is a pattern that finds the same in ASCII text. A class of thousands of characters takes a hundred times
    as long to compile, and most text has none of them.
    """
    later = _Later(pattern, flags)
    return cast("re.Pattern[str]", _ByText(later, _Later(in_ascii, flags)) if in_ascii else later)


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


class _ByText:
    """Represent two patterns that find the same in ASCII text, one of them quick to compile."""

    def __init__(self, every: _Later, in_ascii: _Later) -> None:
        self.pattern = every.pattern
        self._every, self._in_ascii = every, in_ascii

    def __getattr__(self, name: str) -> Any:
        def call(text: str, *more: Any) -> Any:
            return getattr(self._in_ascii if text.isascii() else self._every, name)(text, *more)

        setattr(self, name, call)
        return call
