"""Define `mem serve`."""

from __future__ import annotations

import gc
import os
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memcli.cli.clock import clock_of
from memcli.cli.command import command
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.extras import wanted
from memcli.features.serve.run_command import TOKEN, environ_of_callers, run_command
from memcli.message import Message

if TYPE_CHECKING:
    from memcli.features.serve.access import Access, AccessTokens

MOST_WORKERS = 64  # the highest value of --workers
USUAL_WORKERS = 2  # the default; each worker is a process of 100 MB with its own vaults in memory


@command(
    "serve",
    "mem serve",
    "mem serve --port 8700",
    "mem serve --host 0.0.0.0 --name memory.example.org --tls-cert cert.pem --tls-key key.pem",
    json="",
)
def serve(
    terminal: Terminal,
    host: Annotated[str, "Where to listen."] = "127.0.0.1",
    port: Annotated[int, "N", "On which port; 0 takes a free one."] = 8700,
    name: Annotated[list[str] | None, "NAME", "A further name that clients call it by; may be repeated."] = None,
    origin: Annotated[list[str] | None, "URL", "Pages from there may call it, too; may be repeated."] = None,
    tls_cert: Annotated[str, "FILE", "Its certificate, with --tls-key."] = "",
    tls_key: Annotated[str, "FILE", "The key of it."] = "",
    insecure_plain_http: Annotated[
        bool, "Beyond this machine without TLS: whoever is on the way reads tokens and memories."
    ] = False,
    workers: Annotated[int | None, "N", "Processes that read; 0: this one does. Else 2, on one core 0."] = None,
) -> None:
    """Until Ctrl-C. Whoever asks needs a token: of mem token, of MEM_SERVE_TOKEN, or the one that is shown."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # must be set before anything loads the library: see `mem watch`
    with wanted():
        from starlette.middleware import Middleware

        from memcli.features.serve import hosts, mcp_over_http, readers, server
        from memcli.features.serve.app import Api
        from memcli.features.serve.command_runner import CommandRunner
        from memcli.features.serve.paths import rows
        from memcli.features.serve.work import ServerLimits
        from memcli.warm import WarmVaults
    if not 0 <= port <= 65535:
        raise UsageError("--port {n}: 0 to 65535", n=port)
    many = _workers(workers)
    tls = hosts.listens_safely(host, tls_cert, tls_key, insecure_plain_http)
    known = [*([] if host in hosts.EVERYWHERE else [host]), *(name or [])]
    own_names = Middleware(hosts.OwnNames, names=known, origins=[hosts.origin_of(each) for each in origin or []])
    tokens, first = _tokens(terminal)
    try:
        sock = server.listen(host, port)
    except OSError as error:
        raise UsageError(
            Message("can't listen on {address}: {WHY}", address=f"{host}:{port}", WHY=error.strerror),
            "--port names another",
        ) from None
    gc.enable()
    sys.setswitchinterval(0.001)  # in seconds; readers and writers take turns on one interpreter
    limits, clock = ServerLimits(), clock_of(terminal.environ)
    vaults, environ = WarmVaults(clock, terminal.environ, terminal.tell), environ_of_callers(terminal.environ)
    run = partial(run_command, environ)
    pool = readers.Readers(readers.command(first.vault, many), many, environ, terminal.tell) if many else None
    api = Api(rows(), CommandRunner(run, vaults, limits, clock, pool), tokens, terminal.tell)
    ready = threading.Event()
    api.is_ready = ready.is_set

    def get_ready() -> None:
        if pool:
            pool.wait()
        else:
            readers.rehearse(run, first, vaults.at(first.vault))
        ready.set()

    threading.Thread(target=get_ready, daemon=True).start()
    app = api.app(mcp_over_http.routes(api, terminal.environ), [own_names])
    address = f"{'https' if tls else 'http'}://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}"

    def listening() -> None:
        terminal.tell("serving at {address}; Ctrl-C ends it", address=address)

    def overdue() -> None:
        if pool:
            pool.close()
        terminal.tell("what takes too long to end is given up; what was answered is on disk")
        os._exit(1)

    try:
        server.serve(app, sock, limits, listening, overdue, **tls)
    finally:
        if pool:
            pool.close()
        vaults.close()


def _workers(wanted: int | None) -> int:
    """Return how many reader processes to start. 0 means that this process reads, which a single reader would not
    improve."""
    many = min(os.cpu_count() or 1, USUAL_WORKERS) if wanted is None else wanted
    if not 0 <= many <= MOST_WORKERS:
        raise UsageError("--workers {n}: 0 to {most}", n=many, most=MOST_WORKERS)
    return many if many > 1 else 0


def _tokens(terminal: Terminal) -> tuple[AccessTokens, Access]:
    """Return the accepted tokens, and the access of one of them. Without any other token, make one for this vault and
    show it."""
    from memcli.features.serve.access import Access, AccessTokens

    tokens = AccessTokens(terminal.environ, clock_of(terminal.environ))
    others = tokens.listed()  # a damaged list fails before the server starts
    secret = terminal.environ.get(TOKEN) or ("" if others else _new_token(terminal))
    if not secret:
        return tokens, others[0]
    root = terminal.vault().root  # a missing folder and broken settings fail before the server starts, too
    own = Access(root.resolve(), may_write=True, token="serve")
    tokens.own = (secret, own)
    return tokens, own


def _new_token(terminal: Terminal) -> str:
    import secrets

    secret = f"mem_{secrets.token_urlsafe(32)}"
    terminal.tell("the token, until this ends: {secret}", secret=secret)
    return secret
