"""Every rule of language takes its examples and leaves its counterexamples alone; what can't be said in a language costs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from memcli.session.anchors import anchor_rules, anchors_in
from memcli.text import phrases
from memcli.text.phrases import LANGUAGES, languages
from memcli.text.requests import talk_request
from memcli.text.tables import LANGUAGE_FOLDER, Row, rows

TABLES = ("anchors", "differs", "recall")


def rules(name: str) -> Iterator[tuple[str, Row]]:
    for language in LANGUAGES:
        for row in rows(LANGUAGE_FOLDER / language / f"{name}.txt", examples=True):
            yield language, row


def examples(row: Row) -> Iterator[tuple[str, bool]]:
    yield from ((text, True) for text in row.get("takes", ()))
    yield from ((text, False) for text in row.get("leaves", ()))


def test_every_rule_has_an_example_and_all_but_titles_a_counterexample() -> None:
    for name in TABLES:
        for language, row in rules(name):
            if {"pattern", "told"} & set(row) and not {"piece", "thing"} & set(row):
                assert row.get("takes") and row.get("leaves"), (language, name, row)


def test_anchors_take_their_examples() -> None:
    for language, row in rules("anchors"):
        if "part" in row and "pattern" in row:
            pattern = re.compile(anchor_rules(language).parts[row["part"][0]], re.I)
            for text, taken in examples(row):
                assert bool(pattern.search(text)) is taken, (row["part"], text)
        if "sets" in row:
            key, _, value = row["sets"][0].partition("=")
            keys = {"tables", "bullets", "emoji"} if key == "THING" else {key}
            for text, taken in examples(row):
                set_here = {anchor.key: anchor.value for anchor in anchors_in(text) if anchor.key in keys}
                assert bool(set_here) is taken, (row["sets"], text, set_here)
                assert not taken or not value or value in set_here.values(), (row["sets"], text, set_here)


@pytest.mark.parametrize("name", ["differs", "recall"])
def test_signs_take_their_examples(name: str) -> None:
    for language, row in rules(name):
        for text, taken in examples(row):
            assert languages(text) == (language,) or language in languages(text), (name, text)
            found = phrases.pattern(name, row["sign"][0], languages(text)).search(text)
            assert bool(found) is taken, (language, name, row["sign"], text)


def test_lists_of_words_hold_their_examples() -> None:
    for file in (LANGUAGE_FOLDER / "words.txt", *(LANGUAGE_FOLDER / language / "words.txt" for language in LANGUAGES)):
        for row in rows(file, examples=True):
            words = set(re.split(r"[\s,]+", " ".join([*row.get("words", ()), *row.get("forms", ())])))
            assert row["takes"] and row["leaves"]
            assert set(row["takes"]) <= words and not set(row["leaves"]) & words


def test_fields_of_the_profile_are_asked_for_as_their_rows_say() -> None:
    for _, row in rules("profile"):
        assert row["takes"] and row["leaves"]
        for text, taken in examples(row):
            assert bool(phrases.pattern("profile", row["sign"][0], languages(text)).search(text)) is taken, (row, text)


def test_ways_of_putting_it_are_found_and_what_makes_a_difference_is_not() -> None:
    for language, row in rules("restated"):
        for text, taken in examples(row):
            found = re.search("|".join(row["pattern"]), text.lower())
            assert bool(found) is taken, (language, row["sign"], text)


def test_requests_about_the_talk_itself_are_told_from_questions_about_something() -> None:
    for _, row in rules("talk"):
        for text, taken in examples(row):
            known = talk_request(text) == row["sign"][0]
            assert known is taken, (row, text)
