"""The server as a process: what it costs before it is used, and that nothing a client does breaks or fills it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.bounds import FRAME
from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.server import lines
from tests.features.serve.mcp.client import PATIENCE, STATELESS, Client
from tests.test_house import HEAVY, loaded_by

GROWTH = 3 * 2**20  # bytes that 300 calls may leave behind


@pytest.fixture
def notes(folder: Path) -> Path:
    (folder / "MEMORY.md").write_text("# Memory\n\n- Tea is drunk at four [date:: 2026-11-02]\n", encoding="utf-8")
    return folder


def memory_of(process: subprocess.Popen[bytes], what: str = "VmRSS") -> int:
    """Bytes of a process, as Linux tells."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        pytest.skip("only Linux tells the memory of another process")
    return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith(what))


def test_looking_loads_next_to_nothing() -> None:
    loaded = loaded_by("from memcli.features.serve.mcp import start")
    assert not loaded & (
        HEAVY | {"typer", "rich", "click", "typing", "dataclasses", "pathlib", "threading", "subprocess"}
    )
    assert not {name for name in loaded if name.startswith(("memcli.recall", "memcli.remember", "memcli.cli"))}


def test_before_a_tool_is_called_the_server_is_small_and_touches_no_vault(notes: Path) -> None:
    (notes / "mem.yaml").write_text("recall: [broken\n", encoding="utf-8")
    before = {path: path.stat().st_atime_ns for path in notes.rglob("*")}
    with Client("--vault", str(notes), "mcp") as client:
        client.shake_hands()
        assert client.tools() == [tool["name"] for tool in tools.TOOLS]
        assert client.result("server/discover", _meta=STATELESS)["supportedVersions"]
        assert memory_of(client.process, "VmHWM") <= 25 * 2**20
        assert {path: path.stat().st_atime_ns for path in notes.rglob("*")} == before


def test_a_broken_vault_is_told_and_the_server_stays(notes: Path) -> None:
    (notes / "mem.yaml").write_text("recall: [broken\n", encoding="utf-8")
    with Client("--vault", str(notes), "mcp") as client:
        assert "mem.yaml" in client.refuses("recall", question="tea")
        (notes / "mem.yaml").write_text("", encoding="utf-8")
        assert "Tea" in client.says("recall", question="when is tea drunk")


def test_where_there_is_no_vault_that_is_said_until_there_is_one(tmp_path: Path, home: Path) -> None:
    with Client("mcp", cwd=tmp_path) as client:
        assert "mem init" in client.refuses("recall", question="tea")
        (tmp_path / "mem.yaml").touch()
        (tmp_path / "MEMORY.md").write_text("- Tea at four\n", encoding="utf-8")
        assert "Tea at four" in client.says("recall", question="tea")


def test_the_vault_is_found_upwards_from_where_the_server_was_started(notes: Path) -> None:
    (notes / "mem.yaml").touch()
    (notes / "src" / "deep").mkdir(parents=True)
    with Client("mcp", cwd=notes / "src" / "deep") as client:
        assert "Tea" in client.says("recall", question="tea")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mcp", "--scope", "all"], "one of project, user, both"),
        (["mcp", "--what"], "--what"),
        (["mcp", "--help"], "--scope"),
    ],
)
def test_words_that_are_not_understood_are_explained(mem: Any, words: list[str], said: str) -> None:
    ran = mem(*words)
    assert said in ran.out + ran.err


def test_the_command_itself_serves_as_well(notes: Path) -> None:
    with Client("--debug", "--vault", str(notes), "mcp") as client:
        assert client.request("ping")["result"] == {}
        assert client.close() == 0


# -- frames ------------------------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=30), max_size=6), st.integers(1, 7))
def test_frames_are_the_same_however_the_stream_is_cut(frames: list[bytes], size: int) -> None:
    frames = [frame.replace(b"\n", b"") for frame in frames]
    stream = b"".join(frame + b"\n" for frame in frames)
    pieces = iter([stream[at : at + size] for at in range(0, len(stream), size)] + [b""])
    assert list(lines(lambda: next(pieces))) == frames


def test_a_frame_that_is_too_long_is_thrown_away_and_the_next_one_read() -> None:
    pieces = iter([b"x" * FRAME, b"y" * 100, b"\nnext\n", b"half", b""])
    assert list(lines(lambda: next(pieces))) == [None, b"next", b"half"]


