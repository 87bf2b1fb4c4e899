"""What is moved to another day takes the place of what was noted for the old one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from memcli.remember import Memory, add
from tests.conftest import opened


def moved(folder: Path, first: str, later: str) -> tuple[str, str]:
    """Return what the later memory says once it is written, and which words it takes the place of."""
    vault = opened(folder, datetime(2026, 11, 24, 10))  # a Tuesday
    old = add(vault, Memory(first)).entry
    added = add(vault, Memory(later))
    assert [each.id for each in vault.entries() if each.superseded] == ([old.id] if added.moves else [])
    return added.entry.words.partition(" ")[2], added.moves.words.partition(" ")[2] if added.moves else ""


@pytest.mark.parametrize(
    ("first", "later", "written"),
    [
        ("明天下午三点牙医复诊", "牙医复诊改到后天下午四点", "牙医复诊改到后天（2026-11-26）下午四点"),
        ("周三上午和老陈开会", "和老陈的会推迟到周五上午", "和老陈的会推迟到周五（2026-11-27）上午"),
        (
            "Dentist tomorrow at three",
            "The dentist is moved to Friday at four",
            "The dentist is moved to Friday (2026-11-27) at four",
        ),
        (
            "Handover with Joris on Wednesday",
            "handover with Joris put off until Monday",
            "handover with Joris put off until Monday (2026-11-30)",
        ),
        (
            "[ ] call with Karim on 26 November",
            "call with Karim moved to 3 December",
            "call with Karim moved to 3 December",
        ),
    ],
)
def test_a_moved_day_is_written_out_and_the_old_one_is_superseded(
    folder: Path, first: str, later: str, written: str
) -> None:  # fmt: skip
    said, gone = moved(folder, first, later)
    assert (said, bool(gone)) == (written, True)


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("Lunch at four tomorrow", "The dentist is moved to Friday at four"),
        ("Dentist yesterday at three", "The dentist is moved to Friday"),
        ("明天下午四点看电影", "牙医复诊改到后天下午四点"),
        ("Dentist tomorrow at three", "Dentist again on Friday"),
    ],
)
def test_another_thing_stays(folder: Path, first: str, later: str) -> None:
    assert moved(folder, first, later)[1] == ""


@pytest.mark.parametrize(("agent", "at"), [("helper", None), ("", datetime(2026, 11, 24, 9))])
def test_an_agent_and_an_import_take_the_place_of_nothing(folder: Path, agent: str, at: datetime | None) -> None:
    vault = opened(folder, datetime(2026, 11, 24, 10))
    add(vault, Memory("Dentist tomorrow at three"))
    added = add(vault.seen_by(agent or None), Memory("The dentist is moved to Friday at four", at=at))
    assert not added.moves
    assert not any(each.superseded for each in vault.entries())


def test_what_says_less_than_half_of_a_note_does_not_take_its_place(folder: Path) -> None:
    fuller = "爸爸的手术改到 12 月 8 号了，床位紧，12 月 7 号住院"
    assert moved(folder, fuller, "爸的手术改到 12 月 8 号")[1] == ""
