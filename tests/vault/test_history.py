"""The log, the difference, and taking back."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import Refused, UsageError
from memcli.remember import Memory, edit, forget
from memcli.vault import changes, history, journal
from memcli.vault.changes import FileChange
from memcli.vault.vault import Vault
from memcli.vault.write import write_vault
from tests.conftest import git, opened, trusted
from tests.remember.ungated import add

LOG = "logs/2026-11-21.md"


def text(vault: Vault, path: str = LOG) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


def files(root: Path) -> dict[str, str]:
    found = (
        p for p in root.rglob("*") if p.is_file() and not {".git", ".mem", "journal"} & set(p.relative_to(root).parts)
    )
    return {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in found}


# -- log -------------------------------------------------------------------------------------------------------------


def test_the_log_tells_each_write_latest_first_at_the_vaults_time(repository: Path) -> None:
    add(opened(repository, datetime(2026, 11, 20, 9)), Memory("one"))
    add(opened(repository), Memory("two", to="list"))
    steps = history.log(opened(repository), 10)
    assert [step.what.split(" (")[0] for step in steps] == [
        f"mem add: {p}" for p in ("list.md", "logs/2026-11-20.md")
    ] + ["begin"]
    assert [step.at.isoformat() for step in steps[:2]] == ["2026-11-21T14:30:00+08:00", "2026-11-20T09:00:00+08:00"]
    assert (steps[0].paths, steps[1].added, steps[1].removed) == (("list.md",), 3, 0)
    assert [step.what for step in history.log(opened(repository), 10, "list.md")] == [steps[0].what]
    assert len(history.log(opened(repository), 1)) == 1


def test_without_git_the_log_is_the_journal(vault: Vault) -> None:
    add(vault, Memory("one"))
    add(vault, Memory("two", to="list"))
    assert [step.what.split(" (")[0] for step in history.log(vault, 10)] == ["mem add: list.md", f"mem add: {LOG}"]
    assert [step.paths for step in history.log(vault, 10, LOG)] == [(LOG,)]


@pytest.mark.slow
def test_a_repository_without_commits_has_no_log_yet(folder: Path) -> None:
    git(folder, "init", "--quiet")
    assert history.log(trusted(folder), 10) == []
    assert history.diff(opened(folder)) == ""


@pytest.mark.slow
def test_where_git_does_not_run_the_journal_keeps_history_and_undo(folder: Path) -> None:
    git(folder, "init", "--quiet")
    vault = opened(folder)
    add(vault, Memory("one"))
    assert vault.notices == ["written, not committed: `mem trust` turns on commits, history and sync by git"]
    assert [step.what.split(" (")[0] for step in history.log(vault, 10)] == [f"mem add: {LOG}"]
    history.undo(vault)
    assert list(vault.entries()) == []
    with pytest.raises(Refused, match="git does not run in this vault"):
        history.diff(vault)


# -- diff ------------------------------------------------------------------------------------------------------------


def test_the_difference_shows_edits_by_hand_and_new_files(repository: Path) -> None:
    vault = opened(repository)
    add(vault, Memory("one"))
    (repository / LOG).write_text(text(vault) + "- by hand\n", encoding="utf-8")
    (repository / "new.md").write_text("- 新的\n", encoding="utf-8")
    shown = history.diff(vault)
    assert "+- by hand\n" in shown
    assert "+- 新的\n" in shown
    assert "by hand" not in history.diff(vault, path="new.md")
    assert git(repository, "status", "--porcelain").splitlines() == ["M logs/2026-11-21.md", "?? new.md"]


def test_since_a_day_or_a_commit(repository: Path) -> None:
    add(opened(repository, datetime(2026, 11, 19, 9)), Memory("early"))
    vault = opened(repository)
    add(vault, Memory("late"))
    assert "late" in history.diff(vault, "2026-11-20")
    assert "early" not in history.diff(vault, "2026-11-20")
    assert "early" in history.diff(vault, "2026-11-19")
    assert "early" in history.diff(vault, "2000-01-01")
    assert "early" in history.diff(vault, "HEAD~2")


@pytest.mark.parametrize("since", ["no-such-commit", "--output=x", "-p"])
def test_what_is_no_commit_is_refused(repository: Path, since: str) -> None:
    with pytest.raises(UsageError):
        history.diff(opened(repository), since)
    assert not (repository / "x").exists()


def test_a_vault_without_git_has_no_difference(vault: Vault) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        history.diff(vault)


# -- undo ------------------------------------------------------------------------------------------------------------


def test_undo_takes_the_last_write_back_and_again_the_one_before(vault: Vault) -> None:
    states = [files(vault.root)]
    for said in ("tea", "tea", "coffee"):  # the same words in the same second are two writes
        add(vault, Memory(said))
        states.append(files(vault.root))
    for state in reversed(states[:-1]):
        assert history.undo(vault)[0] == "add"
        assert files(vault.root) == state
    with pytest.raises(Refused, match="no write left"):
        history.undo(vault)


def test_undo_without_the_cache_asks_git_and_again_the_one_before(repository: Path) -> None:
    before = files(repository)
    add(opened(repository), Memory("one"))
    after_one = files(repository)
    old = add(opened(repository), Memory("two"))
    forget(opened(repository), old.entry)
    shutil.rmtree(repository / ".mem")
    assert history.undo(opened(repository))[0] == "forget"
    assert "two" in text(opened(repository))
    history.undo(opened(repository))
    assert files(repository) == after_one
    history.undo(opened(repository))
    assert files(repository) == before
    with pytest.raises(Refused, match="no write left"):
        history.undo(opened(repository))


def test_undo_without_the_cache_takes_back_nobody_elses_commit(repository: Path) -> None:
    add(opened(repository), Memory("one"))
    (repository / "own.md").write_text("- mine\n", encoding="utf-8")
    git(repository, "add", "own.md")
    git(repository, "commit", "--quiet", "-m", "mine")
    shutil.rmtree(repository / ".mem")
    with pytest.raises(Refused, match="no write left") as refused:
        history.undo(opened(repository))
    assert "git revert" in refused.value.hint


def test_undo_after_other_edits_elsewhere_in_the_same_file(vault: Vault) -> None:
    add(vault, Memory("first"))
    add(vault, Memory("mistake"))
    edited = "# my day\n\nprose above\n\n" + text(vault).partition("\n\n")[2] + "- by hand\n\nprose below\n"
    (vault.root / LOG).write_text(edited, encoding="utf-8")
    history.undo(vault)
    assert text(vault) == edited.replace("- 14:30 mistake\n", "")


def test_undo_of_the_first_memory_of_a_day_leaves_the_heading_to_what_was_written_below(vault: Vault) -> None:
    add(vault, Memory("first"))
    heading = text(vault).partition("- ")[0]
    with open(vault.root / LOG, "a", encoding="utf-8") as log:
        log.write("- by hand\n")
    history.undo(vault)
    assert text(vault) == f"{heading}- by hand\n"


def test_undo_shows_what_is_back(vault: Vault) -> None:
    add(vault, Memory("the old words", to="list"))
    edit(vault, vault.find_entry("list.md:1"), "- the new words")
    assert "the old words" in history.words_of(history.undo(vault)[1])


def test_undo_of_a_write_whose_lines_were_changed_is_refused_and_changes_nothing(vault: Vault) -> None:
    add(vault, Memory("first"))
    add(vault, Memory("mistake"))
    edited = text(vault).replace("mistake", "no mistake")
    (vault.root / LOG).write_text(edited, encoding="utf-8")
    with pytest.raises(Refused, match=rf"{LOG}: the lines of the last write were changed since"):
        history.undo(vault)
    assert text(vault) == edited


def test_undo_of_forget_brings_the_memory_back_where_it_was(vault: Vault) -> None:
    for said in ("a", "b", "c"):
        add(vault, Memory(said, to="list"))
    before = files(vault.root)
    forget(vault, vault.find_entry("list.md:2"))
    assert files(vault.root) != before
    history.undo(vault)
    assert files(vault.root) == before


def test_undo_of_forget_is_all_or_nothing(vault: Vault) -> None:
    add(vault, Memory("a", to="list"))
    forget(vault, vault.find_entry("list.md:1"))
    (vault.root / "archive/list.md").write_text("- rewritten\n", encoding="utf-8")
    before = files(vault.root)
    with pytest.raises(Refused):
        history.undo(vault)
    assert files(vault.root) == before


def test_undo_of_an_edit(vault: Vault) -> None:
    add(vault, Memory("a\nb", to="list"))
    before = files(vault.root)
    edit(vault, vault.find_entry("list.md:1"), "- c")
    history.undo(vault)
    assert files(vault.root) == before


def test_undo_never_joins_lines(vault: Vault) -> None:
    (vault.root / "list.md").write_bytes(b"- a")
    add(vault, Memory("b", to="list"))
    with open(vault.root / "list.md", "a", encoding="utf-8") as handle:
        handle.write("- c\n")
    history.undo(vault)
    assert text(vault, "list.md") == "- a\n- c\n"


def test_undo_does_not_cut_into_a_line_that_only_contains_the_words(vault: Vault) -> None:
    add(vault, Memory("tea"))
    add(vault, Memory("9:00 tea"))
    (vault.root / LOG).write_text("# x\n\n- 14:30 tea\n- remember: - 9:00 tea\n", encoding="utf-8")
    with pytest.raises(Refused):
        history.undo(vault)


def test_undo_is_a_commit_and_a_journal_line_of_its_own(repository: Path) -> None:
    vault = opened(repository)
    add(vault, Memory("tea"))
    action, written = history.undo(vault)
    assert (action, vault.notices) == ("add", [])
    assert written.commit == git(repository, "rev-parse", "--short", "HEAD")
    assert git(repository, "status", "--porcelain") == ""
    assert not (repository / LOG).exists()
    assert '"action":"undo"' in text(vault, "journal/audit.jsonl")


lines = st.lists(st.sampled_from(["- a\n", "- b\n", "  c\n", "\n", "# h\n", "- d\r\n", "x\n"]), max_size=8)


def test_an_empty_line_that_came_after_stays_when_a_line_end_is_taken_back() -> None:
    done = changes.hunk_of(FileChange("x.md", "- a", "- a\n"))
    assert changes.undo_hunk("- a\n\n", done) == "- a\n\n"


@given(lines, lines, lines, lines, st.booleans())
def test_taking_back_undoes_exactly_the_change_or_says_it_can_not(
    before: list[str], after: list[str], above: list[str], below: list[str], torn: bool
) -> None:
    one, two = "".join(before), "".join(after)
    if torn:
        one = one.removesuffix("\n")
    if one == two:
        return
    done = changes.hunk_of(FileChange("x.md", one, two))
    assert changes.undo_hunk(two, done) == one
    grown = "".join(above) + two + "".join(below)
    back = changes.undo_hunk(grown, done)
    if back is not None:
        assert sorted(back.splitlines()) == sorted([*"".join(above).splitlines(), *one.splitlines(), *"".join(below).splitlines()])  # fmt: skip


def test_a_file_with_a_quote_in_its_name_is_logged_and_taken_back_by_git(repository: Path) -> None:
    vault = opened(repository)
    add(vault, Memory("tea at four", to='a"b.md'))
    assert 'a"b.md' in history.log(vault, 1)[0].paths
    (vault.cache / "undo.jsonl").unlink()
    action, written = history.undo(vault)
    assert action == "add" and written.changes
    assert "tea at four" not in "".join(path.read_text("utf-8") for path in repository.glob("a*.md"))


def test_a_subject_with_signs_of_our_own_is_logged(repository: Path) -> None:
    (repository / "a.md").write_text("- tea\n", encoding="utf-8")
    git(repository, "add", "a.md")
    git(repository, "commit", "--quiet", "-m", "one\x1ftwo\x1fthree \x1e four")
    assert history.log(opened(repository), 5)[0].what.startswith("one\x1ftwo")


def test_one_of_many_equal_lines_is_taken_back_right_after(vault: Vault) -> None:
    (vault.root / "pills.md").write_text("- took the pill\n" * 8, encoding="utf-8")
    forget(vault, list(vault.entries())[2])
    assert (vault.root / "pills.md").read_text("utf-8").count("pill") == 7
    history.undo(vault)
    assert (vault.root / "pills.md").read_text("utf-8") == "- took the pill\n" * 8


@pytest.mark.parametrize("odd", [{"paths": None}, {"ids": 5}, {"paths": 5, "ids": {"a": 1}}])
def test_a_line_of_the_journal_with_odd_values_is_shown(vault: Vault, odd: dict[str, object]) -> None:
    (vault.root / "journal").mkdir()
    record = {"at": "2026-11-20T10:00:00", "by": "me", "action": "add", "paths": ["a.md"], "ids": ["x"], **odd}
    (vault.root / "journal/audit.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert len(history.log(vault, 5)) == 1
    assert len(journal.writes(vault.root, None, "", vault.notice)) == 1
    assert journal.writes(vault.root, None, "abc", vault.notice) == []


@pytest.mark.parametrize("known", [False, True])
def test_undo_without_the_cache_leaves_what_was_written_by_hand(repository: Path, known: bool) -> None:
    (repository / "logs").mkdir()
    (repository / LOG).write_text("- by hand\n", encoding="utf-8")
    if known:
        add(opened(repository), Memory("the rent is due"))
        (repository / LOG).write_text(text(opened(repository)) + "- also by hand\n", encoding="utf-8")
    before = text(opened(repository))
    add(opened(repository), Memory("tea is green"))
    shutil.rmtree(repository / ".mem")
    assert history.undo(opened(repository))[0] == "add"
    assert text(opened(repository)) == before
    assert git(repository, "status", "--porcelain") == ""
    with pytest.raises(Refused, match="no write left"):
        history.undo(opened(repository))
    assert text(opened(repository)) == before


def test_undo_without_the_cache_of_a_file_that_moved_keeps_an_edit_by_hand(repository: Path) -> None:
    for words in ("- tea\n", "- coffee\n"):
        (repository / "a.md").write_text(words, encoding="utf-8")
        git(repository, "add", "a.md")
        git(repository, "commit", "--quiet", "-m", "mine")
        (repository / "a.md").write_text("- coffee, by hand\n", encoding="utf-8")
    write_vault(opened(repository), "tidy", [], moves=[("a.md", "archive/a.md")])
    shutil.rmtree(repository / ".mem")
    history.undo(opened(repository))
    assert text(opened(repository), "a.md") == "- coffee, by hand\n"


def test_one_write_after_another_is_one_commit_each(repository: Path) -> None:
    (repository / "list.md").write_text("- by hand\n", encoding="utf-8")
    for said in ("tea", "coffee", "milk"):
        add(opened(repository), Memory(said, to="list"))
    said = [step.what.split(" (")[0] for step in history.log(opened(repository), 9)]
    assert said == ["mem add: list.md"] * 3 + ["edits made by hand", "begin"]


def test_an_undo_that_was_killed_does_not_block_the_ones_before(vault: Vault) -> None:
    add(vault, Memory("first"))
    before = files(vault.root)
    forgotten = add(vault, Memory("second", to="list"))
    middle = files(vault.root)
    forget(vault, forgotten.entry)
    for path, was in middle.items():  # both files are as before, and the record is still there
        (vault.root / path).write_text(was, encoding="utf-8")
    (vault.root / "archive/list.md").unlink()
    assert history.undo(vault)[0] == "add"
    assert files(vault.root) == before
    history.undo(vault)
    assert changes.read_undo_records(vault.cache) == []


def test_an_undo_that_was_killed_between_two_files_is_finished(vault: Vault) -> None:
    forgotten = add(vault, Memory("second", to="list"))
    before = files(vault.root)
    forget(vault, forgotten.entry)
    (vault.root / "list.md").write_text(before["list.md"], encoding="utf-8")
    assert history.undo(vault)[0] == "forget"
    assert files(vault.root) == before
