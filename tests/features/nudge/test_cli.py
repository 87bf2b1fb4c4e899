"""`mem nudge` as people type it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Ran

Mem = Callable[..., Ran]


def test_what_is_brought_up_is_shown_with_why_and_answered_by_its_id(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-10.md").write_text("- [ ] pay the bill by 23 November\n", encoding="utf-8")
    shown = json.loads(mem("nudge", "--look", "--json").out)
    assert shown["schema"] == 1 and not (folder / "journal/nudges.jsonl").exists()
    (only,) = shown["nudges"]
    assert (only["kind"], only["due"], only["citation"]) == ("task", "2026-11-23", "logs/2026-11-10.md:1")
    assert f"{only['memory']} pay the bill by 23 November" in mem("nudge").out
    assert "in 2 days" in mem("nudge", "--brief").out
    assert mem("nudge", "pass", only["id"]).code == 0
    gone = mem("nudge")
    assert (gone.out, gone.code) == ("", 0) and "nothing to bring up" in gone.err


def test_the_id_that_is_shown_is_that_of_the_memory(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-10.md").write_text("- [ ] pay the bill by 23 November\n", encoding="utf-8")
    id = mem("nudge").out.split()[0]
    assert "pay the bill" in mem("show", id).out
    accepted = mem("nudge", "accept", id)
    assert (accepted.code, accepted.err) == (0, f"{id} accepted (task)\n")
    assert mem("done", id).code == 0


def test_why_is_one_clause_in_chinese(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-10.md").write_text("- [ ] 11月22日交电费\n- [ ] 11月13日还书\n", encoding="utf-8")
    (folder / "state.yaml").write_text("language: zh\n", encoding="utf-8")
    shown = mem("nudge").out
    assert "明天到期" in shown and "8 天前到期（2026-11-13）" in shown


def test_the_morning_says_what_did_not_fit(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir()
    bills = (f"- [ ] pay the bill of {name} for the new roof by 22 November\n" for name in "abcdefghij")
    (folder / "logs/2026-11-10.md").write_text("".join(bills), encoding="utf-8")
    morning = mem("nudge", "--brief", "--look")
    left = 10 - morning.out.count("pay the bill")
    assert left and morning.err == f"{left} more did not fit\n"


def test_an_id_that_was_never_shown_is_an_error(mem: Mem) -> None:
    failed = mem("nudge", "accept", "abc")
    assert failed.code == 2 and "nothing was brought up as 'abc'" in failed.err
