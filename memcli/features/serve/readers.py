"""Run several reader processes, so that commands that read run at the same time. Python threads would take turns.
`main` runs in such a process.

Each reader gets its commands on its stdin, answers on its stdout, and ends when its stdin does, so none outlives the
server. A command carries how often its vault was written, so that the reader first takes in what is new.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import memcli
from memcli import system
from memcli.cli.clock import clock_of
from memcli.cli.terminal import Terminal
from memcli.features.serve.access import Access
from memcli.features.serve.problems import AGAIN, Problem
from memcli.features.serve.run_command import CommandResult, RunCommand, environ_of_callers, run_command
from memcli.message import Message
from memcli.warm import ROOM, WarmVault, WarmVaults

LONGEST = 300.0  # seconds for one answer; a reader that takes longer is taken to hang
REHEARSAL = ("what was decided about tea yesterday", "茶和水")
GONE = (EOFError, OSError, pickle.UnpicklingError)  # what talking to a dead process raises


class ReaderTask(NamedTuple):
    """Hold a command for a reader."""

    words: Sequence[str]
    stdin: bytes
    access: Access
    writes: int  # how many writes to this vault came before


class Readers:
    """Keeps `many` reader processes. `command` starts one in `environ`; `tell` reports when one had to be replaced."""

    def __init__(
        self, command: Sequence[str], many: int, environ: Mapping[str, str], tell: Callable[[str], Any],
        longest: float = LONGEST,
    ) -> None:  # fmt: skip
        self.command, self.many, self.environ, self.tell, self.longest = command, many, environ, tell, longest
        self._one_is_free = threading.Condition()
        self._writes: dict[Path, int] = defaultdict(int)
        self._done = threading.Event()
        self._busy: set[Reader] = set()
        self._free = [Reader(self.command, self.environ) for _ in range(many)]
        threading.Thread(target=self._look_after, name="readers that hang", daemon=True).start()

    def run(self, words: Sequence[str], stdin: bytes, access: Access) -> CommandResult:
        """Run a command on a free reader, and on another one if the first dies. Raise RuntimeError if the command
        crashes."""
        task = ReaderTask(words, stdin, access, self._writes[access.vault])
        for _ in range(2):
            reader = taken = self._taken(access.vault)
            try:
                answer = reader.run(task)
            except GONE:
                code = reader.end()
                if self._done.is_set():
                    break
                self.tell(Message("a reader ended ({WHY}); another one takes its place", WHY=code))
                reader = Reader(self.command, self.environ)
            else:
                if isinstance(answer, str):
                    raise RuntimeError(answer)
                return answer
            finally:
                self._give_back(taken, reader)
        raise Problem(503, "who reads it comes to an end over it", headers={"Retry-After": str(AGAIN)})

    def wrote(self, root: Path) -> None:
        self._writes[root] += 1

    def wait(self) -> None:
        """Wait until all readers have started."""
        with self._one_is_free:
            readers = list(self._free)
        for reader in readers:
            try:
                reader.begin()
            except GONE:  # the first question replaces it
                continue

    def close(self) -> None:
        """End all readers. Those still at work are killed, because nobody waits for their answers any more."""
        self._done.set()
        with self._one_is_free:
            free, busy = list(self._free), list(self._busy)
        for reader in busy:
            reader.kill()
        for reader in free:
            reader.end()

    def _taken(self, root: Path) -> Reader:
        """Return a free reader that has the vault in memory, else the first free one, so that rarely used vaults stay
        in few readers."""
        with self._one_is_free:
            while not self._free:
                self._one_is_free.wait()
            reader = next((reader for reader in self._free if root in reader.roots), self._free[0])
            self._free.remove(reader)
            self._busy.add(reader)
        reader.roots.add(root)
        reader.asked = time.monotonic()
        return reader

    def _give_back(self, taken: Reader, reader: Reader) -> None:
        with self._one_is_free:
            self._busy.discard(taken)
            self._free.append(reader)
            self._free.sort(key=lambda one: one.number)
            self._one_is_free.notify()

    def _look_after(self) -> None:
        """Kill readers that take too long. Their callers see that as any other death of a reader."""
        while not self._done.wait(self.longest / 10):
            with self._one_is_free:
                for reader in self._busy:
                    if time.monotonic() - reader.asked > self.longest:
                        reader.kill()


class Reader:
    """Represent one reader process, as the server sees it."""

    _last = 0

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        Reader._last += 1
        self.number = Reader._last
        self.roots: set[Path] = set()  # the vaults that it has read
        self.asked = 0.0  # when it was last asked
        self._has_begun = False
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(environ), **system.detached()
        )

    def begin(self) -> None:
        """Wait until the process reports that it has started."""
        with self._lock:
            if not self._has_begun:
                pickle.load(self._process.stdout)  # type: ignore[arg-type]
                self._has_begun = True

    def run(self, task: ReaderTask) -> CommandResult | str:
        """Run a command and return how it ended, or the exception that no command should end with. Raise one of `GONE`
        if the process has died."""
        self.begin()
        assert self._process.stdin and self._process.stdout
        pickle.dump(task, self._process.stdin)
        self._process.stdin.flush()
        answer: CommandResult | str = pickle.load(self._process.stdout)
        return answer

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> int:
        """End the process and return its exit code. An idle reader ends by itself; others are killed."""
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:  # the rest of the question can't be sent to a dead process
                pass
        try:
            return self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


# -- in the reader process ---------------------------------------------------------------------------------------------


def command(root: Path, many: int) -> list[str]:
    """Return the command line that starts one of `many` readers, which warms up on the vault at `root`."""
    house = str(Path(memcli.__file__).parents[1])  # replaces the working directory, where a stranger's modules may lie
    one = "os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')"  # before anything loads the library: see `mem watch`
    begin = "from memcli.features.serve.readers import main; main(sys.argv[1:])"
    script = f"import os, sys; {one}; sys.path[0] = {house!r}; {begin}"
    return [sys.executable, "-c", script, str(root), str(many)]


def main(argv: Sequence[str]) -> None:
    """Answer the server's commands until stdin ends."""
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
    _run_tasks(run, warm, tasks, answers)
    warm.close()


def rehearse(run: RunCommand, access: Access, warm: WarmVault) -> None:
    """Run sample questions before the first real one, so that no user waits for modules and tables to load."""
    with suppress(Exception):
        for words in (["recall"], ["prompt"], ["recall", "--json"]):
            run([*words, "--", *REHEARSAL], b"", access, warm.reading)
    gc.collect()
    gc.freeze()  # the vault stays in memory, so collections need not look through it


def _run_tasks(run: RunCommand, vaults: WarmVaults, tasks: BinaryIO, answers: BinaryIO) -> None:
    """Run the server's commands until they end."""
    known: dict[Path, int] = {}
    _send(None, answers)
    while True:
        try:
            task: ReaderTask = pickle.load(tasks)
        except EOFError:
            return
        access = task.access
        vault = vaults.at(access.vault)
        if known.get(access.vault, 0) != task.writes:
            vault.wrote()
            known[access.vault] = task.writes
        try:
            _send(run(task.words, task.stdin, access, vault.reading), answers)
        except Exception as error:
            _send(f"{type(error).__name__}: {error}", answers)


def _send(answer: CommandResult | str | None, answers: BinaryIO) -> None:
    answers.write(pickle.dumps(answer))
    answers.flush()
