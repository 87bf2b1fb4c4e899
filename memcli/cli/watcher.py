"""What `mem watch` does while it runs: keeps the vault by heart, answers recalls, refreshes the index, drains the queue."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, TextIO, cast

from memcli.cli.argv import hoisted, warm
from memcli.cli.terminal import Terminal, clock_of
from memcli.errors import MemError
from memcli.index import catalog, models
from memcli.index.models import Model
from memcli.jobs import work
from memcli.vault import sources
from memcli.vault.vault import Vault, open_vault
from memcli.watch import wire
from memcli.watch.events import Watch
from memcli.watch.resident import Resident
from memcli.watch.server import Ask, Server

AGAIN = 60.0  # seconds until what failed is tried again
# Read from the process itself, or deciding which model is in memory: they must be the same.
_DECISIVE = ("HOME", "TZ", "TIKTOKEN_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "MEM_INDEX_MODEL")


class Watcher:
    """One vault, watched from `open` until `run` ends."""

    def __init__(self, root: Path, environ: Mapping[str, str], tell: Callable[[str], None], chatty: bool) -> None:
        self.root, self.environ, self.tell, self.chatty = root, environ, tell, chatty
        self.since = datetime.now().isoformat(timespec="seconds")
        self.server = Server(root, environ, self.respond)
        self.events = Watch(root, self.changed, tell)
        self.live: Resident
        self.duty = Background(self)

    def run(self, ready: Callable[[], None]) -> None:
        """Until somebody says stop."""
        gc.enable()
        sys.setswitchinterval(0.001)  # who answers shares Python with who indexes
        self.live = Resident.open(self.root)
        try:
            self._rehearse()
            gc.freeze()  # the vault stays: no collection has to look through it
            self.events.start()
            self.events.hint(None)  # what changed since it was read
            self.server.open()
            self.duty.start()
            ready()
            self.server.serve()
        finally:
            self.events.stop()
            self.duty.stop()
            self.server.close()

    def _rehearse(self) -> None:
        """A question to ourselves by each command, so that nobody's first one waits for modules and tables."""
        for command in ("prompt", "recall"):
            words = ["--vault", str(self.root), command, "what was decided about tea yesterday", "茶和水"]
            self._answer(
                wire.request(words, self.environ, str(self.root), sys.getfilesystemencoding(), "00"), lambda _: b"="
            )

    def changed(self, paths: set[str] | None) -> None:
        touched = self.live.changed(paths)
        self.duty.todo(touched)
        if self.chatty and touched:
            some = sorted(touched)[:3]
            more = f" and {len(touched) - 3} more" if len(touched) > 3 else ""
            self.tell(f"{datetime.now():%H:%M:%S} {', '.join(some)}{more}")

    def vault(self) -> Vault:
        """As a command of the watcher's own would open it."""
        return open_vault(self.root, clock_of(self.environ), self.environ, actor="watch")

    # -- requests ----------------------------------------------------------------------------------------------------

    def respond(self, kind: bytes, payload: bytes, ask: Ask) -> tuple[bytes, bytes]:
        if kind == wire.STOP:
            self.server.stop()
            return wire.ANSWER, b""
        if kind == wire.STATUS:
            return wire.ANSWER, json.dumps(self.status()).encode()
        if kind == wire.ALIKE:
            day, _, text = payload.decode("utf-8", "replace").partition("\0")
            old = self.live.alike(self.vault(), text, date.fromisoformat(day))
            return wire.ANSWER, old.place.encode() if old else b""
        if kind != wire.RUN:
            return wire.DECLINED, b"was asked nothing it understands"
        try:
            return self._answer(payload, ask)
        except wire.Broken as error:
            return wire.DECLINED, str(error).encode()
        except (Exception, SystemExit) as error:  # the command itself will say it better
            return wire.DECLINED, f"failed: {type(error).__name__}: {error}".encode("utf-8", "replace")

    def _answer(self, payload: bytes, ask: Ask) -> tuple[bytes, bytes]:
        argv, told, here, encoding, ttys = wire.requested(payload)
        if encoding != sys.getfilesystemencoding() or any(told.get(n) != self.environ.get(n) for n in _DECISIVE):
            raise wire.Broken("lives in another environment")
        front, rest = hoisted(argv)
        if not warm(front, rest):
            raise wire.Broken("does not answer that")
        pieces: list[tuple[bytes, str]] = []

        def given(patient: bool) -> bytes | None:
            said = ask(b"1" if patient else b"0")
            return said[1:] if said else None

        def opener(root: Path, *given: Any) -> Vault:
            if not _same(root, self.root):
                raise wire.Broken("watches another vault")
            self.events.flush()
            vault = self.live.vault(*given)
            if rest[0] == "ask" and sources.reach_out(vault.settings.sources):
                raise wire.Broken("has neither the keys nor the time to ask out there")
            # Where `mem add` writes: should the system not have told yet, its memory is still there for the next command.
            for path in (vault.today.strftime(vault.settings.write.log), *vault.settings.recall.priorities):
                self.live.confirmed(path)
            return vault

        out = cast(TextIO, Stream(wire.OUT, pieces, ttys[:1] == "1"))
        err = cast(TextIO, Stream(wire.ERR, pieces, ttys[1:] == "1"))
        terminal = Terminal(told, Path(here), out, err, None, given, opener)
        from memcli.cli.main import run

        code = run(front + rest, terminal)
        terminal.tell_notices()
        return wire.ANSWER, wire.answer(code, pieces)

    def status(self) -> dict[str, Any]:
        live = self.live
        return {
            "pid": os.getpid(),
            "vault": str(self.root),
            "since": self.since,
            "memory": _memory(),
            "files": len(live.paths),
            "answered": self.server.answered,
            "polling": self.events.polling,
            "meaning": live.vectors is not None,
            "trouble": self.duty.trouble,
        }


