"""`mem chat`, through a pipe and on a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import session
from memcli.remember import learning
from tests.conftest import Ran, opened

Mem = Callable[..., Ran]
ECHO = "cat >/dev/null; printf 'fine, 好的'"

needs_learn = pytest.mark.skipif(not learning.is_possible(), reason="nothing learns here")


@pytest.fixture
def chat(mem: Mem) -> Mem:
    def typed(*lines: str, model: str = ECHO, words: tuple[str, ...] = (), **more: str) -> Ran:
        return mem("chat", *words, stdin="\n".join(lines) + "\n", MEM_LLM_COMMAND=model, **more)

    return typed


def messages(folder: Path) -> list[str]:
    return [each.content for each in session.sessions(opened(folder))[0].messages]


def test_without_a_model_there_is_no_talk_and_no_session(mem: Mem, folder: Path) -> None:
    done = mem("chat", stdin="hello\n")
    assert done.code == 5 and "llm.command" in done.err
    assert not (folder / "sessions").exists()


def test_each_line_is_a_round_and_the_end_of_the_pipe_ends_the_session(chat: Mem, folder: Path) -> None:
    done = chat("hello there", "", "我最喜欢喝什么？")
    assert (done.code, done.out) == (0, "fine, 好的\nfine, 好的\n")
    assert messages(folder) == ["hello there", "fine, 好的", "我最喜欢喝什么？", "fine, 好的"]
    assert session.sessions(opened(folder))[0].ended
    assert "has ended" in done.err


def test_a_picture_in_an_answer_is_neither_shown_nor_kept(chat: Mem, folder: Path) -> None:
    done = chat("hello", model="cat >/dev/null; printf 'See ![the map](https://evil.example/?q=1).'")
    assert done.out == "See the map.\n"
    assert messages(folder)[1] == "See the map."


@needs_learn
def test_what_is_learnt_is_told(chat: Mem) -> None:
    done = chat("I'm a potter", "I'm a potter")
    assert done.err.count("· kept profile occupation: potter in USER.md") == 1
    assert "· kept decision We decided to use Redis in MEMORY.md" in chat("We decided to use Redis.").err
    assert "kept profile" not in chat("I collect stamps", words=("--no-learn",)).err


def test_what_begins_with_a_slash_is_for_mem(chat: Mem, mem: Mem, folder: Path) -> None:
    done = chat("/prefer drink tea, no coffee", "/remember Redis replaces the local cache", "/mode deep_dive", "/mode deep", "/nonsense",
                "/forgte x", "/prefer drink", "/why", "/help")  # fmt: skip
    assert (done.code, done.out) == (0, "")
    assert mem("prefer", "get", "drink").out == "tea, no coffee\n"
    assert mem("state", "get", "session_mode").out == "deep_dive\n"
    for said in (
        "one of casual, deep_dive, tutorial",
        "there is no /nonsense",
        "did you mean 'forget'",
        "a key and a value",
        "nothing was asked yet",
        "/remember  TEXT",
    ):
        assert said in done.err
    id = mem("list", "--json")
    entry = next(each for each in json.loads(id.out)["memories"] if "Redis" in each["text"])
    assert "is archived" in chat(f"/forget {entry['id']}").err
    assert "Redis" not in mem("list").out
    assert messages(folder) == []


def test_a_path_is_no_command(chat: Mem, folder: Path) -> None:
    assert chat("/etc/hosts is what?").out == "fine, 好的\n"
    assert messages(folder)[0] == "/etc/hosts is what?"


def test_why_shows_what_the_prompt_was_made_of(chat: Mem, folder: Path) -> None:
    (folder / "MEMORY.md").write_text("- Redis replaces the cache\n", encoding="utf-8")
    done = chat("why redis?", "/why", "/end", "this is not said any more")
    assert "MEMORY.md:1" in done.err and "role" in done.err and "/3500" in done.err
    assert messages(folder) == ["why redis?", "fine, 好的"]


def test_a_session_that_was_there_goes_on_and_stays_open(chat: Mem, mem: Mem, folder: Path) -> None:
    id = mem("session", "start").out.strip()
    assert "stays open" in chat("one", words=("--session", id)).err
    assert "stays open" in chat("two", MEM_SESSION=id).err
    assert messages(folder)[::2] == ["one", "two"]
    assert "has ended" in chat("/end", MEM_SESSION=id).err
    assert chat("three", words=("-s", id)).code == 0  # taken up again
    assert messages(folder)[4] == "three"


def test_a_role_is_one_that_is_there(chat: Mem, folder: Path) -> None:
    (folder / "roles").mkdir()
    role = "version: 1\nidentity: A stern reviewer.\ntone: Short.\nboundaries: [Never guess.]\n"
    (folder / "roles" / "reviewer.yaml").write_text(role, encoding="utf-8")
    nobody = chat("hello", words=("--role", "reviwer"))
    assert nobody.code == 2 and "did you mean 'reviewer'" in nobody.err
    assert chat("hello", words=("--role", "reviewer"), model="cat").out.startswith("A stern reviewer.")


def test_a_model_that_fails_is_one_line_and_the_talk_goes_on(chat: Mem) -> None:
    done = chat("one", "/remember two lines were said", model="echo oops >&2; exit 3")
    assert "mem: llm.command ended with 3: oops" in done.err and "logs/2026-11-21.md" in done.err
    assert (done.code, done.out) == (5, "")  # a script must not take silence for an answer
    assert "ended with 3" in chat("one", model="exit 3", words=("--json",)).err


def test_what_holds_from_now_on_is_told(chat: Mem) -> None:
    assert "from now on language: German" in chat("From now on answer in German.").err
    assert (
        "nothing of what was asked for the conversation holds" in chat("forget all my instructions, talk normally").err
    )
    (anchor,) = json.loads(chat("From now on answer in German.", words=("--json",)).out)["anchors"]
    assert (anchor["key"], anchor["value"]) == ("language", "German")


@needs_learn
def test_what_contradicts_what_is_known_is_never_dropped_in_silence(chat: Mem) -> None:
    chat("I live in Berlin", words=())
    done = chat("I live in Leipzig", words=())
    said = "· profile city: Leipzig not kept: USER.md says city: Berlin; mem review asks which holds"
    assert said in done.err


@needs_learn
def test_a_round_as_json_is_one_line(chat: Mem) -> None:
    done = chat("I'm a potter", "my key is sk-" + "a1B2c3D4e5" * 4, words=("--json",))
    first, second = map(json.loads, done.lines)
    assert (first["schema"], first["answer"], first["cut"], first["failure"]) == (1, "fine, 好的", False, None)
    assert first["learnt"] == [
        {"type": "profile", "text": "I'm a potter", "place": "USER.md occupation", "why_not": ""}
    ]
    assert "REDACTED_API_KEY" in second["said"]
    assert any("blacked out" in each for each in second["notices"])


class Keyboard:
    """`mem chat` on a terminal, and what it has said so far."""

    def __init__(self, folder: Path, model: str) -> None:
        self.said = b""
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memcli", "chat"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True,
            env={**os.environ, "MEM_VAULT": str(folder), "MEM_LLM_COMMAND": model}, preexec_fn=lambda: os.close(os.open(os.ttyname(theirs), os.O_RDWR)),
        )  # fmt: skip
        os.close(theirs)

    def until(self, mark: bytes, times: int = 1, key: bytes = b"") -> None:
        """Wait for what it says; `key` is pressed again and again: one that comes before readline listens is lost."""
        end = time.monotonic() + 30
        while self.said.count(mark) < times and time.monotonic() < end:
            os.write(self.ours, key)
            while select.select([self.ours], [], [], 0.3)[0]:
                try:
                    self.said += os.read(self.ours, 4096)
                except OSError:  # Linux: the other side is closed
                    end = 0
                    break
        assert self.said.count(mark) >= times, self.said.decode("utf-8", "replace")

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def end(self) -> None:
        self.until(b"has ended", key=b"\x04")
        assert self.process.wait(30) == 0
        os.close(self.ours)


def test_on_a_terminal_an_answer_can_be_stopped_and_the_talk_ended(folder: Path) -> None:
    keyboard = Keyboard(folder, "cat >/dev/null; printf 'fir%s words' st; sleep 30")
    keyboard.until(b"> ")
    keyboard.type("你好 there")
    keyboard.until(b"first words")
    keyboard.until(b"stopped", key=b"\x03")
    keyboard.until(b"> ", 2)
    keyboard.until(b"Ctrl-D ends", key=b"\x03")
    keyboard.end()
    assert messages(folder) == ["你好 there", "first words … (cut)"]


@needs_learn
def test_on_a_terminal_it_is_asked_which_holds(folder: Path) -> None:
    (folder / "USER.md").write_text("---\ncity: Berlin\n---\n", encoding="utf-8")
    keyboard = Keyboard(folder, ECHO)
    keyboard.until(b"> ")
    keyboard.type("I live in Leipzig")
    keyboard.until(b"(q)uit")
    keyboard.until("city: Leipzig — holds".encode(), key=b"2")
    keyboard.end()
    assert "city_before: [Berlin until 2026-11]" in (folder / "USER.md").read_text(encoding="utf-8")


@needs_learn
def test_on_a_terminal_what_was_not_asked_to_be_kept_is_asked_about_and_not_after_a_no(folder: Path) -> None:
    keyboard = Keyboard(folder, ECHO)
    keyboard.until(b"> ")
    keyboard.type("I'm a potter")
    keyboard.until("shall I remember profile “occupation: potter”".encode(), 1)
    keyboard.until(b"kept profile", key=b"y")
    keyboard.type("My wife is called Ana")
    keyboard.until(b"shall I remember label", 1)
    keyboard.until(b"> ", 3, key=b"n")
    keyboard.type("I am allergic to nuts")
    keyboard.until(b"> ", 4)
    keyboard.type("Please remember that I live in Porto")
    keyboard.until(b"Porto in USER.md")
    keyboard.end()
    assert keyboard.said.count(b"shall I remember") == 2
    assert not (folder / "labels.yaml").exists() and "nuts" not in (folder / "USER.md").read_text(encoding="utf-8")
