"""The one writer: nothing is torn, nothing is lost, whoever else writes and whatever dies on the way."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.errors import Busy, MemError, Refused, VaultError
from memcli.remember import Memory, add, forget
from memcli.vault import changes, files, health, journal, trust
from memcli.vault.check import NOTE
from memcli.vault.git import locks, program
from memcli.vault.lock import hold_lock
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import TRIES, write_vault
from tests.conftest import Ran, opened
from tests.conftest import git as plain_git

LOG = "logs/2026-11-21.md"
SCRIPTS = Path(__file__).parent / "scripts"


def text(vault: Vault, path: str = LOG) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


def spawn(script: str, *words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPTS / script), *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.rglob("*") if path.name.endswith(".mem-tmp") or path.suffix == ".lock"]


# -- editors ---------------------------------------------------------------------------------------------------------


def test_an_edit_by_an_editor_between_read_and_write_is_not_lost(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    add(vault, Memory("first"))
    real, saved = files.replace, []

    def replace(path: Path, new: str, before: files.FileContent, spool: Path | None = None) -> bool:
        if path.name == "2026-11-21.md" and not saved:
            saved.append(path.write_text(text(vault) + "- typed in the editor\n", encoding="utf-8"))
        return real(path, new, before, spool)

    monkeypatch.setattr(files, "replace", replace)
    entry = add(vault, Memory("second")).entry
    assert [e.words for e in vault.entries()] == ["14:30 first", "typed in the editor", "14:30 second"]
    assert entry.line == 5


def test_a_new_file_that_an_editor_makes_meanwhile_is_not_lost(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    real, saved = files.unchanged, []

    def unchanged(path: Path, source: files.FileContent) -> bool:
        if path.name == "list.md" and not saved:
            saved.append(path.write_text("- typed\n", encoding="utf-8"))
        return real(path, source)

    monkeypatch.setattr(files, "unchanged", unchanged)
    add(vault, Memory("said", to="list"))
    assert [e.words for e in vault.entries()] == ["typed", "said"]


def test_what_another_program_appends_in_the_last_moment_is_not_lost(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(vault, Memory("first", to="list"))
    real, opened_before = files.unchanged, []

    def unchanged(path: Path, source: files.FileContent) -> bool:
        found = real(path, source)
        if path.name == "list.md" and not opened_before:
            opened_before.append(path)
            with path.open("a", encoding="utf-8") as other:  # after the last look, before the renaming
                other.write("- from elsewhere\n")
        return found

    monkeypatch.setattr(files, "unchanged", unchanged)
    entry = add(vault, Memory("second", to="list")).entry
    assert [e.words for e in vault.entries()] == ["first", "from elsewhere", "second"]
    assert entry.words == "second"


@pytest.mark.parametrize("last_moment", [False, True])
def test_what_an_editor_that_empties_a_file_writes_into_it_a_moment_later_is_not_lost(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, last_moment: bool
) -> None:
    path = vault.root / "list.md"
    path.write_text("- first\n", encoding="utf-8")
    real, saving = files.unchanged, list[threading.Timer]()

    def begin() -> None:
        other = path.open("w", encoding="utf-8")  # this empties it

        def save() -> None:
            with other:
                other.write("- first\n- typed\n")

        saving.append(threading.Timer(0.05, save))
        saving[0].start()

    def unchanged(place: Path, source: files.FileContent) -> bool:
        found = real(place, source)
        if last_moment and not saving:
            begin()
        return found

    monkeypatch.setattr(files, "unchanged", unchanged)
    if not last_moment:
        begin()
    write_vault(vault, "add", [("list.md", lambda now: f"{now}- second\n")])
    saving[0].join()
    assert text(vault, "list.md") == "- first\n- typed\n- second\n"


def test_a_file_that_never_stands_still_is_left_alone_and_named(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    (vault.root / "list.md").write_text("", encoding="utf-8")
    times = []

    def unchanged(path: Path, source: files.FileContent) -> bool:
        times.append(path.name)
        return False

    monkeypatch.setattr(files, "unchanged", unchanged)
    with pytest.raises(Refused, match=r"list.md is being changed by another program"):
        add(vault, Memory("said", to="list"))
    assert times == ["list.md"] * TRIES


# -- crowds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("names", "each", "in_git"), [("abcdefgh", 25, False), ("abcd", 8, True)])
def test_hundreds_of_memories_from_many_processes_are_all_there_and_none_is_torn(
    folder: Path, names: str, each: int, in_git: bool
) -> None:
    if in_git:
        plain_git(folder, "init", "--quiet")
        (folder / ".gitignore").write_text(".mem/\n", encoding="utf-8")
        plain_git(folder, "add", "--all")
        trust.trust(folder, os.environ)
    crowd = [spawn("add_many.py", folder, name, each) for name in names]
    assert [process.wait(120) for process in crowd] == [0] * len(names)
    for process in crowd:
        assert process.stdout is not None
        process.stdout.close()
    vault = opened(folder)
    found = list(vault.entries())
    assert sorted(e.words for e in found) == sorted(f"14:30 {name} {n} 说了什么" for name in names for n in range(each))
    assert {e.path for e in found} == {LOG}
    assert len(list(journal.read_journal(folder, journal.AUDIT))) == len(names) * each
    assert leftovers(folder) == []
    if in_git:
        assert plain_git(folder, "status", "--porcelain") == "A  .gitignore"  # staged by the person, and left so
        assert plain_git(folder, "rev-list", "--count", "HEAD") == str(len(names) * each)


# -- sudden death ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_any_moment_every_file_is_old_or_new_and_no_memory_is_lost(repository: Path, seed: int) -> None:
    chance = random.Random(seed)
    vault = opened(repository)
    for number in range(8):
        known = {entry.raw for entry in vault.entries()}
        victim = spawn("add_many.py", repository, f"{seed}-{number}", 1000)
        assert victim.stdout is not None
        victim.stdout.readline()  # it is writing now
        time.sleep(chance.random() * 0.25)
        os.killpg(victim.pid, signal.SIGKILL)  # with the git it may have called
        victim.wait()
        reported = [line.strip() for line in victim.stdout]
        victim.stdout.close()
        now = [entry.raw for entry in vault.entries()]
        assert known <= set(now)
        assert all(any(said in raw for raw in now) for said in reported)
        assert all(raw.endswith("说了什么") for raw in now)
        assert not now or text(vault).endswith("\n")  # killed before its first word, on a busy machine
        add(vault, Memory(f"after {number} 说了什么"))
        assert vault.notices == []  # journalled and committed as ever
        assert leftovers(repository) == []
    assert plain_git(repository, "fsck", "--no-dangling") == ""


def test_killed_while_forgetting_a_memory_is_there_once_or_twice_but_never_not_at_all(folder: Path) -> None:
    chance = random.Random(7)
    vault = opened(folder)
    for number in range(30):
        add(vault, Memory(f"memory {number}", to="list"))
    victim = spawn("forget_many.py", folder)
    assert victim.stdout is not None
    for _ in range(chance.randrange(1, 6)):
        victim.stdout.readline()
    time.sleep(chance.random() * 0.02)
    victim.kill()
    victim.wait()
    victim.stdout.close()
    live = [e.words for e in vault.entries()]
    archived = [e.words for e in vault.entries(Filter(kinds=frozenset({"archive"})))]
    assert {*live, *archived} == {f"memory {number}" for number in range(30)}
    assert archived
    add(vault, Memory("the next door is green"))
    assert leftovers(folder) == []


def test_a_crash_between_the_archive_and_the_file_repeats_rather_than_loses(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = add(vault, Memory("tea", to="list")).entry
    real = files.replace

    def replace(path: Path, new: str, before: files.FileContent, spool: Path | None = None) -> bool:
        if path.name == "list.md" and "archive" not in path.parts:
            raise KeyboardInterrupt
        return real(path, new, before, spool)

    monkeypatch.setattr(files, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        forget(vault, entry)
    assert "tea" in text(vault, "list.md")
    assert "tea" in text(vault, "archive/list.md")


def test_a_write_to_two_files_happens_whole_or_not_at_all(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = add(vault, Memory("tea", to="list")).entry
    before = text(vault, "list.md")
    real = files.replace

    def replace(path: Path, new: str, source: files.FileContent, spool: Path | None = None) -> bool:
        if path.name == "list.md" and "archive" not in path.parts:
            raise VaultError("list.md: can't be written: No space left on device", "nothing was changed")
        return real(path, new, source, spool)

    monkeypatch.setattr(files, "replace", replace)
    with pytest.raises(VaultError):
        forget(vault, entry)
    assert text(vault, "list.md") == before
    assert not (vault.root / "archive" / "list.md").exists()


# -- disks and folders -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_on_a_full_disk_nothing_is_changed_and_the_message_says_so(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    add(vault, Memory("first"))
    before = text(vault)

    def fsync(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(VaultError) as failed:
        add(vault, Memory("second"))
    assert "disk is full" in failed.value.hint
    monkeypatch.undo()
    assert text(vault) == before
    add(vault, Memory("third"))
    assert leftovers(vault.root) == []


def test_a_lock_that_can_not_name_its_holder_is_held_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with hold_lock(tmp_path / "lock", 0, "add"), pytest.raises(Busy), hold_lock(tmp_path / "lock", 0, "edit"):
        pass


def test_a_journal_that_can_not_be_written_does_not_turn_a_memory_into_a_failure(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise VaultError("audit.jsonl: can't be written: No space left on device")

    monkeypatch.setattr(journal, "append", fail)
    add(vault, Memory("tea"))
    assert "tea" in text(vault)
    assert any("not journalled: audit.jsonl" in notice for notice in vault.notices)


@pytest.mark.parametrize("made", [True, False])
def test_in_a_read_only_folder_the_message_names_the_place(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, made: bool
) -> None:
    if made:
        files.make_cache(vault.cache)

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(VaultError) as failed:
        add(vault, Memory("tea"))
    assert "can't be written: Permission denied" in failed.value.message
    assert "read-only" in failed.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_in_a_folder_that_is_read_only_for_this_user(vault: Vault) -> None:
    vault.root.chmod(0o500)
    try:
        with pytest.raises(VaultError, match="can't be written"):
            add(vault, Memory("tea"))
    finally:
        vault.root.chmod(0o700)


# -- locks -----------------------------------------------------------------------------------------------------------


def test_a_lock_held_by_a_living_process_names_it(folder: Path) -> None:
    vault = opened(folder, write__lock_timeout=0.1)
    files.make_cache(vault.cache)
    holder = spawn("hold_lock.py", vault.cache / "lock")
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(Refused) as refused:
            add(vault, Memory("tea"))
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    assert f"`mem sync` (process {holder.pid})" in refused.value.message
    assert "0.1 s" in refused.value.message
    assert list(vault.entries()) == []
    add(vault, Memory("tea"))  # it died holding the lock, which died with it
    assert len(list(vault.entries())) == 1


def test_a_lock_is_waited_for(folder: Path) -> None:
    vault = opened(folder, write__lock_timeout=30)
    files.make_cache(vault.cache)
    holder = spawn("hold_lock.py", vault.cache / "lock", 0.3)
    assert holder.stdout is not None
    holder.stdout.readline()
    add(vault, Memory("tea"))
    assert holder.wait() == 0
    holder.stdout.close()
    assert len(list(vault.entries())) == 1


def test_a_lock_file_that_is_a_link_does_not_harm_what_it_leads_to(vault: Vault, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("keep", encoding="utf-8")
    files.make_cache(vault.cache)
    (vault.cache / "lock").symlink_to(precious)
    with pytest.raises(MemError):
        add(vault, Memory("tea"))
    assert precious.read_text(encoding="utf-8") == "keep"


def test_the_lock_is_free_again_after_a_failure(folder: Path) -> None:
    files.make_cache(folder / ".mem")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), hold_lock(folder / ".mem" / "lock", 0, "add"):
            raise ZeroDivisionError


# -- git -------------------------------------------------------------------------------------------------------------


def test_a_write_is_a_commit_of_its_own_files_at_the_vaults_time(repository: Path) -> None:
    (repository / "draft.md").write_text("not yet\n", encoding="utf-8")
    vault = opened(repository)
    added = add(vault, Memory("tea"))
    assert plain_git(repository, "log", "-1", "--format=%h %aI %s") == (
        f"{added.written.commit} 2026-11-21T14:30:00+08:00 mem add: {LOG} ({added.entry.id})"
    )
    assert plain_git(repository, "show", "--name-only", "--format=").split() == ["journal/audit.jsonl", LOG]
    assert plain_git(repository, "status", "--porcelain") == "?? draft.md"
    assert vault.notices == []


def test_what_the_person_has_staged_stays_staged(repository: Path) -> None:
    (repository / "draft.md").write_text("not yet\n", encoding="utf-8")
    plain_git(repository, "add", "draft.md")
    add(opened(repository), Memory("tea"))
    assert plain_git(repository, "status", "--porcelain") == "A  draft.md"


def test_committing_can_be_turned_off(repository: Path) -> None:
    add(opened(repository, write__commit=False), Memory("tea"))
    assert plain_git(repository, "rev-list", "--count", "HEAD") == "1"


@pytest.mark.parametrize("name", ["[a].md", ":b.md", "-c.md", "ü*.md", '"q".md', "a b.md"])
def test_strange_file_names_are_committed_too(repository: Path, name: str) -> None:
    vault = opened(repository)
    add(vault, Memory("tea", to=f"./{name}"))
    assert vault.notices == []
    assert plain_git(repository, "status", "--porcelain") == ""


def test_without_an_identity_the_memory_is_kept_and_the_reason_told(
    repository: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", encoding="utf-8")
    vault = opened(repository)
    added = add(vault, Memory("tea"))
    assert "tea" in text(vault)
    assert added.written.commit == ""
    (notice,) = vault.notices
    assert "written, not committed: git does not know who you are: git config --global user.name" in notice


def test_without_the_git_program_the_memory_is_kept_and_the_reason_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    vault = opened(repository)
    add(vault, Memory("tea"))
    assert "tea" in text(vault)
    assert vault.notices == [
        "written, not committed: git is not installed: install git, or set write.commit to false",
    ]


def test_an_ignored_log_is_written_and_that_it_is_not_committed_is_told(repository: Path) -> None:
    (repository / ".gitignore").write_text(".mem/\nlogs/\njournal/\n", encoding="utf-8")
    vault = opened(repository)
    add(vault, Memory("tea"))
    assert vault.notices == ["written, not committed: the file is ignored by .gitignore"]


def test_an_ignored_journal_keeps_no_memory_from_being_committed(repository: Path) -> None:
    (repository / ".gitignore").write_text(".mem/\njournal/\n", encoding="utf-8")
    vault = opened(repository)
    added = add(vault, Memory("tea"))
    assert (bool(added.written.commit), vault.notices) == (True, [])


@pytest.mark.parametrize("state", ["MERGE_HEAD", "rebase-merge"])
def test_a_merge_under_way_is_not_meddled_with(repository: Path, state: str) -> None:
    (repository / ".git" / state).write_text("", encoding="utf-8")
    vault = opened(repository)
    add(vault, Memory("tea"))
    assert "is under way" in vault.notices[0]
    assert plain_git(repository, "rev-list", "--count", "HEAD") == "1"


def test_an_index_locked_by_somebody_elses_git_is_told_and_left_alone(repository: Path) -> None:
    (repository / ".git" / "index.lock").write_text("", encoding="utf-8")
    vault = opened(repository)
    add(vault, Memory("tea"))
    assert "another git is at work" in vault.notices[0]
    assert (repository / ".git" / "index.lock").exists()


def test_only_an_index_that_is_locked_is_called_locked() -> None:
    taken = "fatal: Unable to create '/v/.git/index.lock': File exists."
    full = "fatal: Unable to create '/v/.git/index.lock': No space left on device"
    assert "another git" in program.plain(program.Answer(128, b"", taken))
    assert program.plain(program.Answer(128, b"", full)) == full


def test_the_lock_of_a_git_that_died_with_mem_is_cleared(repository: Path) -> None:
    vault = opened(repository)
    files.make_cache(vault.cache)
    (vault.cache / locks.RECORD).touch()
    for name in ("index.lock", "HEAD.lock", "refs/heads/main.lock"):
        (repository / ".git" / name).touch()
    (check, *_) = [check for check in health.checks(vault) if "index.lock" in check.detail]
    assert (check.state, check.fix) == (NOTE, "the next write removes it")
    add(vault, Memory("tea at four"))
    assert vault.notices == []
    assert plain_git(repository, "status", "--porcelain") == ""


def test_a_git_that_outlived_mem_keeps_its_locks(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.5)
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch .git/HEAD.lock '{tmp_path}/begun'\nexec sleep 60\n", encoding="utf-8")
    hook.chmod(0o755)
    trust.trust(repository, os.environ)
    words = (sys.executable, "-m", "memcli", "--vault", str(repository), "add", "tea at four is the rule")
    killed = subprocess.Popen(words, start_new_session=True)
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    killed.kill()
    killed.wait()
    locks.clear(repository, repository / ".mem")
    assert (repository / ".git" / "HEAD.lock").exists()
    os.killpg(killed.pid, signal.SIGKILL)
    locks.clear(repository, repository / ".mem")
    assert not (repository / ".git" / "HEAD.lock").exists()


@pytest.mark.parametrize("words", [("sync",), ("add", "tea at four is the rule")])
def test_killed_with_its_git_no_lock_stays_for_good(
    repository: Path, tmp_path: Path, mem: Callable[..., Ran], words: tuple[str, ...]
) -> None:
    plain_git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    plain_git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch .git/index.lock '{tmp_path}/begun'\nexec sleep 60\n", encoding="utf-8")
    hook.chmod(0o755)
    (repository / "new.md").write_text("- by hand\n", encoding="utf-8")
    trust.trust(repository, os.environ)
    killed = subprocess.Popen(
        [sys.executable, "-m", "memcli", "--vault", str(repository), *words], start_new_session=True
    )
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert (repository / ".git" / "index.lock").exists()
    hook.unlink()
    trust.trust(repository, os.environ)
    ran = mem("sync")
    assert ran.code == 0 and "lock" not in ran.err, ran
    assert plain_git(repository, "status", "--porcelain") == ""


def test_a_lock_that_was_taken_before_is_not_ours_to_clear(repository: Path) -> None:
    vault = opened(repository)
    files.make_cache(vault.cache)
    lock = repository / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    (vault.cache / locks.RECORD).touch()
    add(vault, Memory("tea"))
    assert "another git is at work" in vault.notices[0]
    assert lock.exists()


def test_a_vault_inside_another_repository_is_not_committed_there(repository: Path) -> None:
    inner = repository / "memory"
    inner.mkdir()
    vault = opened(inner)
    added = add(vault, Memory("tea"))
    assert (added.written.commit, vault.notices) == ("", [])
    assert plain_git(repository, "rev-list", "--count", "HEAD") == "1"


# -- bookkeeping -----------------------------------------------------------------------------------------------------


def test_a_write_that_changes_nothing_leaves_no_trace(vault: Vault) -> None:
    (vault.root / "list.md").write_text("- a\n", encoding="utf-8")
    done = write_vault(vault, "edit", [("list.md", lambda before: before)])
    assert done.changes == ()
    assert not (vault.root / "journal").exists()


def test_an_edit_that_returns_nothing_takes_the_file_away(vault: Vault) -> None:
    (vault.root / "list.md").write_text("- a\n", encoding="utf-8")
    write_vault(vault, "tidy", [("list.md", lambda _: None), ("absent.md", lambda _: None)])
    assert not (vault.root / "list.md").exists()


def test_only_the_latest_writes_can_be_taken_back(vault: Vault) -> None:
    for number in range(changes.KEPT + 3):
        write_vault(vault, "edit", [("list.md", lambda before, n=number: before + f"- {n}\n")])
    assert len(changes.read_undo_records(vault.cache)) == changes.KEPT


def test_an_undo_list_that_makes_no_sense_is_passed_over(vault: Vault) -> None:
    files.make_cache(vault.cache)
    lines = ["{", "[]", '{"hunks": 5}', '{"hunks": [{"path": "x"}]}', json.dumps({"hunks": []})]
    (vault.cache / "undo.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert changes.read_undo_records(vault.cache) == []


def test_the_actor_and_the_time_are_the_callers(folder: Path, mem: Callable[..., Ran]) -> None:
    mem("add", "tea", MEM_ACTOR="bot", MEM_NOW="2026-11-20T23:30:00Z")
    (record,) = journal.read_journal(folder, journal.AUDIT)
    assert (record["by"], record["at"]) == ("bot", "2026-11-21T07:30:00")


def test_git_is_never_asked_anything(monkeypatch: pytest.MonkeyPatch, repository: Path) -> None:
    answer = program.ask(repository, "no-such-command")
    assert not answer.ok
    assert "no-such-command" in answer.why
