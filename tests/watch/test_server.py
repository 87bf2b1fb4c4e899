"""The socket: whatever comes in, the server stays; whatever comes back, the client helps itself."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from memcli import system
from memcli.errors import Refused
from memcli.vault import layout
from memcli.watch import wire
from memcli.watch.server import MOST, Server
from tests.rows import check_rows
from tests.watch.conftest import until


def echo(kind: bytes, payload: bytes) -> tuple[bytes, bytes]:
    """Gives back what it is given; a few words make it do other things."""
    if payload == b"slow":
        time.sleep(1.5)
    if payload == b"no":
        return wire.DECLINED, b"does not want to"
    if payload == b"fail":
        raise wire.WireError("failed")
    return wire.ANSWER, kind + payload


@contextmanager
def serving(root: Path, environ: dict[str, str] | None = None) -> Iterator[Server]:
    server = Server(root, environ or {}, echo)
    server.open()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)
        server.close()
        assert not thread.is_alive()


@pytest.fixture(params=["local", "loopback"])
def server(folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Server]:
    monkeypatch.setattr(wire, "LIMIT", 30.0)  # the machine may be busy
    monkeypatch.setattr(system, "LOCAL_SOCKETS", request.param == "local")
    with serving(folder) as found:
        yield found


local_only = pytest.mark.parametrize("server", ["local"], indirect=True)
loopback_only = pytest.mark.parametrize("server", ["loopback"], indirect=True)


def ask(server: Server, payload: bytes = b"tea", kind: bytes = wire.STATUS) -> bytes:
    return wire.call(str(server.name), kind, payload, silence=5)


def raw(server: Server) -> socket.socket:
    """A connection on which nothing has been said yet."""
    while True:
        sock = socket.socket(socket.AF_UNIX if system.LOCAL_SOCKETS else socket.AF_INET, socket.SOCK_STREAM)
        sock.settimeout(10)
        try:
            wire.connect(str(server.name), sock)
            return sock
        except (BlockingIOError, ConnectionRefusedError, wire.WireError):  # there may be a queue, or too many
            sock.close()
            time.sleep(0.02)


# -- what is said --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stdin", [None, b"", b"a\0b" * 100_000])
def test_a_request_survives_the_way(stdin: bytes | None) -> None:
    words = ["recall", "", "午饭", "caf\udce9", "a\nb", "--", "x=y"]
    environ = {"MEM_NOW": "2026", "HOME": "/h=1", "NO_COLOR": "", "SECRET": "s", "XDG_DATA_HOME": "/ü"}
    data = wire.request(words, environ, "/some/folder", "utf-8", "01", stdin)
    del environ["SECRET"]
    assert wire.parse_request(data) == (words, environ, "/some/folder", "utf-8", "01", stdin)


def test_an_answer_survives_the_way() -> None:
    pieces = [(wire.OUT, "茶\0\n"), (wire.FLUSH, ""), (wire.ERR, "x" * 100_000), (wire.OUT, "\ud800")]
    (kind, code), *back = wire.frames(wire.answer_payload(3, pieces))
    assert (kind, code) == (wire.CODE, b"3")
    assert back == [(kind, text.encode("utf-8", "replace")) for kind, text in pieces]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"mem 0 0.0.0\0utf-8",
        wire.GREETING,
        wire.frame(wire.WORDS, b"mem 0 0.0.0"),
        wire.frame(wire.WORDS, wire.GREETING + b"\0utf-8\00000\0/\0many"),
    ],
)
def test_what_is_no_request_is_not_taken_for_one(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.parse_request(data)


@check_rows("cut", range(1, 30))
def test_half_an_answer_is_none(cut: int) -> None:
    whole = wire.frame(wire.ANSWER, wire.answer_payload(0, [(wire.OUT, "some tea"), (wire.ERR, "hot")]))
    with pytest.raises(wire.WireError):
        list(wire.frames(whole[:-cut]))


# -- the server ----------------------------------------------------------------------------------------------------


def test_it_answers_and_declines(server: Server) -> None:
    assert ask(server) == b"Stea"
    assert ask(server, b"x" * 3_000_000) == b"S" + b"x" * 3_000_000
    with pytest.raises(wire.WireError, match="does not want to"):
        ask(server, b"no")
    with pytest.raises(wire.WireError):
        ask(server, b"fail")


def test_who_was_greeted_waits_longer_for_the_answer(server: Server) -> None:
    sock = raw(server)
    assert wire.receive(sock) == (wire.HELLO, wire.GREETING)  # before the request
    sock.close()
    assert wire.call(str(server.name), wire.STATUS, b"slow", silence=1) == b"Sslow"


def test_the_socket_is_for_its_owner_alone(server: Server) -> None:
    assert server.name.stat().st_mode & 0o777 == 0o600
    assert wire.is_own_socket(str(server.name))


@local_only
@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="the system does not tell who is on the other side")
def test_nobody_else_is_let_in(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    sock = raw(server)
    assert sock.recv(100) == b""
    sock.close()


def test_garbage_does_not_harm(server: Server) -> None:
    dice = random.Random(5)
    start = wire.frame(wire.RUN, b"tea")
    for n in range(150):
        sock = raw(server)
        junk = [dice.randbytes(dice.randrange(60)), start[: dice.randrange(len(start))], b"R\xff\xff\xff\xff", b""][
            n % 4
        ]
        with sock, suppress(OSError):  # it may have had enough of us
            sock.sendall(junk)
            if n % 3:
                sock.shutdown(socket.SHUT_WR)
    until(lambda: _answers(server), 10)  # its door may be full for a moment
    assert ask(server) == b"Stea"


def test_who_connects_and_says_nothing_keeps_nobody_out(server: Server) -> None:
    silent = [raw(server) for _ in range(MOST + 10)]
    until(lambda: _answers(server), 10)
    for sock in silent:
        sock.close()


def _answers(server: Server) -> bool:
    try:
        return ask(server) == b"Stea"
    except wire.WireError:
        return False


def test_many_at_once_and_nothing_is_left_of_them(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memcli.watch.server.PATIENCE", 30.0)  # the machine may be busy
    ask(server)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda n: ask(server, b"%d" % n, wire.RUN) == b"R%d" % n, range(2000))) == {True}
    until(lambda: server.answered == 2000)  # an answer is counted after it was sent
    until(lambda: threading.active_count() < 12)
    if before:
        assert len(os.listdir("/proc/self/fd")) <= before + 3


# -- the client ----------------------------------------------------------------------------------------------------


def impostor(name: Path, answer: bytes, hold: float = 0.0) -> threading.Thread:
    """Somebody who answers once, in their own way."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    name.unlink(missing_ok=True)
    listening.bind(str(name))
    listening.listen()

    def reply() -> None:
        with listening, listening.accept()[0] as sock, suppress(OSError):
            sock.settimeout(5)
            sock.recv(65536)
            sock.sendall(answer)
            time.sleep(hold)

    thread = threading.Thread(target=reply)
    thread.start()
    return thread


