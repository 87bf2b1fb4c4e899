"""Define `mem watch`."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli import system
from memcli.cli.clock import clock_of
from memcli.cli.command import Result, Table, command
from memcli.cli.config import write_setting
from memcli.cli.looks import DIM
from memcli.cli.terminal import Terminal
from memcli.errors import Busy, CheckFailed, Refused, UsageError, VaultError
from memcli.message import Message, joined
from memcli.vault import files, settings
from memcli.vault.layout import CACHE
from memcli.vault.lock import hold_lock
from memcli.vault.vault import Vault
from memcli.watch import spawn, wire

if TYPE_CHECKING:
    from memcli.watch.watcher import ForwardedCommand

START_SECONDS, END_SECONDS = 120.0, 10.0  # seconds that a watcher may take to start and to end
BEGINNING = 1.0  # seconds until a process that was just started holds its lock
KILLED_AFTER = 1.0  # seconds that a watcher which no longer answers may take to end
LOG_SHOWN = 2000  # bytes at the end of the log that a failed start prints


@command(
    "watch",
    "mem watch --detach            from now on recall answers at once",
    "mem watch --status",
    "mem watch --stop",
    "mem watch --unit > ~/.config/systemd/user/mem-watch.service",
    json="As JSON, with --status.",
)
def watch(
    terminal: Terminal,
    detach: Annotated[bool, "Start it in the background, and wait until it answers."] = False,
    stop: Annotated[bool, "End the one that runs."] = False,
    status: Annotated[bool, "Say how it is; exit 1 when none runs."] = False,
    unit: Annotated[bool, "Print a systemd user unit, or on macOS a launchd plist."] = False,
    idle: Annotated[int, "SECONDS", "End it after so many seconds without a question."] = 0,
) -> Result | None:
    """It sees what changes in the files, until Ctrl-C. With --verbose it prints a line for each change."""
    if detach + stop + status + unit > 1:
        raise UsageError("--detach, --stop, --status and --unit are four different things")
    root = terminal.where()
    if not root.is_dir():
        raise VaultError("{root} does not exist", Message("mem init {root} makes a vault there", root=root), root=root)
    if unit:
        terminal.out(_plist(root) if sys.platform == "darwin" else _unit(root), end="")
        return None
    if stop:
        _stop(root, terminal)
        return None
    running = _ask(root, terminal.environ)
    if status:
        return _status(terminal, running)
    if running:
        raise Refused(
            "process {n} watches already, since {time}",
            "mem watch --stop ends it",
            n=running["pid"],
            time=running["since"],
        )
    if detach:
        _detach(root, terminal, idle)
    else:
        _run(root, terminal, idle)
    return None


def watcher_state(root: Path, environ: Mapping[str, str]) -> tuple[int | None, str]:
    """Return the process that watches a vault, or None, and one line about it."""
    try:
        running = _ask(root, environ)
    except CheckFailed as error:
        return None, error.message
    if running is None:
        return None, "none: each recall reads the files anew"
    runs = Message("process {n}: recall answers at once", n=running["pid"])
    return int(running["pid"]), joined(runs, "it ends by itself when nobody asks" if running.get("idle") else "")


def offer(terminal: Terminal, vault: Vault) -> None:
    """Ask once whether a watcher should start by itself, and note the answer in the user's own settings."""
    if "watch.auto" in vault.resolved.origins or not (vault.root.is_dir() and terminal.interactive()):
        return
    wanted = terminal.confirm("Keep the notes in memory while they are used, so that recall answers at once?", False)
    write_setting(terminal, settings.keys()["watch.auto"], wanted, user=True)


