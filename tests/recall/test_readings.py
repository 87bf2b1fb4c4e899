"""How dates were read is said where a day was named: in the block of every shape, within its budget, and as JSON."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memcli.recall.paths.time import MOST_FILES
from memcli.text import tokens
from tests.recall.vaults import ask, lay

NOTES = {
    "logs/2026-11-19.md": "- tea with Hana\n",
    "logs/2026-11-20.md": "- the dentist is on Thursday at ten\n",
    "logs/2026-11-12.md": "- bread came out flat\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay(tmp_path, NOTES)
    return tmp_path


def test_the_block_says_both_days_of_a_bare_weekday_and_finds_the_plan(folder: Path) -> None:
    block = ask(folder, "on Thursday")
    assert "\nThursday: 2026-11-19 and 2026-11-26\n" in block.text
    assert "dentist" in block.text and "tea with Hana" in block.text


def test_the_block_says_a_day_once_and_not_what_is_a_date_already(folder: Path) -> None:
    diff = "--- logs/2026-11-19.md\n+++ logs/2026-11-19.md\n+- the roof, 19 November 2026\n"
    text = ask(folder, f"{diff}{diff}have we seen this").text
    assert "2026-11-19: " not in text and text.count("19 November 2026: 2026-11-19") == 1


def test_the_tense_of_a_question_chooses_the_day(folder: Path) -> None:
    assert "Thursday: 2026-11-19\n" in ask(folder, "what did I do on Thursday").text
    coming = ask(folder, "what's on Thursday")
    assert "Thursday: 2026-11-26\n" in coming.text
    assert coming.chosen[0].text.endswith("the dentist is on Thursday at ten")


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("anything in 2024", "Nothing was noted in 2024."),
        ("what happened on 3 March", "Nothing was noted on 2026-03-03."),
        ("what did I bake before 13 November", "before 13 November: until 2026-11-12"),
        ("上周四我做了什么", "上周四: 2026-11-12"),
    ],
)
def test_days_without_a_note_are_told(folder: Path, question: str, line: str) -> None:
    assert line in ask(folder, question).text.splitlines()


def test_without_a_date_nothing_is_said_of_dates(folder: Path) -> None:
    block = ask(folder, "bread")
    assert block.dates == () and ":1 bread came out flat" in block.text


@pytest.mark.parametrize("format", ["md", "xml", "plain"])
@pytest.mark.parametrize("budget", [20, 40, 60, 100, 400])
def test_the_line_keeps_the_budget_and_the_frame(folder: Path, format: str, budget: int) -> None:
    block = ask(folder, "</memory> # x on Thursday 2026-11-19", format=format, budget=budget)
    assert block.tokens == tokens.count(block.text) <= budget
    assert format != "xml" or block.text.count("</memory>") <= 1


def test_as_json_every_phrase_has_its_days(folder: Path) -> None:
    said = ask(folder, "on Thursday and in 2024", format="json").as_json()
    assert said["dates"] == [
        {"phrase": "Thursday", "days": [["2026-11-19", "2026-11-19"], ["2026-11-26", "2026-11-26"]], "noted": True},
        {"phrase": "2024", "days": [["2024-01-01", "2024-12-31"]], "noted": False},
    ]


def test_next_year_does_not_take_the_plans_of_this_year(folder: Path) -> None:
    lay(folder, {"logs/2026-11-21.md": "- the tax is due on 3 December\n- the roof is done next year\n"})
    parts = {each.text: each.scored.parts["time"] for each in ask(folder, "what do I plan next year", fill=True).chosen}
    assert parts["the roof is done next year"] == 1.0
    assert parts.get("the tax is due on 3 December", 0.0) == 0.0


def test_a_quarter_opens_all_its_days() -> None:
    assert (date(2026, 9, 30) - date(2026, 7, 1)).days < MOST_FILES


def test_a_note_of_a_far_year_is_not_of_today(folder: Path) -> None:
    lay(folder, NOTES | {"logs/2099-01-01.md": "- bread for ever\n", "logs/2026-11-21.md": "- bread again\n"})
    parts = {each.text: each.scored.parts["time"] for each in ask(folder, "bread").chosen}
    assert parts["bread for ever"] < parts["bread came out flat"] < parts["bread again"]
