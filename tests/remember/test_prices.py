"""A number that is another by now is put before a person, wherever it was noted."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.remember import review
from tests.conftest import opened


def asked(folder: Path, first: str, later: str) -> list[list[str]]:
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs/2026-10-02.md").write_text(f"- {first}\n", encoding="utf-8")
    (folder / "logs/2026-11-12.md").write_text(f"- {later}\n", encoding="utf-8")
    found = review.doubts(opened(folder))
    return [[entry.words for entry in doubt.entries] for doubt in found if doubt.kind == "conflict"]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("房租2600", "房租涨到2800了"),
        ("狂犬疫苗80", "狂犬疫苗现在100"),
        ("健身卡1500元", "健身卡降到1200元"),
        ("宽带每月109", "宽带现在99"),
        ("物业费3块", "物业费改成4块了"),
        ("rent 900", "rent went up to 950"),
        ("gym is 45 a month", "the gym is now 52"),
        ("Netflix 12.99", "Netflix is up to 15.99"),
        ("rabies jab 80", "rabies jab costs 100 now"),
        ("paid 60 for the cleaner", "the cleaner was raised to 70"),
    ],
)
def test_a_price_that_changed_is_asked_about(folder: Path, first: str, later: str) -> None:
    assert asked(folder, first, later) == [[first, later]]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("房租2600", "房租2800"),  # another month, another flat: nobody says that it changed
        ("房租2600", "水费涨到80了"),
        ("rent 900", "gym is now 52"),
        ("房租2600", "房租现在2600"),
        ("mum's rent 900", "my brother's rent is now 950"),
    ],
)
def test_what_is_another_thing_is_not(folder: Path, first: str, later: str) -> None:
    assert asked(folder, first, later) == []
