"""The fast lane: `mem recall`, and what else stands in `given.WARM`, lets a running `mem watch` answer, before anything heavy is imported.

The answer is the one the command itself would give. Whatever goes wrong, nothing has been printed yet and the command
works as if there were no watcher.
"""

from __future__ import annotations

import os
import sys

from memcli.cli.argv import hoisted, piped, warm
from memcli.vault import discover
from memcli.watch import wire

Answer = tuple[int, list[tuple[bytes, bytes]]]  # the exit code, and what goes to which stream


class FastClient:
    """One try. What was read from stdin on the way is kept, because it can't be read again."""

    def __init__(self) -> None:
        self.note = ""  # why the watcher's answer was not taken
        self._given: list[bytes | None] = []

    def given(self, patient: bool) -> bytes | None:
        """What is piped in."""
        if not self._given:
            self._given.append(piped(sys.stdin, patient))
        return self._given[0]

    def run(self, argv: list[str]) -> int | None:
        """Print the watcher's answer; the exit code, or None when the command has to do it itself."""
        try:
            answer = self._answer(argv)
        except wire.Absent:
            return None
        except (wire.Broken, ValueError) as error:
            self.note = f"the watcher {error}"
            return None
        except OSError:  # the folder we stand in was removed, say: the command tells
            return None
        return _print(*answer) if answer else None

    def _answer(self, argv: list[str]) -> Answer | None:
        front, rest = hoisted(argv)
        if not warm(front, rest) or sys.stdout is None or sys.stderr is None:
            return None
        if os.environ.get("MEM_LANE") == "off" or "_MEM_COMPLETE" in os.environ:
            return None
        here = os.getcwd()
        root = discover.find(_vault_in(front), os.environ, here)
        if root is None:
            return None
        name = wire.meeting(root, os.environ)
        ttys = "".join("01"[stream.isatty()] for stream in (sys.stdout, sys.stderr))
        request = wire.request(argv, os.environ, here, sys.getfilesystemencoding(), ttys)
        (_, code), *pieces = wire.frames(wire.call(name, wire.RUN, request, self.given))
        return int(code), pieces


def _print(code: int, pieces: list[tuple[bytes, bytes]]) -> int:
    try:
        for kind, text in pieces:
            stream = sys.stderr if kind == wire.ERR else sys.stdout
            stream.buffer.write(text)
            if kind != wire.OUT or stream.isatty():
                stream.flush()
        sys.stdout.flush()
    except OSError as error:
        from memcli.cli.main import unprinted

        return unprinted(error)
    return code


def _vault_in(front: list[str]) -> str | None:
    """What `--vault` says; the last one counts."""
    found = None
    for at, word in enumerate(front):
        if word == "--vault":
            found = front[at + 1] if at + 1 < len(front) else None
        elif word.startswith("--vault="):
            found = word[8:]
    return found
