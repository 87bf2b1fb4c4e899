"""Every rule about topics and summaries takes its examples and leaves its counterexamples alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memcli.features import talk
from memcli.features.talk import summary, topic
from memcli.text.phrases import LANGUAGES, languages
from memcli.text.tables import Row, rows
from tests.text.test_phrases import examples

FOLDER = Path(talk.__file__).parent / "language"


def rules(name: str) -> Iterator[tuple[str, Row]]:
    for language in LANGUAGES:
        for row in rows(FOLDER / language / f"{name}.txt", examples=True):
            yield language, row


@pytest.mark.parametrize(("name", "says"), [("summary", summary.says), ("topic", topic.says)])
def test_signs_take_their_examples(name: str, says: Callable[[str, str], object]) -> None:
    for language, row in rules(name):
        assert "pattern" not in row or (row.get("takes") and row.get("leaves")), (language, name, row)
        for text, taken in examples(row):
            assert language in languages(text), (name, text)
            assert bool(says(row["sign"][0], text)) is taken, (language, name, row["sign"], text)


def test_fields_that_are_near_others_have_words() -> None:
    fields = {row["field"][0] for _, row in rules("fields")}
    near = {word for row in rows(FOLDER / "fields.txt") for word in [*row["field"], *row["near"][0].split()]}
    assert near <= fields
