"""What an agent is given in its prompts."""

from __future__ import annotations

import pytest

from memcli import api
from memcli.errors import UsageError
from memcli.features.talk import prompt
from memcli.features.talk.saying import say
from memcli.session import SessionMessage, find_session, latest_session, sessions, start
from memcli.vault.vault import Vault
from tests.agents.conftest import MARK, SECRET, TwoMinds, minds
from tests.agents.test_doors import views
from tests.agents.test_spaces import kept
from tests.conftest import NOW

__all__ = ["minds"]  # a fixture


def test_a_prompt_keeps_agents_apart(minds: TwoMinds) -> None:
    (minds.root / "linked.md").unlink()
    for vault, knows in zip(views(minds.root), (False, False, True), strict=True):
        told = prompt.build(vault, prompt.PromptRequest("where is the plate of the museum")).text
        assert (MARK in told) is knows
    vault = api.Vault.open(minds.root, lambda: NOW)
    assert MARK not in vault.prompt(f"the {SECRET}?", agent="ada", sent=False).text


def test_a_talk_of_an_agent_is_prompted_with_what_it_knows(vault: Vault) -> None:
    kept(vault, "coder", "The linter of the gateway is called Brisk", type="fact")
    talk = start(vault.seen_by("coder"))
    say(vault, talk, SessionMessage("user", "good morning"))
    assert "Brisk" in prompt.build(vault, prompt.PromptRequest("what is the linter called", session=talk.id)).text
    assert "Brisk" not in prompt.build(vault, prompt.PromptRequest("what is the linter called")).text


def test_a_talk_of_an_agent_is_meant_only_by_the_agent_or_by_its_name(vault: Vault) -> None:
    bob = vault.seen_by("bob")
    talk = say(bob, start(bob), SessionMessage("user", "good morning")).session
    with pytest.raises(UsageError, match="no session is open"):
        find_session(vault)
    assert latest_session(vault) is None and not sessions(vault)
    assert find_session(vault, talk.id).id == find_session(bob).id == find_session(bob, "last").id == talk.id
    start(vault)
    assert find_session(vault).id != find_session(bob).id == talk.id
