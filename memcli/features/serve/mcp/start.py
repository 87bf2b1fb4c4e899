"""Start `mem mcp`: parse its words before typer is loaded, and make a server of them.

Words that are not understood here are left to the command itself, which explains them.
"""

from __future__ import annotations

import os
import sys

from memcli import argv
from memcli.features.serve.mcp import homes, tools
from memcli.features.serve.mcp.protocol import Protocol
from memcli.features.serve.mcp.server import Connection, claim_streams

TYPE_CHECKING = False  # spares every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from typing import Any

COMMAND = "mcp"


def run(words: list[str], environ: Mapping[str, str]) -> int | None:
    """Serve an agent without loading what only commands need, and return the exit code.

    None means that the command itself has to read the words, or to talk with a person.
    """
    if sys.stderr is None or sys.stdin is None or sys.stdin.isatty() or not (given := parse_words(words)):
        return None

    def clock() -> Callable[[], datetime]:
        from memcli.cli.clock import clock_of  # with the first call of a tool

        return clock_of(environ)

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    vault, scope, read_only, agent = given
    serve(vault, scope, read_only, environ, clock, tell, agent)
    return 0


def parse_words(words: list[str]) -> tuple[str | None, str, bool, str] | None:
    """Return the vault, the scope, whether the server is read-only, and the agent, or None if other words are given."""
    global_options, rest = argv.split_options(words)
    scope, agent, read_only, at = "", "", False, 1
    if rest[:1] != [COMMAND] or "--debug" in global_options:
        return None
    while at < len(rest):
        name, equals, value = rest[at].partition("=")
        if name in ("--scope", "--agent"):
            value, at = (value, at) if equals else ("".join(rest[at + 1 : at + 2]), at + 1)
            if not value or (name == "--scope" and value not in homes.SCOPES):
                return None
            scope, agent = (value, agent) if name == "--scope" else (scope, value)
        elif rest[at] == "--read-only":
            read_only = True
        else:
            return None
        at += 1
    return argv.vault_option(global_options), scope, read_only, agent


def serve(
    vault: str | None,
    scope: str,
    read_only: bool,
    environ: Mapping[str, str],
    clock: Callable[[], Callable[[], datetime]],
    tell: Callable[[str], Any],
    agent: str = "",
) -> None:
    """Answer one client over stdin and stdout until it is gone. The vaults are fixed at the start. `clock` makes a
    clock when one is needed. Calls are made as `agent`, else under the name that the client gives itself."""
    try:
        here = os.getcwd()
    except OSError:  # the working directory was removed
        here = os.path.expanduser("~")
    where = homes.find_homes(scope, vault, environ, here)
    known: list[Any] = []

    def offered() -> list[dict[str, Any]]:
        return tools.list_tools(read_only, where, len(where) > 1)

    def call(name: str, arguments: dict[str, Any], client: str) -> tuple[str, bool]:
        if not known or not where:
            from memcli.features.serve.mcp.calls import Calls  # loads everything heavy

            where[:] = where or homes.find_homes(scope, vault, environ, here)  # a vault may have been made meanwhile
            known[:] = [Calls(where, environ, here, clock(), tell, agent=agent)]
        try:
            answered: tuple[str, bool] = known[0].run(name, arguments, client)
        except Exception as error:  # nothing in a vault may end the server
            return f"unexpected: {type(error).__name__}: {error}; the user can ask mem doctor", True
        return answered

    Connection(Protocol(offered, call), *claim_streams()).serve()
