"""What only its meaning brings into a prompt."""

from __future__ import annotations

import pytest

from memcli import recall as recall_module
from memcli.features.talk.prompt import material
from memcli.recall import Request
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.recall.test_semantic import meant, model_folder

__all__ = ["meant", "model_folder"]  # fixtures


def test_a_prompt_takes_two_at_most_by_meaning_and_none_within_a_talk(
    meant: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = recall_module.seek
    likeness: list[object] = []

    def four(vault: Vault, request: Request) -> recall_module.SearchResult:
        """The one memory that a sabbatical is, four times over."""
        likeness.append(vault.settings.recall.likeness)
        found = real(vault, request._replace(semantic=True))
        return found._replace(ranked=[each for each in found.ranked for _ in range(4)])

    assert [each.paths for each in real(meant, Request("holiday", semantic=True)).ranked] == [("semantic",)]
    monkeypatch.setattr(recall_module, "seek", four)
    assert material.LIKENESS == 0.65
    monkeypatch.setattr(material, "LIKENESS", 0.1)  # the model of the tests is a tiny one

    def brought(in_talk: bool = False, **settings: object) -> int:
        found = material.search_memory(opened(meant.root, **settings), "holiday", in_talk)
        assert found.matched is bool(found.ranked)
        return len(found.ranked)

    assert (brought(), brought(prompt__meant=1), brought(prompt__meant=0), brought(in_talk=True)) == (2, 1, 0, 0)
    assert brought(recall__likeness={"log": 0.99999}) == 0
    assert likeness[0] == {"all": 0.1} and likeness[-1] == {"all": 0.1, "log": 0.99999}
