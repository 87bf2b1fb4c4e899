"""Show the progress of long work: a bar on a terminal, otherwise a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memcli.cli.terminal import Terminal
from memcli.message import Message
from memcli.text.clean import one_line


def _progress_message(done: Any, unit: str, subject: str) -> Message:
    so_far = Message("{done} of {all} {UNIT}", done=done.done, all=done.files, UNIT=unit)
    return Message("{FAR} {WHAT}", FAR=so_far, WHAT=subject) if subject else so_far


@contextmanager
def progress(terminal: Terminal, says: Callable[[Any], str], unit: str = "files") -> Iterator[Callable[[Any], None]]:
    """Yield a function that shows progress; it takes an object with the counts `files` and `done`. Without a terminal
    it prints at most one line a second, and after the first minute the time left at the pace so far."""
    if terminal.quiet:
        yield lambda done: None
    elif terminal.stderr.isatty() and terminal.environ.get("TERM") != "dumb":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        description = TextColumn("{task.description}", markup=False)
        columns = (
            TextColumn(terminal.translate(unit)),
            BarColumn(),
            MofNCompleteColumn(),
            description,
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(file=terminal.stderr.raw), transient=True) as bar:
            task = bar.add_task("", total=None)

            def move(done: Any) -> None:
                bar.update(
                    task, total=done.files, completed=done.done, description=one_line(terminal.translate(says(done)))
                )

            yield move
    else:
        begun = last = time.monotonic()

        def line(done: Any) -> None:
            nonlocal last
            if time.monotonic() - last >= 1 and done.done < done.files and (done.done or getattr(done, "embedded", 0)):
                last = time.monotonic()
                left = round((last - begun) * (done.files - done.done) / done.done / 60) if done.done else 0
                status = terminal.translate(_progress_message(done, unit, says(done)))
                terminal.tell(status + (terminal.translate(", about {n} min left", n=left) if left else ""))

        yield line
