"""What is offered for a task, what is warned of, and what rests."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from memcli.errors import Refused, UsageError
from memcli.features.ways import patterns, writing
from memcli.features.ways.offer import advise
from memcli.features.ways.patterns import Failure, Try, Way
from memcli.index.vector_index import Near, Nearest
from memcli.vault import schema, yaml_read
from memcli.vault.merge import merge_texts
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened

TASK = "how should I speed up the checkout API"


def way(vault: Vault, *steps: str, good: int = 0, bad: int = 0, goal: str = "speed up an API") -> Way:
    made, _ = writing.keep_way(vault, goal, steps or ("measure", "cache"))
    for number in range(good + bad):
        at = f"2026-10-{number // 20 + 1:02}T10:{number % 20:02}"
        made, _ = writing.record_try(vault, made, Try(at, number < good))
    return made


def test_a_proven_way_is_offered_with_its_evidence(vault: Vault) -> None:
    known = way(vault, good=20)
    (offer,) = advise(vault, TASK).ways
    assert (offer.way.id, offer.proven, offer.chosen, offer.by) == (known.id, True, True, "words")
    assert offer.why == "went well 20 of 20 times, surely 92%, last 2026-11-21"


def test_what_is_not_proven_says_so(vault: Vault) -> None:
    way(vault, good=3)
    (offer,) = advise(vault, TASK).ways
    assert not offer.proven and "unproven" in offer.why


def test_another_task_is_offered_nothing(vault: Vault) -> None:
    way(vault, good=20)
    assert not advise(vault, "how do I document the API") and not advise(vault, "")


def test_the_proven_way_comes_before_the_one_that_is_not(vault: Vault) -> None:
    way(vault, "rewrite it", good=2)
    proven = way(vault, "measure", "cache", good=25)
    assert advise(vault, TASK).ways[0].way.id == proven.id


def test_a_way_that_mostly_goes_wrong_is_not_offered(vault: Vault) -> None:
    way(vault, good=1, bad=4)
    assert not advise(vault, TASK).ways


def test_the_same_vault_chooses_the_same_all_day(vault: Vault) -> None:
    for name in "abcdef":
        way(vault, f"step {name}", good=2)
    assert len({advise(vault, TASK).ways[0].way.id for _ in range(5)}) == 1


def test_a_way_rests_after_ninety_days(folder: Path) -> None:
    way(opened(folder), good=20)
    assert advise(opened(folder, NOW + timedelta(days=89)), TASK)
    assert not advise(opened(folder, NOW + timedelta(days=91)), TASK)


def test_a_grave_failure_warns_at_one_sign_another_at_two(vault: Vault) -> None:
    signs = ("no TTL", "warm-up")
    writing.keep_failure(vault, Failure("share Redis with a batch job", signs, "evicted", "its own instance", 5))
    writing.keep_failure(vault, Failure("mass invalidation", ("bulk import", "pub/sub"), severity=2))
    (grave,) = advise(vault, "the job writes its keys with no TTL").warnings
    assert grave.signs == ("no TTL",) and grave.summary == "share Redis with a batch job: evicted → its own instance"
    assert not advise(vault, "tonight is the bulk import").warnings
    assert len(advise(vault, "the bulk import sends it by pub/sub").warnings) == 1


def test_the_gravest_warning_comes_first(vault: Vault) -> None:
    for severity in (4, 5):
        writing.keep_failure(vault, Failure(f"of severity {severity}", ("reindex",), severity=severity))
    assert [each.failure.severity for each in advise(vault, "reindex tonight").warnings] == [5, 4]


def near_in_meaning(vault: Vault, monkeypatch: pytest.MonkeyPatch, likeness: float) -> None:
    """With a model to which all texts are alike by 0.76 at least."""
    found = lambda cache, embedder, texts, question: Nearest([Near("texts", each, likeness) for each in texts], 0.76)  # noqa: E731
    monkeypatch.setattr("memcli.index.vector_index.find_nearest_texts", found)
    vault.vectors = SimpleNamespace(embedder=object())


def test_by_meaning_a_task_in_other_words_is_the_same(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scene of the memory chapter: React 组件怎么优化 finds 前端渲染性能提升方案, whose words are all others."""
    writing.keep_way(vault, "前端渲染效率方案", ["测量", "按需加载"])
    assert not advise(vault, "React 组件要更流畅")
    near_in_meaning(vault, monkeypatch, 0.9)
    (offer,) = advise(vault, "React 组件要更流畅").ways
    assert offer.by == "meaning" and offer.likeness > 0.8