GREETED = wire.frame(wire.HELLO, wire.GREETING)
COMPLETE = wire.frame(wire.ANSWER, wire.answer_payload(0, [(wire.OUT, "tea")]))


@pytest.mark.parametrize(
    ("answer", "hold", "why"),
    [
        (b"", 0, "closed the connection"),
        (b"", 0.5, "did not answer in time"),
        (wire.frame(wire.HELLO, b"mem 99 9.9.9") + COMPLETE, 0, "another version"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 0, "sent too much data|version|closed the connection"),
        (GREETED + COMPLETE[:-2], 0, "closed the connection"),
        (GREETED + b"A\xff\xff\xff\xff" + b"x" * 1000, 0, "sent too much data"),
        (GREETED + wire.frame(b"?", b"what"), 0, "nobody understands"),
        (GREETED + wire.frame(wire.DECLINED, b"does not want to"), 0, "does not want to"),
    ],
)
def test_a_client_is_not_taken_in(folder: Path, answer: bytes, hold: float, why: str) -> None:
    thread = impostor(folder / "socket", answer, hold)
    with pytest.raises(wire.WireError, match=why):
        wire.call(str(folder / "socket"), wire.RUN, b"tea")
    thread.join()


def test_somebody_who_only_greets_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LIMIT", 0.3)
    thread = impostor(folder / "socket", GREETED, 1)
    with pytest.raises(wire.WireError, match="did not answer in time"):
        wire.call(str(folder / "socket"), wire.RUN, b"tea")
    thread.join()


def test_nothing_but_our_own_socket_is_asked(folder: Path) -> None:
    name = folder / ".mem" / "socket"
    for make in (lambda: None, name.parent.mkdir, name.touch):
        make()
        with pytest.raises(wire.NoWatcher):
            wire.call(str(name), wire.RUN)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    name.unlink()
    name.parent.rmdir()
    name.parent.symlink_to(elsewhere)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.bind(str(elsewhere / "socket"))
    assert not wire.is_own_socket(str(name))
    sock.close()


# -- the meeting place ---------------------------------------------------------------------------------------------


