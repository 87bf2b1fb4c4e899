"""Stats on the page: the numbers of `mem stats`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from memcli.features.stats import page
from memcli.features.stats.counts import count_all
from memcli.page.visit import PageWords
from memcli.recall import Request, recall
from memcli.remember import cite
from memcli.vault import journal
from tests.conftest import opened
from tests.features import import_feature

Visitor = import_feature("tests.features.page.visitor").Visitor

# Words that the tables count by.
SAID = (
    *page.WAYS, *page.WAYS.values(), *page.AGES.values(), *page.PROPOSED.values(), *page.WORDS,
)  # fmt: skip


@pytest.fixture
def used(folder: Path) -> Path:
    """A vault that was asked, cited, refused and proposed to."""
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


def test_the_page_has_the_numbers_of_the_command_line(used: Path) -> None:
    numbers = count_all(opened(used))
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
    assert len(warm) == len(count_all(opened(used)).days) == 1
    assert "2026-11-18: 2" in shown.words and "/days?month=2026-11" in shown.links


def test_stats_since_a_day_leave_out_what_was_before(used: Path) -> None:
    shown = Visitor(used).enter().see("/stats?since=2026-11-22")
    assert "No recall was counted" in shown.words
    Visitor(used).enter().see("/stats?since=tea", 400)


def test_what_is_not_counted_is_said(folder: Path) -> None:
    assert "not counted yet" in Visitor(folder).enter().see("/stats").words
    (folder / "mem.yaml").write_text("stats:\n  count: false\n", encoding="utf-8")
    assert "stats.count is off" in Visitor(folder).enter().see("/stats").words


def test_the_words_of_the_tables_are_there_in_chinese() -> None:
    assert not [text for text in SAID if PageWords("zh")(text) == text]


def test_health_shows_the_speed(used: Path) -> None:
    assert "How long a recall took" in Visitor(used).enter().see("/health").words


def test_the_numbers_are_those_of_the_json(used: Path) -> None:
    """What `mem stats --json` prints is this very record."""
    for event in ("brought", "brought", "accepted"):
        record = {"at": "2026-11-20T10:00:00", "nudge": "3f2a9c1", "kind": "task", "event": event}
        journal.append(used, "nudges", record)
    counted = asdict(count_all(opened(used)))["nudges"]
    shown = Visitor(used).enter().see("/stats").words
    assert counted and "What was brought up" in shown
    assert all(str(number) in shown.split() for events in counted.values() for number in events.values())
