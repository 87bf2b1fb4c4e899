"""What is left for later: kept, told or asked about when the queue is worked through."""

from __future__ import annotations

import pytest

from memcli.features.learn import likelihood
from memcli.features.learn.backlog import queue_conversation
from memcli.features.learn.proposing import propose
from memcli.jobs import work
from memcli.remember import doubts, learning, profile, proposals
from memcli.vault.vault import Vault


@pytest.fixture(autouse=True)
def sure_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """How sure something is, others tell; here it is about what becomes of it."""
    monkeypatch.setattr(likelihood, "KEPT", 0.0)
    monkeypatch.setattr(likelihood, "KEPT_BY_WORDS", 0.0)


def test_what_was_left_for_later_is_told_and_asked(vault: Vault) -> None:
    profile(vault, "city", "Berlin")
    queue_conversation(vault, "I live in Leipzig now.")
    work(vault)
    assert [note for note in vault.notices if "Berlin" in note] == [
        "a profile was not kept: USER.md says city: Berlin; mem review asks which holds"
    ]
    assert [doubt.kind for doubt in doubts(vault)] == ["change"]


def test_what_the_queue_is_not_sure_of_waits_for_review(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "why_not", lambda atom: proposals.UNSURE)
    queue_conversation(vault, "User: I never eat fish.")
    work(vault)
    assert [doubt.kind for doubt in doubts(vault)] == ["heard"]


def test_a_preference_has_its_category(vault: Vault) -> None:
    found = {atom.key: atom for atom in propose(vault, "User: I never eat fish.\nUser: 以后别走延安高架了").atoms}
    assert {atom.category for atom in found.values()} == {"food", "navigation"}
