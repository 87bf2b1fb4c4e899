"""`edit` and `forget`: exchanged or archived, never deleted silently."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memcli.errors import Refused, UsageError
from memcli.remember import edit, finish, forget
from memcli.vault.vault import Filter, Vault
from tests.conftest import opened
from tests.vault import texts

ARCHIVE = Filter(kinds=frozenset({"archive"}))


def put(vault: Vault, path: str, text: str) -> None:
    (vault.root / path).parent.mkdir(parents=True, exist_ok=True)
    (vault.root / path).write_bytes(text.encode())


def text(vault: Vault, path: str) -> str:
    return (vault.root / path).read_bytes().decode()


def test_a_promise_in_plain_words_is_ticked_like_a_task(vault: Vault) -> None:
    put(vault, "list.md", "# L\n\n- bring Jana her drill\n- [ ] ring the vet\n\nA paragraph.\n")
    promise, task, paragraph = vault.entries()
    finish(vault, promise)
    finish(vault, task)
    day = vault.today
    assert text(vault, "list.md") == (
        f"# L\n\n- [x] bring Jana her drill [done:: {day}]\n- [x] ring the vet [done:: {day}]\n\nA paragraph.\n"
    )
    for entry in (paragraph, next(iter(vault.entries()))):
        with pytest.raises(UsageError, match="not an open task"):
            finish(vault, entry)


def test_editing_changes_one_memory_and_nothing_else(vault: Vault) -> None:
    put(vault, "list.md", "\ufeff# L\r\n\r\n- a\r\n- b\r\n  more\r\n\r\ntail")
    edit(vault, vault.find_entry("list.md:4"), "- B\n  even more")
    assert text(vault, "list.md") == "\ufeff# L\r\n\r\n- a\r\n- B\r\n  even more\r\n\r\ntail"


def test_editing_to_nothing_is_refused(vault: Vault) -> None:
    put(vault, "list.md", "- a\n")
    with pytest.raises(UsageError, match="would delete"):
        edit(vault, vault.find_entry("list.md:1"), " \n")


def test_what_was_added_elsewhere_meanwhile_stays(vault: Vault) -> None:
    put(vault, "list.md", "- a\n- b\n")
    entry = vault.find_entry("list.md:2")
    put(vault, "list.md", "- new\n- a\n- b\n- c\n")
    edit(vault, entry, "- B")
    assert text(vault, "list.md") == "- new\n- a\n- B\n- c\n"


def test_a_memory_changed_meanwhile_is_not_clobbered(vault: Vault) -> None:
    put(vault, "list.md", "- a\n")
    entry = vault.find_entry("list.md:1")
    put(vault, "list.md", "- a, changed in an editor\n")
    for act in (lambda: edit(vault, entry, "- b"), lambda: forget(vault, entry)):
        with pytest.raises(Refused):
            act()
    assert text(vault, "list.md") == "- a, changed in an editor\n"


def test_forgetting_moves_a_memory_to_the_archive_with_date_and_origin(vault: Vault) -> None:
    put(vault, "logs/2026-11-20.md", "# Fri\n\n- 9:00 tea\n- 10:00 coffee ^c\n")
    entry = vault.find_entry("^c")
    forget(vault, entry)
    assert text(vault, "logs/2026-11-20.md") == "# Fri\n\n- 9:00 tea\n"
    assert text(vault, "archive/logs/2026-11-20.md") == (
        "- 10:00 coffee [archived:: 2026-11-21] [from:: logs/2026-11-20.md:4] ^c\n"
    )
    assert [e.raw for e in vault.entries()] == ["- 9:00 tea"]
    assert vault.find_entry("^c").day == entry.day


def test_a_forgotten_memory_keeps_the_day_its_heading_gave_it(vault: Vault) -> None:
    put(vault, "notes.md", "# 2026-11-02\n\nsome prose\nin lines\n")
    forget(vault, vault.find_entry("notes.md:3"))
    (kept,) = vault.entries(ARCHIVE)
    assert str(kept.day) == "2026-11-02"
    assert kept.raw.startswith("- some prose [archived:: 2026-11-21]")
    assert kept.raw.endswith("\n  in lines")


def test_what_is_archived_is_not_archived_again(vault: Vault) -> None:
    put(vault, "archive/list.md", "- a\n")
    with pytest.raises(UsageError, match="archive already"):
        forget(vault, vault.find_entry("archive/list.md:1"))


def test_an_agents_memory_stays_in_its_own_archive(vault: Vault) -> None:
    put(vault, "agents/bot/list.md", "- a\n")
    forget(vault, vault.find_entry("agents/bot/list.md:1"))
    assert (vault.root / "agents/bot/archive/list.md").exists()


@pytest.mark.slow
@settings(max_examples=60)
@given(texts.documents(), st.data())
def test_forgetting_loses_no_word(tmp_path_factory: pytest.TempPathFactory, before: str, data: st.DataObject) -> None:
    vault = opened(tmp_path_factory.mktemp("vault"))
    put(vault, "notes.md", before)
    found = list(vault.entries())
    assume(found)
    entry = data.draw(st.sampled_from(found))
    forget(vault, entry)
    left = list(vault.entries())
    (kept,) = vault.entries(ARCHIVE)
    before_words = Counter(word for e in found for word in e.raw.split())
    after_words = Counter(word for e in left for word in e.raw.split()) + Counter(kept.raw.split())
    markers = {"-", "*", "+", "1.", "2)", "[", "]", "[x]"}
    assert not {word for word in before_words - after_words if word not in markers}
