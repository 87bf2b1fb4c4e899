"""Two machines, one memory."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.errors import MissingPart, Refused, UsageError
from memcli.remember import Memory, add, prefer
from memcli.vault import health, history, preferences
from memcli.vault.git import repository
from memcli.vault.sync import Exchange, SyncResult, sync
from memcli.vault.vault import Vault
from tests.cli.test_commands import editor
from tests.conftest import Ran, git, opened, trusted

LOG = "logs/2026-11-21.md"


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    place = tmp_path / "remote.git"
    place.mkdir()
    git(place, "init", "--quiet", "--bare", "--initial-branch", "main")
    return place


@pytest.fixture
def here(repository: Path, remote: Path) -> Vault:
    git(repository, "remote", "add", "origin", str(remote))
    vault = opened(repository)
    (repository / "MEMORY.md").write_text("# M\n\n- home is Pudong\n", encoding="utf-8")
    sync(vault)
    return vault


@pytest.fixture
def there(here: Vault, remote: Path, tmp_path: Path) -> Vault:
    git(tmp_path, "clone", "--quiet", str(remote), "there")
    return trusted(tmp_path / "there")


def text(vault: Vault, path: str = LOG) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


def state(vault: Vault) -> tuple[str, str, dict[str, bytes]]:
    kept = [p for p in vault.root.rglob("*") if p.is_file() and not {".git", ".mem"} & set(p.parts)]
    branch = git(vault.root, "symbolic-ref", "HEAD") + git(vault.root, "rev-parse", "HEAD")
    return branch, git(vault.root, "status", "--porcelain"), {str(p): p.read_bytes() for p in kept}


def test_what_both_sides_added_to_one_log_is_all_there(here: Vault, there: Vault) -> None:
    for vault, said in ((here, "here"), (there, "there")):
        for number in range(3):
            add(vault, Memory(f"the boat {said} has number {number}"))
    assert sync(here) == SyncResult("origin", False, 0, 3)
    assert sync(there) == SyncResult("origin", False, 3, 3)
    assert sync(here) == SyncResult("origin", False, 3, 0)
    assert text(here) == text(there)
    assert sorted(e.words for e in here.entries(None) if e.path == LOG) == sorted(
        f"14:30 the boat {said} has number {n}" for said in ("here", "there") for n in range(3)
    )
    assert text(here).count("# 2026-11-21 Sat") == 1
    assert len(text(here, "journal/audit.jsonl").splitlines()) == 6
    assert sync(here) == SyncResult("origin", False, 0, 0)


def test_logs_merge_even_where_no_gitattributes_say_so(here: Vault, there: Vault) -> None:
    git(here.root, "rm", "--quiet", ".gitattributes")
    git(here.root, "commit", "--quiet", "-m", "without")
    sync(here)
    sync(there)
    for vault, said in ((here, "here"), (there, "there")):
        (vault.root / "Daily").mkdir()
        (vault.root / "Daily" / "2026-11-21 Sat.md").write_text(f"- {said}\n", encoding="utf-8")
    sync(here)
    sync(there)
    assert sorted(text(there, "Daily/2026-11-21 Sat.md").splitlines()) == ["- here", "- there"]


def test_edits_made_by_hand_travel_too(here: Vault, there: Vault) -> None:
    (here.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    assert sync(here).saved
    assert sync(there).pulled == 1
    assert text(there, "new.md") == "- by hand\n"


def test_a_conflict_is_explained_and_leaves_nothing_half_done(here: Vault, there: Vault) -> None:
    (here.root / "MEMORY.md").write_text("# M\n\n- home is Xuhui\n", encoding="utf-8")
    sync(here)
    add(there, Memory("kept"))
    (there.root / "MEMORY.md").write_text("# M\n\n- home is Minhang\n", encoding="utf-8")
    before = state(there)
    with pytest.raises(Refused) as refused:
        sync(there)
    assert refused.value.message == "both sides changed MEMORY.md: home is Pudong"
    assert "`git diff origin/main -- . ':!journal'` shows theirs (-)" in refused.value.hint
    assert state(there) == before
    waiting = [check for check in health.checks(there) if check.name == "sync"]
    assert [check.state for check in waiting] == ["note"] and not [c for c in health.checks(here) if c.name == "sync"]
    assert not list(there.cache.glob("sync*"))
    assert git(there.root, "worktree", "list").count("\n") == 0
    add(there, Memory("the fair goes on until May"))
    assert there.notices == []
    assert "-- home is Xuhui\n+- home is Minhang" in git(there.root, "diff", "origin/main", "--", "MEMORY.md")
    (there.root / "MEMORY.md").write_text("# M\n\n- home is Xuhui\n", encoding="utf-8")  # as the hint says
    sync(there)
    (there.root / "MEMORY.md").write_text("# M\n\n- home is Minhang\n", encoding="utf-8")
    sync(there)
    sync(here)
    assert text(here, "MEMORY.md") == "# M\n\n- home is Minhang\n"


def test_a_merge_that_was_killed_is_begun_anew(here: Vault, there: Vault) -> None:
    add(here, Memory("the ferry leaves from here"))
    sync(here)
    add(there, Memory("the ferry leaves from there"))
    (there.cache / "sync-killed").mkdir()
    git(there.root, "worktree", "add", "--quiet", "--detach", str(there.cache / "sync-killed" / "work"), "HEAD")
    sync(there)
    assert len(list(there.entries())) == 3


def test_a_remote_that_can_not_be_reached_is_named_and_the_memory_is_whole(here: Vault) -> None:
    git(here.root, "remote", "set-url", "origin", str(here.root.parent / "gone.git"))
    (here.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    before = state(here)
    with pytest.raises(MissingPart, match=r"origin can't be reached: .*gone\.git'? does not appear") as missing:
        sync(here)
    assert "git remote set-url origin ADDRESS" in missing.value.hint
    assert state(here) == before


def test_without_a_repository_or_a_remote_the_next_step_is_named(folder: Path) -> None:
    with pytest.raises(UsageError) as refused:
        sync(opened(folder))
    assert "mem init" in refused.value.hint
    git(folder, "init", "--quiet")
    with pytest.raises(Refused, match="`mem trust` turns on commits, history and sync"):
        sync(opened(folder))
    assert sync(trusted(folder)).remote == ""


def test_without_a_remote_the_edits_are_committed_all_the_same(repository: Path) -> None:
    (repository / "MEMORY.md").write_text("# M\n\n- home is Pudong\n", encoding="utf-8")
    assert sync(opened(repository)) == SyncResult("", True, 0, 0)
    assert not git(repository, "status", "--porcelain")
    assert sync(opened(repository)) == SyncResult("", False, 0, 0)


def test_without_the_git_program(here: Vault, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match="git is not installed"):
        sync(here)


def test_without_an_identity_nothing_is_changed(here: Vault, home: Path) -> None:
    (home / "gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", encoding="utf-8")
    (here.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    with pytest.raises(Refused, match="git does not know who you are"):
        sync(here)
    assert "new.md" in git(here.root, "status", "--porcelain")


def test_an_empty_folder_is_filled_from_the_remote(here: Vault, remote: Path, tmp_path: Path) -> None:
    place = tmp_path / "fresh"
    place.mkdir()
    git(place, "init", "--quiet")
    git(place, "remote", "add", "origin", str(remote))
    assert sync(trusted(place)).pulled == 2
    assert text(opened(place), "MEMORY.md") == "# M\n\n- home is Pudong\n"


def test_a_remote_with_another_branch_is_not_forked_silently(repository: Path, remote: Path, here: Vault) -> None:
    git(repository, "branch", "-m", "trunk")
    with pytest.raises(Refused, match="no branch 'trunk', but main"):
        sync(here)


def test_a_merge_under_way_or_a_detached_head_is_left_to_the_person(here: Vault) -> None:
    git(here.root, "checkout", "--quiet", "--detach")
    with pytest.raises(Refused, match="not on a branch"):
        sync(here)
    git(here.root, "checkout", "--quiet", "main")
    (here.root / ".git" / "MERGE_HEAD").write_text("", encoding="utf-8")
    with pytest.raises(Refused, match="a git merge is under way"):
        sync(here)


def test_what_was_pulled_can_still_be_followed_by_undo(here: Vault, there: Vault) -> None:
    add(here, Memory("the ferry leaves from here"))
    sync(here)
    add(there, Memory("the ferry leaves from there"))
    sync(there)
    history.undo(there)
    assert [e.words for e in there.entries() if e.path == LOG] == ["14:30 the ferry leaves from here"]


def test_facts_and_preferences_added_on_two_machines_are_all_there(here: Vault, there: Vault) -> None:
    for vault, said in ((here, "here"), (there, "there")):
        for number in range(2):
            add(vault, Memory(f"{said} {number} is a fact", type="fact"))
        prefer(vault, f"{said}_tea", "green")
        prefer(vault, "music", "jazz")
    sync(here)
    sync(there)
    sync(here)
    assert text(here, "MEMORY.md") == text(there, "MEMORY.md")
    found = [entry.words for entry in here.entries() if entry.path == "MEMORY.md"]
    assert found == ["home is Pudong", *(f"{said} {n} is a fact" for said in ("here", "there") for n in range(2))]
    assert [each.key for each in preferences.read_preferences(there)] == ["here_tea", "music", "there_tea"]
    assert sync(there) == SyncResult("origin", False, 0, 0)


@pytest.mark.parametrize("name", [".mem/lock", ".MEM/x"])
def test_what_comes_in_is_never_laid_over_what_is_mems_own(here: Vault, there: Vault, name: str) -> None:
    place = there.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("evil\n", encoding="utf-8")
    git(there.root, "add", "--force", name)
    git(there.root, "commit", "--quiet", "-m", "evil")
    git(there.root, "push", "--quiet", "origin", "main")
    before = git(here.root, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="not a place for memories"):
        sync(here)
    assert git(here.root, "rev-parse", "HEAD") == before


def test_a_file_too_large_for_any_host_and_a_repository_inside_are_left_alone_and_told(
    here: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "LARGEST", 1000)
    (here.root / "film.mp4").write_bytes(b"x" * 1001)
    (here.root / "note.md").write_text("- new\n", encoding="utf-8")
    (here.root / "sub").mkdir()
    git(here.root / "sub", "init", "--quiet")
    (here.root / "sub" / "x.md").write_text("- x\n", encoding="utf-8")
    git(here.root / "sub", "add", "--all")
    git(here.root / "sub", "commit", "--quiet", "-m", "inner")
    shown = history.diff(here)
    assert "note.md" in shown and "film.mp4" not in shown and "sub" not in shown
    assert sync(here).saved
    (notice,) = here.notices
    assert "film.mp4" in notice and "sub/" in notice
    assert git(here.root, "status", "--porcelain").splitlines() == ["?? film.mp4", "?? sub/"]


def test_two_machines_that_sync_at_once_both_come_through(
    here: Vault, there: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(here, Memory("tea is green"))
    add(there, Memory("rent rises in March"))
    kind = Exchange
    push = kind.push

    def late(this: Exchange) -> object:
        monkeypatch.setattr(kind, "push", push)
        add(here, Memory("the cat eats twice a day"))
        sync(here)  # between the pull and the push of the other
        return push(this)

    sync(here)
    monkeypatch.setattr(kind, "push", late)
    assert sync(there).pulled == 2
    sync(here)
    assert sorted(e.words for e in here.entries() if e.path == LOG) == sorted(
        e.words for e in there.entries() if e.path == LOG
    )
    assert len([e for e in here.entries() if e.path == LOG]) == 3
    assert not [path for path in there.cache.iterdir() if path.name.startswith(("sync", "work"))]


@pytest.mark.skipif(sys.platform == "win32", reason="the hook is a shell script")
def test_a_push_that_meets_another_on_the_remote_is_tried_again(here: Vault, remote: Path) -> None:
    hook = remote / "hooks" / "update"
    lock, once = remote / "refs/heads/main.lock", remote / "once"
    hook.write_text(f"#!/bin/sh\n[ -e {once} ] && rm -f {lock} || touch {once} {lock}\n", encoding="utf-8")
    hook.chmod(0o755)
    add(here, Memory("tea is green"))
    assert sync(here).pushed == 1


def test_a_conflict_that_comes_between_pull_and_push_leaves_everything_as_it_was(
    here: Vault, there: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    (there.root / "MEMORY.md").write_text("# M\n\n- home is Minhang\n", encoding="utf-8")
    (here.root / "new.md").write_text("- harmless\n", encoding="utf-8")
    sync(here)
    before = state(there)
    kind = Exchange
    push = kind.push

    def late(this: Exchange) -> object:
        monkeypatch.setattr(kind, "push", push)
        (here.root / "MEMORY.md").write_text("# M\n\n- home is Xuhui\n", encoding="utf-8")
        sync(here)
        return push(this)

    monkeypatch.setattr(kind, "push", late)
    with pytest.raises(Refused, match="both sides changed"):
        sync(there)
    assert state(there) == before


# -- what lies in the folder beside what git keeps ---------------------------------------------------------------------


@pytest.mark.parametrize("by", [".gitignore", ".git/info/exclude"])
@pytest.mark.parametrize("mine", ["private/diary.md", "private", "private/diary.md/page.md", "Private/Diary.md"])
def test_a_file_that_git_ignores_is_never_overwritten(here: Vault, there: Vault, by: str, mine: str) -> None:
    with (there.root / by).open("a", encoding="utf-8") as handle:
        handle.write("private\nPrivate\n")
    place = there.root / mine
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("mine\n", encoding="utf-8")
    sync(there)
    sync(here)
    (here.root / "private").mkdir()
    (here.root / "private/diary.md").write_text("theirs\n", encoding="utf-8")
    git(here.root, "add", "--force", "private/diary.md")
    git(here.root, "commit", "--quiet", "-m", "a diary")
    sync(here)
    (there.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    before = state(there)
    with pytest.raises(Refused, match=r"origin brings private/diary\.md, and a file of yours"):
        sync(there)
    assert state(there) == before and place.read_text() == "mine\n"
    place.rename(there.root / "mine.md")
    while place.parent != there.root:
        place = place.parent
        place.rmdir()
    sync(there)
    assert text(there, "private/diary.md") == "theirs\n" and text(there, "mine.md") == "mine\n"


def test_the_first_pull_overwrites_nothing_that_git_ignores(here: Vault, remote: Path, tmp_path: Path) -> None:
    place = tmp_path / "fresh"
    place.mkdir()
    git(place, "init", "--quiet")
    git(place, "remote", "add", "origin", str(remote))
    (place / ".git/info/exclude").write_text("MEMORY.md\n", encoding="utf-8")
    (place / "MEMORY.md").write_text("- mine\n", encoding="utf-8")
    with pytest.raises(Refused, match=r"origin brings MEMORY\.md"):
        sync(trusted(place))
    assert text(opened(place), "MEMORY.md") == "- mine\n"


def test_a_file_that_was_only_touched_is_no_change(here: Vault, there: Vault) -> None:
    (here.root / "MEMORY.md").write_text("# M\n\n- home is Xuhui\n", encoding="utf-8")
    sync(here)
    git(there.root, "status")
    os.utime(there.root / "MEMORY.md", (1, 1))
    assert sync(there).pulled == 1
    assert text(there, "MEMORY.md") == "# M\n\n- home is Xuhui\n"


@pytest.mark.parametrize(
    ("path", "was", "theirs", "ours"),
    [
        ("x.yaml", "a: 1\n", "a: 2\n", "word\n"),
        ("x.yaml", "- a\n", "0\n", "- b\n"),
        ("x.yaml", "a: 1\n", "a: 2\na: 3\n", "a: 4\n"),
        ("x.md", "---\na: 1\n---\n", "---\na: 2\n---\n", "---\nword\n---\n"),
    ],
)
def test_yaml_that_is_no_list_on_one_side_is_a_conflict(
    here: Vault, there: Vault, path: str, was: str, theirs: str, ours: str
) -> None:
    (here.root / path).write_text(was, encoding="utf-8")
    sync(here)
    sync(there)
    (here.root / path).write_text(theirs, encoding="utf-8")
    sync(here)
    (there.root / path).write_text(ours, encoding="utf-8")
    before = state(there)
    with pytest.raises(Refused, match=f"both sides changed {path}"):
        sync(there)
    assert state(there) == before


def test_edits_made_by_hand_are_uncommitted_again_whatever_went_wrong(
    here: Vault, there: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(here, Memory("tea is green"))
    sync(here)
    (there.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    before = state(there)
    monkeypatch.setattr(Exchange, "merge", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sync(there)
    assert state(there) == before


# -- undo by git, when the cache was deleted ---------------------------------------------------------------------------


def test_undo_without_the_cache_ends_at_edits_made_by_hand(here: Vault) -> None:
    (here.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    assert sync(here).saved
    shutil.rmtree(here.cache)
    with pytest.raises(Refused, match="no write left"):
        history.undo(opened(here.root))
    assert text(here, "new.md") == "- by hand\n"


def test_undo_without_the_cache_takes_back_nothing_that_came_by_sync(here: Vault, there: Vault) -> None:
    add(here, Memory("the ferry leaves from here"))
    sync(here)
    sync(there)
    before = text(there)
    with pytest.raises(Refused, match="no write left"):
        history.undo(there)
    add(there, Memory("the ferry leaves from there"))
    add(here, Memory("the boat is late"))
    sync(here)
    sync(there)
    shutil.rmtree(there.cache)
    history.undo(opened(there.root))
    assert text(there) == before + "- 14:30 the boat is late\n"
    with pytest.raises(Refused, match="no write left"):
        history.undo(opened(there.root))


def test_undo_without_the_cache_knows_its_commits_after_a_rebase(here: Vault, there: Vault) -> None:
    (here.root / "new.md").write_text("- by hand\n", encoding="utf-8")
    sync(here)
    add(there, Memory("tea is green"))
    git(there.root, "pull", "--quiet", "--rebase", "origin", "main")
    shutil.rmtree(there.cache)
    assert history.undo(opened(there.root))[0] == "add"
    assert not (there.root / LOG).exists() and (there.root / "new.md").exists()


def test_what_comes_while_an_editor_is_open_stays_and_what_contradicts_it_is_a_draft(
    here: Vault, there: Vault, mem: Callable[..., Ran], tmp_path: Path
) -> None:
    def changed_there(old: str, new: str) -> None:
        (there.root / "MEMORY.md").write_text(text(there, "MEMORY.md").replace(old, new), encoding="utf-8")
        sync(there)

    def typed(old: str, new: str) -> Ran:
        pull = f"before = path.read_text('utf-8'); subprocess.run({[sys.executable, '-m', 'memcli', 'sync']!r})"
        script = f"import subprocess; {pull}; path.write_text(before.replace({old!r}, {new!r}), 'utf-8')"
        return mem("edit", "MEMORY.md", EDITOR=editor(tmp_path, script))

    changed_there("- home is Pudong\n", "- the heron may nest\n- tea at nine\n")
    assert typed("# M\n", "# Mine\n").code == 0
    assert text(here, "MEMORY.md") == "# Mine\n\n- the heron may nest\n- tea at nine\n"
    sync(here)
    sync(there)
    changed_there("may nest", "may not nest")
    refused = typed("may nest", "has a nest")
    assert refused.code == 4 and "your text is kept in" in refused.err
    assert text(here, "MEMORY.md") == "# Mine\n\n- the heron may not nest\n- tea at nine\n"


@pytest.mark.parametrize("command", ["sync", "diff"])
def test_what_a_vault_without_git_is_told_to_do_makes_it_a_repository(
    inside: Callable[..., Ran], folder: Path, command: str
) -> None:
    (folder / "a.md").write_text("- tea\n", encoding="utf-8")
    assert inside("init", "--no-git", cwd=folder).code == 0
    (told,) = re.findall(r"mem (init --git)", inside(command).err)
    assert not (folder / ".git").exists() and inside(*told.split(), cwd=folder).code == 0
    assert (folder / ".git").is_dir() and "not a git repository" not in inside(command).err
