"""The audit: append-only, each line vouching for those before it, across machines that merge by union."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from memcli.remember import Memory, add, edit, forget
from memcli.vault import chain, health, journal
from memcli.vault.vault import Vault
from tests.conftest import NOW, git, opened, trusted


def audit(root: Path) -> Path:
    return journal.place(root, journal.AUDIT)


def flaws(root: Path) -> list[tuple[int, str, bool]]:
    return list(chain.find_flaws(audit(root).read_text(encoding="utf-8")))


def doctor(root: Path) -> list[tuple[str, str]]:
    return [(check.state, check.detail) for check in health.checks(opened(root)) if check.name == "audit"]


def change(root: Path, number: int, old: str, new: str) -> None:
    lines = audit(root).read_text(encoding="utf-8").split("\n")
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    audit(root).write_text("\n".join(lines), encoding="utf-8")


def remove(root: Path, number: int) -> None:
    lines = audit(root).read_text(encoding="utf-8").split("\n")
    del lines[number - 1]
    audit(root).write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def written(vault: Vault) -> Path:
    """A vault with five writes."""
    for n in range(5):
        add(vault, Memory(f'memory "{n}",\nof two lines 记忆', tags=("a",)))
    return vault.root


def test_what_was_only_appended_to_has_no_flaw(written: Path) -> None:
    assert flaws(written) == []
    assert doctor(written) == []
    assert [json.loads(line)["action"] for line in audit(written).read_text().splitlines()] == ["add"] * 5


def test_the_end_of_a_torn_line_is_no_line_lost() -> None:
    assert chain.count_lost("one\ntwo\n", 'one\ntwo\n{"torn') == 0
    assert chain.count_lost("one\ntwo\n", "two\n") == 1


@pytest.mark.parametrize("number", range(1, 6))
def test_an_altered_line_shows(written: Path, number: int) -> None:
    change(written, number, '"by":"me"', '"by":"you"')
    assert flaws(written) == [(number, "was altered", True)]
    assert doctor(written) == [("broken", f"journal/audit.jsonl: line {number} was altered")]


@pytest.mark.parametrize("number", range(1, 5))
def test_a_line_taken_out_shows(written: Path, number: int) -> None:
    remove(written, number)
    assert flaws(written) == [(number, "follows a line that is gone", True)]


def test_a_line_altered_with_its_hash_made_anew_shows_where_it_is_missed(written: Path) -> None:
    lines = audit(written).read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[2])
    forged = json.dumps({k: v for k, v in record.items() if k not in ("prev", "hash")} | {"by": "you"})
    lines[2] = chain.seal(forged, "\n".join(lines[:2]))
    audit(written).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert flaws(written) == [(4, "follows a line that is gone", True)]


def test_lines_of_an_older_mem_are_accepted_before_the_first_that_vouches_and_named_after_it(written: Path) -> None:
    old = '{"at":"2026-11-01T10:00:00","by":"me","action":"add","paths":["a.md"]}\n'
    text = audit(written).read_text(encoding="utf-8")
    audit(written).write_text(old * 3 + text, encoding="utf-8")
    assert flaws(written) == []
    audit(written).write_text(old + text + old, encoding="utf-8")
    assert flaws(written) == [(7, "has no hash: torn, or by another program", False)]
    assert doctor(written)[0][0] == "note"


def test_a_line_torn_by_a_crash_does_not_break_the_chain(written: Path) -> None:
    whole = audit(written).read_text(encoding="utf-8")
    audit(written).write_text(whole + whole.splitlines()[-1][:40], encoding="utf-8")
    add(opened(written), Memory("after the crash"))
    assert [(number, grave) for number, _, grave in flaws(written)] == [(6, False)]


def test_line_ends_of_windows_are_no_tampering(written: Path) -> None:
    audit(written).write_bytes(audit(written).read_bytes().replace(b"\n", b"\r\n"))
    assert flaws(written) == []


def test_a_journal_longer_than_the_window_is_one_chain(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "WINDOW", 600)
    for n in range(10):
        add(opened(written), Memory(f"a further memory {n}"))
    assert flaws(written) == []
    prevs = [json.loads(line)["prev"].split() for line in audit(written).read_text().splitlines()]
    assert [len(prev) for prev in prevs] == [0] + [1] * 14


def test_two_machines_that_merge_by_union_stay_whole_and_vouch_for_both(repository: Path, tmp_path: Path) -> None:
    vault = opened(repository)
    add(vault, Memory("the shed is shared"))
    hub, other = tmp_path / "hub.git", tmp_path / "other"
    git(repository, "clone", "--quiet", "--bare", ".", str(hub))
    git(repository, "clone", "--quiet", str(hub), str(other))
    git(repository, "remote", "add", "origin", str(hub))
    git(repository, "fetch", "--quiet", "origin")
    there = trusted(other)
    for n in range(3):
        add(vault, Memory(f"the key of shed {n} is here", to="here"))
        add(there, Memory(f"the key of shed {n} is there", to="there"))
    git(other, "push", "--quiet")
    git(repository, "pull", "--quiet", "--rebase", "origin", "main")
    assert len(audit(repository).read_text().splitlines()) == 7
    assert flaws(repository) == []
    add(opened(repository), Memory("after the merge"))
    last = json.loads(audit(repository).read_text().splitlines()[-1])
    assert len(last["prev"].split()) == 2
    for number in range(1, 8):
        kept = audit(repository).read_text(encoding="utf-8")
        remove(repository, number)
        assert any(grave for _, _, grave in flaws(repository)), number
        audit(repository).write_text(kept, encoding="utf-8")
    assert doctor(repository) == []


def test_the_last_line_and_a_chain_made_anew_are_missed_by_git(repository: Path) -> None:
    for n in range(3):
        add(opened(repository), Memory(f"memory {n}"))
    remove(repository, 3)
    assert flaws(repository) == []
    assert doctor(repository) == [("broken", "journal/audit.jsonl: 1 line(s) that git has are altered or gone")]
    audit(repository).unlink()
    assert doctor(repository)[0][0] == "broken"


def test_the_audit_of_one_memory_follows_it_through_edits(vault: Vault) -> None:
    add(vault, Memory("the cat is called Miso", to="list"))
    first = add(vault, Memory("tea", to="list")).entry
    edit(opened(vault.root, NOW + timedelta(days=1)), first, "- coffee")
    second = vault.find_entry("list.md:2")
    assert second.hash != first.hash
    forget(opened(vault.root, NOW + timedelta(days=2)), second)
    for id in (first.id, second.id, second.hash):
        assert [each["action"] for each in journal.writes(vault.root, id=id)] == ["forget", "edit", "add"]
    assert len(journal.writes(vault.root)) == 4
    assert [e["action"] for e in journal.writes(vault.root, since=NOW.date() + timedelta(days=1))] == ["forget", "edit"]


def test_undo_is_a_line_too(vault: Vault) -> None:
    from memcli.vault import history

    add(vault, Memory("tea"))
    history.undo(vault)
    assert [each["action"] for each in journal.writes(vault.root)] == ["undo", "add"]
    assert flaws(vault.root) == []
    shutil.rmtree(vault.cache)
    add(vault, Memory("coffee"))
    assert flaws(vault.root) == []
