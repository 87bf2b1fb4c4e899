"""Commits made without `git commit`, and what of a repository a sandbox takes over and leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.remember import Memory, add
from memcli.vault import files, health, history, trust
from memcli.vault.git import commit, config, remotes, sandbox, work_tree
from memcli.vault.sync import sync
from tests.conftest import git, opened

LOG = "logs/2026-11-21.md"


def clean(root: Path) -> bool:
    return git(root, "status", "--porcelain") == "" and "error" not in git(root, "fsck", "--no-dangling")


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_commit_is_what_git_itself_would_have_made(folder: Path, form: str) -> None:
    git(folder, "init", "--quiet", f"--object-format={form}")
    (folder / ".gitignore").write_text(".mem/\n", encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "begin")
    git(folder, "gc", "--quiet")  # trees that are packed
    vault = opened(folder)
    for text in ("one", "two"):
        assert add(vault, Memory(text)).written.commit
    assert vault.notices == []
    assert clean(folder)
    tree = git(folder, "write-tree")
    assert tree == git(folder, "rev-parse", "HEAD^{tree}")


def test_packing_loses_nothing_reachable_or_not(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "x").write_text("nobody refers to me\n", encoding="utf-8")
    lonely = git(repository, "hash-object", "-w", "x")
    (repository / "x").unlink()
    monkeypatch.setattr(commit, "LOOSE", -1)
    vault = opened(repository)
    for text in ("one", "two", "three"):
        assert add(vault, Memory(text)).written.commit
    assert git(repository, "count-objects").startswith("0 objects")
    assert git(repository, "cat-file", "blob", lonely) == "nobody refers to me"
    assert clean(repository)


def test_line_ends_are_stored_as_gitattributes_say(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.md text\n", encoding="utf-8")
    (repository / "note.md").write_bytes(b"- a\r\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "text")
    assert add(opened(repository), Memory("tea", to="note")).written.commit
    assert clean(repository)
    assert b"\r" not in git(repository, "show", "HEAD:note.md").encode()


def test_a_link_to_another_repository_stays_as_it_is(repository: Path, tmp_path: Path) -> None:
    inner = repository / "sub"
    inner.mkdir()
    git(inner, "init", "--quiet")
    (inner / "x.md").write_text("- x\n", encoding="utf-8")
    git(inner, "add", "--all")
    git(inner, "commit", "--quiet", "-m", "inner")
    git(repository, "add", "sub")
    git(repository, "commit", "--quiet", "-m", "a link")
    before = git(repository, "ls-tree", "HEAD", "sub")
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    (inner / "x.md").write_text("- changed\n", encoding="utf-8")
    (repository / "new.md").write_text("- new\n", encoding="utf-8")
    vault = opened(repository)
    assert "sub" not in history.diff(vault).replace("a repository", "")
    assert sync(vault).saved
    assert vault.notices == ["left alone, repositories of their own and files of more than 100 MB: sub"]
    assert git(repository, "ls-tree", "HEAD", "sub") == before
    git(tmp_path, "clone", "--quiet", "remote.git", "there")
    (tmp_path / "there/more.md").write_text("- more\n", encoding="utf-8")
    git(tmp_path / "there", "add", "--all")
    git(tmp_path / "there", "commit", "--quiet", "-m", "more")
    git(tmp_path / "there", "push", "--quiet")
    add(vault, Memory("tea"))
    assert sync(vault).pulled == 1
    assert (inner / "x.md").read_text(encoding="utf-8") == "- changed\n"
    assert git(repository, "ls-tree", "HEAD", "sub") == before
    assert git(repository, "status", "--porcelain", "--ignore-submodules=dirty") == ""


@pytest.mark.parametrize("name", [".mem/lock", "sub/x.md", ".MEM/x"])
def test_what_comes_in_reaches_into_nothing_of_its_own(repository: Path, tmp_path: Path, name: str) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    sync(opened(repository))
    git(tmp_path, "clone", "--quiet", "remote.git", "there")
    place = tmp_path / "there" / name
    place.parent.mkdir(parents=True)
    place.write_text("evil\n", encoding="utf-8")
    git(tmp_path / "there", "add", "--force", name)
    git(tmp_path / "there", "commit", "--quiet", "-m", "evil")
    git(tmp_path / "there", "push", "--quiet")
    (repository / "sub").mkdir(exist_ok=True)
    git(repository / "sub", "init", "--quiet")
    before = git(repository, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="not a place for memories"):
        sync(opened(repository))
    assert git(repository, "rev-parse", "HEAD") == before


def test_doctor_knows_a_lock_of_a_killed_mem_from_somebody_elses(repository: Path) -> None:
    vault = opened(repository)
    (repository / ".git/index.lock").touch()
    (check,) = [check for check in health.checks(vault) if "index.lock" in check.detail]
    assert check.state == health.BROKEN
    files.make_cache(vault.cache)
    (vault.cache / "committing").touch()
    (repository / ".git/index.lock").touch()
    (check,) = [check for check in health.checks(vault) if "index.lock" in check.detail]
    assert (check.state, check.mend) == (health.NOTE, "the next write takes it away")
    assert add(vault, Memory("tea")).written.commit


def test_what_ordinary_people_have_in_their_config_asks_for_nothing(repository: Path) -> None:
    for name, value in {
        "color.ui": "auto", "pull.rebase": "true", "push.default": "simple", "branch.main.remote": "origin",
        "branch.main.vscode-merge-base": "origin/main", "gui.wmstate": "normal", "user.email": "a@example.org",
        "remote.origin.url": "git@example.org:me/memory.git", "core.autocrlf": "input", "gc.auto": "0",
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*", "merge.conflictStyle": "zdiff3",
    }.items():  # fmt: skip
        git(repository, "config", name, value)
    assert trust.guarded(repository) == {}


def test_a_config_is_read_as_git_reads_it(repository: Path) -> None:
    file = repository / ".git" / "config"
    file.write_text(
        '\ufeff[core] bare = false ; x\n[A "b\\"c\\\\d"]\n\tk = a \\\n  b # c\n\tflag\n[x.Y]q="a # b" c  \n\tn = a\\tb\\n\n[z]\n'
        ' e =\n', encoding="utf-8",
    )  # fmt: skip
    listed = git(repository, "config", "--local", "--list", "-z").split("\0")
    theirs = [(name, value if mark else "true") for name, mark, value in (row.partition("\n") for row in listed if row)]
    assert config.parse(file.read_text(encoding="utf-8")) == theirs


@pytest.mark.parametrize(
    ("address", "goes"),
    [
        ("https://example.org/me/x.git", True), ("git@example.org:me/x.git", True), ("ssh://git@example.org:22/x", True),
        ("example.org:x", True), ("/nowhere/x.git", True), ("file:///nowhere/x.git", True), ("../x.git", True),
        ("https://user:secret@example.org/x", True), ("ssh://git@[::1]/x", True),
        ("http://example.org/x", False), ("git://example.org/x", False), ("ext::sh -c x", False), ("./x.git", False),
        ("ssh://-oProxyCommand=x/y", False), ("-oProxyCommand=x:y", False), ("a@-oProxyCommand=x:y", False),
        ("host:-x", False), ("", False), (".", False),
    ],
)  # fmt: skip
def test_only_plain_addresses_are_gone_to(folder: Path, address: str, goes: bool) -> None:
    assert (remotes.why_not(folder, address) == "") == goes


def test_a_sandbox_leaves_nothing_behind_even_when_it_was_killed(repository: Path) -> None:
    vault = opened(repository)
    files.make_cache(vault.cache)
    with sandbox.opened(repository, vault.cache) as box:
        (box.folder / "more").mkdir()
        os.symlink(repository, box.folder / "more" / "link")
    (vault.cache / "mem-git-killed").mkdir()
    sandbox.sweep(vault.cache)
    assert not list(vault.cache.glob("mem-git-*"))
    assert (repository / ".gitignore").exists()


def test_a_file_too_large_for_git_is_left_alone_and_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_tree, "LARGEST", 1000)
    (repository / "film.mp4").write_bytes(b"x" * 1001)
    (repository / "note.md").write_text("- new\n", encoding="utf-8")
    vault = opened(repository)
    shown = history.diff(vault)
    assert "note.md" in shown and "film.mp4" not in shown
    assert "film.mp4" in vault.notices[0]
