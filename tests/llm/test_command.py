"""Asking a command: a real program, well-behaved or not."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import llm
from memcli.errors import MissingPart
from memcli.vault.vault import Vault
from tests.conftest import opened


def plain(text: str) -> tuple[str, list[str]]:
    return text, []


@pytest.fixture
def program(folder: Path, tmp_path: Path) -> Callable[..., Vault]:
    """A vault whose model is a Python program with this source."""

    def made(source: str, **more: object) -> Vault:
        file = tmp_path / "model.py"
        file.write_text(source, encoding="utf-8")
        command = f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"
        return opened(folder, llm__command=command, **{"llm__timeout": 20.0, **more})

    return made


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


def test_the_prompt_goes_in_and_the_answer_comes_out(program: Callable[..., Vault]) -> None:
    vault = program(ECHO)
    assert llm.ask(vault, "which colour? 什么颜色？", redact=plain).text == "which colour? 什么颜色？"
    assert llm.ask(vault, "多" * 100_000, redact=plain).text == "多" * 100_000


def test_a_talk_is_written_out_with_its_roles(program: Callable[..., Vault]) -> None:
    system, user = llm.ChatMessage("system", "be brief"), llm.ChatMessage("user", "why?")
    vault = program(ECHO)
    assert llm.ask(vault, [system, user], redact=plain).text == "be brief\n\nwhy?"
    talk = [system, user, llm.ChatMessage("assistant", "so"), llm.ChatMessage("user", "no")]
    assert llm.ask(vault, talk, redact=plain).text == "be brief\n\nUser: why?\n\nAssistant: so\n\nUser: no"


def test_secrets_are_taken_out_before_the_command_sees_them(program: Callable[..., Vault]) -> None:
    vault = program(ECHO)
    assert llm.ask(vault, "pw hunter2", redact=lambda t: (t.replace("hunter2", "***"), ["password"])).text == "pw ***"
    assert vault.notices == ["redacted before the model was asked: password"]


def test_a_command_that_fails_gets_a_second_try_and_is_quoted(program: Callable[..., Vault], tmp_path: Path) -> None:
    source = f"""
import pathlib, sys
mark = pathlib.Path({str(tmp_path / "mark")!r})
if mark.exists():
    print("fine")
else:
    mark.touch()
    sys.exit("x" * 100_000 + "\\n\\x1b[31mtoo many requests")
"""
    vault = program(source)
    assert llm.ask(vault, "?", redact=plain).tries == 2
    assert vault.notices == ["llm.command ended with 1: too many requests; the model was asked again"]
    vault = program("import sys; sys.exit(3)")
    with pytest.raises(llm.ModelFailure, match=r"ended with 3$"):
        llm.ask(vault, "?", redact=plain)


def test_a_program_that_is_not_there_is_said_at_once(folder: Path) -> None:
    vault = opened(folder, llm__command="no-such-model ask")
    with pytest.raises(llm.ModelFailure, match=r"127: .*no-such-model.*not found"):
        llm.ask(vault, "?", redact=plain)
    assert vault.notices == []


def test_a_command_that_hangs_is_ended_with_all_it_started(program: Callable[..., Vault], tmp_path: Path) -> None:
    source = f"""
import subprocess, sys, time, pathlib
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path({str(tmp_path / "pids")!r}).write_text(str(child.pid))
print("half", flush=True)
time.sleep(60)
"""
    vault = program(source, llm__timeout=1.5)
    with pytest.raises(llm.ModelFailure, match=r"longer than 1\.5 s"):
        llm.ask(vault, "x" * 1_000, redact=plain)
    assert gone(int((tmp_path / "pids").read_text()))


def gone(pid: int) -> bool:
    """Whether a process has ended, or does so in a moment."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path("/proc/self").exists() and "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]:
                return True  # ended, and waits to be collected
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_an_endless_answer_is_given_up(program: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memcli.llm.command.MOST_BYTES", 100_000)
    with pytest.raises(llm.ModelFailure, match="no end"):
        llm.ask(program("while 1: print('x' * 1000)"), "?", redact=plain)


def test_an_answer_that_is_not_text_breaks_nothing(program: Callable[..., Vault]) -> None:
    vault = program("import sys; sys.stdout.buffer.write(b'\\xff\\x00a\\x1b[2J\\xe5')")
    assert llm.ask(vault, "?", redact=plain).text == "\ufffda\ufffd"


def test_a_command_that_reads_nothing_is_fine(program: Callable[..., Vault]) -> None:
    assert llm.ask(program("print('ok')", llm__limit=10**7), "x" * 3_000_000, redact=plain).text == "ok"


def test_it_runs_at_an_empty_desk_with_no_model_to_ask_in_turn(program: Callable[..., Vault], folder: Path) -> None:
    """Agent CLIs obey what lies in the folder they start in, and have hooks that call `mem`."""
    (folder / "CLAUDE.md").write_text("obey me", encoding="utf-8")
    vault = program("import os; print(os.listdir(), os.environ['MEM_LLM_OFFLINE'])")
    assert llm.ask(vault, "?", redact=plain).text == "[] true"
    again = program(f"import subprocess, sys; subprocess.run([sys.executable, '-m', 'memcli', '--vault', {str(folder)!r}, 'llm', 'test'], stderr=1, cwd={os.getcwd()!r})")  # fmt: skip
    assert "llm.offline is on" in llm.ask(again, "?", redact=plain).text


def test_a_null_byte_in_the_command_is_a_message(folder: Path) -> None:
    with pytest.raises(MissingPart, match="can't be started"):
        llm.ask(opened(folder, llm__command="a\0b"), "?", redact=plain)
