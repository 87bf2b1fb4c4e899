"""Define the commands `mem install` and `mem uninstall`, which connect agents with mem."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from shutil import which
from typing import Annotated, Any

from memcli import registry
from memcli.cli import options, watch
from memcli.cli.clock import clock_of
from memcli.cli.command import Result, Table, command
from memcli.cli.commands import COMMANDS
from memcli.cli.looks import CYAN, DIM, GREEN, RED
from memcli.cli.options import Yes
from memcli.cli.terminal import Terminal
from memcli.errors import MissingPart, UsageError
from memcli.features.install import change as settings
from memcli.features.install.agents import AGENTS, Setup
from memcli.features.install.change import AgentFileChange
from memcli.message import Message
from memcli.vault import files

Name = Annotated[str | None, "[AGENT]", f"One of {', '.join(AGENTS)}.", options.words(*AGENTS)]
Project = Annotated[bool, "For this folder alone, in files to share; else for you."]
Print = Annotated[bool, "--print", "Only show what would change."]

_GONE = "is no longer connected"


@command(
    "install",
    "mem install                   which agents are here, and which know mem",
    "mem install claude",
    "mem install codex --project --yes",
    "mem install zed --print",
    json="What would be or was changed as JSON.",
)
def install(
    terminal: Terminal,
    name: Name = None,
    /,
    project: Project = False,
    only_print: Print = False,
    yes: Yes = False,
    hooks: Annotated[bool, "Recall on every prompt, learn at the end; else the tools alone."] = True,
    read_only: Annotated[bool, "Offer no tool that writes."] = False,
    plugin: Annotated[str, "DIR", "Write the plugin folder that agents can load themselves there."] = "",
) -> Result:
    """The change is shown before it is made; nothing else in the files is touched, and a copy of each is kept."""
    if plugin:
        return _write_plugin(terminal, terminal.here / plugin)
    if hooks and "hook" not in COMMANDS:
        if off := registry.owner_of("hook"):
            terminal.notices.append(Message("no hooks are written: mem features on {name} comes first", name=off))
        hooks = False
    setup = _setup(terminal, project, hooks, read_only)
    if name is None:
        return _list(terminal, setup)
    changes = settings.install_changes(_known(name, project), setup)
    agent = AGENTS[name]
    note = Message("{place}: {WHY}", place=agent.title, WHY=agent.note) if agent.note and hooks else ""
    return _make(terminal, name, setup, changes, (only_print, yes), "is connected", note)


@command(
    "uninstall",
    "mem uninstall claude",
    "mem uninstall codex --project --yes",
    json="What would be or was changed as JSON.",
)
def uninstall(
    terminal: Terminal,
    name: Annotated[str, "AGENT", f"One of {', '.join(AGENTS)}.", options.words(*AGENTS)],
    /,
    project: Project = False,
    only_print: Print = False,
    yes: Yes = False,
) -> Result:
    """Only what mem install wrote is taken out."""
    setup = _setup(terminal, project)
    return _make(
        terminal,
        name,
        setup,
        settings.uninstall_changes(_known(name, project), setup),
        (only_print, yes),
        _GONE,
    )


def _known(name: str, project: bool) -> str:
    if name not in AGENTS:
        raise UsageError("there is no agent '{name}'", Message("one of {names}", names=", ".join(AGENTS)), name=name)
    if project and not AGENTS[name].servers[1]:
        raise UsageError("{title} has no settings of a folder", f"mem install {name}", title=AGENTS[name].title)
    return name


def _setup(terminal: Terminal, project: bool, hooks: bool = True, read_only: bool = False) -> Setup:
    """Return the setup for an agent. A project's files are shared, so they name only the program; the user's own
    files give its full path, because editors often have no PATH."""
    program = ("mem",) if project else _program(terminal)
    if terminal.vault_dir:
        program = (*program, "--vault", str(terminal.where().absolute()))
    return Setup(terminal.environ, terminal.here, project, program, hooks, read_only)


def _program(terminal: Terminal) -> tuple[str, ...]:
    """Return the program `mem` itself, never `python -m`. An agent starts it in folders of strangers, where Python
    would search for modules first."""
    beside = Path(sys.executable).with_name("mem")
    for path in (Path(sys.argv[0]), beside):
        if path.stem == "mem" and path.is_file():
            return (os.path.abspath(path),)
    if found := which("mem", path=terminal.environ.get("PATH")):
        return (os.path.abspath(found),)
    raise MissingPart("there is no program mem that an agent could start", "pip install memcli, or put it on the PATH")


def _make(
    terminal: Terminal,
    name: str,
    setup: Setup,
    changes: list[AgentFileChange],
    how: tuple[bool, bool],
    done: str,
    note: str = "",
) -> Result:
    """Show the changes, ask, and make them."""
    only_print, yes = how
    title = AGENTS[name].title
    shown = [{"path": str(change.path), "diff": change.diff} for change in changes]
    data: dict[str, Any] = {"agent": name, "project": setup.project, "changes": shown, "written": False, "kept": []}
    if not changes:
        already = Message("{DONE} already: nothing changed", DONE=done)
        said = "is not connected: nothing changed" if done == _GONE else already
        return Result(data, f"{title} {terminal.translate(said)}")
    if not terminal.as_json:
        for change in changes:
            _show(terminal, change, to_stderr=not only_print)
    if only_print:
        return Result(data, "")
    if not terminal.confirm("Write this?", yes):
        return Result(data, "", "nothing changed")
    kept = settings.write_changes(changes, terminal.environ, clock_of(terminal.environ)())
    data |= {"written": True, "kept": [str(path) for path in kept]}
    where = terminal.translate("; as it was before: {place}", place=kept[0].parent) if kept else ""
    if done == "is connected" and not yes:
        watch.offer(terminal, terminal.vault())
    return Result(data, f"{title} {terminal.translate(done)}{where}", note)


def _show(terminal: Terminal, change: AgentFileChange, to_stderr: bool) -> None:
    stream = terminal.stderr if to_stderr else terminal.stdout
    for line in change.diff.splitlines():
        style = (
            GREEN if line.startswith("+") else RED if line.startswith("-") else CYAN if line.startswith("@") else DIM
        )
        (terminal.tell if to_stderr else terminal.out)(terminal.paint(line, style, stream))


def _list(terminal: Terminal, setup: Setup) -> Result:
    """Return every agent, those on this machine first."""
    every = sorted((settings.agent_state(name, setup) for name in AGENTS), key=lambda one: not one.found)
    rows = []
    for one in every:
        known = [where for where, command in (("for you", one.user), ("in this folder", one.project)) if command]
        state = (
            Message("knows mem {WHERE}", WHERE=" and ".join(known))
            if known
            else f"mem install {one.name}"
            if one.found
            else "not found here"
        )
        rows.append([one.name, one.title, terminal.translate(state)])
    data = [
        {
            "agent": one.name,
            "title": one.title,
            "found": one.found,
            "user": shlex.join(one.user),
            "project": shlex.join(one.project),
        }
        for one in every
    ]
    return Result({"agents": data}, Table(rows, (CYAN, "", DIM)))


def _write_plugin(terminal: Terminal, folder: Path) -> Result:
    from memcli.features.install import plugin

    made = plugin.plugin_files()
    for path, text in made.items():
        files.make_folder((folder / path).parent)
        files.write_file(folder / path, text)
    return Result(
        {"folder": str(folder), "files": list(made)},
        terminal.translate("{n} files in {place}", n=len(made), place=folder),
    )
