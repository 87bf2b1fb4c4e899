"""Folders that other programs made become vaults, and stay what they were."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from memcli.vault import create
from memcli.vault.adopt import find_notes
from memcli.vault.create import Answers
from tests.conftest import NOW, Ran

Mem = Callable[..., Ran]


def lay(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def log_of(root: Path) -> str:
    notes = find_notes(root)
    assert notes
    return notes.log


@pytest.mark.parametrize(
    ("settings", "log"),
    [
        ({}, ""),
        ({"folder": "Daily"}, "Daily/%Y-%m-%d.md"),
        ({"folder": "Daily/", "format": "YYYY/MM/YYYY-MM-DD"}, "Daily/%Y/%m/%Y-%m-%d.md"),
        ({"format": "YYYY-MM-DD dddd"}, "%Y-%m-%d %A.md"),
        ({"format": "[Day] YYYYMMDD", "folder": "日记"}, "日记/Day %Y%m%d.md"),
        ({"format": "DD MMMM YYYY"}, "%d %B %Y.md"),
        ({"format": "Do MMM"}, ""),
        ({"folder": "../elsewhere"}, ""),
        ({"folder": ".hidden"}, ""),
        ({"folder": 7, "format": ["x"]}, ""),
        ({"folder": "a\x00b"}, ""),
        ({"folder": "\ud800"}, ""),
    ],
)
def test_obsidian_s_daily_notes_go_where_its_settings_say(
    tmp_path: Path, settings: dict[str, object], log: str
) -> None:
    lay(tmp_path, ".obsidian/daily-notes.json", json.dumps(settings))
    lay(tmp_path, "People/Hana.md", "- likes tea\n")
    assert log_of(tmp_path) == log


def test_the_plugin_for_periodic_notes_is_asked_too(tmp_path: Path) -> None:
    lay(
        tmp_path,
        ".obsidian/plugins/periodic-notes/data.json",
        '{"daily": {"enabled": true, "folder": "P", "format": "YYYY-MM-DD"}}',
    )
    assert log_of(tmp_path) == "P/%Y-%m-%d.md"


def test_settings_that_can_not_be_read_name_no_place(tmp_path: Path) -> None:
    lay(tmp_path, ".obsidian/daily-notes.json", "[" * 100_000)
    assert log_of(tmp_path) == ""


@pytest.mark.parametrize(
    ("config", "log"),
    [
        ("{}", "journals/%Y_%m_%d.md"),
        ('{:journal/file-name-format "yyyyMMdd" :journals-directory "days"}', "days/%Y%m%d.md"),
        ('{\n :journal/file-name-format "yyyy-MM-dd"\n :journals-directory "days"\n}', "days/%Y-%m-%d.md"),
        ('{\n ;; :journal/file-name-format "dd"\n}', "journals/%Y_%m_%d.md"),
    ],
)
def test_logseq_s_journals_are_found_and_get_no_heading(tmp_path: Path, config: str, log: str) -> None:
    lay(tmp_path, "logseq/config.edn", config)
    lay(tmp_path, "journals/2026_11_20.md", "- met Hana\n")
    notes = find_notes(tmp_path)
    assert notes and (notes.program, notes.log, notes.heading) == ("Logseq", log, False)


def test_in_a_plain_folder_the_form_of_most_days_is_taken(tmp_path: Path) -> None:
    for name in ("2026-11-19", "2026-11-20", "2026-11-21"):
        lay(tmp_path, f"diary/{name}.md", "- x\n")
    lay(tmp_path, "old/20200101.md", "- x\n")
    assert log_of(tmp_path) == "diary/%Y-%m-%d.md"


@pytest.mark.parametrize(
    ("names", "log"),
    [
        (["2026年11月19日", "2026年11月20日"], "日记/%Y年%m月%d日.md"),
        (["2026-11-19 Thursday", "2026-11-20 Friday"], "日记/%Y-%m-%d %A.md"),
        (["19 November 2026", "20 November 2026"], "日记/%d %B %Y.md"),
        (["notes", "2026-11-19 talk with Hana"], ""),
    ],
)
def test_days_are_known_in_the_forms_that_people_name_files_by(tmp_path: Path, names: list[str], log: str) -> None:
    for name in names:
        lay(tmp_path, f"日记/{name}.md", "- x\n")
    assert log_of(tmp_path) == log


@pytest.mark.slow
def test_a_new_folder_and_a_vault_are_not_adopted(tmp_path: Path) -> None:
    assert find_notes(tmp_path) is None
    lay(tmp_path, "USER.md", "mine\n")
    assert find_notes(tmp_path) is None
    create.create_vault(tmp_path, Answers(), NOW, os.environ)
    lay(tmp_path, "note.md", "- x\n")
    (tmp_path / "tags.yaml").unlink()
    laid = create.create_vault(tmp_path, Answers(), NOW, os.environ)
    assert laid.adopted is None and laid.written == ("tags.yaml",)


def test_an_adopted_folder_gets_one_file_and_is_written_to_where_its_owner_writes(mem: Mem, folder: Path) -> None:
    lay(folder, ".obsidian/daily-notes.json", '{"folder": "Daily", "format": "YYYY-MM-DD"}')
    today = lay(folder, f"Daily/{date(2026, 11, 21)}.md", "## Plans\n")
    ran = mem("init", "--yes")
    assert "1 Obsidian note left as found; today's memories go to Daily/2026-11-21.md" in ran.out
    assert sorted(path.name for path in folder.iterdir()) == [".obsidian", "Daily", "mem.yaml"]
    assert mem("add", "the boiler needs a new valve").code == 0
    assert "boiler" in today.read_text(encoding="utf-8")
    assert "boiler" in mem("recall", "boiler").out


def test_an_adopted_folder_stays_one_when_init_runs_again(mem: Mem, folder: Path) -> None:
    lay(folder, "note.md", "- x\n")
    mem("init", "--yes")
    ran = mem("init", "--yes")
    assert "0 files written, 1 kept as they were\n1 Markdown note left as found" in ran.out
    assert sorted(path.name for path in folder.iterdir()) == ["mem.yaml", "note.md"]


@pytest.mark.slow
def test_git_as_a_second_step_adds_nothing_else_to_an_adopted_folder(mem: Mem, folder: Path) -> None:
    lay(folder, "note.md", "- x\n")
    mem("init", "--yes")
    assert "a git repository" in mem("init", "--yes", "--git").out
    assert sorted(path.name for path in folder.iterdir()) == [".git", "mem.yaml", "note.md"]


def test_what_was_answered_is_kept_in_an_adopted_folder_too(folder: Path) -> None:
    lay(folder, "note.md", "- x\n")
    laid = create.create_vault(folder, Answers(name="Lin"), NOW, os.environ)
    assert set(laid.written) == {"mem.yaml", "USER.md"}


def test_a_chinese_answer_brings_no_file_without_an_answer(folder: Path) -> None:
    lay(folder, "note.md", "- x\n")
    laid = create.create_vault(folder, Answers(language="zh"), NOW, os.environ)
    assert set(laid.written) == {"mem.yaml", "USER.md", "state.yaml"}


def test_doctor_leaves_a_plain_folder_as_it_was(mem: Mem, folder: Path) -> None:
    lay(folder, "note.md", "- x\n")
    mem("--vault", str(folder), "doctor")
    assert [path.name for path in folder.iterdir()] == ["note.md"]


def test_files_that_use_writes_do_not_make_an_adopted_folder_one_that_init_fills(tmp_path: Path) -> None:
    for name in ("MEMORY.md", "USER.md", "insights.md", "projects.md", "daily/2026-11-20.md"):
        lay(tmp_path, name, "- a note of mine\n")
    assert create.create_vault(tmp_path, Answers(), NOW, {}).written == ("mem.yaml",)
    for name in ("labels.yaml", "preferences.yaml", "state.yaml", "patterns.yaml"):
        lay(tmp_path, name, "")
    assert create.create_vault(tmp_path, Answers(), NOW, {}).written == ()
