"""`mem serve` as a process of its own, and a client of bare sockets."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TOKEN = "mem_test"
STARTING = 60.0
SERVING = """
from memcli.__main__ import main
main()
"""
# The same server with little patience, for tests of what is not waited for. On a busy machine a question may take it
# longer than that, so no other test asks it.
IMPATIENT = f"""
from memcli.features.serve import work
defaults = work.ServerLimits.__init__.__defaults__
less = {{15.0: 0.5, 30.0: 5.0, 1000: 40}}
work.ServerLimits.__init__.__defaults__ = tuple(less.get(value, value) for value in defaults)
{SERVING}"""


class Server(NamedTuple):
    process: subprocess.Popen[bytes]
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 20)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
        with self.connect() as sock:
            sock.sendall(request(method, path, body, Connection="close", **headers))
            answer = b"".join(iter(lambda: sock.recv(65536), b""))
        head, _, rest = answer.partition(b"\r\n\r\n")
        return int(head[9:12]), rest


def request(method: str, path: str, body: object = None, **headers: str) -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    told = {"Host": "localhost", "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    lines = [f"{method} {path} HTTP/1.1", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in told.items()), "", ""]).encode() + data


def launched(folder: Path, log: Path, *options: str, code: str = SERVING) -> tuple[subprocess.Popen[bytes], int]:
    """A server that listens, and where."""
    environ = {**os.environ, "MEM_SERVE_TOKEN": TOKEN}
    command = [sys.executable, "-c", code, "--vault", str(folder), "serve", "--port", "0", *options]
    with log.open("wb") as err:
        process = subprocess.Popen(command, env=environ, stderr=err, cwd=Path(__file__).parents[3])
    return process, int(eventually(lambda: re.search(r"https?://127\.0\.0\.1:(\d+)", log.read_text())[1]))  # type: ignore[index]


def started(folder: Path, log: Path, *options: str, code: str = SERVING) -> Server:
    server = Server(*launched(folder, log, *options, code=code))
    eventually(lambda: server.ask("GET", "/ready")[0] == 200 or 1 / 0)
    return server


def eventually(look: Callable[[], object]) -> str:
    """What comes of it as soon as anything does."""
    until = time.monotonic() + STARTING
    while True:
        try:
            return str(look())
        except (TypeError, OSError, ValueError, ZeroDivisionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
