"""What a person wrote into `patterns.yaml` is read where it can be, and never written over."""

from __future__ import annotations

import json

import pytest

from memcli.errors import Refused
from memcli.features.ways import patterns, writing
from memcli.features.ways.lessons import lessons
from memcli.features.ways.patterns import Try
from memcli.vault.vault import Vault

GOOD = Try("2026-11-21T10:00", True)


def lay(vault: Vault, text: str) -> None:
    (vault.root / patterns.FILE).write_text(text, encoding="utf-8")


def held(vault: Vault) -> str:
    return (vault.root / patterns.FILE).read_text("utf-8")


def test_a_try_without_quotes_counts_and_one_that_tells_of_none_stays(vault: Vault) -> None:
    tries = "- 2026-11-20 good: the cache\n  - went well, I think\n"
    lay(vault, f"patterns:\n- pattern: bake bread\n  subtasks: [knead]\n  tries:\n  {tries}")
    (way,) = patterns.held(vault).ways
    assert [(each.good, each.note) for each in way.tries] == [(True, "the cache")]
    writing.tried(vault, way, GOOD)
    (way,) = patterns.held(vault).ways
    assert len(way.tries) == 2 and "went well, I think" in held(vault)


def test_ways_that_are_no_list_are_not_written_over(vault: Vault) -> None:
    text = "patterns:\n  bake bread:\n    subtasks: [knead]\n"
    lay(vault, text)
    with pytest.raises(Refused, match="patterns is no list"):
        writing.keep_way(vault, "brew tea", ["boil"])
    assert held(vault) == text


def test_a_way_without_steps_teaches_too(vault: Vault) -> None:
    tries = "".join(f"  - '2026-11-{day} bad: the oven was cold'\n" for day in (18, 19))
    lay(vault, f"patterns:\n- pattern: bake bread\n  tries:\n{tries}")
    assert [each.failure.what for each in lessons(patterns.held(vault).ways)] == ["bake bread"]


def test_a_way_used_on_the_last_day_there_is_does_not_rest(vault: Vault) -> None:
    lay(vault, "patterns:\n- pattern: bake bread\n  subtasks: [knead]\n  last_used: 9999-12-31T00:00:00\n")
    assert not patterns.rests(patterns.held(vault).ways[0], vault.now)


@pytest.mark.parametrize("odd", [{"summary": "z"}, {"marks": []}, {"agent": "../b"}, {"steps": 5}])
def test_a_line_of_the_journal_may_hold_anything(vault: Vault, odd: dict[str, object]) -> None:
    (vault.root / "journal").mkdir()
    told = {"kind": "way", "goal": "bake bread", "steps": ["knead"], "at": "2026-11-20T10:00", **odd}
    (vault.root / "journal/patterns.jsonl").write_text(json.dumps({"heard": told}) + "\n", encoding="utf-8")
    assert all(not each.agent for each in writing.heard_patterns(vault))
