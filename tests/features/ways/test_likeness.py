"""Two tasks are the same by what is done to what: pairs that somebody wrote, and the words of the tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli.features.ways import patterns
from memcli.features.ways.likeness import ALIKE, OTHER, likeness, task_words
from memcli.text import phrases
from memcli.text.tables import Row, rows

HERE = Path(__file__).parent


def pairs(part: str, truth: str) -> list[tuple[str, str]]:
    lines = [line.split("\t") for line in (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()]
    return [(each[3], each[4]) for each in lines if each[:2] == [part, truth]]


def table(name: str) -> Iterator[tuple[str, Row]]:
    for language in phrases.LANGUAGES:
        for row in rows(Path(patterns.__file__).parent / "language" / language / f"{name}.txt", examples=True):
            yield language, row


@pytest.mark.parametrize("part", ["tune", "check"])
def test_nine_of_ten_paraphrases_are_told_and_no_other_task_is_taken_for_one(part: str) -> None:
    same, other = pairs(part, "same"), pairs(part, "other")
    assert len(same) > 30 and len(other) > 30
    assert sum(likeness(*pair) > ALIKE for pair in same) >= 0.9 * len(same)
    assert not [pair for pair in other if likeness(*pair) > ALIKE]


def test_what_people_ask_of_other_things_is_no_task_that_is_known() -> None:
    questions = HERE.parent / "ask/questions.jsonl"
    if not questions.exists():
        pytest.skip("the questions belong to the feature ask, which is not here")
    goals = {goal for part in ("tune", "check") for goal, _ in pairs(part, "same")}
    asked = [json.loads(line)["q"] for line in questions.read_text(encoding="utf-8").splitlines()]
    assert len(asked) > 500
    assert not [(goal, each) for each in asked for goal in goals if likeness(goal, each) > ALIKE]


@pytest.mark.parametrize(
    ("goal", "other"),
    [
        ("import customer data from CSV", "export the customer data to CSV"),
        ("deploy to production", "roll back production"),
        ("数据库迁移到 Postgres", "备份 Postgres 数据库"),
    ],
)
def test_another_thing_done_to_the_same_is_another_task(goal: str, other: str) -> None:
    assert likeness(goal, other) <= OTHER


def test_languages_share_the_names_of_what_is_done() -> None:
    assert likeness("optimize API performance", "怎么给 API 加速") > ALIKE
    assert likeness("给接口提速", "how do I speed up the API") > ALIKE


def test_what_stands_in_brackets_says_for_whom_and_not_what() -> None:
    assert likeness("首次生产发布（新人）", "第一次上线到生产环境该怎么做") > ALIKE
    assert likeness("(draft)", "a draft") > 0


def test_nothing_is_like_nothing() -> None:
    assert likeness("", "speed up an API") == likeness("speed up an API", "???") == 0.0


def test_every_word_of_the_table_is_known_by_its_examples() -> None:
    for language, row in table("tasks"):
        name = f"={row['means'][0]}"
        assert row["kind"][0] in ("action", "thing", "light") and row["takes"] and row["leaves"], (language, row)
        for text in row["takes"]:
            assert any(name in word.names for word in task_words(text)), (language, name, text)
        for text in row["leaves"]:
            assert not any(name in word.names for word in task_words(text)), (language, name, text)


def test_every_outcome_is_heard_in_its_examples() -> None:
    for language, row in table("outcomes"):
        pattern = phrases.pattern("ways/outcomes", row["sign"][0], (language,))
        assert all(pattern.search(text) for text in row["takes"]), (language, row)
        if row["sign"] != ["ask"]:  # it is cut off, and may be empty
            assert row["leaves"] and not any(pattern.search(text) for text in row["leaves"]), (language, row)
