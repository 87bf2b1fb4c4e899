"""The streams that a command writes to: nothing in them acts on the terminal, and no command ends with its reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from memcli.cli.looks import OURS
from memcli.text.clean import harmless


class CleanStream:
    """A stream that lets no control character through but line feeds, tabs and our own colours. Commands have no other
    to write to, so nothing that a file, a name or an argument holds can act on the terminal.

    A command never ends because nobody takes what it says: what fails is kept in `failure`, and the rest is dropped."""

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
        """Raise what became of the stream, for work that is for nothing when nobody listens."""
        if self.failure:
            raise self.failure
