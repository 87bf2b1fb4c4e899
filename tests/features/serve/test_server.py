"""The process itself: clients that are slow, broken or many, and its end."""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from tests.conftest import NOW
from tests.features.serve.process import IMPATIENT, TOKEN, Server, eventually, launched, request, started
from tests.rows import check_rows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix end it here")


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[Server]:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    made = started(folder, tmp_path / "log", code=IMPATIENT)
    yield made
    made.process.kill()
    made.process.wait()


def answers(server: Server) -> bool:
    return server.ask("POST", "/v1/recall", {"query": "tea"})[0] == 200


def closed(sock: socket.socket) -> bytes:
    """All that comes until the other side ends it."""
    sock.settimeout(20)
    heard = b""
    try:
        while piece := sock.recv(65536):
            heard += piece
    except ConnectionError:
        pass
    return heard


def test_who_says_nothing_is_let_go(server: Server) -> None:
    with server.connect() as silent, server.connect() as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nHost: loc")
        assert closed(silent) == b""
        assert closed(slow) == b""
    assert answers(server)


def test_who_sends_a_head_byte_by_byte_is_let_go(server: Server) -> None:
    with server.connect() as sock:
        ended = False
        try:
            for byte in b"GET /health HTTP/1.1\r\nX: " + b"y" * 10_000:
                sock.sendall(bytes([byte]))
                time.sleep(0.01)
        except ConnectionError:
            ended = True
        assert ended
    assert answers(server)


def test_a_body_that_does_not_come_is_not_waited_for(server: Server) -> None:
    with server.connect() as sock:
        sock.sendall(request("POST", "/v1/memories", {"text": "x" * 100})[:-50])
        heard = closed(sock)
    assert heard.startswith(b"HTTP/1.1 408")
    assert answers(server)


def test_who_sends_too_much_hears_of_it_and_may_go_on(folder: Path, tmp_path: Path) -> None:
    """To close with bytes that nobody read would take the answer from a client that is still sending."""
    server = started(folder, tmp_path / "log")
    client = HTTPConnection("127.0.0.1", server.port, timeout=60)
    client.connect()
    client.auto_open = 0  # the same connection serves all three
    try:
        for _ in range(3):
            client.request("POST", "/v1/memories", b"x" * 20_000_000, {"Authorization": f"Bearer {TOKEN}"})
            answer = client.getresponse()
            assert (answer.status, json.loads(answer.read())["detail"]) == (413, "the body is larger than 4 MB")
    finally:
        client.close()
        server.process.kill()
        server.process.wait()


def test_a_body_without_end_is_cut(server: Server) -> None:
    with server.connect() as sock:
        sock.settimeout(20)
        head = request("POST", "/v1/memories").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        sock.sendall(head)
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with pytest.raises(ConnectionError):
            for _ in range(100_000):
                sock.sendall(piece)
    assert answers(server)


