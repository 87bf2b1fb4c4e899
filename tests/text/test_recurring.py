"""Days that come round, and days that do not."""

from __future__ import annotations

from datetime import date

from memcli.text.dates.recurring import _DAYS, recurs_between
from memcli.text.phrases import LANGUAGES
from memcli.text.tables import LANGUAGE_FOLDER, rows
from tests.rows import check_rows

ROWS = [row for language in LANGUAGES for row in rows(LANGUAGE_FOLDER / language / "recurring.txt", examples=True)]
MONDAY = date(2026, 11, 23)


def day_of(row: dict[str, list[str]]) -> date:
    every = row["every"][0]
    return MONDAY.replace(day=MONDAY.day + _DAYS.index(every)) if every in _DAYS else date(2026, 12, 15)


@check_rows("row", ROWS, ids=lambda row: row["takes"][0])
def test_a_row_takes_and_leaves_its_examples(row: dict[str, list[str]]) -> None:
    day = day_of(row)
    assert all(recurs_between(text, day, day) for text in row["takes"])
    assert not any(recurs_between(text, day, day) for text in row["leaves"])


def test_only_the_days_that_are_said_come_round() -> None:
    assert [recurs_between("每周一、三健身", MONDAY.replace(day=23 + n), MONDAY.replace(day=23 + n)) for n in range(4)] == [
        True, False, True, False,
    ]  # fmt: skip
    assert recurs_between("gym on Mondays", MONDAY, MONDAY) and not recurs_between("gym on Monday", MONDAY, MONDAY)
    assert not recurs_between("every Monday", MONDAY, date(2026, 12, 20))  # in a longer time everything comes round
