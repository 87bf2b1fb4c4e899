"""Run `mem hook`: read the payload, answer and print without loading typer, because agents wait at every prompt.

stdout carries one JSON object or nothing; everything else goes to stderr. The exit code is 0 whatever happens, unless
--strict is given: a failure of memory must not stop an agent's work.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from memcli import argv, bounds, system
from memcli.errors import MemError
from memcli.features.hook.answer import EVENTS
from memcli.features.hook.payload import Payload, read_payload
from memcli.message import Message
from memcli.vault import discover

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

PATIENCE = 1.0  # seconds to wait for the complete payload
LIMIT = 1000  # milliseconds that apply until the vault's own `hooks.limit` is read
STRETCH = 2.5
WITH_MODEL = 0.5  # share of the time on the clock after which the words alone must answer
LOCK = 0.2  # seconds to wait for another writer


class TooSlow(Exception):
    """Mean that the time limit, in milliseconds, has passed; nothing is printed."""

    def __init__(self, limit: int) -> None:
        super().__init__(Message("took longer than {n} ms", n=limit))
        self.limit = limit


class HookWords(NamedTuple):
    """Hold the parsed command line."""

    event: str = ""
    tool: str = ""
    strict: bool = False
    vault: str | None = None
    wrong: str = ""  # the word that was not understood
    agent: str = ""


def run(words: list[str], environ: Mapping[str, str]) -> int | None:
    """Answer a hook and return the exit code, or None if the words ask for help, which typer prints."""
    asked = parse_words(words)
    if asked is None:
        return None
    try:
        answer = _answer(asked, words, environ)
        if answer:
            sys.stdout.write(answer)
            sys.stdout.flush()
        return 0
    except Exception as error:  # no failure may stop an agent
        why = _why(error)
        with suppress(Exception):
            why = _translated(why, asked, environ)
        with suppress(Exception):
            sys.stderr.write(f"mem: hook: {why}\n")
            sys.stderr.flush()
        return 1 if asked.strict else 0


def parse_words(words: list[str]) -> HookWords | None:
    front, rest = argv.split_options(words)
    if {"-h", "--help"} & set(rest) or len(rest) < 2:
        return None
    found = HookWords(vault=argv.vault_option(front))
    left = rest[1:]
    while left:
        word, *left = left
        name, has_value, value = word.partition("=")
        if name == "--strict":
            found = found._replace(strict=True)
        elif name == "--for" and (has_value or left):
            found = found._replace(tool=value if has_value else left.pop(0))
        elif name == "--agent" and (has_value or left):
            found = found._replace(agent=value if has_value else left.pop(0))
        elif word in EVENTS and not found.event:
            found = found._replace(event=word)
        else:
            found = found._replace(wrong=word)
    return found


def _answer(asked: HookWords, words: list[str], environ: Mapping[str, str]) -> str:
    """Return the line to print, or "" if there is nothing to say."""
    if asked.wrong or not asked.event:
        message = "'{word}' is not an event or option of mem hook; an event is one of {names}"
        raise ValueError(Message(message, word=asked.wrong, names=", ".join(EVENTS)))
    data = read_stdin(sys.stdin)
    if not data.strip():
        raise ValueError(Message("no payload came on stdin"))
    deadline = Deadline(LIMIT)
    payload = read_payload(data, _here())
    here = payload.cwd if os.path.isdir(payload.cwd) else _here()
    named = _named_vault(asked, environ)
    if named and not os.path.isdir(named):
        raise ValueError(Message("the vault {path} that --vault or MEM_VAULT names is not a folder", path=named))
    root = named or discover.nearest(here) or discover.own(environ)
    if root is None:
        return ""
    words = argv.split_options(words)[1]
    answer = _by_watcher(root, words, environ, here, data) if asked.event in argv.ANSWERED["hook"] else None
    if answer is None:
        answer = _alone(asked, payload, Path(root), environ, deadline)
    deadline.end()
    return answer


def _alone(asked: HookWords, payload: Payload, root: Path, environ: Mapping[str, str], deadline: Deadline) -> str:
    """Return the answer computed in this process, or "". On a failure, note the reason for `mem doctor` and raise."""
    from memcli.cli.clock import clock_of
    from memcli.vault.vault import open_vault

    now = clock_of({})  # for the note when the caller's MEM_NOW is not valid
    try:
        now = clock_of(environ)
        vault = open_vault(root, now, environ, {"write.lock_timeout": LOCK}, actor=asked.tool or "hook")
        answer = _handle_in_time(vault, asked, payload, deadline)
        if vault.settings.watch.auto and asked.event in argv.ANSWERED["hook"]:
            from memcli.watch import spawn  # loads `subprocess`

            spawn.start_if_wanted(vault)
    except Exception as error:
        from memcli.features.hook import trouble

        trouble.note_failure(root, now(), asked.event, _why(error), getattr(error, "limit", 0))
        raise
    return json.dumps(answer) + "\n" if answer else ""


def _handle_in_time(vault: Vault, asked: HookWords, payload: Payload, deadline: Deadline) -> dict[str, Any] | None:
    """Return the answer, by words alone where the model takes too long, which is noted for `mem doctor`."""
    from memcli.features.hook.handler import handle  # not needed when a watcher answers

    limit, settings = vault.settings.of_feature("hooks.limit"), vault.settings
    has_model = asked.event == "prompt" and bool(settings.index.model) and settings.recall.semantic != "never"
    deadline.set(limit, STRETCH * (WITH_MODEL if has_model else 1))
    try:
        answer = handle(vault.seen_by(asked.agent), asked.event, payload, asked.tool)
        deadline.end()
    except TooSlow as slow:
        if not has_model:
            raise
        from memcli.features.hook import trouble
        from memcli.vault.vault import open_vault

        deadline.set(2 * limit, STRETCH * WITH_MODEL)  # as long again
        trouble.note_failure(vault.root, vault.now, asked.event, _why(slow), limit, by_words=True)
        flags = {"write.lock_timeout": LOCK, "recall.semantic": "never"}
        vault = open_vault(vault.root, vault.clock, vault.environ, flags, actor=vault.actor)
        answer = handle(vault.seen_by(asked.agent), asked.event, payload, asked.tool)
        deadline.end()
    return answer


def _by_watcher(root: str, words: list[str], environ: Mapping[str, str], here: str, data: bytes) -> str | None:
    """Return the answer of a running watcher, or None if there is none or it failed."""
    from memcli.watch import wire

    code, answer = wire.run(root, words, environ, here, data) or (1, "")
    return None if code else answer


class Deadline:
    """End a hook that takes too long. `milliseconds` limits the processor time, which a busy machine does not change;
    `stretch` times as much limits the time on the clock, because agents do not wait longer. Where the system allows it,
    the process is interrupted at that moment."""

    def __init__(self, milliseconds: int) -> None:
        self.began = time.monotonic()
        is_main = threading.current_thread() is threading.main_thread()
        self.arm = system.cut_off(self._over) if is_main else None
        self.set(milliseconds)

    def set(self, milliseconds: int, stretch: float = STRETCH) -> None:
        """Set the limit in milliseconds, counted from the start of the hook."""
        self.milliseconds, self.stretch = milliseconds, stretch
        if self.arm:
            work, whole = self._left()
            self.arm(max(0.001, work), max(0.001, whole))

    def end(self) -> None:
        """Stop the timer. Raise TooSlow if the limit has passed."""
        self._disarm()
        if min(self._left()) < 0:
            self._over()

    def _left(self) -> tuple[float, float]:
        """Return the seconds left of processor time and of time on the clock."""
        seconds = self.milliseconds / 1000
        return seconds - time.process_time(), self.began + seconds * self.stretch - time.monotonic()

    def _disarm(self) -> None:
        if self.arm:
            self.arm(0, 0)

    def _over(self, *_: Any) -> None:
        self._disarm()  # the note about the failure must not be interrupted
        raise TooSlow(self.milliseconds)


def read_stdin(stdin: TextIO | None) -> bytes:
    """Return what is piped in as soon as it is a complete JSON object, because some tools never close the pipe. Return
    b"" for a terminal, and when no complete payload arrives within `PATIENCE` seconds."""
    if stdin is None or stdin.closed or stdin.isatty():
        return b""
    pieces: list[bytes] = []
    whole = threading.Event()

    def listen() -> None:
        size = 0
        with suppress(OSError, ValueError):
            while size <= bounds.HOOK and (piece := os.read(stdin.fileno(), 65536)):
                pieces.append(piece)
                size += len(piece)
                if piece.rstrip()[-1:] == b"}" and _is_json(b"".join(pieces)):
                    break
        whole.set()

    threading.Thread(target=listen, daemon=True).start()  # this thread may hang for ever; it ends with the process
    return b"".join(pieces) if whole.wait(PATIENCE) else b""


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder was removed
        return os.path.expanduser("~")


def _named_vault(asked: HookWords, environ: Mapping[str, str]) -> str | None:
    """Return the vault that --vault or MEM_VAULT names, relative to the working directory, or None."""
    return discover.named(asked.vault or environ.get("MEM_VAULT"), _here())


def _translated(why: str, asked: HookWords, environ: Mapping[str, str]) -> str:
    """Return a reason in the language of the vault."""
    from memcli.cli.speech import Speech  # a hook that works says nothing to a person

    root = _named_vault(asked, environ) or discover.nearest(_here()) or discover.own(environ) or _here()
    return Speech(lambda: Path(root), environ).translate(why)


def _why(error: Exception) -> str:
    if isinstance(error, (MemError, TooSlow, ValueError)):
        return str(getattr(error, "message", error))
    return f"{type(error).__name__}: {error}"
