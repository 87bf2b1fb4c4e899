"""The gates at the command line: what is said, in which code it ends, and where the secret is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.remember.gates.cases import filled
from tests.remember.gates.test_gate import everything

Mem = Callable[..., Ran]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ok thanks", "small talk"),
        ("see you tomorrow", "small talk"),
        ("再见，明天见", "small talk"),
        ("x", "too short"),
        ("password: hunter2", "a password"),
        ("a@b.org", "nothing worth keeping is left without an e-mail address"),
    ],
)
def test_a_refusal_is_exit_4_and_says_why(mem: Mem, folder: Path, text: str, why: str) -> None:
    ran = mem("add", text)
    assert (ran.code, ran.out) == (4, "")
    assert "not kept: " in ran.err and why in ran.err
    assert not (folder / "logs").exists()


def test_force_and_allow_sensitive(mem: Mem) -> None:
    assert mem("add", "ok thanks", "--force").code == 0
    assert mem("add", "password: hunter2", "--force").code == 4
    assert mem("add", "password: hunter2", "--allow-sensitive").code == 0


def test_what_was_blacked_out_is_said(mem: Mem, folder: Path) -> None:
    ran = mem("add", "the invoices go to anna@posteo.net on Sundays")
    assert ran.code == 0 and "note: blacked out an e-mail address" in ran.err and "mem label set" in ran.err
    assert "posteo" not in everything(folder)
    assert "blacked out the number of an id, a passport or an insurance" in mem("add", "护照 E12345678").err


def test_a_trial_shows_what_each_gate_says(mem: Mem, folder: Path) -> None:
    ran = mem("add", "call the hotline at +1 415 555 2671", "--dry-run")
    assert ran.lines[1:] == [
        "- 14:30 call the hotline at [REDACTED_PHONE]",
        "sensitive  redact  blacked out a phone number",
        "worth      keep",
        "duplicate  keep",
    ]
    refused = mem("add", "password: hunter2", "--dry-run")
    assert (refused.code, refused.lines) == (4, ["sensitive  refuse  it holds a password"])
    assert not (folder / "logs").exists()


def test_as_json(mem: Mem) -> None:
    kept = json.loads(mem("add", "Redis replaces the cache", "--json").out)
    assert (kept["kept"], kept["again"]) == (True, False)
    assert [verdict["gate"] for verdict in kept["verdicts"]] == ["sensitive", "worth", "duplicate"]
    again = json.loads(mem("add", "redis replaces the cache", "--json").out)
    assert (again["again"], again["hash"], again["importance"]) == (True, kept["hash"], 0.6)
    no = mem("add", "lol", "--json")
    assert no.code == 4 and json.loads(no.out)["verdicts"][-1]["reason"] == "it is small talk"


def test_a_duplicate_is_named_and_can_be_taken_back(mem: Mem, folder: Path) -> None:
    mem("add", "Redis replaces the cache")
    ran = mem("add", "Redis replaces the cache!")
    assert "was there already, marked as seen again: logs/2026-11-21.md:3" in ran.out
    assert "--force" in ran.err
    assert "[seen:: 2026-11-21]" in (folder / "logs/2026-11-21.md").read_text(encoding="utf-8")
    assert mem("undo").code == 0
    assert "seen" not in (folder / "logs/2026-11-21.md").read_text(encoding="utf-8")


def test_the_policy_stands_in_mem_yaml(mem: Mem, folder: Path) -> None:
    (folder / "mem.yaml").write_text("gates:\n  email: allow\n  phone: refuse\n  worth: no\n", encoding="utf-8")
    assert "ignored gates.email" in mem("add", "anna@posteo.net").err  # before anybody agreed
    assert mem("trust", "--yes").code == 0
    assert "anna@posteo.net" in json.loads(mem("add", "anna@posteo.net", "--json").out)["text"]
    assert mem("add", "call +1 415 555 2671").code == 4
    assert mem("add", "email", MEM_GATES_EMAIL="perhaps").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("config", "set", "llm.key_env", "KEY"),
        ("config", "set", "--user", "llm.command", "ask --token KEY"),
        ("profile", "set", "KEY", "x"),
        ("add", "tea is green", "--agent", "KEY"),
        ("label", "set", "home", "12 Example Road", "--agent", "KEY"),
    ],
)
def test_a_key_reaches_no_file_as_a_setting_or_a_name(inside: Mem, folder: Path, home: Path, words: list[str]) -> None:
    key = filled("ghp_{A36}", "a name")[0]
    ran = inside(*(word.replace("KEY", key) for word in words))
    assert ran.code == 4 and "an API key or token" in ran.err
    assert key not in everything(folder) + everything(home)


def test_a_setting_may_name_a_variable_and_an_address(inside: Mem) -> None:
    for name, value in (
        ("key_env", "MY_API_KEY"),
        ("command", 'ask -H "Bearer $KEY"'),
        ("url", "http://8.8.4.4:11434"),
    ):
        assert inside("config", "set", f"llm.{name}", value).code == 0


def test_a_line_of_the_profile_that_is_called_like_a_key_can_be_removed(inside: Mem, folder: Path) -> None:
    key = filled("ghp_{A36}", "a line")[0]
    (folder / "USER.md").write_text(f"---\n{key}: x\n---\n", encoding="utf-8")
    assert inside("profile", "unset", key).code == 0 and key not in (folder / "USER.md").read_text(encoding="utf-8")