def _ask(root: Path, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what the watcher says about itself, or None if there is none. Raise CheckFailed if it does not answer
    properly."""
    try:
        return dict(json.loads(wire.call(wire.socket_path(str(root), environ), wire.STATUS, silence=1.0)))
    except wire.NoWatcher:
        return None
    except (wire.WireError, OSError, ValueError) as error:
        raise CheckFailed(
            "the watcher, process {n}, {WHY}", "mem watch --stop ends it", n=_holder(root), WHY=error
        ) from None


def _holder(root: Path, lock: str = "watch.lock") -> int:
    """Return the id of the process that wrote its name into the lock, or 0."""
    holder = re.search(r"process (\d+)", files.read_or_empty(root / CACHE / lock).text)
    return int(holder[1]) if holder else 0


def _status(terminal: Terminal, running: dict[str, Any] | None) -> Result:
    from memcli.index.status import state, status_line

    index = state(terminal.vault())
    data = {"running": running is not None, "index": asdict(index), **(running or {})}
    if running is None:
        return Result(data, failure=CheckFailed("no watcher runs for this vault", "mem watch --detach starts one"))
    how = "all are compared every 2 s" if running["polling"] else "the system tells when one changes"
    rows = [
        ["watching", running["vault"]],
        ["process", Message("{n}, since {time}", n=running["pid"], time=running["since"].replace("T", " "))],
        *([["memory", f"{running['memory'] / 2**20:.0f} MB"]] if running["memory"] else []),
        ["files", joined(str(running["files"]), how)],
        ["index", status_line(index)],
        [
            "answered",
            Message(
                "{n} recall{s}, {BY}",
                n=running["answered"],
                BY="words and meaning" if running["meaning"] else "by words alone",
            ),
        ],
    ]
    rows += [["ends", Message("after {n} s without a question", n=running["idle"])]] if running["idle"] else []
    rows += [["trouble", running["trouble"]]] if running["trouble"] else []
    return Result(data, Table([[terminal.translate(name), terminal.translate(fact)] for name, fact in rows], (DIM, "")))


def _stop(root: Path, terminal: Terminal) -> None:
    pid, patience, lock = _holder(root), END_SECONDS, "watch.lock"
    try:
        wire.call(wire.socket_path(str(root), terminal.environ), wire.STOP, silence=1.0)
    except wire.NoWatcher:
        if not _is_starting(root, terminal):
            terminal.tell("no watcher runs for this vault")
            return
        lock = spawn.IDLE_LOCK
        pid = _holder(root, lock)
        _end(pid)
    except wire.WireError as error:  # the watcher has another version, or hangs
        terminal.tell("process {n} {WHY}: it is ended by force", n=pid, WHY=error)
        patience = KILLED_AFTER
        _end(pid)
    try:
        _wait(root, patience, lock)
    except Busy:
        _end(pid, force=True)  # killing it loses nothing, because everything it holds is in the files
        _wait(root, patience, lock)
    terminal.out(terminal.translate("process {n} has ended", n=pid))


def _is_starting(root: Path, terminal: Terminal) -> bool:
    """Return whether an automatic watcher is starting. Wait a moment for one that a recall has just started to take its
    lock."""
    until = time.monotonic() + (BEGINNING if terminal.vault(forgiving=True).settings.watch.auto else 0)
    while (root / CACHE).is_dir():
        if spawn.is_starting(root):
            return True
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    return False


def _wait(root: Path, seconds: float, lock: str) -> None:
    """Wait until the watcher has released its lock. Raise Busy after so many seconds."""
    with hold_lock(root / CACHE / lock, seconds, "watch --stop", doing="the vault is still being watched"):
        pass


def _end(pid: int, force: bool = False) -> None:
    with suppress(OSError):  # the process has just ended, or is not ours
        system.end(pid, force)


def _detach(root: Path, terminal: Terminal, idle: int) -> None:
    """Start the watcher as a new process, and wait until it answers."""
    options = [*(["--verbose"] if terminal.verbose else []), *(["--idle", str(idle)] if idle else [])]
    process = spawn.start(root, options)
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with suppress(CheckFailed):  # a slow start looks like a failure
            if running := _ask(root, terminal.environ):
                terminal.out(terminal.translate("process {n} watches {root}", n=running["pid"], root=root))
                return
        time.sleep(0.05)
    reason = files.tail(root / CACHE / spawn.LOG, LOG_SHOWN).strip().removeprefix("mem: ")
    raise CheckFailed(
        reason or "the watcher did not start",
        Message("mem --vault {root} watch shows more", root=shlex.quote(str(root))),
    )


def _run(root: Path, terminal: Terminal, idle: int) -> None:
    # With more threads, a matrix product of a millisecond would leave them spinning while the next client starts.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from memcli.jobs import work
    from memcli.watch.watcher import HigherLayers, Watcher

    terminal.vault()  # broken settings fail before the watcher starts
    above = HigherLayers(clock_of(terminal.environ), _run_command, work)
    watcher = Watcher(root.resolve(), terminal.environ, terminal.tell, above, terminal.verbose, idle)
    for sign in system.ending_signals():
        signal.signal(sign, lambda *_: watcher.server.stop())
    with spawn.only_one(root) if idle else nullcontext():
        watcher.run(lambda: terminal.tell("watching {root}; Ctrl-C ends it", root=root))
    if watcher.background.is_running:  # a library at work may crash when Python shuts down
        os._exit(0)


def _run_command(command: ForwardedCommand) -> int:
    """Run a command that another process sent, with that process's streams, and return the exit code."""
    from memcli.cli.main import run

    terminal = Terminal(
        command.environ, command.here, command.stdout, command.stderr, None, command.read_stdin, command.open_vault
    )
    code = run(command.argv, terminal)
    terminal.tell_notices()
    return code


def _unit(root: Path) -> str:
    command = " ".join(shlex.quote(word).replace("%", "%%") for word in spawn.command(root))
    return f"""\
# mem watch for {root.name}: save as ~/.config/systemd/user/mem-watch.service, then
#   systemctl --user enable --now mem-watch
[Unit]
Description=mem watch {str(root).replace("%", "%%")}

[Service]
ExecStart={command}
WorkingDirectory={str(Path(__file__).parents[2]).replace("%", "%%")}
Restart=on-failure

[Install]
WantedBy=default.target
"""


def _plist(root: Path) -> str:
    from html import escape

    words = "\n".join(f"    <string>{escape(word)}</string>" for word in spawn.command(root))
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- save as ~/Library/LaunchAgents/mem.watch.plist, then: launchctl load ~/Library/LaunchAgents/mem.watch.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>mem.watch</string>
  <key>ProgramArguments</key>
  <array>
{words}
  </array>
  <key>WorkingDirectory</key><string>{escape(str(Path(__file__).parents[2]))}</string>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
"""
