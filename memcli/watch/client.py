"""Asking a running `mem watch`. As light as the wire: this is what `mem recall` tries before anything is imported."""

from __future__ import annotations

import _socket
import time

from memcli.watch import wire
from memcli.watch.wire import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SILENCE, LIMIT = 0.1, 2.0  # seconds without a sign of life, and in all


class Absent(Broken):
    """Nobody watches."""


def call(
    name: str,
    kind: bytes,
    payload: bytes = b"",
    given: Callable[[bool], bytes | None] = lambda patient: b"",
    silence: float = SILENCE,
) -> bytes:
    """The answer to a request, whole; Broken says why there is none. `given` is asked for what stdin says."""
    if not hasattr(_socket, "AF_UNIX") or not wire.ours(name):
        raise Absent("is not there")
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        sock.settimeout(silence)
        try:
            sock.connect(name)
        except (ConnectionRefusedError, FileNotFoundError):
            raise Absent("is not there") from None
        except OSError as error:  # too many are asking
            raise Broken(f"can't be reached: {error}") from None
        return _talk(sock, wire.frame(kind, payload), given)
    finally:
        sock.close()


def _talk(sock: _socket.socket, request: bytes, given: Callable[[bool], bytes | None]) -> bytes:
    until = time.monotonic() + LIMIT
    wire.send(sock, request)
    if wire.receive(sock, until, 1000) != (wire.HELLO, wire.GREETING):
        raise Broken("is of another version")
    while True:
        kind, said = wire.receive(sock, until)
        if kind == wire.ANSWER:
            return said
        if kind == wire.DECLINED:
            raise Broken(said.decode("utf-8", "replace"))
        if kind == wire.WANTED:
            left = until - time.monotonic()
            data = given(said == b"1")
            until = time.monotonic() + left
            wire.send(sock, wire.frame(wire.GIVEN, b"" if data is None else b"=" + data))
        elif kind != wire.ALIVE:
            raise Broken("answered in a way nobody understands")
