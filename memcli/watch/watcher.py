"""Run `mem watch`: keep the vault in memory, answer recalls, refresh the index, drain the queue."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

from memcli import registry, system
from memcli.argv import is_answered, split_options
from memcli.message import Message
from memcli.vault import files, sources
from memcli.vault.layout import CACHE
from memcli.vault.queue import QueueReport
from memcli.vault.vault import Vault, open_vault
from memcli.watch import spawn, wire
from memcli.watch.background import AGAIN, Background
from memcli.watch.events import FolderWatch
from memcli.watch.resident import Resident
from memcli.watch.server import Server

# A command reads these from its own process, or they decide which model is in memory: both sides must agree on them.
_MUST_AGREE = ("HOME", "TZ", "TIKTOKEN_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "MEM_INDEX_MODEL")
_REHEARSAL = ("what was decided about tea yesterday", "茶和水")


class ForwardedCommand(NamedTuple):
    """Hold a command of another process that is to run in this one."""

    argv: list[str]
    environ: dict[str, str]
    here: Path
    stdout: TextIO
    stderr: TextIO
    read_stdin: Callable[[bool], bytes | None]
    open_vault: Callable[..., Vault]


class HigherLayers(NamedTuple):
    """Hold the functions of higher layers that a watcher needs."""

    clock: Callable[[], datetime]
    run: Callable[[ForwardedCommand], int]  # runs the same code as without a watcher, and returns its exit code
    drain: Callable[[Vault], QueueReport]  # does the work that waits in the queue


class Watcher:
    """Watch one vault until `run` ends."""

    def __init__(
        self,
        root: Path,
        environ: Mapping[str, str],
        tell: Callable[[str], None],
        above: HigherLayers,
        verbose: bool = False,
        idle: float = 0,
    ) -> None:
        self.root, self.environ, self.tell, self.above, self.verbose = root, environ, tell, above, verbose
        self.idle = idle  # seconds without a question after which it ends; 0 means never
        self.since = above.clock().isoformat(timespec="seconds")
        self.server = Server(root, environ, self.respond)
        self.events = FolderWatch(root, self.changed, tell)
        self.resident: Resident
        self.background = Background(lambda _, why: tell(why), threads=1)
        self._is_serving = self._is_warm = False
        self._told: list[str] = []

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until stopped; call `ready` once requests are answered."""
        gc.enable()
        sys.setswitchinterval(0.001)  # the threads that answer share Python with the one that indexes
        self.resident = Resident(self.root)
        try:
            self._rehearse()
            gc.freeze()  # the vault stays, so no collection has to look through it
            self.events.start()
            self.events.hint(None)  # something may have changed since it was read
            self.server.open()
            self._is_serving = True
            self.background.schedule(self)
            ready()
            self.server.serve()
        finally:
            self.events.stop()
            self.background.stop()
            self.server.close()

    def _rehearse(self) -> None:
        """Run each command once with a sample question, so that no user waits for modules and tables to load."""
        theirs = {command[0] for _, command in registry.commands()}
        for command in (*theirs & {"prompt"}, "recall"):
            words = ["--vault", str(self.root), command, *_REHEARSAL]
            encoding = sys.getfilesystemencoding()
            self._answer(wire.request(words, self.environ, str(self.root), encoding, "00", b""))

    def changed(self, paths: set[str] | None) -> None:
        touched = self.resident.reread(paths)
        if self._is_serving:
            self.background.schedule(self)
        if self.verbose and touched:
            more = f" and {len(touched) - 3} more" if len(touched) > 3 else ""
            self.tell(f"{self.above.clock():%H:%M:%S} {', '.join(sorted(touched)[:3])}{more}")

    def vault(self) -> Vault:
        """Return the vault as a command of the watcher's own would open it."""
        return open_vault(self.root, self.above.clock, self.environ, actor="watch")

    # -- requests ----------------------------------------------------------------------------------------------------

    def respond(self, kind: bytes, payload: bytes) -> tuple[bytes, bytes]:
        """Return the answer to a request. Raise wire.WireError when it can't be answered."""
        if kind == wire.STOP:
            self.server.stop()
            return wire.ANSWER, b""
        if kind == wire.STATUS:
            return wire.ANSWER, json.dumps(self.status()).encode()
        if kind == wire.ALIKE:
            day, _, text = payload.decode("utf-8", "replace").partition("\0")
            known = self.resident.alike(self.vault(), text, date.fromisoformat(day))
            return wire.ANSWER, known.place.encode() if known else b""
        if kind == wire.RUN:
            self._end_if_switched()
            return wire.ANSWER, self._answer(payload)
        raise wire.WireError("got an unknown request")

    def _end_if_switched(self) -> None:
        """End when features were switched on or off, because this process has loaded those of its beginning."""
        if registry.wanted_off() != registry.switched_off():
            self.tell(Message("ends, for features were switched on or off: mem watch starts it again"))
            self.server.stop()
            raise wire.WireError("has different features loaded")

    def _answer(self, payload: bytes) -> bytes:
        """Run a command, and return its exit code and what it printed."""
        argv, environ, here, encoding, ttys, stdin = wire.parse_request(payload)
        if encoding != sys.getfilesystemencoding() or any(environ.get(n) != self.environ.get(n) for n in _MUST_AGREE):
            raise wire.WireError("runs in a different environment")
        global_options, rest = split_options(argv)
        if not is_answered(global_options, rest):
            raise wire.WireError("does not answer that")

        def read_stdin(patient: bool) -> bytes | None:
            if stdin is None and patient:
                raise wire.WireError("does not wait for stdin")
            return stdin

        def open_resident(root: Path, *settings: Any) -> Vault:
            return self._opened(root, rest[0], *settings)

        printed: list[tuple[bytes, str]] = []
        out = cast(TextIO, wire.RecordedStream(wire.OUT, printed, ttys[:1] == "1"))
        err = cast(TextIO, wire.RecordedStream(wire.ERR, printed, ttys[1:] == "1"))
        command = ForwardedCommand(global_options + rest, environ, Path(here), out, err, read_stdin, open_resident)
        return wire.answer_payload(self.above.run(command), printed)

    def _opened(self, root: Path, command: str, *settings: Any) -> Vault:
        """Return the vault in memory, for a command that would open it.

        Raise wire.WireError when it can't serve the command.
        """
        info, own = files.stat_of(root), files.stat_of(self.root)
        if not (info and own and os.path.samestat(info, own)):
            raise wire.WireError("watches another vault")
        self.events.flush()
        vault = self.resident.vault(*settings)
        if command == "ask" and sources.reach_out(vault.settings.sources):
            raise wire.WireError("has neither the keys nor the time to ask out there")
        return vault

    def status(self) -> dict[str, Any]:
        return {
            "pid": os.getpid(),
            "vault": str(self.root),
            "since": self.since,
            "memory": system.memory_in_use(),
            "files": len(self.resident.paths),
            "answered": self.server.answered,
            "polling": self.events.polling,
            "meaning": self.resident.vectors is not None,
            "trouble": self.background.trouble(self.root),
            "idle": self.idle,
        }

    # -- in the background -------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Do the slow work: parse the files, update the index, and drain the queue."""
        system.step_back()  # the threads that answer come first
        if not self._is_warm:
            self.resident.warm_up(self._should_stop)
            gc.freeze()
            self._is_warm = True
        if self.is_needless():
            self.server.stop()
            return
        if self.idle:
            self.background.schedule(self, min(AGAIN, self.idle))
        vault = self.vault()
        self.resident.catch_up(vault)
        failed = [f"{job.kind} {job.id}: {job.error}" for job in self.above.drain(vault).failed]
        messages = [*vault.notices, *failed]
        for message in messages:
            if message not in self._told:
                self.tell(message)
        self._told = messages

    def _should_stop(self) -> bool:
        if self.server.busy:
            time.sleep(0.002)  # a lock taken again at once never looks free to those who wait for it
        return self.background.is_stopped

    def is_needless(self) -> bool:
        """Return whether an automatic watcher should end, because it was idle too long or has become too large."""
        if not self.idle:
            return False
        if (system.memory_in_use() or 0) > spawn.LARGEST:
            files.create_exclusive(self.root / CACHE / spawn.TOO_LARGE)
            most = spawn.LARGEST // 2**20
            self.tell(Message("stopped: it used more than {n} MB. Start it with `mem watch`.", n=most))
            return True
        return time.monotonic() - self.server.asked >= self.idle
