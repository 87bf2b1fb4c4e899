"""Today on the page: what `mem nudge` brings up, answered as there."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memcli.features.nudge.page import ANSWERS
from memcli.page.visit import PageWords
from tests.conftest import NOW
from tests.features import import_feature

Visitor = import_feature("tests.features.page.visitor").Visitor

NIGHT = datetime(2026, 11, 21, 23, 30)


@pytest.fixture
def used(folder: Path) -> Path:
    """A vault with something to bring up."""
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-18.md").write_text(
        "- [ ] send Lulu the lease of the harbour flat [due:: 2026-11-20]\n- Redis replaces the local cache\n",
        encoding="utf-8",
    )
    (folder / "MEMORY.md").write_text("- [ ] renew the passport [due:: 2026-11-23]\n", encoding="utf-8")
    return folder


def nudges(folder: Path) -> list[dict[str, Any]]:
    file = folder / "journal/nudges.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def ids(page: Any) -> list[str]:
    return list(dict.fromkeys(each["value"] for each in page.all("input") if each.get("name") == "id"))


def test_what_is_brought_up_says_why_from_when_and_where(used: Path) -> None:
    shown = Visitor(used, editor="code").enter().see("/today")
    assert "send Lulu the lease" in shown.words
    assert "due yesterday" in shown.words and "noted on 2026-11-18" in shown.words
    assert f"vscode://file{used.as_posix()}/logs/2026-11-18.md:1" in shown.links
    assert [record["event"] for record in nudges(used)] == ["brought"] * len(ids(shown))


def test_looking_again_brings_nothing_up_again(used: Path) -> None:
    visitor = Visitor(used).enter()
    first = ids(visitor.see("/today"))
    before = nudges(used)
    assert ids(visitor.see("/today")) == first
    assert nudges(used) == before


@pytest.mark.parametrize("answer", ["accepted", "declined", "passed"])
def test_an_answer_is_noted_as_on_the_command_line(used: Path, answer: str) -> None:
    visitor = Visitor(used).enter()
    first = ids(visitor.see("/today"))[0]
    shown = visitor.press("/today", id=first, answer=answer)
    assert first not in ids(shown)
    assert nudges(used)[-1]["nudge"] == first and nudges(used)[-1]["event"] == answer


def test_what_was_declined_never_comes_again(used: Path) -> None:
    visitor = Visitor(used).enter()
    for id in ids(visitor.see("/today")):
        visitor.press("/today", id=id, answer="declined")
    for day in (22, 23, 29):
        again = Visitor(used, NOW.replace(day=day)).enter().see("/today")
        assert "lease" not in again.words


def test_in_quiet_hours_only_who_asks_is_shown_anything(used: Path) -> None:
    visitor = Visitor(used, NIGHT).enter()
    shown = visitor.see("/today")
    assert "Quiet hours, 22:00-07:00" in shown.words and "lease" not in shown.words and not nudges(used)
    shown = visitor.see("/today?anyway=1")
    assert "lease" in shown.words
    shown = visitor.press("/today", id=ids(shown)[0], answer="passed", anyway="1")
    assert "not today" in shown.words and "Quiet hours" not in shown.words


@pytest.mark.parametrize(("id", "answer"), [("fffffff", "accepted"), ("", "declined"), ("first", "whatever")])
def test_what_is_no_answer_is_not_noted(used: Path, id: str, answer: str) -> None:
    visitor = Visitor(used).enter()
    first = ids(visitor.see("/today"))[0]
    before = nudges(used)
    visitor.press("/today", id=first if id == "first" else id, answer=answer)
    assert nudges(used) == before


def test_the_buttons_have_their_words_in_chinese() -> None:
    assert not [text for label, _, done in ANSWERS.values() for text in (label, done) if PageWords("zh")(text) == text]
