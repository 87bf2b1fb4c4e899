"""Compile regular expressions when they are first used: most commands use few of those that their modules define."""

from __future__ import annotations

import re
from typing import Any, cast


def compile_later(pattern: str, flags: int = 0, in_ascii: str = "") -> re.Pattern[str]:
    """Return what works like `re.compile(pattern, flags)` and is compiled when a method of it is first looked up.

    `in_ascii` is a pattern that finds the same in ASCII text. A class of thousands of signs takes a hundred times as
    long to compile, and most text needs none.
    """
    later = _Later(pattern, flags)
    return cast("re.Pattern[str]", _ByText(later, _Later(in_ascii, flags)) if in_ascii else later)


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


class _ByText:
    """Stands for two patterns that find the same in ASCII text, of which one is quick to compile."""

    def __init__(self, every: _Later, in_ascii: _Later) -> None:
        self.pattern = every.pattern
        self._every, self._in_ascii = every, in_ascii

    def __getattr__(self, name: str) -> Any:
        def call(text: str, *more: Any) -> Any:
            return getattr(self._in_ascii if text.isascii() else self._every, name)(text, *more)

        setattr(self, name, call)
        return call
