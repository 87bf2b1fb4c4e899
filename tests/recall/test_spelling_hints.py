"""When nothing is found: what could not be searched is named, and words that may be spelt otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.recall import Request, recall
from tests.conftest import opened
from tests.recall.vaults import lay

NOTES = {
    "logs/2026-10-01.md": "- we moved to Postgres and Kubernetes\n- postgres again\n- the postures of Грибоедов\n",
}


def told(folder: Path, question: str, **request: object) -> list[str]:
    vault = opened(folder).seen_by(str(request.pop("agent", "")))
    recall(vault, Request(question, **request))  # type: ignore[arg-type]
    return vault.notices


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("postgers", "postgres"),
        ("posgres", "postgres"),
        ("posttgres", "postgres"),
        ("pastgres", "postgres"),
        ("kebernetes", "kubernetes"),
        ("what of Postgers", "postgres"),
        ("гребоедов", "грибоедов"),
    ],
)
def test_a_word_one_slip_away_is_offered(folder: Path, question: str, meant: str) -> None:
    (notice,) = told(lay(folder, NOTES), question)
    assert notice.endswith(f"did you mean '{meant}'?")


@pytest.mark.parametrize("question", ["postgres", "xylophone", "postge", "moed", "缓存", "", "#tag", "the"])
def test_nothing_is_offered_when_something_is_found_or_nothing_is_near(folder: Path, question: str) -> None:
    assert told(lay(folder, NOTES), question) == []


def test_a_month_that_was_understood_is_not_taken_for_a_slip(folder: Path) -> None:
    lay(folder, {"logs/2026-10-01.md": "- the larch has lost its needles\n"})
    assert told(folder, "which pump broke the chiller in March 2022") == []


def test_only_what_the_question_may_see_is_offered(folder: Path) -> None:
    lay(folder, {"agents/ada/MEMORY.md": "- postgres\n", "archive/MEMORY.md": "- postgres\n", "a.md": "- tea\n"})
    assert told(folder, "postgers") == []
    assert len(told(folder, "postgers", agent="ada")) == 1


def test_notes_that_no_search_can_read_are_named(folder: Path) -> None:
    lay(folder, {"notes/cafe.md": b"- the zebra caf\xe9\n", "logs/2026-10-01.md": "- the cache\n"})
    assert told(folder, "zebra") == ["notes/cafe.md:1: is not UTF-8, left out"]
    assert told(folder, "cache") == []
    many = {f"notes/{n}.md": b"- the zebra caf\xe9\n" for n in range(9)}
    lay(folder, {**many, "logs/2026-10-01.md": "- the cache\n" * 12})
    assert told(folder, "zebra")[3:] == ["6 more notes can't be read; mem doctor names them"]


def test_a_note_that_is_no_utf8_is_told_beside_other_hits(folder: Path) -> None:
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes/cafe.md").write_bytes(b"- Anna likes the caf\xe9 on Mill Lane\n")
    (folder / "MEMORY.md").write_text("- Anna prefers tea in the morning\n", encoding="utf-8")
    (folder / ".mem").mkdir(exist_ok=True)
    for _ in range(2):  # the second time from what the first one kept
        vault = opened(folder)
        assert recall(vault, Request("what does Anna like")).chosen
        assert "notes/cafe.md:1: is not UTF-8, left out" in vault.notices
    vault = opened(folder)
    recall(vault, Request("tea in the morning"))
    assert vault.notices == []
    recall(vault, Request("what does Anna like"))  # a process that asks more than once
    assert "notes/cafe.md:1: is not UTF-8, left out" in vault.notices
    (folder / "notes/cafe.md").write_text("- Anna likes the café on Mill Lane\n", encoding="utf-8")
    vault = opened(folder)
    recall(vault, Request("what does Anna like"))
    assert vault.notices == []


@pytest.mark.parametrize(("question", "is_told"), [("???", True), ("🚤", True), ("", False), ("the", False)])
def test_a_question_without_a_word_says_what_it_shows(folder: Path, question: str, is_told: bool) -> None:
    assert any("no word to search for" in notice for notice in told(lay(folder, NOTES), question)) is is_told


@pytest.mark.parametrize(("question", "found"), [("bolero", "Boléro"), ("when were we in Zurich", "Zürich")])
def test_a_word_without_its_accents_is_read_as_the_notes_write_it(folder: Path, question: str, found: str) -> None:
    lay(folder, {"a.md": "- saw the Boléro film\n- Zürich with Ana\n- Zunich is no town\n"})
    vault = opened(folder)
    assert [each.text for each in recall(vault, Request(question)).chosen if found in each.text]
    assert f"is read as '{found.lower()}'" in vault.notices[0]
