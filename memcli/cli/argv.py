"""What a command is given: its words and what is piped in. In one small module, because the fast lane reads both and each
module costs it half a millisecond."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

PATIENCE = 1.0  # seconds

# Commands that a running `mem watch` answers, each with the option it answers them with, or any; and what it leaves to them.
WARM = {"recall": "", "prompt": "", "ask": "--evidence"}
COLD = frozenset(("--debug", "--help", "-h"))

# Options of `mem` itself → whether a value follows.
GLOBAL = {
    "--vault": True,
    "--color": True,
    "--quiet": False,
    "--verbose": False,
    "--debug": False,
    "--no-input": False,
}


def warm(front: list[str], rest: list[str]) -> bool:
    """Whether the watcher may answer a command: `front` are the options of `mem` itself."""
    needed = WARM.get(rest[0]) if rest else None
    return needed is not None and needed in ("", *rest) and not COLD & {*front, *rest}


def hoisted(args: list[str]) -> tuple[list[str], list[str]]:
    """Global options, which may stand anywhere before `--`, and all the rest: `mem list --vault DIR` means what it says."""
    front, rest = [], []
    at = 0
    while at < len(args):
        word = args[at]
        name = word.partition("=")[0]
        if word == "--":
            rest.extend(args[at:])
            break
        if name in GLOBAL:
            front.append(word)
            if GLOBAL[name] and "=" not in word and at + 1 < len(args):
                at += 1
                front.append(args[at])
        else:
            rest.append(word)
        at += 1
    return front, rest


def piped(stdin: TextIO | None, patient: bool) -> bytes | None:
    """All of stdin; nothing when it is a terminal or closed, None when it stayed silent and the caller is not patient."""
    if stdin is None or stdin.closed or stdin.isatty():
        return b""
    if not patient:
        speaks = _speaks(stdin)
        if not speaks:
            return None if speaks is None else b""
    return stdin.buffer.read() if hasattr(stdin, "buffer") else stdin.read().encode()


def _speaks(stdin: TextIO) -> bool | None:
    """Whether a file or a pipe has something to say; None for a pipe that is open and silent."""
    try:
        kind = os.fstat(stdin.fileno()).st_mode & 0o170000
    except (OSError, ValueError):
        return False
    if kind != 0o010000:  # no pipe
        return kind == 0o100000
    import select

    return True if select.select([stdin], [], [], PATIENCE)[0] else None
