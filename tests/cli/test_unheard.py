"""A write is finished before its message is printed, whatever becomes of the pipe; the exit code says how it ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memcli.errors import CRASHED, UNWRITTEN
from memcli.remember import Memory, add
from tests.conftest import opened


def unheard(folder: Path, *words: str, code: str = "") -> int:
    """Run `mem WORDS…` with a stdout that nobody reads any more, which each write tells at once; return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    program = ["-c", f"{code}\nfrom memcli.__main__ import main\nmain()"] if code else ["-m", "memcli"]
    done = subprocess.run(
        [sys.executable, *program, *words],
        stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE,
        env={**os.environ, "MEM_VAULT": str(folder), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    os.close(writer)
    assert b"BrokenPipe" not in done.stderr and b"unexpected" not in done.stderr
    return done.returncode


@pytest.fixture
def id(folder: Path) -> str:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    return add(opened(folder), Memory("The teapot is on the upper shelf " + "and so on " * 2000)).entry.id


@pytest.mark.slow
def test_what_is_to_be_forgotten_is_forgotten(folder: Path, id: str) -> None:
    assert unheard(folder, "forget", id, "--yes") == 0
    assert "teapot" not in (folder / "logs/2026-11-21.md").read_text(encoding="utf-8")
    assert unheard(folder, "undo") == 0
    assert "teapot" in (folder / "logs/2026-11-21.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code"),
    [(("list",), 0), (("recall", "--strict", "zebra"), 1), (("forget", "0000000", "--yes"), 2), (("--help",), 0)],
)
def test_the_exit_code_is_that_of_the_command(folder: Path, id: str, words: tuple[str, ...], code: int) -> None:
    assert unheard(folder, *words) == code


@pytest.mark.slow
def test_a_crash_has_an_exit_code_of_its_own(folder: Path, id: str) -> None:
    code = "from memcli.vault import vault\nvault.Vault.find_entry = lambda *given: 1 / 0"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nfrom memcli.__main__ import main\nmain()", "show", id],
        capture_output=True, text=True, env={**os.environ, "MEM_VAULT": str(folder)},
    )  # fmt: skip
    assert done.returncode == CRASHED and "unexpected: ZeroDivisionError" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_write_whose_message_finds_no_room_is_done_and_says_so(folder: Path, id: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memcli", "forget", id, "--yes"],
            stdout=full, stderr=subprocess.PIPE, env={**os.environ, "MEM_VAULT": str(folder), "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    assert done.returncode == UNWRITTEN and b"can't be written" in done.stderr
    assert "teapot" not in (folder / "logs/2026-11-21.md").read_text(encoding="utf-8")
