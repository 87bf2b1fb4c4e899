"""`mem` in the process of the tests, where hundreds of commands are run: a fork costs more than most commands do.

That a command starts, reads its streams and ends as a process is tested with `mem`, once for each at least.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import pytest

from memcli import registry
from memcli.cli.main import main

PATIENCE = 60  # seconds


def run(words: tuple[str, ...], here: Path, given: bytes, environ: Mapping[str, str]) -> tuple[int, str, str]:
    """Run `mem WORDS…` in a folder; its exit code and what it said on both streams."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    with TemporaryFile() as source, pytest.MonkeyPatch.context() as patch, _no_longer_than(PATIENCE):
        source.write(given)
        source.seek(0)
        for name, value in environ.items():
            patch.setenv(name, value)
        patch.chdir(here)
        patch.setattr(registry, "_off", None)  # which features are off, each process reads anew
        patch.setattr(os, "_exit", _needs_a_process)
        patch.setattr(sys, "stdin", TextIOWrapper(source, "utf-8", "surrogateescape"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as end:
            main(list(words))
        code = end.value.code
        said = [stream.detach().getvalue().decode() for stream in (out, err) if not stream.flush()]
    return int(code or 0), said[0], said[1]


def _needs_a_process(code: int) -> NoReturn:
    raise AssertionError("this command ends its process by itself: run it with `mem`")


@contextmanager
def _no_longer_than(seconds: int) -> Iterator[None]:
    """Interrupt what hangs, as far as the system can."""
    if not hasattr(signal, "alarm"):
        yield
        return

    def over(*_: object) -> NoReturn:
        raise AssertionError("mem came to no end")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