@check_rows(
    "said",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_http_is_no_trouble(server: Server, said: bytes) -> None:
    with server.connect() as sock:
        try:
            sock.sendall(said)
        except ConnectionError:
            pass
        closed(sock)
    assert answers(server)


def test_who_does_not_take_the_answer_is_let_go(server: Server, folder: Path) -> None:
    (folder / "logs").mkdir()
    long = "".join(f"- 10:{at % 60:02} a note about tea, {'and so on ' * 100}{at}\n" for at in range(200))
    (folder / "logs/2026-11-20.md").write_text(long, encoding="utf-8")
    with server.connect() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.sendall(request("GET", "/v1/memories?limit=200") * 20)
        time.sleep(2)  # four times its patience
        sock.settimeout(20)
        ended = False
        try:
            while sock.recv(65536):
                pass
            ended = True
        except ConnectionError:
            ended = True
        assert ended
    assert answers(server)


def test_hundreds_of_connections_opened_and_dropped(server: Server) -> None:
    for number in range(600):
        with server.connect() as sock:
            if number % 3:
                sock.sendall(request("POST", "/v1/memories", {"text": "x" * 100})[: 40 * (number % 3)])
    eventually(lambda: answers(server) or 1 / 0)


def test_more_connections_than_it_takes_are_turned_away(server: Server) -> None:
    first = server.connect()
    first.sendall(request("GET", "/health"))
    assert first.recv(1000).startswith(b"HTTP/1.1 200")
    many = [server.connect() for _ in range(80)]
    for sock in [first, *many]:
        sock.close()
    eventually(lambda: answers(server) or 1 / 0)


def test_what_was_acknowledged_is_there_after_it_was_killed(server: Server, folder: Path, tmp_path: Path) -> None:
    notes = [f"note number {number} about the harbour {number * 7919}" for number in range(12)]
    told = []
    for number, note in enumerate(notes):
        if number == 6:
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            server = started(folder, tmp_path / "second", code=IMPATIENT)
        status, _ = server.ask("POST", "/v1/memories", {"text": note}, **{"Idempotency-Key": str(number)})
        told.append(status)
    again, _ = server.ask("POST", "/v1/memories", {"text": notes[2]}, **{"Idempotency-Key": "2"})
    server.process.kill()
    server.process.wait()
    text = (folder / f"logs/{NOW:%Y-%m-%d}.md").read_text(encoding="utf-8")
    assert told == [201] * 12
    assert again == 201
    assert [text.count(note) for note in notes] == [1] * 12


def test_it_ends_when_it_is_told_to_and_finishes_what_it_began(server: Server, folder: Path) -> None:
    with server.connect() as sock:
        sock.sendall(request("POST", "/v1/memories", {"text": "the last thing before the end"}))
        time.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        heard = closed(sock)
    assert server.process.wait(30) == 0
    noted = (folder / f"logs/{NOW:%Y-%m-%d}.md").exists()
    assert heard.startswith(b"HTTP/1.1 201") == noted


@check_rows(
    ("head", "status"),
    [
        pytest.param(b"X: " + b"y" * 2**20 + b"\r\n", b"431", id="one long"),
        pytest.param(b"X: 1\r\n" * 200, b"431", id="many"),
        pytest.param(b"".join(b"X%d: %s\r\n" % (n, b"y" * 2000) for n in range(40)), b"431", id="long together"),
        pytest.param(b"X: 1\r\n" * 90, b"200", id="some"),
        pytest.param(b"X: " + b"y" * 40_000 + b"\r\n", b"200", id="one"),
    ],
)
def test_a_head_is_read_to_a_bound_and_then_the_connection_is_closed(
    server: Server, head: bytes, status: bytes
) -> None:
    with server.connect() as sock:
        with suppress(ConnectionError):
            sock.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n")
        heard = closed(sock)
    assert heard[9:12] in (status, b"" if status == b"431" else status)  # what was not read may take the answer along
    assert answers(server)


def test_a_long_address_and_trailers_without_end_are_cut_too(server: Server) -> None:
    for said in (
        b"GET /" + b"a" * 10**6 + b" HTTP/1.1\r\n\r\n",
        request("POST", "/v1/recall").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked") + b"0\r\nX: y",
    ):
        with server.connect() as sock, pytest.raises(ConnectionError):  # it is closed while we still speak
            sock.sendall(said)
            while True:
                sock.sendall(b"y" * 2**16)
    assert answers(server)


# A recall that comes to no end, in the thread of the server that reads.
ENDLESS = f"""
import time
from memcli.features.serve import cli
cli.run_command = lambda *asked, **more: [time.sleep(1) for _ in range(10_000)]
from memcli.features.serve import server
server.LAST = 1.0
{IMPATIENT}"""


@pytest.mark.slow
def test_it_ends_after_its_grace_period_whatever_its_threads_do(folder: Path, tmp_path: Path) -> None:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    server = Server(*launched(folder, tmp_path / "log", "--workers", "0", code=ENDLESS))
    with server.connect() as sock:
        sock.sendall(request("POST", "/v1/recall", {"query": "tea"}))
        time.sleep(1)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 1
    assert "given up" in (tmp_path / "log").read_text()
