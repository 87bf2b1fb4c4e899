"""`mem` on a terminal of its own: what a person at the keyboard sees."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.conftest import Ran

PATIENCE = 30.0  # seconds until a silent terminal is given up


def at_terminal(
    *words: str, answers: tuple[str, ...] = (), cwd: Path, size: tuple[int, int] = (0, 0), **environ: str
) -> Ran:
    """Run `mem WORDS…` on a pseudo-terminal, giving an answer whenever it asks; streams are one there. `size`: its lines
    and columns, of which nothing is known by default."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", *words], stdin=theirs, stdout=theirs, stderr=theirs,
        cwd=cwd, env={**os.environ, **environ}, start_new_session=True, close_fds=True,
    )  # fmt: skip
    os.close(theirs)
    said, left, until = b"", list(answers), time.monotonic() + PATIENCE
    asked = 0
    while time.monotonic() < until:
        if not select.select([ours], [], [], 0.2)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            piece = os.read(ours, 4096)
        except OSError:  # Linux: the other side is closed
            break
        if not piece:
            break
        said += piece
        while (
            left
            and len(re.findall(r"(?:[?？]|[nq] (?:不记|退出)）)(?: |\s+\[[^\]]*\] )", said.decode("utf-8", "replace")))
            > asked
        ):
            os.write(ours, left.pop(0).encode() + b"\n")
            asked += 1
    os.close(ours)
    return Ran(process.wait(PATIENCE), said.decode("utf-8", "replace").replace("\r\n", "\n"), "")
