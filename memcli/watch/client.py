"""Let a running watcher answer a command, before anything heavy is imported.

The answer is the one that the command itself would give. If anything fails before the answer is printed, the command
runs as if there were no watcher.
"""

from __future__ import annotations

import os
import sys

from memcli import argv
from memcli.vault import discover
from memcli.watch import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

Answer = tuple[int, list[tuple[bytes, bytes]]]  # the exit code, and (stream, text) pieces to print


class FastClient:
    """Make one attempt to get an answer. Input read from stdin is stored for the command, because it can't be read
    again."""

    def __init__(
        self, environ: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None, stderr: TextIO | None
    ) -> None:
        self.environ = environ
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.pages = True  # whether the output may be shown in a pager
        self.is_alone = False  # whether a watcher could answer the command, but none runs
        self.note = ""  # why the watcher's answer was not taken, or ""
        self._stdin: bytes | None = None
        self._has_read = False

    def read_stdin(self, patient: bool) -> bytes | None:
        """Return what is piped in, or None when nothing has come and the caller does not wait."""
        if not self._has_read or (patient and self._stdin is None):
            self._stdin = argv.read_piped(self.stdin, patient)
            self._has_read = True
        return self._stdin

    def run(self, words: list[str]) -> int | None:
        """Print the watcher's answer and return its exit code, or None when the command has to run here."""
        try:
            answer = self._ask(words)
        except wire.NoWatcher:
            self.is_alone = True
            return None
        except (wire.WireError, ValueError) as error:
            self.note = f"the watcher {error}"
            return None
        except OSError:  # for instance, the current folder was removed: the command reports it
            return None
        return self._print(*answer) if answer else None

    def _ask(self, words: list[str]) -> Answer | None:
        global_options, rest = argv.split_options(words)
        self.pages = {"--no-pager", "--no-input"}.isdisjoint(global_options) and "--json" not in rest
        if not argv.is_answered(global_options, rest) or self.stdout is None or self.stderr is None:
            return None
        if self.environ.get("MEM_LANE") == "off" or "_MEM_COMPLETE" in self.environ:
            return None
        here = os.getcwd()
        root = discover.find_vault(argv.vault_option(global_options), self.environ, here)
        name = wire.socket_path(root, self.environ) if root else ""
        if not wire.is_own_socket(name):
            self.is_alone = bool(root)
            return None
        ttys = "".join("01"[stream.isatty()] for stream in (self.stdout, self.stderr))
        encoding = sys.getfilesystemencoding()
        environ = self.environ
        if self.stdout.isatty():
            from shutil import get_terminal_size  # needed only on a terminal, where time matters less

            environ = {**environ, "COLUMNS": str(get_terminal_size().columns or 80)}
        request = wire.request(words, environ, here, encoding, ttys, self.read_stdin(patient=False))
        (_, code), *pieces = wire.frames(wire.call(name, wire.RUN, request))
        return int(code), pieces

    def _print(self, code: int, pieces: list[tuple[bytes, bytes]]) -> int:
        assert self.stdout and self.stderr
        try:
            if self.stdout.isatty() and self.pages:
                from memcli import pager  # only a terminal needs it

                printed = b"".join(text for kind, text in pieces if kind == wire.OUT)
                if pager.show_paged(printed.decode("utf-8", "replace"), self.environ, self.stdout):
                    pieces = [(kind, text) for kind, text in pieces if kind == wire.ERR]
            for kind, text in pieces:
                stream = self.stderr if kind == wire.ERR else self.stdout
                stream.buffer.write(text)
                if kind != wire.OUT or stream.isatty():
                    stream.flush()
            self.stdout.flush()
        except OSError as error:
            raise OutputError from error
        return code


class OutputError(Exception):
    """Report that the answer could not be written completely to stdout or stderr; the cause has the reason."""
