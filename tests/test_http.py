"""The one reader of the web: what is connected to is what was checked, and nothing has no end."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from memcli import http
from memcli.http import Call, HttpError, HttpLimits, is_public
from tests.rows import check_rows

LIMITS = HttpLimits(5.0, 2.0, 2.0, 100_000)
REAL = socket.getaddrinfo


class Server:
    """Answers each path with what stands in `pages`; keeps what it was asked, and for which host."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.pages: dict[str, Callable[[BaseHTTPRequestHandler], object]] = {"/": said(b"hello")}
        self.asked: list[tuple[str, str]] = []


def said(text: bytes, code: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], object]:
    def answer(wire: BaseHTTPRequestHandler) -> None:
        wire.send_response(code)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            wire.send_header(name.replace("_", "-"), value)
        wire.end_headers()
        wire.wfile.write(text)

    return answer


def sends_to(url: str) -> Callable[[BaseHTTPRequestHandler], object]:
    return said(b"", 302, Location=url)


@contextmanager
def serving() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.headers["host"], self.path))
            try:
                server.pages[self.path](self)
            except OSError:
                pass

        def log_message(self, *_: object) -> None:
            pass

    there = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    there.daemon_threads = True
    server = Server(there.server_address[1])
    Thread(target=there.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        there.shutdown()
        there.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as there:
        yield there


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Whose name stands for which addresses; one that is asked again gets the next, as somebody rebinding it has it."""
    known: dict[str, list[str]] = {}

    def resolve(host: str, port: Any, *more: Any, **named: Any) -> Any:
        if host in known and not known[host]:
            raise socket.gaierror("nobody knows it")
        if host in known:
            address = known[host].pop(0) if len(known[host]) > 1 else known[host][0]
            return [(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]
        return REAL(host, port, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


def get(url: str, limits: HttpLimits = LIMITS, **more: Any) -> bytes:
    with Call(url, limits, **more) as call:
        return call.read_body()


def why(url: str, limits: HttpLimits = LIMITS, **more: Any) -> str:
    with pytest.raises(HttpError) as error:
        get(url, limits, **more)
    return str(error.value)


# -- where it leads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]
)
def test_an_address_of_the_public_web(address: str) -> None:
    assert is_public(address)


@check_rows(
    "address",
    [
        "10.0.0.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "192.168.1.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::10.0.0.1",
        "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1", "64:ff9b:1::808:808", "64:ff9b:1:fffe::a00:1", "2002:7f00:1::", "2002:a00:1::1",
        "2001:0:808:808::80ff:fffe", "2001:0:a00:1::f7f7:f7f7", "2606:4700::5efe:a00:1", "2001:db8::1", "4000::1", "", "x",
    ],
)  # fmt: skip
def test_an_address_that_leads_inside_or_nowhere(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:808:808::80ff:fffe"]
)  # fmt: skip
def test_a_page_can_not_send_us_inside_by_any_wrapping(
    server: Server, names: dict[str, list[str]], address: str
) -> None:
    names["inside.example"] = [address]
    server.pages["/"] = sends_to("http://inside.example/")
    assert "not an address of the public web" in why(f"http://127.0.0.1:{server.port}/", hops=3)
    literal = f"[{address}]" if ":" in address else address
    server.pages["/"] = sends_to(f"http://{literal}/")
    assert "not an address of the public web" in why(f"http://127.0.0.1:{server.port}/", hops=3)


def test_a_page_can_not_send_us_to_a_name_that_only_a_proxy_knows(server: Server, names: dict[str, list[str]]) -> None:
    names["intranet.example"] = []
    server.pages["/"] = sends_to("http://intranet.example/")
    assert "not an address of the public web" in why(f"http://127.0.0.1:{server.port}/", hops=3)


def test_a_page_can_not_send_us_to_another_door_of_its_machine(server: Server) -> None:
    with serving() as other:
        server.pages["/"] = sends_to(f"http://127.0.0.1:{other.port}/")
        assert "not an address of the public web" in why(f"http://127.0.0.1:{server.port}/", hops=3)
        assert other.asked == []


def test_what_the_user_names_may_be_inside_and_move_within_itself(server: Server) -> None:
    server.pages |= {"/a": sends_to("/b?x#y"), "/b?x": said(b"there")}
    with Call(f"http://localhost:{server.port}/a", LIMITS, hops=3) as call:
        assert (call.read_body(), call.url) == (b"there", f"http://localhost:{server.port}/b?x#y")


@pytest.mark.parametrize("first", ["named", "sent"])
def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to(
    server: Server, names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """The second answer of the name would lead to a machine inside."""
    connected: list[str] = []
    real = socket.create_connection

    def connect(address: tuple[str, int], *more: Any, **named: Any) -> socket.socket:
        connected.append(address[0])
        return real(("127.0.0.1", server.port), *more, **named)

    names["rebound.example"] = ["93.184.216.34", "10.0.0.1"]
    monkeypatch.setattr(socket, "create_connection", connect)
    server.pages |= {
        "/": sends_to("http://rebound.example/b"),
        "/b": sends_to("http://rebound.example/c"),
        "/c": said(b"c"),
    }
    start = "http://rebound.example/b" if first == "named" else f"http://127.0.0.1:{server.port}/"
    assert get(start, hops=5) == b"c"
    assert set(connected) - {"127.0.0.1"} == {"93.184.216.34"}
    assert server.asked[-1] == ("rebound.example", "/c")  # the server still hears the name


def test_the_next_address_is_tried_where_one_is_dead(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [(0, 0, 0, "", (address, 0)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(
        http.socket, "getaddrinfo", lambda host, *_, **__: entries if host == "two.example" else REAL(host, *_, **__)
    )
    assert get(f"http://two.example:{server.port}/") == b"hello"


@pytest.mark.parametrize(
    "url", ["ftp://x.example/", "file:///etc/passwd", "http://", "//x", "http://x:99999/", "http://[::1", "x", ""]
)
def test_only_addresses_of_the_web_are_asked(server: Server, url: str) -> None:
    assert why(url)
    server.pages["/"] = sends_to(url or "http://")
    assert url in ("x", "") or why(f"http://127.0.0.1:{server.port}/", hops=2)


def test_a_redirect_is_an_answer_when_none_may_be_followed(server: Server) -> None:
    server.pages["/"] = sends_to("http://elsewhere.example/")
    with Call(f"http://127.0.0.1:{server.port}/", LIMITS) as call:
        assert call.status == 302
    server.pages["/"] = sends_to("/")
    assert why(f"http://127.0.0.1:{server.port}/", hops=3) == "sends on more than 3 times"


def test_a_proxy_of_the_environment_is_used_and_not_for_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
    server.pages["http://far.invalid/x"] = said(b"by proxy")
    assert get("http://far.invalid/x") == b"by proxy"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert get(f"http://127.0.0.1:{server.port}/") == b"hello"
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
    server.pages["http://far.invalid/x"] = sends_to("http://169.254.169.254/latest/")
    assert "not an address of the public web" in why("http://far.invalid/x", hops=2)


# -- limits ----------------------------------------------------------------------------------------------------------


def drip(*pieces: bytes, pause: float, times: int = 1000) -> Callable[[BaseHTTPRequestHandler], object]:
    def answer(wire: BaseHTTPRequestHandler) -> None:
        for piece in pieces[:-1] + pieces[-1:] * times:
            wire.wfile.write(piece)
            wire.wfile.flush()
            time.sleep(pause)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        drip(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n", pause=0.1),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b"x", pause=0.1),
        drip(b"HTTP/1.0 200 OK\r\n\r\n", b"x", pause=0.1),
    ],
    ids=["head", "body", "body without a length"],
)
def test_who_drips_is_cut_off(server: Server, answer: Any) -> None:
    server.pages["/"] = answer
    began = time.monotonic()
    assert why(f"http://127.0.0.1:{server.port}/", LIMITS._replace(seconds=0.6)) == "took longer than 0.6 s"
    assert time.monotonic() - began < 30  # not the 100 s of dripping


def test_who_is_silent_or_has_no_end_is_cut_off(server: Server) -> None:
    server.pages |= {"/": lambda _: time.sleep(3), "/big": drip(b"HTTP/1.0 200 OK\r\n\r\n", b"x" * 50_000, pause=0)}
    assert why(f"http://127.0.0.1:{server.port}/", LIMITS._replace(silence=0.3)) == "fell silent"
    assert why(f"http://127.0.0.1:{server.port}/big").startswith("has more than")


def test_a_name_that_is_not_resolved_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http.socket, "getaddrinfo", lambda *_, **__: time.sleep(2) or [])
    assert "can't be reached" in why("http://slow.example/", LIMITS._replace(connect=0.2))


def test_packing_that_was_not_asked_for_is_not_unfolded(server: Server) -> None:
    url, packed = f"http://127.0.0.1:{server.port}/", gzip.compress(b"0" * 2**20)
    server.pages["/"] = said(packed, Content_Encoding="gzip")
    assert why(url) == "is packed as gzip, which was not asked for"
    assert why(url, packing="gzip").startswith("has more than")
    server.pages["/"] = said(gzip.compress(b"tea"), Content_Encoding="gzip")
    assert get(url, packing="gzip") == b"tea"


def test_a_call_can_be_ended_from_elsewhere(server: Server) -> None:
    server.pages["/"] = drip(b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b"x", pause=0.05)
    call = Call(f"http://127.0.0.1:{server.port}/", LIMITS)
    with pytest.raises(HttpError), call:
        for _ in call.pieces():
            call.end()
