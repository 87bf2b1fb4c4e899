"""Define `mem watch`."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli import system
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import DIM
from memcli.cli.terminal import Terminal, clock_of
from memcli.errors import Busy, CheckFailed, MissingPart, Refused, UsageError, VaultError
from memcli.extras import how_to_install
from memcli.vault import files, opener
from memcli.vault.layout import CACHE
from memcli.vault.lock import locked
from memcli.watch import wire

if TYPE_CHECKING:
    from memcli.watch.watcher import Command

STARTING, ENDING = 120.0, 10.0  # seconds that a watcher may take to start and to end
KILLED_AFTER = 1.0  # seconds that a watcher which no longer answers may take to end
LOG = "watch.log"
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
) -> Result | None:
    """It sees what changes in the files, until Ctrl-C. With --verbose it prints a line for each change."""
    if detach + stop + status + unit > 1:
        raise UsageError("--detach, --stop, --status and --unit are four different things")
    root = terminal.where()
    if not root.is_dir():
        raise VaultError(f"{root} does not exist", f"mem init {root} makes a vault there")
    if unit:
        terminal.out(_plist(root) if sys.platform == "darwin" else _unit(root), end="")
        return None
    if stop:
        _stop(root, terminal)
        return None
    here = _ask(root, terminal)
    if status:
        return _status(terminal, here)
    if here:
        raise Refused(f"process {here['pid']} watches already, since {here['since']}", "mem watch --stop ends it")
    if detach:
        _detach(root, terminal)
    else:
        _run(root, terminal)
    return None


def watcher(root: Path, environ: Mapping[str, str]) -> tuple[int | None, str]:
    """Return the process that watches a vault, or None, and one line about it."""
    try:
        pid = int(json.loads(wire.call(wire.meeting(str(root), environ), wire.STATUS))["pid"])
        return pid, f"process {pid}: recall answers at once"
    except wire.Absent:
        return None, "none: each recall reads the files anew"
    except (wire.Broken, OSError, ValueError) as error:
        return None, str(error)


def _ask(root: Path, terminal: Terminal) -> dict[str, Any] | None:
    """Return what the watcher says about itself, or None if there is none. Raise CheckFailed if it does not answer
    properly."""
    try:
        return dict(json.loads(wire.call(wire.meeting(str(root), terminal.environ), wire.STATUS, silence=1.0)))
    except wire.Absent:
        return None
    except (wire.Broken, ValueError) as error:
        raise CheckFailed(f"the watcher, process {_holder(root)}, {error}", "mem watch --stop ends it") from None


def _holder(root: Path) -> int:
    """Return the id of the process that wrote its name into the lock, or 0."""
    holder = re.search(r"process (\d+)", files.read_or_empty(root / CACHE / "watch.lock").text)
    return int(holder[1]) if holder else 0


def _status(terminal: Terminal, here: dict[str, Any] | None) -> Result:
    from memcli.index.status import state, told

    index = state(terminal.vault())
    data = {"running": here is not None, "index": asdict(index), **(here or {})}
    if here is None:
        return Result(data, failure=CheckFailed("no watcher runs for this vault", "mem watch --detach starts one"))
    how = "all are compared every 2 s" if here["polling"] else "the system tells when one changes"
    rows = [
        ["watching", here["vault"]],
        ["process", f"{here['pid']}, since {here['since'].replace('T', ' ')}"],
        *([["memory", f"{here['memory'] / 2**20:.0f} MB"]] if here["memory"] else []),
        ["files", f"{here['files']}; {how}"],
        ["index", told(index)],
        ["answered", f"{here['answered']} recalls, {'words and meaning' if here['meaning'] else 'by words alone'}"],
    ]
    rows += [["trouble", here["trouble"]]] if here["trouble"] else []
    return Result(data, Table([[terminal.said(name), terminal.said(fact)] for name, fact in rows], (DIM, "")))


def _stop(root: Path, terminal: Terminal) -> None:
    pid, patience = _holder(root), ENDING
    try:
        wire.call(wire.meeting(str(root), terminal.environ), wire.STOP, silence=1.0)
    except wire.Absent:
        terminal.tell("no watcher runs for this vault")
        return
    except wire.Broken as error:  # the watcher is of another version, or frozen
        terminal.tell(f"process {pid} {error}: it is ended by force")
        patience = KILLED_AFTER
        _end(pid)
    try:
        _wait(root, patience)
    except Busy:
        _end(pid, force=True)  # killing it loses nothing, because everything it holds is in the files
        _wait(root, patience)
    terminal.out(terminal.said(f"process {pid} has ended"))


def _wait(root: Path, seconds: float) -> None:
    """Wait until the watcher has released its lock. Raise Busy after so many seconds."""
    with locked(root / CACHE / "watch.lock", seconds, "watch --stop", doing="the vault is still being watched"):
        pass


def _end(pid: int, force: bool = False) -> None:
    with suppress(OSError):  # the process has just ended, or is not ours
        system.end(pid, force)


def _detach(root: Path, terminal: Terminal) -> None:
    """Start the watcher as a new process. A fork would not do: threads and models do not survive one."""
    files.make_cache(root / CACHE)
    log = root / CACHE / LOG
    # Python looks for modules where it is started. That must be the package's folder: a vault may be a stranger's.
    where = Path(__file__).parents[2]
    files.remove(log)
    files.create_exclusive(log, mode=0o600)
    out = opener.descriptor(log, os.O_WRONLY)
    try:
        process = subprocess.Popen(
            [*_command(root, terminal), *(["--verbose"] if terminal.verbose else [])],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=where, close_fds=True, **system.detached(),
        )  # fmt: skip
    finally:
        os.close(out)
    until = time.monotonic() + STARTING
    while time.monotonic() < until and process.poll() is None:
        with suppress(CheckFailed):  # a slow start looks like a failure
            if here := _ask(root, terminal):
                terminal.out(terminal.said(f"process {here['pid']} watches {root}"))
                return
        time.sleep(0.05)
    reason = files.tail(log, LOG_SHOWN).strip().removeprefix("mem: ")
    raise CheckFailed(reason or "the watcher did not start", f"mem --vault {shlex.quote(str(root))} watch shows more")


def _command(root: Path, terminal: Terminal | None = None) -> list[str]:
    return [sys.executable, "-m", "memcli", "--vault", str(root.resolve()), "watch"]


def _run(root: Path, terminal: Terminal) -> None:
    # With more threads, a matrix product of a millisecond would leave them spinning while the next client starts.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from memcli.jobs import work
    from memcli.watch.watcher import Above, Watcher

    try:
        import watchdog  # noqa: F401
    except ImportError as error:
        raise MissingPart(f"watchdog can't be loaded: {error}", how_to_install("watchdog")) from None
    terminal.vault()  # broken settings fail before the watcher starts
    above = Above(clock_of(terminal.environ), _run_command, work)
    watcher = Watcher(root.resolve(), terminal.environ, terminal.tell, above, terminal.verbose)
    for sign in system.ending_signals():
        signal.signal(sign, lambda *_: watcher.server.stop())
    watcher.run(lambda: terminal.tell(f"watching {root}; Ctrl-C ends it"))
    if watcher.background.is_running:  # a computing engine may crash when Python shuts down around it
        os._exit(0)


def _run_command(command: Command) -> int:
    """Run a command that another process sent, with that process's streams, and return the exit code."""
    from memcli.cli.main import run

    terminal = Terminal(
        command.environ, command.here, command.stdout, command.stderr, None, command.read_stdin, command.open_vault
    )
    code = run(command.argv, terminal)
    terminal.tell_notices()
    return code


def _unit(root: Path) -> str:
    command = " ".join(shlex.quote(word).replace("%", "%%") for word in _command(root))
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

    words = "\n".join(f"    <string>{escape(word)}</string>" for word in _command(root))
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
