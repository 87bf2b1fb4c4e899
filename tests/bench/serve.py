"""`mem serve` under load, as whole processes: serve.py [--files 1000] [--clients 200] [--seconds 60] [--workers 0,2]

A vault is laid in a temporary folder, and for each number of --workers a server started. In the same run are measured:
one client alone; starlette's empty answer; one process per recall; many clients that read nine times and write once
and think in between (--think: means of the exponential distribution that these times are drawn from; 0: no pause), who
come back as they are told after a 429; the same with the server killed (SIGKILL) in the middle and started again;
connections opened and dropped. Afterwards every write that was acknowledged is looked for in the files, and must stand
there once.
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
from typing import NamedTuple

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

    recalls: list[float] = field(default_factory=list)  # seconds of those that were answered
    whole: list[float] = field(default_factory=list)  # the same from the first time they were asked
    writes: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0  # connections that ended without an answer
    acknowledged: set[str] = field(default_factory=set)
    seconds: float = 0.0
    sent_away: int = 0  # recalls that were told to come back


def questions(words: Vocabulary, many: int) -> list[str]:
    """Different ones of the kinds that `Vocabulary.queries` has."""
    dice = random.Random(7)
    kinds = words.queries()
    if many <= len(kinds):
        return kinds[:many]
    pick = lambda low, high: words.words[dice.randrange(low, high)]  # noqa: E731
    made = [
        (f"{pick(0, 30)} {pick(400, 1200)} {pick(5000, 12000)}", f"what did we say about {pick(20, 60)} {pick(40, 90)} {pick(1000, 3000)}",
         words.chinese()[:4], f"{pick(600, 2400)} yesterday #t{dice.randrange(200)}")[at % 4]
        for at in range(many)
    ]  # fmt: skip
    return list(dict.fromkeys(made))


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def start(root: Path, port: int, workers: int) -> subprocess.Popen[bytes]:
    env = {**os.environ, "MEM_SERVE_TOKEN": TOKEN, "MEM_NOW": NOW}
    command = [sys.executable, "-m", "memcli", "--vault", str(root), "serve", "--port", str(port)]
    command += ["--workers", str(workers)]
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


class Asked(NamedTuple):
    """What clients ask, and words for what they write."""

    words: Vocabulary
    questions: list[str]


class Client:
    """One connection that is kept, and opened again when it broke."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, request: bytes) -> tuple[int, float]:
        """The status, and in how many seconds to come back."""
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            self.writer.write(request)
            head = await self.reader.readuntil(b"\r\n\r\n")
            lines = [line.partition(b":") for line in head.lower().split(b"\r\n")]
            fields = {name: value for name, _, value in lines}
            await self.reader.readexactly(int(fields.get(b"content-length", 0)))
            return int(head[9:12]), float(fields.get(b"retry-after", 1))
        except (OSError, asyncio.IncompleteReadError, ValueError):
            self.close()
            raise ConnectionError from None

    async def pause(self, seconds: float) -> None:
        """Nobody keeps a connection open for long without using it."""
        if seconds > 10:
            self.close()
        await asyncio.sleep(seconds)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def client(port: int, number: int, think: float, until: float, asked: Asked, seen: Seen, share: float) -> None:
    dice, connection = random.Random(number), Client(port)
    await asyncio.sleep(dice.random() * max(think, 1.0))  # nobody begins in the same instant
    while time.perf_counter() < until:
        writing = dice.random() < share
        some = f"{dice.choice(asked.words.words)} {dice.choice(asked.words.words)}"
        text, key = (
            f"measured note {number} {dice.getrandbits(64):x} about {some}",
            f"{number}-{dice.getrandbits(64):x}",
        )
        request = (
            framed("/v1/memories", {"text": text}, key)
            if writing
            else framed("/v1/recall", {"query": dice.choice(asked.questions), "format": "md"})
        )
        first = time.perf_counter()
        while True:
            begun = time.perf_counter()
            try:
                status, back = await connection.ask(request)
            except (ConnectionError, OSError):
                seen.broken += 1
                await asyncio.sleep(0.2)
                continue  # with the same key
            seen.statuses[status] += 1
            if status not in (429, 503) or time.perf_counter() > until:
                break
            seen.sent_away += not writing
            await connection.pause(back)
        now = time.perf_counter()
        if writing:
            seen.writes.append(now - first)
        elif status == 200:
            seen.recalls.append(now - begun)
            seen.whole.append(now - first)
        if writing and status in (200, 201):
            seen.acknowledged.add(text)
        if think:
            await connection.pause(max(0.0, min(dice.expovariate(1 / think), until - time.perf_counter())))
    connection.close()


async def load(port: int, clients: int, think: float, seconds: float, asked: Asked, share: float = 0.1) -> Seen:
    seen, begun = Seen(), time.perf_counter()
    await asyncio.gather(*(client(port, at, think, begun + seconds, asked, seen, share) for at in range(clients)))
    seen.seconds = time.perf_counter() - begun
    return seen


async def alone(port: int, requests: int, asked: Asked) -> list[float]:
    connection, times = Client(port), []
    for at in range(requests):
        begun = time.perf_counter()
        await connection.ask(
            framed("/v1/recall", {"query": asked.questions[at % len(asked.questions)], "format": "md"})
        )
        times.append(time.perf_counter() - begun)
    connection.close()
    return times


