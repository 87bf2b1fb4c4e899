"""Wrap the streams of a command, so that text can't control the terminal and a closed pipe doesn't end the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from memcli.cli.looks import OURS
from memcli.text.clean import harmless


class CleanStream:
    """Removes every control character except line feeds, tabs and our own colours. Commands write to no other stream,
    so nothing in a file, a name or an argument can act on the terminal.

    A failed write does not end the command: `failure` keeps the first error, and later output is dropped.
    """

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        self.is_used = False
        self.failure: OSError | None = None
        self.isatty = raw.isatty

    def write(self, text: str) -> None:
        self.is_used = True
        self._try(lambda: self.raw.write("\x1b".join(map(harmless, text.split(OURS)))))

    def flush(self) -> None:
        self._try(self.raw.flush)

    def _try(self, do: Callable[[], object]) -> None:
        if self.failure is None:
            try:
                do()
            except OSError as error:
                self.failure = error

    def must_be_heard(self) -> None:
        """Raise the error that broke the stream, if any. Commands that are useless without a reader call this."""
        if self.failure:
            raise self.failure
