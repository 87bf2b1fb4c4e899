"""Fields of life by their words: every row of the tables takes its examples and leaves the others alone."""

from __future__ import annotations

import re

import pytest

from memcli.text import categories
from memcli.text.phrases import LANGUAGES, languages, pattern
from memcli.text.tables import LANGUAGE_FOLDER, Row, rows


def of_table(name: str) -> list[Row]:
    return [row for language in LANGUAGES for row in rows(LANGUAGE_FOLDER / language / f"{name}.txt", examples=True)]


def examples(name: str, key: str) -> list[tuple[Row, str]]:
    return [(row, text) for row in of_table(name) for text in row.get(key, ())]


@pytest.mark.parametrize("key", ["takes", "leaves"])
def test_questions_are_of_the_categories_that_their_rows_say(key: str) -> None:
    for row, text in examples("categories", key):
        if "category" in row:
            assert (row["category"][0] in categories.categories_of(text)) is (key == "takes"), text
        else:
            assert categories.looks_back(text) is (key == "takes"), text


@pytest.mark.parametrize("table", ["profile"])
@pytest.mark.parametrize("key", ["takes", "leaves"])
def test_questions_are_of_the_signs_that_their_rows_say(table: str, key: str) -> None:
    for row, text in examples(table, key):
        found = pattern(table, row["sign"][0], languages(text)).search(text)
        assert (found is not None) is (key == "takes"), text


def test_both_languages_have_the_same_categories_each_with_examples() -> None:
    english, chinese = (
        [row["category"][0] for row in rows(LANGUAGE_FOLDER / language / "categories.txt") if "category" in row]
        for language in LANGUAGES
    )
    assert english == chinese
    assert len(set(english)) == len(english)
    assert all(row.get("takes") and row.get("leaves") for row in of_table("categories") if "category" in row)


def test_a_category_is_found_by_any_of_its_names_in_any_spelling() -> None:
    assert categories.categories_named("Food") == {"food"}
    assert "navigation" in categories.categories_named("驾驶")
    assert categories.categories_named("working hours") == {"schedule"}
    assert categories.categories_named("nothing like that") == set()


def test_a_short_word_is_not_seen_in_a_longer_one() -> None:
    assert "drinks" not in categories.categories_of("找个酒店")
    assert "climate" not in categories.categories_of("项目进度")
    assert "pets" not in categories.categories_of("光猫坏了")
    assert "money" not in categories.categories_of("贵阳阴天")
    assert "money" in categories.categories_of("这家太贵了")


def test_sorts_of_things_are_the_same_in_both_languages() -> None:
    assert categories.sorts_of("a letter to the council") == categories.sorts_of("写封邮件") == {"email"}
    assert categories.sorts_of("write something") == categories.sorts_of("写点什么") == set()


def test_endings_are_seen_through_and_phrases_are_several_words() -> None:
    assert "sport" in categories.categories_of("we were running and he jogged")
    assert "navigation" in categories.categories_of("Take me to the station")
    assert "home" in categories.categories_of("living_room")


def test_tables_hold_no_word_twice_in_a_row() -> None:
    for row in of_table("categories"):
        listed = re.split(r"\s+", " ".join(row.get("words", [])))
        assert len(listed) == len(set(listed)), row.get("category")
