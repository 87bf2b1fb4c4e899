"""Whole files that move: a write like any other, of any size, whole or not at all, and taken back by undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.vault import changes, history, journal
from memcli.vault.vault import Vault
from memcli.vault.write import write_vault
from tests.conftest import git, opened


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def test_a_move_is_journalled_committed_and_taken_back(repository: Path) -> None:
    put(repository, "snapshots/a.md", "tea")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "a snapshot")
    vault = opened(repository)
    done = write_vault(vault, "tidy", [], moves=[("snapshots/a.md", "archive/snapshots/a.md")])
    assert done.commit
    assert git(repository, "status", "--porcelain") == ""
    assert journal.writes(repository)[0]["paths"] == ["snapshots/a.md", "archive/snapshots/a.md"]
    assert (repository / "archive/snapshots/a.md").read_text() == "tea"
    assert history.undo(vault)[0] == "tidy"
    assert (repository / "snapshots/a.md").read_text() == "tea"
    assert not (repository / "archive/snapshots/a.md").exists()
    assert git(repository, "status", "--porcelain") == ""
    assert changes.read_undo_records(vault.cache) == []


def test_a_folder_of_a_thousand_files_is_one_commit(repository: Path) -> None:
    for number in range(1001):
        put(repository, f"archive/notes/{number}.md", "tea")
    write_vault(opened(repository), "import", [], moves=[("archive/notes", "notes")])
    assert git(repository, "rev-list", "--count", "HEAD") == "2"
    assert git(repository, "status", "--porcelain") == ""


def test_edits_and_moves_of_one_write_happen_and_go_back_together(vault: Vault) -> None:
    put(vault.root, "a.md", "a")
    put(vault.root, "b.md", "b")
    write_vault(vault, "tidy", [("b.md", lambda text: text + "!")], moves=[("a.md", "archive/a.md")])
    history.undo(vault)
    assert [(vault.root / name).read_text() for name in ("a.md", "b.md")] == ["a", "b"]


def test_what_is_in_the_way_stops_all_of_it(vault: Vault) -> None:
    for name in ("a.md", "b.md", "c.md", "archive/b.md"):
        put(vault.root, name, name)
    with pytest.raises(Refused, match="is there already"):
        write_vault(
            vault,
            "tidy",
            [("c.md", lambda text: text + "!")],
            moves=[("a.md", "archive/a.md"), ("b.md", "archive/b.md")],
        )
    assert {p: (vault.root / p).read_text() for p in ("a.md", "b.md", "c.md", "archive/b.md")} == {
        "a.md": "a.md", "b.md": "b.md", "c.md": "c.md", "archive/b.md": "archive/b.md",
    }  # fmt: skip
    assert changes.read_undo_records(vault.cache) == []


def test_a_move_out_of_the_vault_is_refused_also_from_a_forged_undo_list(vault: Vault, tmp_path: Path) -> None:
    put(vault.root, "a.md", "a")
    with pytest.raises(Refused):
        write_vault(vault, "tidy", [], moves=[("a.md", str(tmp_path / "stolen.md"))])
    write_vault(vault, "tidy", [], moves=[("a.md", "b.md")])
    undo = vault.cache / "undo.jsonl"
    undo.write_text(
        undo.read_text()
        .replace('["a.md", "b.md"]', '["../stolen.md", "b.md"]', 1)
        .replace('"moves": [["a.md"', '"moves": [["../stolen.md"')
    )
    with pytest.raises(Refused):
        history.undo(vault)
    assert (vault.root / "b.md").exists()


def test_taking_a_move_back_waits_for_the_place_to_be_free(vault: Vault) -> None:
    put(vault.root, "a.md", "old")
    write_vault(vault, "tidy", [], moves=[("a.md", "b.md")])
    put(vault.root, "a.md", "new")
    with pytest.raises(Refused, match="is there already"):
        history.undo(vault)
    (vault.root / "a.md").unlink()
    history.undo(vault)
    assert (vault.root / "a.md").read_text() == "old"


def test_two_edits_of_one_file_in_one_write_are_one_change(vault: Vault) -> None:
    put(vault.root, "a.md", "- one\n- two\n- three\n")
    edits = [("a.md", lambda text: text.replace("- one\n", "")), ("a.md", lambda text: text.replace("three", "3"))]
    assert len(write_vault(vault, "review", edits).changes) == 1
    history.undo(vault)
    assert (vault.root / "a.md").read_text() == "- one\n- two\n- three\n"


def test_what_was_written_by_hand_into_what_moved_in_stays_when_that_goes_back(vault: Vault) -> None:
    for name in ("a.md", "b.md", "sub/c.md"):
        put(vault.root, f"archive/in/{name}", f"- {name}\n")
    write_vault(vault, "import", [], moves=[("archive/in", "imported")])
    put(vault.root, "imported/b.md", "- b.md\n- mine\n")
    put(vault.root, "imported/sub/new.md", "- mine\n")
    put(vault.root, "imported/.hidden", "mine")
    history.undo(vault)
    here = {path.relative_to(vault.root / "imported").as_posix() for path in (vault.root / "imported").rglob("*.md")}
    assert here == {"b.md", "sub/new.md"} and (vault.root / "imported/.hidden").exists()
    assert (vault.root / "archive/in/a.md").exists() and (vault.root / "archive/in/sub/c.md").exists()
    (notice,) = vault.notices
    assert notice == "left in place, changed or added since: imported/.hidden, imported/b.md, imported/sub/new.md"
    assert changes.read_undo_records(vault.cache) == []


def test_a_folder_without_files_is_in_nobodys_way(vault: Vault) -> None:
    put(vault.root, "a/x.md", "tea")
    write_vault(vault, "agent", [], moves=[("a", "archive/a")])
    (vault.root / "a/logs").mkdir(parents=True)
    (vault.root / "a/sub").symlink_to(vault.root / "archive")
    with pytest.raises(Refused, match="is there already"):
        history.undo(vault)
    (vault.root / "a/sub").unlink()
    (vault.root / "a/logs").mkdir(exist_ok=True)
    history.undo(vault)
    assert [path.name for path in (vault.root / "a").iterdir()] == ["x.md"]


def test_a_move_back_that_was_killed_is_finished(vault: Vault) -> None:
    put(vault.root, "a.md", "a")
    put(vault.root, "b.md", "b")
    write_vault(vault, "tidy", [], moves=[("a.md", "archive/a.md"), ("b.md", "archive/b.md")])
    (vault.root / "archive/b.md").rename(vault.root / "b.md")
    history.undo(vault)
    assert [(vault.root / name).read_text() for name in ("a.md", "b.md")] == ["a", "b"]
