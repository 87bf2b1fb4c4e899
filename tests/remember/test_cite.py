"""`mem cite`: what an answer names as path:line was used, and memories in use fade more slowly."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memcli import remember
from memcli.recall import Request, recall
from memcli.vault import journal
from memcli.vault.vault import Vault, open_vault

NOW = datetime(2026, 11, 21, 12, 0)


@pytest.fixture
def noted(tmp_path: Path) -> Vault:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "2026-11-10.md").write_text(
        "# 2026-11-10\n\n- 09:00 redis for sessions\n- 10:00 redis for routes\n", encoding="utf-8"
    )
    return open_vault(tmp_path, lambda: NOW)


def test_every_place_an_answer_names_is_noted_once(noted: Vault) -> None:
    answer = (
        "Routes (logs/2026-11-10.md:4), 见logs/2026-11-10.md:4。But not other.md:3, ../x.md:1 or logs/2026-11-10.md:99."
    )
    assert [entry.place for entry in remember.cite(noted, answer)] == ["logs/2026-11-10.md:4"]
    assert len(list(journal.read_journal(noted.root, journal.USE))) == 1


def test_a_cited_memory_ranks_before_its_equal_and_fades(noted: Vault) -> None:
    remember.cite(noted, "logs/2026-11-10.md:3")
    first = recall(noted, Request("redis")).chosen[0].scored
    assert first.entry.line == 3 and first.parts["use"] == 1.0
    later = open_vault(noted.root, lambda: NOW + timedelta(days=10))
    parts = {each.scored.entry.line: each.scored.parts["use"] for each in recall(later, Request("redis")).chosen}
    assert parts == {3: pytest.approx(math.exp(-0.05 * 10)), 4: 0.0}


def test_recall_itself_notes_nothing(noted: Vault) -> None:
    recall(noted, Request("redis"))
    assert not journal.place(noted.root, journal.USE).exists()


def test_a_use_noted_with_a_time_zone_beside_a_local_one_stops_no_recall(noted: Vault) -> None:
    remember.cite(noted, "logs/2026-11-10.md:3")
    (record,) = journal.read_journal(noted.root, journal.USE)
    journal.append(noted.root, journal.USE, {**record, "at": "2026-11-20T12:00:00+08:00"})
    assert journal.last_used(noted.root) == {record["id"]: NOW}
    assert recall(noted, Request("redis")).matched
