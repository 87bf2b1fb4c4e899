"""`mem serve` under load, as whole processes: serve.py [--files 1000] [--clients 200] [--seconds 60] [--think 20]

A vault is laid in a temporary folder, a server started, and in the same run measured: one client alone; starlette's
empty answer; one process per recall; many clients that read nine times and write once, thinking in between (the times
between two requests of a client are drawn from an exponential distribution with that mean), and without thinking; the
same with the server killed (SIGKILL) in the middle and started again; connections opened and dropped. Afterwards every
write that was acknowledged is looked for in the files, and must stand there once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from speed import Vocabulary, lay  # type: ignore[import-not-found]

TOKEN, NOW = "mem_bench", "2026-11-21T14:30"
EMPTY = """
import uvicorn, sys
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
async def answer(request): return Response(b"")
uvicorn.run(Starlette(routes=[Route("/v1/recall", answer, methods=["POST"])]), port=int(sys.argv[1]), log_level="error", http="httptools")
"""


@dataclass
class Seen:
    """What clients saw."""

    recalls: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0  # connections that ended without an answer
    acknowledged: set[str] = field(default_factory=set)
    seconds: float = 0.0


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def start(root: Path, port: int) -> subprocess.Popen[bytes]:
    env = {**os.environ, "MEM_SERVE_TOKEN": TOKEN, "MEM_NOW": NOW}
    command = [sys.executable, "-m", "memcli", "--vault", str(root), "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(port, b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return process


def until(port: int, request: bytes) -> None:
    for _ in range(3000):
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as sock:
                sock.sendall(request)
                if b" 200 " in sock.recv(100):
                    return
        except OSError:
            pass
        time.sleep(0.02)
    raise SystemExit("the server does not answer")


def framed(path: str, body: dict[str, object], key: str = "") -> bytes:
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    return (head + (f"Idempotency-Key: {key}\r\n" if key else "") + "\r\n").encode() + data


class Client:
    """One connection that is kept, and opened again when it broke."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            self.writer.write(request)
            head = await self.reader.readuntil(b"\r\n\r\n")
            size = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0)
            return int(head[9:12]), await self.reader.readexactly(size)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            self.close()
            raise ConnectionError from None

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def client(
    port: int, number: int, think: float, until: float, words: Vocabulary, seen: Seen, share: float
) -> None:
    dice, connection, queries = random.Random(number), Client(port), words.queries()
    await asyncio.sleep(dice.random() * think)
    while time.perf_counter() < until:
        writing = dice.random() < share
        text = f"measured note {number} {dice.getrandbits(64):x} about {dice.choice(words.words)} {dice.choice(words.words)}"
        key = f"{number}-{dice.getrandbits(64):x}"
        request = (
            framed("/v1/memories", {"text": text}, key)
            if writing
            else framed("/v1/recall", {"query": dice.choice(queries), "format": "md"})
        )
        begun = time.perf_counter()
        while True:
            try:
                status, _ = await connection.ask(request)
            except (ConnectionError, OSError):
                seen.broken += 1
                await asyncio.sleep(0.2)
                continue  # with the same key
            seen.statuses[status] += 1
            if status in (429, 503):
                await asyncio.sleep(1)
                continue
            break
        (seen.writes if writing else seen.recalls).append(time.perf_counter() - begun)
        if writing and status in (200, 201):
            seen.acknowledged.add(text)
        if think:
            await asyncio.sleep(max(0.0, min(dice.expovariate(1 / think), until - time.perf_counter())))
    connection.close()


async def load(port: int, clients: int, think: float, seconds: float, words: Vocabulary, share: float = 0.1) -> Seen:
    seen, begun = Seen(), time.perf_counter()
    await asyncio.gather(*(client(port, at, think, begun + seconds, words, seen, share) for at in range(clients)))
    seen.seconds = time.perf_counter() - begun
    return seen


async def alone(port: int, requests: int, words: Vocabulary) -> list[float]:
    connection, times, queries = Client(port), [], words.queries()
    for at in range(requests):
        begun = time.perf_counter()
        await connection.ask(framed("/v1/recall", {"query": queries[at % len(queries)], "format": "md"}))
        times.append(time.perf_counter() - begun)
    connection.close()
    return times