def test_what_is_as_near_as_any_text_is_another_task(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    way(vault, good=20)
    near_in_meaning(vault, monkeypatch, 0.79)
    assert not advise(vault, "what is the capital of France")


def test_by_meaning_another_verb_is_another_task(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    writing.keep_way(vault, "import customer data", ["read the file", "check it"])
    near_in_meaning(vault, monkeypatch, 0.99)
    assert not advise(vault, "export customer data")


# -- kept --------------------------------------------------------------------------------------------------------------


def test_a_way_by_the_same_steps_is_kept_once_and_by_others_beside_it(vault: Vault) -> None:
    first, second, again = way(vault, "a", "b"), way(vault, "a", "c"), way(vault, "a", "b")
    assert first.id == again.id != second.id
    assert [each.id for each in patterns.read_patterns(vault).ways] == [first.id, second.id]


def test_old_tries_are_counted_and_lose_nothing(vault: Vault) -> None:
    made = way(vault, good=50, bad=20)
    (known,) = patterns.read_patterns(vault).ways
    assert (len(known.tries), known.before, known.count, known.good) == (patterns.LISTED, 10, 70, 50)
    assert known.id == made.id


def test_what_a_person_wrote_beside_it_stays_byte_for_byte(folder: Path) -> None:
    text = "# mine\npatterns:\n  - pattern: bake  # since May\n    subtasks: [knead, wait]\nfailures: []\nother: 1\n"
    (folder / "patterns.yaml").write_text(text, encoding="utf-8")
    vault = opened(folder)
    writing.record_try(vault, patterns.read_patterns(vault).ways[0], Try("2026-11-20", True, 10, 20, "crisp: very"))
    after = (folder / "patterns.yaml").read_text(encoding="utf-8")
    assert after.startswith("# mine\npatterns:\n  - pattern: bake  # since May\n    subtasks: [knead, wait]\n")
    assert after.endswith("failures: []\nother: 1\n")
    assert patterns.read_patterns(vault).ways[0].tries == (Try("2026-11-20", True, 10, 20, "crisp: very"),)


def test_two_machines_tries_are_put_together() -> None:
    before = "patterns:\n- pattern: bake\n  subtasks: [knead]\n  tries: [2026-11-01 good]\n  last_used: 2026-11-01\n"
    mine = before.replace("2026-11-01 good]", "2026-11-01 good, 2026-11-02 bad]")
    theirs = before.replace("2026-11-01 good]", "2026-11-01 good, 2026-11-03 good]")
    theirs = theirs.replace("used: 2026-11-01", "used: 2026-11-03")
    both = yaml_read.load(merge_texts("patterns.yaml", before, mine, theirs), "patterns.yaml")
    found = patterns.way_of(patterns.listed_records(both)[0][1])
    assert found and [each.at for each in found.tries] == ["2026-11-01", "2026-11-02", "2026-11-03"]


def test_secrets_are_no_part_of_a_way(vault: Vault) -> None:
    with pytest.raises(Refused):
        writing.keep_way(vault, "call the bank", ["use card 4111 1111 1111 1111"])
    assert not (vault.root / "patterns.yaml").exists()


def test_what_can_not_be_is_refused(vault: Vault) -> None:
    with pytest.raises(UsageError):
        writing.keep_way(vault, "nothing", [])
    with pytest.raises(UsageError):
        writing.keep_failure(vault, Failure("x", severity=6))


def test_doctor_names_what_is_wrong_in_the_file_and_the_rest_counts(folder: Path) -> None:
    (folder / "patterns.yaml").write_text(
        "patterns:\n- pattern: bake\n  strategy: sideways\n  tries: [last week good]\n- {pattern: brew, subtasks: [boil]}\n"
        "failures:\n- {pattern: burn, severity: 9}\n",
        encoding="utf-8",
    )
    vault = opened(folder)
    flaws = [flaw.message for flaw, _ in schema.wrong(vault)]
    assert len(flaws) == 3 and all(flaw.startswith("patterns.yaml: ") for flaw in flaws)
    assert [each.goal for each in patterns.read_patterns(vault).ways] == ["bake", "brew"]
    assert patterns.read_patterns(vault).failures[0].severity == 5


def test_an_agents_ways_are_its_own(vault: Vault) -> None:
    writing.keep_way(vault.seen_by("rex"), "speed up an API", ["profile it"])
    assert advise(vault.seen_by("rex"), TASK).ways
    assert not advise(vault, TASK).ways and not advise(vault.seen_by("ada"), TASK).ways


def test_what_is_forgotten_is_archived(vault: Vault) -> None:
    made = way(vault, good=1)
    writing.forget_pattern(vault, patterns.read_patterns(vault).ways[0])
    assert not advise(vault, TASK)
    assert made.goal in (vault.root / "archive/patterns.yaml").read_text(encoding="utf-8")
