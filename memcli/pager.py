"""Show long output on a terminal in a pager: the program that `PAGER` names, or `less`.

`cli/` and the client of `watch/` use it. It is loaded only for a terminal.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess

from memcli import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

_STYLE = re.compile(r"\x1b\[[\d;]*m")


def program(environ: Mapping[str, str]) -> list[str]:
    """Return the pager's command as a list of words; empty when no pager is wanted or installed."""
    if environ.get("NO_PAGER") or environ.get("TERM") == "dumb":
        return []
    try:
        words = system.command_words(environ.get("PAGER", "less"))
    except ValueError:
        return []
    return words if words and words != ["cat"] and shutil.which(words[0], path=environ.get("PATH")) else []


def show_paged(text: str, environ: Mapping[str, str], terminal: TextIO) -> bool:
    """Show a text that is longer than the screen and return True.

    Return False when it is not longer or there is no pager.
    """
    try:
        columns, rows = os.get_terminal_size(terminal.fileno())
    except (OSError, ValueError):
        columns = rows = 0
    if not (columns and rows):
        return False
    lines = text.split("\n")  # a wrapped line counts once for each row
    if sum(1 + (len(_STYLE.sub("", line)) - 1) // columns if line else 1 for line in lines) <= rows:
        return False
    if not (words := program(environ)):
        return False
    terminal.flush()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the pager
    try:
        subprocess.run(words, input=text.encode(), stdout=terminal.fileno(), env={"LESS": "FRX", **environ})
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True
