"""What a person wrote into `patterns.yaml` is read where it can be, and never written over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.features.ways import patterns, writing
from memcli.features.ways.lessons import lessons
from memcli.features.ways.patterns import Try
from memcli.vault.vault import Vault
from tests.conftest import Ran

Mem = Callable[..., Ran]
GOOD = Try("2026-11-21T10:00", True)


def lay(vault: Vault, text: str) -> None:
    (vault.root / patterns.FILE).write_text(text, encoding="utf-8")


def held(vault: Vault) -> str:
    return (vault.root / patterns.FILE).read_text("utf-8")


def test_a_try_without_quotes_counts_and_one_that_tells_of_none_stays(vault: Vault) -> None:
    tries = "- 2026-11-20 good: the cache\n  - went well, I think\n"
    lay(vault, f"patterns:\n- pattern: bake bread\n  subtasks: [knead]\n  tries:\n  {tries}")
    (way,) = patterns.read_patterns(vault).ways
    assert [(each.good, each.note) for each in way.tries] == [(True, "the cache")]
    writing.record_try(vault, way, GOOD)
    (way,) = patterns.read_patterns(vault).ways
    assert len(way.tries) == 2 and "went well, I think" in held(vault)


def test_ways_that_are_no_list_are_not_written_over(vault: Vault) -> None:
    text = "patterns:\n  bake bread:\n    subtasks: [knead]\n"
    lay(vault, text)
    with pytest.raises(Refused, match="patterns is not a list"):
        writing.keep_way(vault, "brew tea", ["boil"])
    assert held(vault) == text


def test_a_way_without_steps_teaches_too(vault: Vault) -> None:
    tries = "".join(f"  - '2026-11-{day} bad: the oven was cold'\n" for day in (18, 19))
    lay(vault, f"patterns:\n- pattern: bake bread\n  tries:\n{tries}")
    assert [each.failure.what for each in lessons(patterns.read_patterns(vault).ways)] == ["bake bread"]


def test_a_way_used_on_the_last_day_there_is_does_not_rest(vault: Vault) -> None:
    lay(vault, "patterns:\n- pattern: bake bread\n  subtasks: [knead]\n  last_used: 9999-12-31T00:00:00\n")
    assert not patterns.is_resting(patterns.read_patterns(vault).ways[0], vault.now)


@pytest.mark.parametrize("odd", [{"summary": "z"}, {"marks": []}, {"agent": "../b"}, {"steps": 5}])
def test_a_line_of_the_journal_may_hold_anything(vault: Vault, odd: dict[str, object]) -> None:
    (vault.root / "journal").mkdir()
    told = {"kind": "way", "goal": "bake bread", "steps": ["knead"], "at": "2026-11-20T10:00", **odd}
    (vault.root / "journal/patterns.jsonl").write_text(json.dumps({"heard": told}) + "\n", encoding="utf-8")
    assert all(not each.agent for each in writing.heard_patterns(vault))


@pytest.mark.parametrize("note", ["  # bread\n", "  # two\n  # lines\n\n", ""])
def test_the_last_way_is_forgotten_though_a_comment_stands_above_it(vault: Vault, note: str) -> None:
    failures = "failures:\n  # beware\n  - pattern: cold oven\n"
    lay(vault, f"# mine\npatterns:\n{note}  - pattern: bake bread\n    subtasks: [knead]\n{failures}")
    writing.forget_pattern(vault, patterns.read_patterns(vault).ways[0])
    assert (
        not patterns.read_patterns(vault).ways and held(vault).startswith("# mine\n") and held(vault).endswith(failures)
    )


def test_what_was_heard_of_a_try_that_is_only_counted_by_now_is_settled(vault: Vault) -> None:
    way, _ = writing.keep_way(vault, "bake bread", ["knead"])
    heard = writing.WayFinding("tried", "bake bread", way=way.id, at="2026-09-01T10:00")
    writing.hear_pattern(vault, heard)
    writing.take_heard(vault, heard)
    for n in range(patterns.LISTED):
        writing.record_try(
            vault, patterns.read_patterns(vault).ways[0], Try(f"2026-10-{n // 2 + 1:02}T1{n % 2}:00", True)
        )
    assert "2026-09-01" not in held(vault) and not writing.heard_patterns(vault)


def test_an_agent_can_name_its_own_way_where_everybody_has_the_same(mem: Mem, folder: Path) -> None:
    add = ("pattern", "add", "bake bread", "--step", "knead")
    assert mem(*add).code == mem(*add, "--agent", "rex").code == 0
    done = mem("pattern", "tried", "bake bread", "good", "--agent", "rex")
    assert done.code == 0, done.err
    assert "good" in (folder / "agents/rex/patterns.yaml").read_text("utf-8")