def told(name: str, seen: Seen, median: float) -> None:
    def row(times: list[float]) -> str:
        ordered = sorted(times)
        marks = [ordered[min(len(ordered) - 1, int(len(ordered) * at))] * 1000 for at in (0.5, 0.95, 0.99)]
        return "p50 {:.1f} · p95 {:.1f} · p99 {:.1f} ms".format(*marks)

    print(f"\n{name}: {len(seen.recalls) / seen.seconds:.1f} recalls/s, statuses {dict(seen.statuses)}", end="")
    print(f", connections broken {seen.broken}")
    if seen.recalls:
        ratio = sorted(seen.recalls)[int(len(seen.recalls) * 0.99)] / median
        print(f"  recall {len(seen.recalls)}: {row(seen.recalls)}; p99 is {ratio:.1f} × the median of one client")
        share = seen.sent_away / (seen.sent_away + len(seen.recalls))
        print(f"  sent away {share:.0%} of the times; with coming back: {row(seen.whole)}")
    if seen.writes:
        print(f"  write {len(seen.writes)}: {row(seen.writes)}")


def missing(root: Path, acknowledged: set[str]) -> tuple[int, int]:
    """How many acknowledged writes are not there, and how many stand there more than once."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in root.rglob("*.md"))
    counts = [text.count(note) for note in acknowledged]
    return counts.count(0), sum(count > 1 for count in counts)


async def killed(server: Server, think: float, args: argparse.Namespace, asked: Asked) -> Seen:
    async def later() -> None:
        await asyncio.sleep(args.seconds / 2)
        await asyncio.get_running_loop().run_in_executor(None, server.kill_and_start)

    seen, _ = await asyncio.gather(load(server.port, args.clients, think, args.seconds, asked, 0.3), later())
    return seen


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


class Server:
    """The process, or the one that came after it."""

    def __init__(self, root: Path, workers: int) -> None:
        self.root, self.workers, self.port = root, workers, free_port()
        self.process = start(root, self.port, workers)

    def kill_and_start(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = start(self.root, self.port, self.workers)

    def memory(self) -> str:
        """MB of each process, with what it shares counted in parts (PSS, Linux)."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids = [self.process.pid, *(children.read_text().split() if children.exists() else ())]
        sizes = [Path(f"/proc/{pid}/smaps_rollup") for pid in pids]
        return " + ".join(
            f"{int(next(line for line in size.read_text().splitlines() if line.startswith('Pss:')).split()[1]) // 1024}"
            for size in sizes
            if size.exists()
        )


def around(asked: Asked, root: Path) -> None:
    """What it is compared with."""
    other = free_port()
    empty = subprocess.Popen([sys.executable, "-c", EMPTY, str(other)])
    until(other, framed("/v1/recall", {}))
    nothing = asyncio.run(alone(other, 2000, asked))
    empty.terminate()
    print(f"starlette's empty answer: {statistics.median(nothing) * 1000:.2f} ms, {1 / statistics.mean(nothing):.0f}/s")
    begun = time.perf_counter()
    for query in asked.questions[:12]:
        command = [sys.executable, "-m", "memcli", "--vault", str(root), "recall", query]
        env = {**os.environ, "MEM_NOW": NOW}
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    print(f"one process per recall: {12 / (time.perf_counter() - begun):.1f}/s")


def measured(server: Server, args: argparse.Namespace, asked: Asked) -> None:
    """All of it, with so many workers."""
    times = asyncio.run(alone(server.port, 300, asked))[100:]
    median = statistics.median(times)
    print(
        f"\n--workers {server.workers}; one client: median {median * 1000:.1f} ms, {1 / statistics.mean(times):.0f}/s",
        end="",
    )
    print(f"; memory {server.memory()} MB")
    thinking = [float(think) for think in args.think.split(",")]
    for think in thinking:
        seen = asyncio.run(load(server.port, args.clients, think, args.seconds, asked))
        before, times = (
            times,
            asyncio.run(alone(server.port, 100, asked)),
        )  # other work comes and goes: before and after
        median = statistics.median([*before[-100:], *times])
        told(f"{args.clients} clients that think {think:g} s (one client: {median * 1000:.1f} ms)", seen, median)
        print("  acknowledged writes missing {}, twice {}".format(*missing(server.root, seen.acknowledged)))
    if args.kill:
        seen = asyncio.run(killed(server, thinking[0], args, asked))
        told("killed in the middle and started again, three writes in ten", seen, median)
        print("  acknowledged writes missing {}, twice {}".format(*missing(server.root, seen.acknowledged)))
    if args.drop:
        took = dropped(server.port, args.drop)
        until(server.port, b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        after = statistics.median(asyncio.run(alone(server.port, 100, asked))) * 1000
        print(f"\n{args.drop} connections opened and dropped in {took:.1f} s; then one client: median {after:.1f} ms")
    print(f"memory {server.memory()} MB", end="; ")
    server.process.terminate()
    print(f"SIGTERM: exit {server.process.wait(30)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", default="20,3,0", help="seconds between two requests of a client")
    parser.add_argument("--workers", default="0,2")
    parser.add_argument("--no-kill", dest="kill", action="store_false")
    parser.add_argument("--drop", type=int, default=10_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, words = Path(folder) / "vault", Vocabulary()
        lay(root, args.files, words)
        asked = Asked(words, questions(words, 1000))
        print(f"{args.files} files; {len(asked.questions)} questions")
        around(asked, root)
        for workers in args.workers.split(","):
            measured(Server(root, int(workers)), args, asked)


if __name__ == "__main__":
    main()
