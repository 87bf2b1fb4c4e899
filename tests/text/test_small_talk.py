"""The one table of small talk: each row takes its examples and leaves its counterexamples."""

from __future__ import annotations

import pytest

from memcli.text.small_talk import is_small_talk, words_of
from memcli.text.tables import LANGUAGE_FOLDER, rows
from tests.rows import check_rows

ROWS = [row for language in ("en", "zh") for row in rows(LANGUAGE_FOLDER / language / "small_talk.txt", examples=True)]


@check_rows("row", ROWS, ids=lambda row: row["talk"][0])
def test_every_row_takes_its_examples_and_leaves_the_others(row: dict[str, list[str]]) -> None:
    assert set(row) <= {"says", "talk", "words", "fill", "phrases", "takes", "leaves"}, (
        f"{row['talk']} has a column of no meaning"
    )
    assert "takes" in row and "leaves" in row, f"{row['talk']} has no examples: it needs lines `takes:` and `leaves:`"
    for example in row["takes"]:
        assert is_small_talk(example), f"{row['talk']} does not take: {example}"
    for example in row["leaves"]:
        assert not is_small_talk(example), f"{row['talk']} takes: {example}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_word_stands_in_one_row_only(language: str) -> None:
    own = list(rows(LANGUAGE_FOLDER / language / "small_talk.txt"))
    words = [word for row in own for line in row.get("words", []) for word in line.split()]
    assert len(words) == len(set(words))
    assert words_of(language).talk == set(words)
    assert all(set(phrase.split()) & words_of(language).fill for phrase in words_of(language).phrases)


def test_words_that_only_fill_are_no_small_talk_by_themselves() -> None:
    assert not is_small_talk("tomorrow") and not is_small_talk("today is tomorrow")
    assert is_small_talk("thanks, tomorrow") and is_small_talk("ok好的")
