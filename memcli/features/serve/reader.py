"""Run a reader process of `mem serve --workers N`: it runs the commands that the server sends, with vaults in
memory."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import memcli
from memcli.cli.clock import clock_of
from memcli.cli.terminal import Terminal
from memcli.features.serve.run_command import environ_of_callers, run_command

if TYPE_CHECKING:
    from memcli.features.serve.access import Access
    from memcli.features.serve.run_command import RunCommand
    from memcli.warm import WarmVault

REHEARSAL = ("what was decided about tea yesterday", "茶和水")


def command(root: Path, many: int) -> list[str]:
    """Return the command line that starts one of `many` readers, which warms up on the vault at `root`."""
    house = str(Path(memcli.__file__).parents[1])  # replaces the working directory, where a stranger's modules may lie
    script = f"import sys; sys.path[0] = {house!r}; from memcli.features.serve.reader import main; main(sys.argv[1:])"
    return [sys.executable, "-c", script, str(root), str(many)]


def main(argv: Sequence[str]) -> None:
    """Answer the server's commands until stdin ends."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # must be set before anything loads the library: see `mem watch`
    from memcli.features.serve import readers
    from memcli.features.serve.access import Access
    from memcli.warm import ROOM, WarmVaults

    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # keeps other code away from the commands and answers
    os.dup2(2, 1)
    gc.enable()
    root, many = Path(argv[0]), int(argv[1])
    terminal = Terminal(dict(os.environ), root, sys.stdout, sys.stderr)
    clock = clock_of(terminal.environ)
    warm = WarmVaults(clock, terminal.environ, terminal.tell, room=ROOM // many, jobs=False)
    run = partial(run_command, environ_of_callers(terminal.environ))
    rehearse(run, Access(root), warm.at(root))
    readers.run_tasks(run, warm, tasks, answers)
    warm.close()


def rehearse(run: RunCommand, access: Access, warm: WarmVault) -> None:
    """Run sample questions before the first real one, so that no user waits for modules and tables to load."""
    with suppress(Exception):
        for words in (["recall"], ["prompt"], ["recall", "--json"]):
            run([*words, "--", *REHEARSAL], b"", access, warm.reading)
    gc.collect()
    gc.freeze()  # the vault stays in memory, so collections need not look through it
