"""Whatever bytes a client sends, it gets an answer or a clean end, and the watcher goes on."""

from __future__ import annotations

import os
import random
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli.watch import wire
from memcli.watch.resident import Resident
from tests.watch.conftest import until, watcher_of


@pytest.fixture
def name(notes: Path) -> Iterator[str]:
    """The socket of a watcher with all its answers, in this process."""
    watcher = watcher_of(notes)
    watcher.resident = Resident(notes)
    watcher.server.open()
    thread = threading.Thread(target=watcher.server.serve)
    thread.start()
    yield str(watcher.server.name)
    watcher.server.stop()
    thread.join(10)
    watcher.server.close()
    assert not thread.is_alive()


def reply(name: str, data: bytes) -> bytes:
    """The kind of frame that came back after the greeting; nothing for a connection that was closed."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.settimeout(20)
    until(lambda: sock.connect_ex(name) == 0)
    with sock:
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            kinds = [wire.receive(sock)[0]]
            while kinds[-1] == wire.HELLO:
                kinds.append(wire.receive(sock)[0])
        except wire.WireError as error:
            assert "closed the connection" in str(error)  # and not: did not answer in time
            return b""
        return kinds[-1]


def is_up(name: str) -> bool:
    return bool(wire.call(name, wire.STATUS, silence=10))


@pytest.mark.parametrize(
    "day", [b"", b"yesterday", b"2026-13-45", b"9999-12-31", b"0001-01-01", b"\xff", b"2026-11-21" * 9]
)
def test_a_malformed_date_gets_an_answer(name: str, day: bytes, notes: Path) -> None:
    for text in (b"\0tea is bought", b"\0", b"", b"\0\xff\0"):
        assert reply(name, wire.frame(wire.ALIKE, day + text)) in (wire.ANSWER, wire.DECLINED)
    assert is_up(name)


def test_any_frame_gets_an_answer_or_an_end(name: str) -> None:
    dice = random.Random(7)
    encoding = sys.getfilesystemencoding()
    whole = wire.frame(wire.RUN, wire.request(["recall", "tea"], os.environ, "/", encoding, "00", b"some tea"))
    got = set()
    for turn in range(300):
        data = bytearray(whole)
        if turn % 3 == 0:
            data = bytearray(
                wire.frame(dice.choice([b"R", b"S", b"L", b"x", b"\0"]), dice.randbytes(dice.randrange(200)))
            )
        elif turn % 3 == 1:
            for _ in range(dice.randrange(1, 6)):
                data[dice.randrange(5, len(data))] = dice.randrange(256)
        else:
            del data[dice.randrange(len(data)) :]
        got.add(reply(name, bytes(data)))
    assert got <= {wire.ANSWER, wire.DECLINED, b""} and {wire.ANSWER, wire.DECLINED} <= got
    assert reply(name, b"R\xff\xff\xff\xff") == wire.DECLINED
    assert is_up(name)
