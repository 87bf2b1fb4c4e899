"""Define `mem ui`: serve the page on this machine alone."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from memcli import system
from memcli.cli.clock import clock_of
from memcli.cli.command import Result, command
from memcli.cli.terminal import Terminal
from memcli.errors import Refused, UsageError
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.page.visit import BrowserSession
    from memcli.warm import WarmVaults

HOST = "127.0.0.1"


@command("ui", "mem ui", "mem ui --port 8765 --no-open", json="")
def ui(
    terminal: Terminal,
    port: Annotated[int, "N", "The port; 0 takes a free one."] = 0,
    open: Annotated[bool, "Open it in the browser."] = True,
    editor: Annotated[str, "NAME", "The editor that places lead to; else the one of $VISUAL or $EDITOR."] = "",
) -> Result | None:
    """It prints a link that opens it once, and runs until Ctrl-C. Nothing but this machine can reach it."""
    import uvicorn
    from starlette.applications import Starlette

    from memcli.features.page.app import routes
    from memcli.page.editor import LINKS, known
    from memcli.warm import WarmVaults

    if editor and not known(editor):
        raise UsageError("--editor {name}: it has no links; one of {names}", name=editor, names=", ".join(LINKS))
    if not 0 <= port < 65536:
        raise UsageError("--port {port} is not a port", port=port)
    terminal.vault()  # a broken vault fails before the server starts
    listener = _listener(port)
    port = listener.getsockname()[1]
    key = secrets.token_urlsafe(32)
    hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
    vaults = WarmVaults(clock_of(terminal.environ), terminal.environ, terminal.tell)
    app = Starlette(routes=routes(key, _session(terminal, vaults, editor), hosts))
    link = f"http://{HOST}:{port}/?key={key}"
    terminal.out(link)
    terminal.stdout.flush()
    terminal.tell("Ctrl-C ends it")
    if open and terminal.interactive():
        webbrowser.open(link)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
    try:
        uvicorn.Server(config).run([listener])
    finally:
        vaults.close()
    return None


def _session(terminal: Terminal, vaults: WarmVaults, editor: str) -> BrowserSession:
    """Return the session of the one browser. It reads the vault from memory, as `mem serve` does, and writes to its
    files."""
    from memcli.page.editor import known, of_environment
    from memcli.page.visit import BrowserSession

    root, environ, actor = terminal.where(), terminal.environ, terminal.vault().actor

    def opened(flags: Mapping[str, Any]) -> Vault:
        return vaults.at(root).reading(root, vaults.clock, environ, flags, actor)

    def to_write() -> Vault:
        return vaults.at(root).writing(root, vaults.clock, environ, {}, actor)

    return BrowserSession(opened, to_write, lambda: vaults.at(root).wrote(), known(editor) or of_environment(environ))


def _listener(port: int) -> socket.socket:
    listener = socket.socket()
    if not system.WINDOWS:  # on Windows the option would let another program share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise Refused(
            "port {port} can't be had: {WHY}", "mem ui takes a free one by itself", port=port, WHY=error.strerror
        ) from None
    listener.listen(128)
    return listener