class Background:
    """What has to be done after changes and may take its time, on a thread of its own."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.trouble = ""  # why the last try failed
        self._lock = threading.Lock()
        self._todo: set[str] | None = None  # everything, to begin with
        self._model: Model | None = None  # whose vectors are in use
        self._made = False  # whether there was an index: one that somebody deletes is made anew
        self._said: list[str] = []
        self._wake = threading.Event()
        self._done = False
        self._thread = threading.Thread(target=self._run, name="duty", daemon=True)

    @property
    def at_it(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._wake.set()
        self._thread.start()

    def stop(self) -> None:
        self._done = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5)  # a refresh that takes longer is cut short; it is made for that

    def todo(self, paths: set[str] | None) -> None:
        with self._lock:
            self._todo = None if paths is None or self._todo is None else self._todo | paths
        self._wake.set()

    def _run(self) -> None:
        if sys.platform == "linux":  # there a thread can step back behind those that answer
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        self.watcher.live.warm_up(self._enough)
        gc.freeze()
        while not self._done:
            self._wake.wait(AGAIN)
            self._wake.clear()
            with self._lock:
                paths, self._todo = self._todo, set()
            try:
                self._do(paths)
                self.trouble = ""
            except Exception as error:  # whatever it is, recall goes on, and it is tried again
                said = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
                if said != self.trouble:
                    self.watcher.tell(said)
                self.trouble = said
                with self._lock:
                    self._todo = None if paths is None or self._todo is None else self._todo | paths

    def _enough(self) -> bool:
        if self.watcher.server.busy:
            time.sleep(0.002)  # a lock taken again at once is never seen free by those who wait for it
        return self._done

    def _do(self, paths: set[str] | None) -> None:
        vault = self.watcher.vault()
        model = models.chosen(vault)
        made = (vault.cache / catalog.NAME).exists()
        if model != self._model or (self._made and not made):
            paths = None
        if (model or made or self._made) and (paths is None or paths):
            self.watcher.live.refresh(vault, paths)
            made = True
        self._model, self._made = model, made
        failed = [f"{job.kind} {job.id}: {job.error}" for job in work(vault).failed]
        said = [*vault.notices, *failed]
        for message in said:
            if message not in self._said:
                self.watcher.tell(message)
        self._said = said


class Stream:
    """A stream that is printed somewhere else, later."""

    encoding = "utf-8"

    def __init__(self, kind: bytes, pieces: list[tuple[bytes, str]], terminal: bool) -> None:
        self.kind, self.pieces, self.terminal = kind, pieces, terminal

    def write(self, text: str) -> int:
        self.pieces.append((self.kind, text))
        return len(text)

    def flush(self) -> None:
        if self.kind == wire.OUT:
            self.pieces.append((wire.FLUSH, ""))

    def isatty(self) -> bool:
        return self.terminal


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _memory() -> int:
    """Bytes in use by this process, as well as the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
