"""What `parse` reads is what typer reads, for every command outside a group; the rest it leaves to typer."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memcli.argv import GLOBAL
from memcli.cli import typer_command
from memcli.cli.command import CommandDefinition
from memcli.cli.commands import COMMANDS, ITSELF, import_command
from memcli.cli.parse import parse
from memcli.cli.signature import read_declared
from memcli.cli.terminal import Terminal

ALONE = [name for name in COMMANDS if import_command(name)]
ROUNDS = 60


def by_typer(spec: CommandDefinition, words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any] | None:
    """Return what typer gives to the command, or None when it prints help or an error instead."""
    given: dict[str, Any] = {}

    def take(spec: CommandDefinition, terminal: Terminal, values: dict[str, Any]) -> None:
        given.update(values, called=True)

    monkeypatch.setattr(typer_command, "call", take)
    terminal = Terminal({}, Path(), StringIO(), StringIO())
    try:
        typer_command.build(spec).main(list(words), prog_name="mem", obj=terminal, standalone_mode=False)
    except Exception:
        return None
    return given if given.pop("called", False) else None


def some_words(spec: CommandDefinition, dice: Random) -> list[str]:
    """Return words as somebody may type them: options in all their forms, values that fit and others, texts, `--`."""
    names = [name for one in read_declared(spec) for names in one.names for name in names.split("/")]
    values = [
        "7",
        "0.5",
        "-5",
        "x",
        "two words",
        "",
        "-",
        "2026-11-01",
        "茶",
        "- a list item",
        "--",
        "-zz",
        "--no-such",
    ]
    words = []
    for _ in range(dice.randint(0, 6)):
        if names and dice.random() < 0.6:
            name = dice.choice(names)
            words.append(f"{name}={dice.choice(values)}" if dice.random() < 0.2 else name)
        else:
            words.append(dice.choice(values))
    return words


@pytest.mark.slow
@pytest.mark.parametrize("name", ALONE)
def test_words_mean_what_typer_makes_of_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = import_command(name)
    assert spec
    dice = Random(name)
    for words in (some_words(spec, dice) for _ in range(ROUNDS)):
        found = parse(spec, words)
        if found is not None:
            assert found == by_typer(spec, words, monkeypatch), words


@pytest.mark.parametrize(
    "line",
    ["recall|which cache|-b|400", "recall|茶|--semantic|-k|3|--tag=a|-t|b|--json", "add|- a note|--|--semantic|-5",
     "add|tea|-t|cache|--type|decision|--dry-run", "recall|-k|3|and then?|--no-semantic", "list|redis|-n|0",
     "list|--since|last week", "show|3f2a9c1", "forget|a1|b2|-y"],
)  # fmt: skip
def test_what_people_type_needs_no_typer(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, *words = line.split("|")
    spec = import_command(name)
    assert spec
    if "- a note" in words:  # a word that looks like an option is typer's
        assert parse(spec, words) is None
        words.remove("- a note")
    assert parse(spec, words) == by_typer(spec, words, monkeypatch) is not None


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["-k3", "x"], ["--most", "many"], ["-k"], ["--nonsense"]])
def test_help_and_mistakes_are_left_to_typer(words: list[str]) -> None:
    spec = import_command("recall")
    assert spec and parse(spec, words) is None


def test_the_options_of_mem_itself() -> None:
    words = ["--vault", "a", "--quiet", "--vault=b", "--color=never", "--no-input"]
    given = {"vault": "", "color": "auto", "quiet": False, "verbose": False, "debug": False, "no_input": False}
    given["no_pager"] = False
    assert parse(ITSELF, []) == given
    assert parse(ITSELF, words) == given | {"vault": "b", "quiet": True, "color": "never", "no_input": True}
    assert parse(ITSELF, ["--vault"]) is None
    assert parse(ITSELF, ["--quiet=yes"]) is None
    assert {name for one in read_declared(ITSELF) for name in one.names} == {*GLOBAL}