def test_a_second_one_is_refused_and_told_who_is_first(server: Server, folder: Path) -> None:
    other = Server(folder, {}, echo)
    with pytest.raises(Refused, match=rf"watched by .*{os.getpid()}"):
        other.open()
    assert ask(server) == b"Stea"


def test_what_a_dead_one_left_is_replaced(folder: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from memcli.watch.server import Server\n"
        "Server(Path(sys.argv[1]), {}, None).open(); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, str(folder)], check=False)
    assert (folder / ".mem" / "socket").is_socket()
    with serving(folder) as server:
        assert ask(server) == b"Stea"
    assert not (folder / ".mem" / "socket").exists()


def test_a_deleted_cache_is_made_anew(server: Server) -> None:
    import shutil

    lock = server.root / layout.CACHE / "watch.lock"
    for _ in range(2):
        shutil.rmtree(server.root / layout.CACHE, ignore_errors=True)  # it may be made anew meanwhile
        until(lambda: lock.exists() and server.name.exists() and _answers(server), 5)
    server.name.unlink()
    until(lambda: server.name.exists() and _answers(server), 5)
    assert (server.root / layout.CACHE / ".gitignore").exists()


def test_a_vault_that_is_gone_ends_it(folder: Path) -> None:
    server = Server(folder, {}, echo)
    server.open()
    thread = threading.Thread(target=server.serve)
    thread.start()
    folder.rename(folder.with_name("moved"))
    thread.join(10)
    assert not thread.is_alive()
    server.close()


def test_a_link_in_place_of_the_cache_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / layout.CACHE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="link"):
        Server(folder, {}, echo).open()


def test_a_long_way_is_met_half_way(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    deep = folder / ("very-long-" * 10) / "vault"
    deep.mkdir(parents=True)
    run = tmp_path_factory.mktemp("r")  # the way to a socket has room for a hundred characters
    with serving(deep, {"XDG_RUNTIME_DIR": str(run)}) as server:
        assert server.name.parent == run / f"mem-{os.getuid()}"
        assert server.name.parent.stat().st_mode & 0o777 == 0o700
        assert str(server.name) == wire.socket_path(str(deep), {"XDG_RUNTIME_DIR": str(run)})
        assert ask(server) == b"Stea"
    with serving(deep, {"TMPDIR": str(run)}) as server:
        assert ask(server) == b"Stea"


# -- where there are no local sockets ------------------------------------------------------------------------------


@pytest.fixture
def no_local_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "LOCAL_SOCKETS", False)


@loopback_only
def test_who_does_not_know_the_secret_hears_nothing(server: Server) -> None:
    port = int(server.name.read_text(encoding="utf-8").split()[0])
    for said in (b"\0" * 64, wire.frame(wire.RUN, b"tea") * 20):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
            sock.sendall(said)
            heard = b""
            with suppress(ConnectionResetError):
                while piece := sock.recv(1000):
                    heard += piece
        assert len(heard) == 64, "a proof and a challenge"
    assert server.answered == 0
    assert ask(server) == b"Stea"


@pytest.mark.usefixtures("no_local_sockets")
def test_who_took_the_port_of_a_dead_watcher_learns_nothing(folder: Path) -> None:
    heard: list[bytes] = []
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def pretend() -> None:
            with listening.accept()[0] as sock, suppress(OSError):
                heard.append(sock.recv(1000))
                sock.sendall(os.urandom(64) + GREETED + COMPLETE)
                heard.append(sock.recv(1000))

        thread = threading.Thread(target=pretend)
        thread.start()
        name = folder / "door"
        name.write_text(f"{listening.getsockname()[1]} {'ab' * 32}\n", encoding="utf-8")
        with pytest.raises(wire.WireError, match="failed authentication"):
            wire.call(str(name), wire.RUN, b"tea", silence=5)
        thread.join(10)
    assert len(b"".join(heard)) == 32, "a challenge, and no word of the question"


@pytest.mark.usefixtures("no_local_sockets")
@pytest.mark.parametrize("text", ["", "no port", "1 zz", f"99999999 {'ab' * 32}", f"1 {'ab' * 32}", "1 2 3", "\0"])
def test_a_torn_door_is_none(folder: Path, text: str) -> None:
    (folder / "door").write_text(text, encoding="utf-8")
    with pytest.raises(wire.WireError):
        wire.call(str(folder / "door"), wire.RUN, b"tea")


@loopback_only
def test_the_door_lies_with_the_users_own_data_and_goes_with_the_server(server: Server, home: Path) -> None:
    assert server.name.is_relative_to(home)
    assert not server.name.is_relative_to(server.root), "a folder that others may read"
    server.stop()
    until(lambda: not server.name.exists())
