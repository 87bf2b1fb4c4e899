"""Listening: uvicorn, with patience for nobody who does not speak, and an end that lets work be finished."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memcli import system
from memcli.serve.work import Limits


def protocol(limits: Limits) -> type[asyncio.Protocol]:
    """Connections that are let go when nothing comes, when an answer is not taken, and when there are too many."""

    class Guarded(HttpToolsProtocol):
        _guard: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                transport.abort()
                return
            self._wait()

        def connection_lost(self, error: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(error)

        def on_message_begin(self) -> None:
            self._wait()  # the head has as long as an idle connection
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._stop_waiting()  # the body is timed by who reads it
            super().on_headers_complete()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._wait()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._stop_waiting()

        def _wait(self) -> None:
            self._stop_waiting()
            self._guard = self.loop.call_later(limits.idle, self._give_up)

        def _give_up(self) -> None:
            if not self.transport.is_closing() or self.transport.get_write_buffer_size():
                self.transport.abort()

        def _stop_waiting(self) -> None:
            if self._guard is not None:
                self._guard.cancel()
                self._guard = None

    return Guarded


def listen(host: str, port: int) -> socket.socket:
    """The address, taken; OSError when it can't be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(1024)
    except OSError:
        sock.close()
        raise
    return sock


def serve(app: Starlette, sock: socket.socket, limits: Limits, started: Callable[[], None], **tls: Any) -> None:
    """Until SIGTERM or Ctrl-C: then nobody new is heard, and what has begun is finished."""
    config = uvicorn.Config(
        app, http=protocol(limits), ws="none", loop="asyncio", lifespan="on", log_config=None, access_log=False,
        server_header=False, timeout_keep_alive=int(limits.idle), timeout_graceful_shutdown=int(limits.seconds),
        backlog=1024, proxy_headers=False, **tls,
    )  # fmt: skip
    _Server(config, started).run(sockets=[sock])


class _Server(uvicorn.Server):
    """Tells when it listens, and ends with the signal that ended it as its own doing: exit code 0."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell_started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self.handle_exit) for sign in system.ending_signals()}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)
