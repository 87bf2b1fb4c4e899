"""Values at the ends of what can be written: the last day of the calendar, other digits, a place that is all."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.file_tree import moment
from memcli.recall import Request, recall
from memcli.remember import Memory, add
from memcli.remember.conflicts import change_queue
from memcli.remember.retention import expired
from memcli.vault import json_read
from memcli.vault.vault import Filter, Vault
from tests.rows import check_rows


def test_a_snapshot_that_never_expires_is_read(vault: Vault) -> None:
    (vault.root / "snapshots").mkdir()
    head = "---\nexpires: 9999-12-31T23:59:59Z\n---\n"
    (vault.root / "snapshots/2026-11-20.md").write_text(f"{head}- tea at four\n", encoding="utf-8")
    assert "tea at four" in recall(vault, Request("tea")).text
    assert not expired(vault)


def test_a_preference_of_the_last_day_there_is_is_not_out_of_date(vault: Vault) -> None:
    text = "preferences:\n- key: tea\n  value: green\n  scope: session:x\n  updated: 9999-12-31\n"
    (vault.root / "preferences.yaml").write_text(text, encoding="utf-8")
    assert not expired(vault)


@pytest.mark.parametrize("year", [1, 9999])
def test_a_day_at_the_end_of_the_calendar_is_refused(vault: Vault, year: int) -> None:
    with pytest.raises(UsageError, match="is too far away"):
        add(vault, Memory("the rent is due", at=datetime(year, 12, 31)))


def test_a_change_that_waits_may_have_been_written_by_others(vault: Vault) -> None:
    change = change_queue.PendingChange("fact", "", "", "the rent is due", day="20.11.2026")
    assert change_queue.apply(vault, change).changes


def test_other_digits_are_no_numbers_of_lines(vault: Vault) -> None:
    (vault.root / "a.md").write_text("- tea\n", encoding="utf-8")
    assert vault.matches("a.md:²") == []


@pytest.mark.parametrize("place", [".", "./", "/"])
def test_the_whole_vault_is_a_place(vault: Vault, place: str) -> None:
    (vault.root / "a.md").write_text("- tea\n", encoding="utf-8")
    assert [entry.words for entry in vault.entries(Filter(path=place))] == ["tea"]


@check_rows(
    ("value", "found"),
    [
        ("20260115", datetime(2026, 1, 15)), (20260115, datetime(2026, 1, 15)), ("²", None), ("20261399", None),
        ("99999999999999999999", None), ("2026-01-15T10:00:00", datetime(2026, 1, 15, 10)), ("1.2.3", None),
    ],
)  # fmt: skip
def test_a_day_in_digits_is_no_number_of_seconds(value: object, found: datetime | None) -> None:
    assert moment(value) == found


def test_notes_outside_the_vaults_are_changed_by_many_at_once(home: Path) -> None:
    environ = {"XDG_DATA_HOME": str(home / "data")}

    def note(number: int) -> None:
        json_read.change_notes(environ, "some.json", lambda noted: {**noted, str(number): number})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(note, range(40)))
    assert len(json.loads((home / "data/mem/some.json").read_text("utf-8"))) == 40
    assert (home / "data/mem/some.json").stat().st_mode & 0o077 == 0
