"""`mem prompt` as a process: what is printed where, its formats, its words from stdin, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.features.talk.prompt.admission import ADMISSION
from tests.cli.terminal import at_terminal
from tests.conftest import Ran
from tests.recall.vaults import lay

Mem = Callable[..., Ran]


@pytest.fixture(autouse=True)
def house(folder: Path) -> Path:
    return lay(folder, {
        "USER.md": "---\nname: Lin\n---\n",
        "state.yaml": "response_length: short\n",
        "preferences.yaml": "- {key: drink, value: oolong tea}\n",
        "labels.yaml": "- {name: 家, aliases: [home], address: 12 Example Road}\n",
        "logs/2026-11-20.md": "- 11:00 Decided: the cache is Redis. #cache [type:: decision]\n",
        "logs/2026-10-05.md": "- 午饭吃了羊肉面\n",
    })  # fmt: skip


def test_the_prompt_is_the_whole_of_stdout_and_ends_with_the_users_words(mem: Mem) -> None:
    ran = mem("prompt", "what did we decide about the cache")
    assert (ran.code, ran.err) == (0, "")
    assert ADMISSION.strip() in ran.out and ":1 11:00 Decided: the cache is Redis. #cache" in ran.lines
    assert ran.lines[-2:] == ["# The user's words", "what did we decide about the cache"]


def test_stdin_joins_the_words(mem: Mem) -> None:
    assert mem("prompt", "-", stdin="午饭吃了什么\n").lines[-1] == "午饭吃了什么"
    assert mem("prompt", "review this", stdin="+ a line\n").lines[-2:] == ["review this", "+ a line"]


def test_messages_are_what_chat_apis_take_with_the_words_said_once(mem: Mem) -> None:
    session = mem("session", "start").out.strip()
    for role, text in (("user", "is tea in the house?"), ("assistant", "Oolong."), ("user", "and water?")):
        assert mem("session", "say", "--session", session, "--role", role, text).code == 0
    said = json.loads(mem("prompt", "and water?", "--session", session, "--format", "messages").out)
    assert [each["role"] for each in said] == ["system", "user", "assistant", "user"]
    assert [each["content"] for each in said[1:]] == ["is tea in the house?", "Oolong.", "and water?"]
    assert "replies: short" in said[0]["content"] and "Oolong" not in said[0]["content"]
    assert json.loads(mem("prompt", "--format", "messages", MEM_SESSION=session).out)[1:] == said[1:]


def test_json_tells_what_each_layer_took(mem: Mem) -> None:
    said = json.loads(mem("prompt", "the cache", "--json").out)
    assert (said["schema"], said["limit"], said["degraded"]) == (1, 3500, [])
    assert [each["name"] for each in said["layers"]][:4] == ["role", "admission", "state", "summary"]
    assert said["total"] + said["free"] == said["limit"]
    assert mem("prompt", "the cache", "--format", "json").out == mem("prompt", "the cache", "--json").out


def test_explain_draws_a_bar_for_each_layer_on_stderr(mem: Mem) -> None:
    ran = mem("prompt", "the cache", "--explain")
    assert ran.out == mem("prompt", "the cache").out
    assert [line.split()[0] for line in ran.err.splitlines()][:4] == ["role", "admission", "state", "summary"]
    assert "logs/2026-11-20.md:1" in ran.err and "█" in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--session", "nosuch"), "no session is called 'nosuch'"),
        (("--role", "nosuch"), "there is no roles/nosuch.yaml"),
        (("--role", "../../etc/passwd"), "not a name of one"),
        (("--budget", "20"), "tight"),
    ],
)
def test_what_is_wrong_costs_its_layer_and_is_told_once(mem: Mem, words: tuple[str, ...], told: str) -> None:
    ran = mem("prompt", "the cache", *words)
    assert ran.code == 0 and ran.lines[-1] == "the cache"
    assert ran.err.count(told) == 1
    assert any(told in line for line in json.loads(mem("prompt", "the cache", "--json", *words).out)["degraded"])


def test_wrong_words_are_errors(mem: Mem) -> None:
    assert mem("prompt", "x", "--format", "html").code == 2
    assert mem("prompt", "x", "--budget", "-1").code == 2
    assert mem("prompt", "x", "--budget", "many").code == 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_said(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memcli", "prompt", "the cache"],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, env={**os.environ, "MEM_VAULT": str(folder)},
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (74, b"mem: the output can't be written: No space left on device\n")


@pytest.mark.parametrize("broken", ["recall: {budget: [", "recall:\n  budget: many\n", "\0"])
def test_a_broken_mem_yaml_costs_its_settings_and_no_prompt(mem: Mem, house: Path, broken: str) -> None:
    (house / "mem.yaml").write_text(broken)
    ran = mem("prompt", "what did we decide about the cache")
    assert ran.code == 0 and ran.lines[-1] == "what did we decide about the cache"
    assert "replies: short" in ran.out and "mem.yaml" in ran.err and "does not count" in ran.err
    assert any("does not count" in each for each in json.loads(mem("prompt", "cache", "--json").out)["notices"])
    assert mem("recall", "cache").code == 2 + (
        broken != "recall:\n  budget: many\n"
    )  # who writes or decides needs to know


def test_pick_asks_at_the_terminal_and_nowhere_else(house: Path, mem: Mem) -> None:
    ran = mem("prompt", "the cache", "--pick")
    assert (ran.code, ran.out) == (2, "") and "asks on a terminal" in ran.err
    shown = at_terminal(
        "prompt", "what was decided about the cache", "--pick", answers=("1",), cwd=house, MEM_VAULT=str(house)
    )
    assert "user: name: Lin (USER.md)" in shown.out and "\nuser: name: Lin\n" not in shown.out
