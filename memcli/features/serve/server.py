"""Listen with uvicorn. Silent connections are closed, and running work may finish before the server ends."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memcli import bounds, system
from memcli.features.serve.work import ServerLimits

LAST = 5.0  # seconds that the end may take, beyond the time of one request
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class GuardedProtocol(HttpToolsProtocol):
    """Closes a connection when nothing comes, when an answer is not taken, when the head is too large, and when there
    are too many of them."""

    def __init__(self, limits: ServerLimits, **given: Any) -> None:
        super().__init__(**given)
        self._limits = limits
        self._guard: asyncio.TimerHandle | None = None
        self._unheard = 0  # bytes of a head, or after a body, that were not parsed yet

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(error)

    def on_message_begin(self) -> None:
        self._wait()  # the head may take as long as an idle connection
        super().on_message_begin()

    def data_received(self, data: bytes) -> None:
        self._unheard += len(data)
        super().data_received(data)
        if self._unheard > bounds.HEAD and not self.transport.is_closing():
            self.send_400_response("")

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > bounds.HEADERS:
            self._is_too_large()

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > bounds.HEAD:
            self._is_too_large()
        self._stop_waiting()  # the reader of the body limits its time
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unheard = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unheard = 0
        super().on_message_complete()

    def _is_too_large(self) -> None:
        """Make the parser give up, which leads to `send_400_response`."""
        self._unheard = bounds.HEAD + 1
        raise ValueError("the head of a request is too large")

    def send_400_response(self, msg: str) -> None:
        """Answer a broken request, or one whose head is too large, and close the connection."""
        if self._unheard <= bounds.HEAD:
            super().send_400_response(msg)
            return
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_LARGE)
        self.transport.close()

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
        self._guard = self.loop.call_later(self._limits.idle, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._guard is not None:
            self._guard.cancel()
            self._guard = None


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the address. Raise OSError if the address can't be had."""
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


def serve(
    app: Starlette,
    sock: socket.socket,
    limits: ServerLimits,
    started: Callable[[], None],
    overdue: Callable[[], None],
    **tls: Any,
) -> None:
    """Serve until SIGTERM or Ctrl-C. Then accept nothing new and finish what has begun. If that takes longer than a
    request may, plus `LAST` seconds, call `overdue`, which ends the process."""
    config = uvicorn.Config(
        app, http=partial(GuardedProtocol, limits),  # type: ignore[arg-type]  # any factory will do
        ws="none", loop="asyncio", lifespan="on", log_config=None, access_log=False,
        server_header=False, timeout_keep_alive=int(limits.idle), timeout_graceful_shutdown=int(limits.seconds),
        backlog=1024, proxy_headers=False, **tls,
    )  # fmt: skip
    _Server(config, started, limits.seconds + LAST, overdue).run(sockets=[sock])


class _Server(uvicorn.Server):
    """Reports when it listens, and treats the signal that ended it as handled, so that the exit code is 0."""

    def __init__(
        self, config: uvicorn.Config, started: Callable[[], None], grace: float, overdue: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._tell_started = started
        self._last_moment = threading.Timer(grace, overdue)
        self._last_moment.daemon = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            self._last_moment.start()  # threads can't be killed, and Python would wait for all of them
        super().handle_exit(sig, frame)

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
