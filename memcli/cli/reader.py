"""A process of `mem serve --workers N` that reads: it runs the commands that the server sends it, in its own memory."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import memcli
from memcli.cli.runs import Runs
from memcli.cli.terminal import Terminal, clock_of

if TYPE_CHECKING:
    from memcli.serve.access import Access
    from memcli.serve.doors import OpenVault, Run

REHEARSAL = ("what was decided about tea yesterday", "茶和水")


def command(root: Path, many: int) -> list[str]:
    """What starts one of `many`, which rehearses on a vault."""
    house = str(Path(memcli.__file__).parents[1])  # in place of the folder we stand in, which may be anybody's
    script = f"import sys; sys.path[0] = {house!r}; from memcli.cli.reader import main; main(sys.argv[1:])"
    return [sys.executable, "-c", script, str(root), str(many)]


def main(argv: Sequence[str]) -> None:
    """Until stdin ends."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything loads it: see `mem watch`
    from memcli.serve import readers, vaults
    from memcli.serve.access import Access

    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nothing else may read the one or write to the other
    os.dup2(2, 1)
    gc.enable()
    root, many = Path(argv[0]), int(argv[1])
    terminal = Terminal(dict(os.environ), root, sys.stdout, sys.stderr)
    clock = clock_of(terminal.environ)
    warm = vaults.Vaults(clock, terminal.environ, terminal.tell, room=vaults.ROOM // many, jobs=False)
    run = Runs(terminal)
    rehearse(run, Access(root), warm.at(root))
    readers.answer(run, warm, questions, answers)
    warm.close()


def rehearse(run: Run, access: Access, warm: OpenVault) -> None:
    """Answer a question of our own, so that nobody's first one waits for modules and tables."""
    with suppress(Exception):
        for words in (["recall"], ["prompt"], ["recall", "--json"]):
            run([*words, "--", *REHEARSAL], b"", access, warm.reading)
    gc.collect()
    gc.freeze()  # the vault stays: no collection has to look through it
