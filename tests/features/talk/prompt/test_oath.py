"""The oath: whatever is broken, and all of it at once, a prompt still carries who speaks, how, the last words, and the duty to
say what is not remembered."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memcli.features.talk.prompt import PromptRequest, admission, build
from tests.conftest import opened
from tests.features.talk.prompt.conftest import rounds, talk
from tests.features.talk.prompt.test_knowledge import Store

BREAKS = {
    "index": lambda root: _write(root / ".mem" / "index" / "entries.lance" / "_versions" / "1.manifest", b"\0garbage"),
    "book": lambda root: _write(root / ".mem" / "book.sqlite", b"not a database"),
    "profile": lambda root: _write(root / "USER.md", b"---\nname: [unclosed\n---\n"),
    "preferences": lambda root: _write(root / "preferences.yaml", b"- {key: drink, value: \n  - {{{"),
    "labels": lambda root: _write(root / "labels.yaml", b"\xff\xfe\0binary"),
    "tags": lambda root: _write(root / "tags.yaml", b"cache: [redis\n"),
    "memory": lambda root: _write(root / "MEMORY.md", b"- cache \xe9\xe9\n"),
    "logs": lambda root: (root / "logs" / "loop.md").symlink_to("loop.md"),
    "journal": lambda root: _write(root / "journal" / "nudges.jsonl", b"{{{\n[]\nnull\n\xff\n"),
    "session": lambda root: _append(root / "sessions" / "20261121-1400-abcd.jsonl", b'{"role": "user", "con\n\xff\n[]\n'),
}  # fmt: skip
WORSE = {
    "state": lambda root: _write(root / "state.yaml", b"language: [zh\nrole: ada"),
    "role": lambda root: _write(root / "roles" / "ada.yaml", b"identity: {user_name}\n"),
    "no role": lambda root: (root / "roles" / "ada.yaml").unlink(),
    "no state": lambda root: (root / "state.yaml").unlink(),
    "session gone": lambda root: (root / "sessions" / "20261121-1400-abcd.jsonl").unlink(),
    "session a folder": lambda root: _folder(root / "sessions" / "20261121-1400-abcd.jsonl"),
}


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _append(path: Path, data: bytes) -> None:
    path.write_bytes(path.read_bytes() + data)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def test_all_at_once(home_of_lin: Path, store: Store) -> None:
    store.hangs = threading.Event()
    talk(home_of_lin, [*rounds(12, size=60), ("user", "so is it Redis?"), ("assistant", "It is Redis.")])
    for broken in BREAKS.values():
        broken(home_of_lin)
    settings = {"prompt__total": 700, "prompt__knowledge_limit": 20, "prompt__recall": 0, "recall__semantic": "always"}
    made = build(opened(home_of_lin, **settings), PromptRequest("and since when?", session="abcd"))
    store.hangs.set()
    assert made.total <= 700
    assert made.text.startswith("You are Ada, who keeps the notes of Lin.\nWarm and brief.\n- Never guess a number.\n")
    assert admission.ADMISSION_ZH in made.text
    assert "language: zh; replies: short" in made.text
    assert "assistant: It is Redis." in made.text and "so is it Redis?" in made.text
    assert made.text.endswith("# The user's words\nand since when?\n")
    told = "\n".join(made.degraded)
    for what in ("preferences.yaml", "tight", "knowledge"):
        assert what in told
    assert made.layer("knowledge").items == () and "word word" in made.layer("recent").text


@pytest.mark.parametrize("what", [*BREAKS, *WORSE])
def test_each_alone_costs_its_own_layer(home_of_lin: Path, what: str) -> None:
    talk(home_of_lin, rounds(2))
    whole = build(opened(home_of_lin), PromptRequest("the cache and the tea", session="abcd"))
    (BREAKS | WORSE)[what](home_of_lin)
    made = build(opened(home_of_lin), PromptRequest("the cache and the tea", session="abcd"))
    assert made.text.endswith("the cache and the tea\n")
    assert (admission.ADMISSION if what in ("state", "no state") else admission.ADMISSION_ZH) in made.text
    assert made.layer("role").text and "replies: " in made.layer("state").text
    same = [one.name for one, other in zip(whole.layers, made.layers, strict=True) if one.text == other.text]
    assert len(same) >= 5, same
    if what.startswith(("role", "session", "state")) and what != "session":
        assert made.degraded


def test_an_error_nobody_thought_of_costs_its_layer(home_of_lin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("cosmic ray")

    monkeypatch.setattr("memcli.recall.seek", fail)
    monkeypatch.setattr("memcli.vault.preferences.read_preferences", fail)
    monkeypatch.setattr("memcli.contributions.initiative", fail)
    talk(home_of_lin, rounds(2))
    made = build(opened(home_of_lin), PromptRequest("the cache", session="abcd"))
    assert "reply 1" in made.text and made.text.startswith("You are Ada")
    assert sum("cosmic ray" in line for line in made.degraded) == 4, made.degraded


def test_notices_of_before_are_not_called_a_degradation_and_nothing_is_lost(home_of_lin: Path) -> None:
    vault = opened(home_of_lin)
    vault.notice("said before")
    (home_of_lin / "tags.yaml").write_text("cache: [redis\n", encoding="utf-8")
    for _ in range(2):  # in a chat one vault makes many prompts, and each tells what it lacks
        made = build(vault, PromptRequest("the cache"))
        assert len(made.degraded) == 1 and "tags.yaml" in made.degraded[0]
    assert vault.notices == ["said before", *made.degraded]


def test_a_table_of_tokens_that_cannot_be_fetched_gives_way_to_our_own(
    home_of_lin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(name: str) -> None:
        raise ConnectionError

    monkeypatch.setattr("tiktoken.get_encoding", refused)
    made = build(opened(home_of_lin, recall__encoding="p50k_edit"), PromptRequest("the cache"))
    assert made.layer("recall").text and "p50k_edit" in made.degraded[0]
