"""The gates together: their order, what the settings and flags open, and that nothing sensitive is left anywhere."""

from __future__ import annotations

import random
import string
from datetime import date
from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.recall import Request, recall
from memcli.remember import Memory, TurnedAway, add, edit, note_edit
from memcli.remember.gates import duplicate
from memcli.remember.gates.gate import judge
from memcli.vault.vault import Vault
from tests.conftest import git, opened

KEY = "ghp_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))


def everything(root: Path) -> str:
    """All bytes below a folder: files, cache, journal, and what git keeps."""
    return "".join(
        f"{path}\n{path.read_bytes().decode('utf-8', 'replace')}" for path in sorted(root.rglob("*")) if path.is_file()
    )


@pytest.mark.parametrize(
    "memory",
    [
        Memory(f"the build uses {KEY} until May"), Memory(f"{KEY[:20]}\n  {KEY[20:]} is the build's"), Memory("the build", tags=(KEY,)),
        Memory("the build", to=f"notes/{KEY}"), Memory("the build", to=f"MEMORY.md#{KEY}"), Memory(f"the build ^{KEY}"),
        Memory(f"the build [token:: {KEY}]"), Memory(f"the build #{KEY}"), Memory(KEY[:10] + "\u200b" + KEY[10:] + " is the build's"),
    ],
)  # fmt: skip
def test_a_key_reaches_neither_file_nor_journal_nor_cache_nor_git(repository: Path, memory: Memory) -> None:
    vault = opened(repository)
    add(vault, Memory("a first memory"))
    with pytest.raises(TurnedAway, match="API key") as no:
        add(vault, memory)
    assert KEY not in str(no.value) + no.value.hint + str(no.value.verdicts) + str(vault.notices)
    left = everything(repository) + git(repository, "log", "-p", "--all")
    assert KEY not in left and KEY[20:] not in left and KEY[:20] not in left


def test_what_is_blacked_out_reaches_nothing_either(repository: Path) -> None:
    vault = opened(repository)
    entry = add(vault, Memory("the invoices go to anna@posteo.net on Sundays", type="quote")).entry
    assert entry.words == "14:30 the invoices go to [REDACTED_EMAIL] on Sundays"
    assert any("an e-mail address" in notice for notice in vault.notices)
    assert "posteo" not in everything(repository) + git(repository, "log", "-p", "--all") + str(vault.notices)


def test_the_policy_is_the_users(folder: Path) -> None:
    said = Memory("the invoices go to anna@posteo.net on Sundays")
    with pytest.raises(Refused, match="e-mail"):
        add(opened(folder, gates__email="refuse"), said)
    assert "posteo" in add(opened(folder, gates__email="allow"), said).entry.words
    assert (
        "[REDACTED_PASSWORD]"
        in add(opened(folder, gates__password="redact"), Memory("password: hunter2 for the door")).entry.raw
    )


def test_force_opens_worth_and_duplicate_but_not_the_sensitive_gate(vault: Vault) -> None:
    for _ in range(2):
        add(vault, Memory("ok"), force=True)
    assert len(list(vault.entries())) == 2
    with pytest.raises(TurnedAway):
        add(vault, Memory(f"key {KEY}"), force=True)
    assert KEY in add(vault, Memory(f"key {KEY}"), allow_sensitive=True).entry.raw


def test_worth_and_duplicate_can_be_turned_off(folder: Path) -> None:
    vault = opened(folder, gates__worth=False, gates__duplicate=False)
    add(vault, Memory("ok"))
    add(vault, Memory("ok"))
    assert len(list(vault.entries())) == 2


def test_a_refusal_says_why_and_what_to_do_and_has_the_code_of_a_gate(vault: Vault) -> None:
    with pytest.raises(TurnedAway) as no:
        add(vault, Memory("thanks!"))
    assert (no.value.code, no.value.message) == (4, "not kept: it is small talk")
    assert "--force" in no.value.hint
    assert not (vault.root / "logs").exists()


def test_nothing_behind_the_sensitive_gate_sees_what_it_blacked_out(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(duplicate, "find_by_meaning", lambda vault, text, day: seen.append(text))
    judge(vault, "the invoices go to anna@posteo.net on Sundays")
    assert seen == ["the invoices go to [REDACTED_EMAIL] on Sundays"]
    passed = judge(vault, f"key {KEY}")
    assert [verdict.gate for verdict in passed.verdicts] == ["sensitive"] and len(seen) == 1


def test_what_means_the_same_is_a_duplicate_when_somebody_can_tell(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = add(vault, Memory("Redis replaces the local cache")).entry
    monkeypatch.setattr(duplicate, "find_by_meaning", lambda vault, text, day: old)
    assert judge(vault, "we no longer cache in process but in Redis").merged == old


@pytest.mark.parametrize(
    ("confidence", "action"), [(0.05, "refuse"), (0.1, "keep"), (0.6, "keep"), (0.7, "keep"), (0.9, "keep")]
)
def test_what_hardly_anybody_believes_is_not_kept(vault: Vault, confidence: float, action: str) -> None:
    verdict = judge(vault, "prefers tea in the morning", confidence=confidence).verdicts[-1]
    assert (verdict.gate, verdict.action) == ("confidence", action)
    assert ("above 0.7" in verdict.reason) == (0.1 <= confidence <= 0.7)


def test_without_a_word_left_there_is_nothing_to_keep(vault: Vault) -> None:
    with pytest.raises(TurnedAway, match="nothing worth keeping is left without an e-mail address"):
        add(vault, Memory("anna@posteo.net"))


def test_what_is_typed_into_an_editor_passes_the_gate_and_what_stood_there_is_not_judged(vault: Vault) -> None:
    entry = add(vault, Memory("the build has a key")).entry
    with pytest.raises(Refused, match="an API key or token"):
        edit(vault, entry, f"{entry.raw}: {KEY}")
    assert KEY not in (vault.root / entry.path).read_text(encoding="utf-8")
    edit(vault, entry, f"{entry.raw}: {KEY}", allow_sensitive=True)
    assert KEY in (vault.root / entry.path).read_text(encoding="utf-8")
    vault.notices.clear()
    note_edit(vault, "a.md", "- anna@posteo.net\n", "- anna@posteo.net\n- Lin\n")
    assert not vault.notices  # it was there before
    note_edit(vault, "a.md", "- Lin\n", "- Lin\n- anna@posteo.net\n")
    assert any("an e-mail address" in notice for notice in vault.notices)
    assert "anna" not in (vault.root / "a.md").read_text(encoding="utf-8")


def test_ten_megabytes_are_a_document(vault: Vault) -> None:
    with pytest.raises(Refused, match="a document"):
        add(vault, Memory("x" * 10 * 2**20))
    with pytest.raises(TurnedAway, match="a document"):
        add(vault, Memory("x\n" * 60_000))


@pytest.mark.parametrize("form", ["md", "xml"])
def test_what_recall_printed_is_not_stored_again(vault: Vault, form: str) -> None:
    add(vault, Memory("Redis replaces the local cache"))
    block = recall(vault, Request("what replaces the cache", format=form)).text
    with pytest.raises(TurnedAway, match="what mem itself had printed"):
        add(vault, Memory(f"look:\n{block}"))


def test_what_a_day_is_given_to_is_no_chatter(vault: Vault) -> None:
    with pytest.raises(TurnedAway):
        add(vault, Memory("DeWalt drill second battery ordered"))
    assert add(vault, Memory("DeWalt drill second battery ordered", day=date(2026, 11, 17))).entry.raw
