"""The fast lane: the answer of the watcher is the answer of the command, to the byte, whatever is asked and however."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from memcli.argv import split_options
from memcli.cli.commands import COMMANDS
from memcli.cli.main import run
from memcli.cli.terminal import Terminal
from memcli.watch import wire
from memcli.watch.resident import Resident
from tests.cli.terminal import at_terminal
from tests.conftest import Ran
from tests.features import needs
from tests.watch.conftest import Watched, until, watcher_of

Mem = Callable[..., Ran]

QUESTIONS: list[tuple[str, ...]] = [
    ("what did we decide about the cache",),
    ("what", "about", "the", "zebra"),
    ("午饭吃了什么",),
    ("xyzzy",),
    (),
    ("navigate home",),
    ("redis", "--explain"),
    ("cache", "--json"),
    ("cache", "--json", "--explain"),
    ("cache", "--format", "xml"),
    ("cache", "-f", "plain"),
    ("cache", "--color", "always", "--explain"),
    ("cache", "--budget", "60"),
    ("cache", "-b", "3"),
    ("cache", "-k", "1"),
    ("cache", "--since", "last week"),
    ("cache", "--until", "2026-11-01"),
    ("cache", "-t", "cache", "-t", "cache/old"),
    ("zebra", "--path", "notes"),
    ("zebra", "--agent", "ada"),
    ("cache", "--preset", "classic"),
    ("cache", "--verbose"),
    ("cache", "--quiet"),
    ("xyzzy", "--strict"),
    ("cache", "--format", "html"),
    ("cache", "--since", "no day at all"),
    ("cache", "--budget", "-1"),
    ("cache", "--preset", "best"),
    ("what did we do yesterday",),
    ("caf\udce9",),
]


PROMPTS: list[tuple[str, ...]] = [
    ("ask", "--evidence", "what did we decide about the cache"),
    ("ask", "--evidence", "午饭吃了什么", "-k", "2", "--tag", "none"),
    ("prompt", "what did we decide about the cache"),
    ("prompt", "午饭吃了什么", "--explain"),
    ("prompt", "cache", "--format", "messages"),
    ("prompt", "cache", "--json"),
    ("prompt", "cache", "--budget", "60"),
    ("prompt", "cache", "--role", "nosuch", "--no-knowledge"),
    ("prompt", "cache", "--session", "nosuch"),
    ("prompt", "cache", "--session", "20261121-1400-aaaa"),
    ("prompt", "cache", "--format", "html"),
    ("prompt",),
]
PROMPTS = [words for words in PROMPTS if words[0] in COMMANDS]  # a feature may be missing


def asked(words: tuple[str, ...], ttys: str) -> bytes:
    return wire.request([*words], os.environ, os.getcwd(), sys.getfilesystemencoding(), ttys, b"")


def by_itself(words: tuple[str, ...], ttys: str) -> bytes:
    """The answer of the command, as the watcher would send it."""
    pieces: list[tuple[bytes, str]] = []
    streams = [
        wire.RecordedStream(kind, pieces, tty == "1") for kind, tty in zip((wire.OUT, wire.ERR), ttys, strict=True)
    ]
    terminal = Terminal(dict(os.environ), Path.cwd(), *streams, None, lambda _: b"")  # type: ignore[arg-type]
    front, rest = split_options([*words])
    code = run(front + rest, terminal)
    terminal.tell_notices()
    return wire.answer_payload(code, pieces)


def test_the_watcher_answers_as_the_command_does(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(watched.folder)
    monkeypatch.setattr(wire, "LIMIT", 30.0)  # the machine may be busy
    (watched.folder / "mem.yaml").write_text("recall: {decay: 0.3}\nllm: {command: cat}\n", encoding="utf-8")
    (watched.folder / "MEMORY.md").write_bytes(b"- cache \xe9\n")  # a notice
    (watched.folder / "sessions").mkdir()
    (watched.folder / "sessions" / "20261121-1400-aaaa.jsonl").write_text('{"role": "user", "content": "a zebra"}\n')
    for words in [*(("recall", *each) for each in QUESTIONS), *PROMPTS]:
        for ttys in ("00", "11"):
            warm = wire.call(watched.name, wire.RUN, asked(words, ttys), silence=10)
            assert warm == by_itself(words, ttys), words
    assert watched.answered >= (len(QUESTIONS) + len(PROMPTS)) * 2


PIPED: list[tuple[tuple[str, ...], str | bytes | None]] = [
    (("recall", "cache"), None),
    (("recall",), "what about the zebra"),
    (("recall", "-"), ""),
    (("recall", "seen before?", "-"), "+ zebra\n"),
    (("recall", "zebra", "--json"), b"caf\xe9"),
    (("recall", "zebra"), b"\0\0\0"),
    (("recall", "the zebra"), "+ some line of a diff\n" * 200_000),
    (("prompt", "seen before?", "-"), "+ zebra\n"),
    (("prompt", "zebra", "--format", "messages"), None),
]


def test_as_processes_too_with_and_without_stdin(watched: Watched, mem: Mem) -> None:
    for words, stdin in (each for each in PIPED if each[0][0] in COMMANDS):
        warm = watched.answers(lambda words=words, stdin=stdin: mem(*words, stdin=stdin))
        assert warm == mem(*words, stdin=stdin, MEM_LANE="off"), words


def test_the_vault_is_found_as_without_a_watcher(watched: Watched, mem: Mem, notes: Path, tmp_path: Path) -> None:
    (notes / "mem.yaml").touch()
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "link").symlink_to(notes)
    for words, given, here in (
        (("--vault", str(notes)), str(other), other),
        ((f"--vault={notes}",), "", other),
        (("--vault", "../vault"), "", other),
        (("--vault", "link"), "", tmp_path),
        ((), "", notes / "logs"),
    ):
        ran = watched.answers(partial(mem, "recall", "cache", *words, cwd=here, MEM_VAULT=given))
        assert "Redis" in ran.out, words
    before = watched.answered
    assert "Redis" not in mem("recall", "cache", "--vault", str(other)).out
    assert watched.answered == before


def test_on_a_terminal_it_looks_the_same(watched: Watched) -> None:
    words = ("--vault", str(watched.folder), "recall", "cache", "--explain")
    warm = watched.answers(lambda: at_terminal(*words, cwd=watched.folder))
    assert warm == at_terminal(*words, cwd=watched.folder, MEM_LANE="off")
    assert "\x1b[" in warm.out


@pytest.mark.parametrize(("size", "paged"), [((4, 44), True), ((200, 44), False)])
def test_on_a_small_terminal_it_is_wrapped_and_paged_alike(
    watched: Watched, tmp_path: Path, size: tuple[int, int], paged: bool
) -> None:
    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\necho "[pager]"; cat\n', encoding="utf-8")
    pager.chmod(0o755)
    words = ("--vault", str(watched.folder), "recall", "what did we decide about the cache", "--verbose")
    warm = watched.answers(lambda: at_terminal(*words, cwd=watched.folder, size=size, PAGER=str(pager)))
    assert warm == at_terminal(*words, cwd=watched.folder, size=size, PAGER=str(pager), MEM_LANE="off")
    assert warm.out.startswith("[pager]") is paged


def test_what_only_the_command_can_do_is_left_to_it(watched: Watched, mem: Mem) -> None:
    before = watched.answered
    assert "Examples:" in mem("recall", "--help").out
    assert "Redis" in mem("recall", "cache", "--debug").out
    assert "Redis" in mem("recall", "cache", TZ="America/Lima").out
    assert "Redis" in mem("recall", "cache", HOME=str(watched.folder)).out
    assert "Redis" in mem("recall", "cache", MEM_LANE="off").out
    assert watched.answered == before


def test_a_mistake_is_told_alike(watched: Watched, mem: Mem) -> None:
    for wrong in (["--nonsense"], ["--budget", "many"], ["--most", "--json"]):
        warm = watched.answers(lambda wrong=wrong: mem("recall", "cache", *wrong))
        assert warm == mem("recall", "cache", *wrong, MEM_LANE="off")
        assert (warm.code, "mem recall --help shows" in warm.err) == (2, True)


def test_a_memory_is_there_as_soon_as_it_is_written(watched: Watched, mem: Mem) -> None:
    for n in range(3):
        assert mem("add", f"the parrot number{n} is green").code == 0
        assert f"number{n}" in mem("recall", f"parrot number{n}").out
    (watched.folder / "notes" / "zebra.md").write_text("- the zebra has left\n", encoding="utf-8")
    until(lambda: "has left" in mem("recall", "zebra").out, 2)
    (watched.folder / "notes" / "zebra.md").unlink()
    until(lambda: "zebra" not in mem("recall", "zebra").out, 2)


def test_a_memory_is_there_even_before_the_system_tells(notes: Path) -> None:
    watcher = watcher_of(notes)
    watcher.resident = Resident(notes)
    for path in ("logs/2026-11-21.md", "MEMORY.md"):
        (notes / path).write_text(f"- a parrot in {path}\n", encoding="utf-8")
        request = wire.request(
            ["recall", "parrot", "--vault", str(notes)], os.environ, "/", sys.getfilesystemencoding(), "00", b""
        )
        assert f"a parrot in {path}".encode() in watcher.respond(wire.RUN, request)[1]


# -- when something is wrong ---------------------------------------------------------------------------------------


def test_a_frozen_watcher_costs_a_moment_and_is_mentioned_to_those_who_ask(watched: Watched, mem: Mem) -> None:
    watched.process.send_signal(signal.SIGSTOP)
    plain = mem("recall", "cache")
    assert ("Redis" in plain.out, plain.err) == (True, "")
    told = mem("recall", "cache", "--verbose", stdin="zebra")
    assert told.err.splitlines()[-1] == "the watcher did not answer in time; answered without it"
    assert "a zebra at the zoo" in told.out


def test_a_watcher_that_was_killed_is_not_missed(watched: Watched, mem: Mem) -> None:
    watched.process.kill()
    watched.process.wait()
    assert Path(watched.name).exists()
    ran = mem("recall", "cache", "--verbose")
    assert ("Redis" in ran.out, "watcher" in ran.err) == (True, False)


def test_a_reader_that_has_enough_is_no_failure(watched: Watched) -> None:
    lines = "".join(f"- cache {n} {'word ' * n}\n" for n in range(500))
    (watched.folder / "list.md").write_text(lines, encoding="utf-8")
    line = f"'{sys.executable}' -m memcli recall cache --budget 100000 | head -1; echo ${{PIPESTATUS[0]}}"
    environ = {**os.environ, "MEM_VAULT": str(watched.folder)}
    done = subprocess.run(
        ["bash", "-c", line], stdin=subprocess.DEVNULL, env=environ, capture_output=True, text=True, timeout=300
    )
    assert (done.stdout.splitlines()[-1], done.stderr) == ("0", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_said(watched: Watched) -> None:
    environ = {**os.environ, "MEM_VAULT": str(watched.folder)}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memcli", "recall", "cache"],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, env=environ, timeout=300,
        )  # fmt: skip
    assert done.returncode == 74
    assert b"can't be written" in done.stderr and b"Traceback" not in done.stderr


def test_control_c_while_stdin_is_awaited_ends_with_130(watched: Watched) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "recall", "-"], env={**os.environ, "MEM_VAULT": str(watched.folder)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert watched.is_up()


def test_whoever_waits_for_stdin_keeps_nobody_waiting(watched: Watched, mem: Mem) -> None:
    environ = {**os.environ, "MEM_VAULT": str(watched.folder)}
    slow = subprocess.Popen(
        [sys.executable, "-m", "memcli", "recall", "-", "--json"], env=environ,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(1)
    assert "Redis" in watched.answers(lambda: mem("recall", "cache")).out
    out, _ = slow.communicate(b"about the zebra", timeout=300)
    assert json.loads(out)["query"] == "about the zebra"


def test_the_client_loads_next_to_nothing(watched: Watched) -> None:
    script = (
        "import os, sys; sys.argv = ['mem', 'recall', 'cache']; os._exit = sys.exit\n"
        "from memcli.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    environ = {**os.environ, "MEM_VAULT": str(watched.folder)}
    command = [sys.executable, "-c", script]
    bare = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    done = watched.answers(
        lambda: subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environ)
    )
    assert "Redis" in done.stdout
    more = {name for name in set(done.stderr.split()) - set(bare.stdout.split()) if not name.startswith("memcli")}
    assert more <= {"__future__", "_socket", "gc"}


@needs("ask")
def test_who_is_asked_out_there_is_asked_by_the_command_itself_with_its_keys(
    watched: Watched, mem: Mem, home: Path
) -> None:
    place = home / "config" / "mem" / "config.yaml"
    place.parent.mkdir(parents=True)
    said = """{"text": "a llama, says '"$WIKI_KEY"'"}"""
    place.write_text(f"sources:\n  wiki:\n    kind: command\n    command: |\n      echo '{said}'\n", encoding="utf-8")
    asked = watched.answered
    ran = mem("ask", "--evidence", "llama", "--verbose", WIKI_KEY="me")
    assert "a llama, says me" in ran.out and "the watcher has neither the keys nor the time" in ran.err
    assert watched.answers(lambda: mem("recall", "zebra")).out and watched.answered > asked


def test_what_is_piped_in_travels_with_the_request(watched: Watched, mem: Mem) -> None:
    """One frame each way: nobody who answers waits for somebody's stdin."""
    request = wire.request(["recall", "-"], os.environ, str(watched.folder), sys.getfilesystemencoding(), "00", None)
    with pytest.raises(wire.WireError, match="does not wait for stdin"):
        wire.call(watched.name, wire.RUN, request, silence=5)
    silent, _ = os.pipe()  # open, and nobody speaks
    words = [sys.executable, "-m", "memcli", "recall", "zebra"]
    runs = [
        subprocess.run(
            words, stdin=silent, capture_output=True, env={**os.environ, "MEM_VAULT": str(watched.folder), **lane}
        )
        for lane in ({}, {"MEM_LANE": "off"})
    ]
    assert runs[0].stdout == runs[1].stdout and runs[0].stderr == runs[1].stderr and b"silent" in runs[0].stderr
