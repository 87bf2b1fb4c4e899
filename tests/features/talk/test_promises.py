"""The numbers of docs/promises.md that are about talks and prompts; `tests/mutants.py` changes them all."""

from __future__ import annotations

from pathlib import Path

from memcli.features.talk.prompt import PromptRequest, build
from memcli.features.talk.saying import say
from memcli.session import SessionMessage, find_session, start
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.talk.prompt.conftest import rounds, talk


def test_at_22_messages_the_oldest_12_become_one_line(vault: Vault) -> None:
    session = start(vault)
    for number in range(21):
        say(vault, session, SessionMessage("user" if number % 2 == 0 else "assistant", f"tide {number}"))
    now = find_session(vault, session.id)
    assert (len(now.window), len(now.summaries)) == (20, 0)
    say(vault, session, SessionMessage("assistant", "tide 21"))
    now = find_session(vault, session.id)
    assert (len(now.window), len(now.summaries)) == (10, 1)


def test_ten_rounds_are_a_stage(vault: Vault) -> None:
    session = start(vault)
    for number in range(20):
        role = "assistant" if number % 2 else "user"
        assert not find_session(vault, session.id).stages
        say(vault, session, SessionMessage(role, f"the tide of the harbour stands at {number} metres"))
    say(vault, session, SessionMessage("user", "the tide of the harbour stands at 30 metres"))
    assert list(find_session(vault, session.id).stages) == [(0, 20)]


def test_a_prompt_has_eight_rounds_in_800_tokens(folder: Path) -> None:
    talk(folder, rounds(10))
    short = build(opened(folder), PromptRequest("", session="abcd")).layer("recent")
    assert short.text.count("question ") == 8 and short.budget == 800
    talk(folder, rounds(10, 60))
    assert 700 < build(opened(folder), PromptRequest("", session="abcd")).layer("recent").tokens <= 800
