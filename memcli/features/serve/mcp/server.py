"""Loop over stdio: each line in is one message, each line out is one message, and nothing else is ever written to
stdout.

Tool calls run one after the other on a thread of their own, so that pings are answered and calls can be cancelled
meanwhile. The server ends when its client is gone.
"""

from __future__ import annotations

import json
import os
from _thread import allocate_lock

from memcli import bounds, system
from memcli.features.serve.mcp.protocol import BUSY, INVALID, Fault, Protocol, fault_reply, parse_frame

TYPE_CHECKING = False  # spares every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LAST, UNREAD = 60.0, 2.0  # seconds for running calls after stdin ends: if stdout is still read, and if not


def claim_streams() -> tuple[int, int]:
    """Return our stdin and stdout, hidden from all other code: what a child, a library or a `print` writes goes to
    stderr."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        os.dup2(nothing, 1)
    system.binary(source, sink)
    return source, sink


def lines(read: Callable[[], bytes]) -> Iterator[bytes | None]:
    """Yield the frames of a stream, or None for a frame that is too long. The last one needs no line feed."""
    pending, too_long = b"", False
    while piece := read():
        *whole, pending = (pending + piece).split(b"\n")
        for line in whole:
            yield None if too_long or len(line) > bounds.FRAME else line
            too_long = False
        if len(pending) > bounds.FRAME:
            pending, too_long = b"", True
    if pending or too_long:
        yield None if too_long else pending


class Connection:
    """Serve one client, from its first frame to its last."""

    def __init__(self, protocol: Protocol, source: int, sink: int) -> None:
        self.protocol, self.source, self.sink = protocol, source, sink
        self._writing = allocate_lock()
        self._calls: Any = None  # the queue of calls and its thread exist from the first call on
        self._worker: Any = None

    def serve(self) -> None:
        """Answer until the client closes its end."""
        for line in lines(self._read):
            if line is None:
                self._send(fault_reply(Fault(INVALID, f"a message of more than {bounds.FRAME} bytes")))
            elif line.strip():
                self._receive(line)
        self._finish()

    def _receive(self, line: bytes) -> None:
        try:
            message = parse_frame(line)
        except Fault as fault:
            self._send(fault_reply(fault))
            return
        calls = self.protocol.calls(message)
        if not calls:
            self._send(self.protocol.answer(message))
        elif self._calls is not None and self._calls.qsize() >= bounds.WAITING:
            busy = Fault(BUSY, f"{bounds.WAITING} calls are waiting already")
            self._send(self.protocol.refused(message, busy))
        else:
            self.protocol.expect(calls)
            self._later(message)

    def _later(self, message: Any) -> None:
        if self._calls is None:
            import gc
            from _queue import SimpleQueue
            from threading import Thread  # a client that calls no tool needs none

            gc.enable()  # a long-lived process must not grow
            self._calls = SimpleQueue()
            self._worker = Thread(target=self._work, name="calls", daemon=True)
            self._worker.start()
        self._calls.put(message)

    def _work(self) -> None:
        while (message := self._calls.get()) is not None:
            self._send(self.protocol.answer(message))

    def _finish(self) -> None:
        """Wait for running calls: long while the client still reads, briefly if it does not."""
        if self._calls is None:
            return
        self._calls.put(None)
        waited = 0.0
        while self._worker.is_alive() and waited < (LAST if system.is_read(self.sink) else UNREAD):
            self._worker.join(0.1)
            waited += 0.1

    def _read(self) -> bytes:
        try:
            return os.read(self.source, 65536)
        except OSError:
            return b""

    def _send(self, reply: Any) -> None:
        if reply is None:
            return
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        left = memoryview(text.encode("utf-8", "replace") + b"\n")
        with self._writing:
            try:
                while left:
                    left = left[os.write(self.sink, left) :]
            except OSError:
                os._exit(0)  # the client has gone
