"""Which model is asked, and what doctor and `mem llm test` say about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import llm
from memcli.errors import MissingPart
from memcli.vault import trust
from tests.conftest import Ran, opened
from tests.llm.server import refuse, serving

Mem = Callable[..., Ran]


def test_without_a_model_it_says_how_to_get_one_and_doctor_is_content(folder: Path) -> None:
    with pytest.raises(MissingPart, match="no language model is set up") as missing:
        llm.chosen_target(opened(folder))
    assert missing.value.code == 5 and "llm.command" in missing.value.hint
    (check,) = llm.checks(opened(folder))
    assert check.state == "note" and "everything works by rules" in check.detail


def test_the_one_set_nearer_is_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert llm.chosen_target(opened(folder, llm__command="a", llm__url="http://h")).command == "a"
    monkeypatch.setenv("MEM_LLM_COMMAND", "a")
    assert llm.chosen_target(opened(folder, llm__url="http://h")).url == "http://h/v1/chat/completions"
    monkeypatch.setenv("MEM_LLM_URL", "http://h")
    assert llm.chosen_target(opened(folder, llm__command="b")).command == "b"


def test_a_vault_may_keep_itself_offline_but_not_go_online_against_its_user(folder: Path) -> None:
    user = Path.home() / "config" / "mem" / "config.yaml"
    user.parent.mkdir(parents=True)
    user.write_text("llm:\n  command: mine\n", encoding="utf-8")
    (folder / "mem.yaml").write_text("llm:\n  offline: true\n", encoding="utf-8")
    assert opened(folder).settings.llm.offline and opened(folder).notices == []
    assert trust.guarded(folder) == {}
    user.write_text("llm:\n  command: mine\n  offline: true\n", encoding="utf-8")
    for off in ("false", "0", "off", "''"):
        (folder / "mem.yaml").write_text(f"llm:\n  offline: {off}\n", encoding="utf-8")
        vault = opened(folder)
        assert vault.settings.llm.offline and "ignored llm.offline" in vault.notices[0]
        assert "llm.offline" in trust.guarded(folder)


@pytest.mark.parametrize("name", ["command", "url", "model", "key_env"])
def test_a_strangers_vault_chooses_nothing(folder: Path, name: str) -> None:
    (folder / "mem.yaml").write_text(f"llm:\n  {name}: theirs\n", encoding="utf-8")
    assert getattr(opened(folder).settings.llm, name) != "theirs"
    assert list(trust.guarded(folder)) == [f"llm.{name}"]


@pytest.mark.parametrize(
    ("given", "state", "said"),
    [
        ({"command": "sh -c x"}, "ok", "`sh -c x`"),
        ({"command": "KEY=1 nothing | x"}, "ok", "`KEY=1"),
        ({"command": "no-such-model -m x"}, "broken", "`no-such-model`, which is not installed"),
        ({"url": "http://u:p@localhost:1/v1", "model": "m"}, "ok", "http://localhost:1/v1 (m)"),
        ({"url": "http://far.example/v1"}, "note", "unencrypted"),
        ({"url": "http://127.0.0.1.far.example/v1"}, "note", "unencrypted"),
        ({"url": "https://far.example/v1"}, "ok", "https://far.example/v1"),
        ({"url": "far.example"}, "broken", "not an http address"),
        ({"url": "https://far.example/v1", "offline": True}, "note", "llm.offline"),
    ],
)
def test_doctor_says_what_is_set_up_and_sends_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, object], state: str, said: str
) -> None:
    monkeypatch.setenv("MEM_LLM_KEY", "k")
    (check,) = llm.checks(opened(folder, **{f"llm__{name}": value for name, value in given.items()}))
    assert (check.name, check.state) == ("llm", state)
    assert said in check.detail


def test_mem_llm_test_asks_and_shows(mem: Mem) -> None:
    with serving('{"colour": "blue\\u001b[2J"}') as model:
        ran = mem("llm", "test", MEM_LLM_URL=model.url, MEM_LLM_MODEL="small", MEM_LLM_KEY="sk-secret")
        shown = mem("llm", "test", "--json", MEM_LLM_URL=model.url, MEM_LLM_KEY="sk-secret")
    assert ran.code == 0
    assert [line.split() for line in ran.lines[:3]] == [
        ["model", model.url, "(small)"], ["key", "sent"], ["said", "blue"],
    ]  # fmt: skip
    assert json.loads(shown.out)["data"] == {"colour": "blue"} and json.loads(shown.out)["key"] is True
    assert "sk-secret" not in ran.out + ran.err + shown.out + shown.err


def test_mem_llm_test_fails_with_the_reason(mem: Mem) -> None:
    ran = mem("llm", "test")
    assert (ran.code, ran.out) == (5, "")
    assert "no language model is set up" in ran.err
    with serving(refuse(404, "model 'x' not found")) as model:
        ran = mem("llm", "test", MEM_LLM_URL=model.url)
    assert ran.code == 5 and "model 'x' not found" in ran.err
    assert "the JSON does not fit" in mem("llm", "test", MEM_LLM_COMMAND="echo hello").err


def test_a_proxy_is_not_asked_for_what_lies_on_this_machine(mem: Mem) -> None:
    with serving('{"colour": "blue"}') as model:
        assert mem("llm", "test", MEM_LLM_URL=model.url, HTTP_PROXY="http://127.0.0.1:9").code == 0