FRAMES = [
    b"", b"   ", b"{", b"}", b"null", b"[]", b"[1,2]", b'"ping"', b"\xff\xfe\x00", b"{}" * 50, b"[" * 50_000, b'{"a":' * 5000,
    b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"recall"}}',
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":[]}}',
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"question":"\\ud800"}}}',
    b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":["recall"],"arguments":{}}}',
    b'{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":{"a":[]},"clientInfo":[]}}',
    b'{"jsonrpc":"2.0","id":"4","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":[]}}}',
    b'{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":7}}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"},7]',
    b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}',
    b"x" * (FRAME + 10),
]  # fmt: skip


def test_no_frame_ends_the_server_or_says_anything_but_json(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        for frame in [*FRAMES, *reversed(FRAMES)]:
            client.write(frame + b"\n")
        params = {"name": "recall", "arguments": {"question": "tea"}}
        client.send({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": params})
        answers: list[Any] = []
        while not answers or answers[-1].get("id") != "last":
            reply = client.receive()
            answers += reply if isinstance(reply, list) else [reply]
        assert all(one["jsonrpc"] == "2.0" and ("error" in one) != ("result" in one) for one in answers)
        assert "Tea" in answers[-1]["result"]["content"][0]["text"]


def test_half_a_frame_at_the_end_is_answered_and_the_server_ends(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        client.write(b'{"jsonrpc":"2.0","id":1,"meth')
        assert client.close() == 0
        assert client.receive()["error"]["code"] == -32700


def test_calls_that_wait_are_answered_after_the_client_has_closed_its_end(notes: Path) -> None:
    asked = [
        {
            "jsonrpc": "2.0",
            "id": id,
            "method": "tools/call",
            "params": {"name": "recall", "arguments": {"question": "tea"}},
        }
        for id in range(5)
    ]
    with Client("--vault", str(notes), "mcp") as client:
        for message in asked:
            client.send(message)
        assert client.close() == 0
        assert [client.receive()["id"] for _ in asked] == list(range(5))


# -- a client that dies ------------------------------------------------------------------------------------------------


def ends(pid: int) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise there")
def test_no_server_outlives_a_client_that_was_killed_while_it_waited(notes: Path) -> None:
    script = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-m', 'memcli', '--vault', sys.argv[1], 'mcp'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "p.stdin.write(sys.argv[2].encode() + b'\\n'); p.stdin.flush()\n"
        "print(p.pid, flush=True); time.sleep(600)\n"
    )
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "recall", "arguments": {"question": "tea"}},
    }
    parent = subprocess.Popen([sys.executable, "-c", script, str(notes), json.dumps(call)], stdout=subprocess.PIPE)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    assert ends(pid)
    parent.stdout.close()


def test_a_client_that_stops_reading_ends_the_server(notes: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "memcli", "--vault", str(notes), "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin and server.stdout
    server.stdout.close()
    server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    server.stdin.flush()
    assert server.wait(PATIENCE) == 0
    server.stdin.close()


# -- a long life -------------------------------------------------------------------------------------------------------


def test_hundreds_of_calls_leave_nothing_behind(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        for number in range(250):
            client.says("recall", question=f"what about tea number {number}", budget=100 + number)
            client.says("show", place="MEMORY.md:3")
            if number == 99:
                before = memory_of(client.process)
        assert memory_of(client.process) - before < GROWTH


NOISY = """
import os, sys, warnings
from memcli.features.serve.mcp import calls, start

def run(self, name, arguments, client):
    print("a print"); sys.stdout.flush(); os.system("echo a child; cat"); os.write(1, b"a library"); warnings.warn("careful")
    return "the answer", False

calls.Calls.run = run
start.serve(sys.argv[1], "", False, os.environ, lambda: None, print)
"""


def test_nothing_that_prints_reaches_the_client(notes: Path) -> None:
    with Client(str(notes), program=("-c", NOISY)) as client:
        assert client.says("recall", question="tea") == "the answer"
        assert client.request("ping")["result"] == {}
        assert client.close() == 0
        assert client.frames.empty()
        assert client.process.stderr
        assert b"a print" in (noise := client.process.stderr.read()) and b"a child" in noise
