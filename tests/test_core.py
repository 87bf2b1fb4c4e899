"""The core stands alone: with every extra gone, and with what the extras need of third parties, core commands work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memcli.cli.commands import COMMANDS
from memcli.extras import EXTRAS, LIBRARIES

# A process in which none of them can be imported; it runs each of the commands it is given as JSON on stdin.
ALONE = """
import io, json, sys

class Gone:
    def find_spec(self, name, path=None, target=None):
        if any((name + ".").startswith(gone + ".") for gone in GONE):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

GONE = json.loads(sys.argv[1])
sys.meta_path.insert(0, Gone())
from memcli.cli.main import main

said = []
for argv in json.load(sys.stdin):
    sys.stdout, sys.stderr, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO("")
    try:
        main(["--no-input", *argv])
    except SystemExit as end:
        said.append([end.code or 0, sys.stdout.getvalue(), sys.stderr.getvalue()])
json.dump(said, sys.__stdout__)
"""


def alone(folder: Path, *commands: list[str]) -> list[tuple[int, str, str]]:
    """Exit code, output and messages of each command."""
    asked = json.dumps([["--vault", str(folder), *each] for each in commands])
    command = [sys.executable, "-c", ALONE, json.dumps([*EXTRAS, *LIBRARIES])]
    environ = {**os.environ, "HOME": str(folder.parent), "MEM_NOW": "2026-11-21T14:35", "MEM_ACTOR": "lin"}
    (folder.parent / "gitconfig").write_text("[user]\n\tname = Lin\n\temail = lin@example.org\n", encoding="utf-8")
    environ |= {"GIT_CONFIG_GLOBAL": str(folder.parent / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, input=asked, capture_output=True, text=True, env=environ)
    assert done.returncode == 0, done.stderr
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


CORE = [
    ["init"],
    ["add", "Redis replaces the local cache", "-t", "cache"],
    ["add", "Anna is afraid of dogs"],
    ["recall", "what did we decide about the cache"],
    ["recall", "--semantic", "who fears puppies"],
    ["prompt", "what did we decide about the cache"],
    ["list"],
    ["show", "2026-11-21"],
    ["profile", "set", "name", "Lin"],
    ["profile", "list"],
    ["prefer", "set", "drink", "tea"],
    ["prefer", "list"],
    ["label", "set", "home", "Basel"],
    ["label", "list"],
    ["state", "set", "response_length", "short"],
    ["state", "list"],
    ["session", "start"],
    ["session", "say", "we talk about tea now"],
    ["session", "show"],
    ["session", "end"],
    ["config", "list"],
    ["config", "set", "recall.budget", "900"],
    ["forget", "logs/2026-11-21.md:4", "--yes"],
    ["undo"],
    ["log"],
    ["diff"],
    ["review"],
    ["tidy"],
    ["audit"],
    ["work"],
    ["status"],
    ["status", "--json"],
    ["doctor"],
    ["trust"],
]
CORE = [words for words in CORE if words[0] in COMMANDS]  # a feature may be missing
EXTRA = {
    "index": ["index"], "model": ["model", "list"], "knowledge": ["knowledge", "list"], "ask": ["ask", "what is tea"],
    "llm": ["llm", "test"], "watch": ["watch", "--status"],
}  # fmt: skip
EXTRA = {name: words for name, words in EXTRA.items() if name in COMMANDS or name == "llm"}  # a feature may be missing


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    folder = tmp_path_factory.mktemp("alone") / "vault"
    return dict(zip(map(" ".join, CORE), alone(folder, *CORE), strict=True))


@pytest.mark.parametrize("command", [" ".join(words) for words in CORE])
def test_a_core_command_works_without_any_extra(command: str, answers: dict[str, tuple[int, str, str]]) -> None:
    code, out, messages = answers[command]
    assert code == 0, out + messages
    assert "unexpected" not in messages


def test_the_core_finds_and_says_what_it_does_without(answers: dict[str, tuple[int, str, str]]) -> None:
    for command in {"recall", "prompt"} & COMMANDS.keys():
        assert "Redis replaces" in answers[f"{command} what did we decide about the cache"][1]
    assert "by words alone" in answers["recall --semantic who fears puppies"][2]
    assert json.loads(answers["status --json"][1])["index"] is None
    for extra in ("index", "llm"):
        assert f"memcli.{extra} is missing" in answers["doctor"][1]


@pytest.mark.parametrize("command", EXTRA)
def test_a_command_of_an_extra_says_in_a_line_what_is_missing(command: str, folder: Path) -> None:
    ((code, out, messages),) = alone(folder, EXTRA[command])
    assert code == 5, messages
    assert not out
    assert "is missing" in messages.splitlines()[0]
