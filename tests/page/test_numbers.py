"""Stats and Today on the page: the numbers of `mem stats`, and what `mem nudge` brings up, answered as there."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memcli.recall import Request, recall
from memcli.remember import cite
from memcli.stats import stats
from memcli.vault import journal
from tests.conftest import NOW, opened
from tests.page.visitor import Page, Visitor

NIGHT = datetime(2026, 11, 21, 23, 30)


@pytest.fixture
def used(folder: Path) -> Path:
    """A vault that was asked, cited, refused and proposed to, with something to bring up."""
    (folder / "logs").mkdir()
    (folder / ".mem").mkdir()
    (folder / "logs/2026-11-18.md").write_text(
        "- [ ] send Lulu the lease of the harbour flat [due:: 2026-11-20]\n- Redis replaces the local cache\n",
        encoding="utf-8",
    )
    (folder / "MEMORY.md").write_text("- [ ] renew the passport [due:: 2026-11-23]\n", encoding="utf-8")
    vault = opened(folder)
    for question in ("what replaces the cache", "the lease of the flat"):
        recall(vault, Request(question))
    cite(vault, "as logs/2026-11-18.md:2 says")
    journal.count(vault, "refused", "worth")
    for answer in ("accepted", "declined", "unasked"):
        journal.count(vault, "proposal", answer, "fact")
    return folder


def nudges(folder: Path) -> list[dict[str, Any]]:
    file = folder / "journal/nudges.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def ids(page: Page) -> list[str]:
    return list(dict.fromkeys(each["value"] for each in page.all("input") if each.get("name") == "id"))


# -- stats -------------------------------------------------------------------------------------------------------------


def test_the_page_has_the_numbers_of_the_command_line(used: Path) -> None:
    numbers = stats(opened(used))
    shown = Visitor(used).enter().see("/stats")
    assert f"{numbers.memories} memories" in shown.words
    cells = set(shown.words.split())
    for counted in (numbers.kinds, numbers.sources, numbers.refused):
        assert {str(number) for number in counted.values()} <= cells
    for recalls in numbers.latency.values():
        if recalls.p50 is not None and recalls.p95 is not None:
            assert f"{recalls.p50:.0f} ms" in shown.words and f"{recalls.p95:.0f} ms" in shown.words
    blocks, cited = numbers.blocks, numbers.cited
    assert blocks.number == 2 and cited.cited == 1  # the page's own view of them is not empty
    assert f"{blocks.saved} of {blocks.budget}" in shown.words and f"{blocks.tokens} in the middle" in shown.words
    assert f"{cited.cited} of {cited.shown}" in shown.words
    assert "agreed to" in shown.words and "kept unasked" in shown.words


def test_each_noted_day_of_the_year_is_in_the_map_and_in_the_table(used: Path) -> None:
    shown = Visitor(used).enter().see("/stats")
    warm = [
        rect for rect in shown.all("rect") if rect.get("class", "").startswith("heat-") and rect["class"] != "heat-0"
    ]
    assert len(warm) == len(stats(opened(used)).days) == 1
    assert "2026-11-18: 2" in shown.words and "/days?month=2026-11" in shown.links


def test_stats_since_a_day_leave_out_what_was_before(used: Path) -> None:
    shown = Visitor(used).enter().see("/stats?since=2026-11-22")
    assert "No recall was counted" in shown.words
    Visitor(used).enter().see("/stats?since=tea", 400)


def test_what_is_not_counted_is_said(folder: Path) -> None:
    assert "not counted yet" in Visitor(folder).enter().see("/stats").words
    (folder / "mem.yaml").write_text("stats:\n  count: false\n", encoding="utf-8")
    assert "stats.count is off" in Visitor(folder).enter().see("/stats").words


# -- today -------------------------------------------------------------------------------------------------------------


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


def test_who_may_only_read_leaves_no_trace_and_has_no_buttons(used: Path) -> None:
    shown = Visitor(used, may_write=False).enter().see("/today")
    assert "lease" in shown.words and not ids(shown) and not nudges(used)


def test_the_numbers_are_those_of_the_json(used: Path) -> None:
    """What `mem stats --json` prints is this very record."""
    visitor = Visitor(used).enter()
    for id in ids(visitor.see("/today")):
        visitor.press("/today", id=id, answer="accepted")
    counted = asdict(stats(opened(used)))["nudges"]
    shown = visitor.see("/stats").words
    assert counted and "What was brought up" in shown
    assert all(str(number) in shown.split() for events in counted.values() for number in events.values())
