"""What is piped in, as bytes. Read in the same way by a command and by the client that lets `mem watch` answer."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # the fast lane has no time for these
    from typing import TextIO

PATIENCE = 1.0  # seconds


def read(stdin: TextIO | None, patient: bool) -> bytes | None:
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
