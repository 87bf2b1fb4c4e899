"""Split the words of a command, and read what is piped into it, before the command line is loaded.

The client of `mem watch` reads both, and each module it loads costs half a millisecond: this one needs only `os`.
"""

from __future__ import annotations

import os

from memcli import bounds, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

PATIENCE = 1.0  # seconds

# Commands that a running `mem watch` answers → the words of which they need one for it, if any.
ANSWERED = {"recall": (), "prompt": (), "ask": ("--evidence",), "hook": ("prompt", "start")}
FORWARDED = ("recall", "prompt", "ask")  # of these, the ones whose words go to it as they were typed
_NEVER_ANSWERED = frozenset(("--debug", "--help", "-h", "--pick"))  # --pick asks at the terminal itself

# Options of `mem` itself → whether a value follows.
GLOBAL = {
    "--vault": True,
    "--color": True,
    "--quiet": False,
    "--verbose": False,
    "--debug": False,
    "--no-input": False,
    "--no-pager": False,
}


def is_answered(global_options: list[str], rest: list[str]) -> bool:
    """Return whether a watcher may answer a command that `split_options` has split."""
    needed = ANSWERED.get(rest[0]) if rest else None
    return (
        needed is not None
        and (not needed or not {*needed}.isdisjoint(rest))
        and not _NEVER_ANSWERED & {*global_options, *rest}
    )


def split_options(args: list[str]) -> tuple[list[str], list[str]]:
    """Return the options of `mem` itself, which may stand anywhere before `--`, and the rest.

    So `mem list --vault DIR` works.
    """
    global_options, rest = [], []
    at = 0
    while at < len(args):
        word = args[at]
        name = word.partition("=")[0]
        if word == "--":
            rest.extend(args[at:])
            break
        if name in GLOBAL:
            global_options.append(word)
            if GLOBAL[name] and "=" not in word and at + 1 < len(args):
                at += 1
                global_options.append(args[at])
        else:
            rest.append(word)
        at += 1
    return global_options, rest


def vault_option(global_options: list[str]) -> str | None:
    """Return the value of `--vault`, or None when it is not given. The last one counts."""
    named = None
    for at, word in enumerate(global_options):
        if word == "--vault":
            named = global_options[at + 1] if at + 1 < len(global_options) else None
        elif word.startswith("--vault="):
            named = word[8:]
    return named


def read_piped(stdin: TextIO | None, patient: bool) -> bytes | None:
    """Return what stdin holds, at most `bounds.PIPED` bytes and one, or nothing for a terminal or a closed stdin.

    None means that stdin is silent and the caller is not patient.
    """
    if stdin is None or stdin.closed or stdin.isatty():
        return b""
    if not patient:
        speaks = _speaks(stdin)
        if not speaks:
            return None if speaks is None else b""
    most = bounds.PIPED + 1
    return stdin.buffer.read(most) if hasattr(stdin, "buffer") else stdin.read(most).encode()


def _speaks(stdin: TextIO) -> bool | None:
    """Return whether a file or a pipe has something to read, or None for a pipe that is open and silent."""
    try:
        kind = os.fstat(stdin.fileno()).st_mode & 0o170000
    except (OSError, ValueError):
        return False
    if kind != 0o010000:  # no pipe
        return kind == 0o100000
    return system.speaks(stdin, PATIENCE) or None