def told(name: str, seen: Seen, median: float) -> None:
    def row(times: list[float]) -> str:
        ordered = sorted(times)
        marks = [ordered[min(len(ordered) - 1, int(len(ordered) * at))] * 1000 for at in (0.5, 0.95, 0.99)]
        return "p50 {:.1f} · p95 {:.1f} · p99 {:.1f} ms".format(*marks)

    rate = (len(seen.recalls) + len(seen.writes)) / seen.seconds
    print(f"\n{name}: {rate:.0f} requests/s, statuses {dict(seen.statuses)}, connections broken {seen.broken}")
    if seen.recalls:
        ratio = sorted(seen.recalls)[int(len(seen.recalls) * 0.99)] / median
        print(f"  recall {len(seen.recalls)}: {row(seen.recalls)}; p99 is {ratio:.1f} × the median of one client")
    if seen.writes:
        print(f"  write {len(seen.writes)}: {row(seen.writes)}")


def missing(root: Path, acknowledged: set[str]) -> tuple[int, int]:
    """How many acknowledged writes are not there, and how many stand there more than once."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in root.rglob("*.md"))
    counts = [text.count(note) for note in acknowledged]
    return counts.count(0), sum(count > 1 for count in counts)


async def killed(
    root: Path, server: subprocess.Popen[bytes], port: int, args: argparse.Namespace, words: Vocabulary
) -> tuple[Seen, subprocess.Popen[bytes]]:
    loop, again = asyncio.get_running_loop(), [server]

    def kill() -> None:
        again[0].send_signal(signal.SIGKILL)
        again[0].wait()
        again[0] = start(root, port)

    async def later() -> None:
        await asyncio.sleep(args.seconds / 2)
        await loop.run_in_executor(None, kill)

    seen, _ = await asyncio.gather(load(port, args.clients, args.think, args.seconds, words, 0.3), later())
    return seen, again[0]


def dropped(port: int, many: int) -> float:
    begun = time.perf_counter()
    for at in range(many):
        sock = socket.create_connection(("127.0.0.1", port), 5)
        if at % 3:
            sock.sendall(
                b"POST /v1/recall HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{" if at % 3 == 1 else b"GET /he"
            )
        sock.close()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, help="seconds; else so long that --share of what one gets is asked for")
    parser.add_argument("--share", type=float, default=0.4)
    parser.add_argument("--drop", type=int, default=10_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, words, port = Path(folder) / "vault", Vocabulary(), free_port()
        lay(root, args.files, words)
        server = start(root, port)
        times = asyncio.run(alone(port, 400, words))[100:]
        median = statistics.median(times)
        print(
            f"{args.files} files; one client: median {median * 1000:.1f} ms, {1 / statistics.mean(times):.0f} recalls/s"
        )
        args.think = args.think or round(args.clients * statistics.mean(times) / args.share, 1)
        other = free_port()
        empty = subprocess.Popen([sys.executable, "-c", EMPTY, str(other)])
        until(other, framed("/v1/recall", {}))
        nothing = asyncio.run(alone(other, 2000, words))
        empty.terminate()
        print(
            f"starlette's empty answer: median {statistics.median(nothing) * 1000:.2f} ms, {1 / statistics.mean(nothing):.0f}/s"
        )
        begun = time.perf_counter()
        for query in words.queries() * 3:
            subprocess.run(
                [sys.executable, "-m", "memcli", "--vault", str(root), "recall", query],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "MEM_NOW": NOW},
            )
        print(f"one process per recall: {12 / (time.perf_counter() - begun):.1f}/s")
        seen = asyncio.run(load(port, args.clients, args.think, args.seconds, words))
        told(f"{args.clients} clients, thinking {args.think:g} s", seen, median)
        print("  acknowledged writes missing {}, twice {}".format(*missing(root, seen.acknowledged)))
        seen = asyncio.run(load(port, args.clients, 0, args.seconds / 3, words))
        told(f"{args.clients} clients without thinking", seen, median)
        print("  acknowledged writes missing {}, twice {}".format(*missing(root, seen.acknowledged)))
        seen, server = asyncio.run(killed(root, server, port, args, words))
        told("killed in the middle and started again, three writes in ten", seen, median)
        print("  acknowledged writes missing {}, twice {}".format(*missing(root, seen.acknowledged)))
        took = dropped(port, args.drop)
        until(port, b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        print(f"\n{args.drop} connections opened and dropped in {took:.1f} s;", end=" ")
        print(f"then one client: median {statistics.median(asyncio.run(alone(port, 100, words))) * 1000:.1f} ms")
        server.terminate()
        print(f"SIGTERM: exit {server.wait(30)}")


if __name__ == "__main__":
    main()
