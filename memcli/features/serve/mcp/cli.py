"""Define `mem mcp`."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

from memcli.cli import options
from memcli.cli.clock import clock_of
from memcli.cli.command import command
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.features.serve.mcp import start
from memcli.features.serve.mcp.homes import SCOPES


@command(
    "mcp",
    "mem mcp                       what `mem install` sets up: a program speaks here",
    "mem --vault ~/notes mcp --read-only",
    "mem mcp --scope both          the notes of the project, then your own",
    json="",
    agents=True,
)
def mcp(
    terminal: Terminal,
    scope: Annotated[
        str, "SCOPE", "project, user or both; else the vault that any command would take.", options.words(*SCOPES)
    ] = "",
    read_only: Annotated[bool, "Offer nothing that writes."] = False,
) -> None:
    """It speaks the Model Context Protocol over stdin and stdout until its client is gone."""
    if scope not in ("", *SCOPES):
        raise UsageError("--scope {value}: one of {names}", value=scope, names=", ".join(SCOPES))
    if terminal.interactive():
        terminal.tell("this speaks with a program, not with you: mem install NAME sets it up; Ctrl-D ends it")
    clock = partial(clock_of, terminal.environ)
    start.serve(terminal.vault_dir, scope, read_only, terminal.environ, clock, terminal.tell, terminal.agent)
    os._exit(0)  # a hanging call must not keep the process alive
