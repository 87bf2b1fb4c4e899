"""A watcher as a real process, on the vault in `folder`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memcli.cli.watch import _run_command
from memcli.jobs import work
from memcli.watch import wire
from memcli.watch.watcher import HigherLayers, Watcher
from tests.conftest import NOW
from tests.recall.vaults import lay
from tests.warm import Forked, Warm

PATIENCE = 120.0  # seconds until what should happen soon is given up


def until(holds: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Wait for something to become true; what it was when it did."""
    end = time.monotonic() + patience
    while not (found := holds()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


@dataclass
class Watched:
    """The process, and where it is asked."""

    folder: Path
    process: subprocess.Popen[bytes] | Forked

    @property
    def name(self) -> str:
        return wire.socket_path(str(self.folder), os.environ)

    def status(self) -> dict[str, Any]:
        return dict(json.loads(wire.call(self.name, wire.STATUS, silence=5)))

    @property
    def answered(self) -> int:
        return int(self.status()["answered"])

    def answers(self, call: Callable[[], Any]) -> Any:
        """What a client got from the watcher. On a busy machine one may rightly have helped itself: it tries again."""
        for _ in range(20):
            before = self.answered
            got = call()
            if self.answered > before:
                return got
        raise AssertionError("the watcher was never asked")

    def is_up(self) -> bool:
        assert self.process.poll() is None, "the watcher has ended"
        try:
            return bool(self.status())
        except wire.WireError:
            return False


def watcher_of(folder: Path) -> Watcher:
    """A watcher in this process, that is not running yet."""
    return Watcher(folder, dict(os.environ), print, HigherLayers(lambda: NOW, _run_command, work))


@pytest.fixture
def notes(folder: Path) -> Path:
    return lay(folder, {
        "USER.md": "---\nname: Lin\n---\n",
        "labels.yaml": "- {name: 家, aliases: [home], address: 12 Example Road}\n",
        "tags.yaml": "cache: [redis]\n",
        "logs/2026-11-20.md": "- 09:30 Stand-up moved to ten\n- 11:00 Decided: the cache is Redis. #cache [type:: decision]\n",
        "logs/2026-10-05.md": "- the cache is Caffeine #cache/old\n- 午饭吃了羊肉面\n",
        "notes/zebra.md": "- a zebra at the zoo\n",
        "agents/ada/logs/2026-11-20.md": "- ada saw another zebra\n",
    })  # fmt: skip


@pytest.fixture
def watched(notes: Path, warm: Warm | None) -> Iterator[Watched]:
    """A watcher that answers."""
    with start(notes, warm) as found:
        yield found


class start:
    """`mem watch` for as long as the block runs, as a process that begins from nothing or from a warm one."""

    def __init__(self, folder: Path, warm: Warm | None = None, **environ: str) -> None:
        self.folder, self.warm, self.environ = folder, warm, environ

    def __enter__(self) -> Watched:
        words, environ = ["--vault", str(self.folder), "watch", "--verbose"], {**os.environ, **self.environ}
        with open(os.devnull, "r+b") as nothing, open(self.folder.parent / "watch.err", "wb") as told:
            streams = [nothing.fileno(), nothing.fileno(), told.fileno()]
            process = (
                self.warm.start(words, Path.cwd(), environ, streams)
                if self.warm
                else subprocess.Popen(
                    [sys.executable, "-m", "memcli", *words], env=environ, stdin=nothing, stdout=nothing, stderr=told
                )
            )
        self.found = Watched(self.folder, process)
        until(self.found.is_up)
        return self.found

    def __exit__(self, *_: object) -> None:
        process = self.found.process
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        process.wait(PATIENCE)
