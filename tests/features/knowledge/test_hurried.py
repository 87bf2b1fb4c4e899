"""The words of the shelf for who can't wait: the same documents, without LanceDB, and never those of yesterday."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memcli.features.knowledge import change, word_cache
from memcli.features.knowledge.store import open_reader
from memcli.vault.vault import Vault
from tests.features import import_feature, needs
from tests.features.knowledge.test_add import add, papers  # noqa: F401

QUESTIONS = ("withered leaves", "杀青", "fermented grains", "sorted keys")


def titles(vault: Vault, query: str) -> set[str] | None:
    found = word_cache.find_pieces(vault, query, 5)
    return None if found is None else {hit.row.title for hit in found}


def test_it_finds_the_pieces_that_the_table_finds(vault: Vault, papers: Path) -> None:  # noqa: F811
    add(vault, papers)
    there = open_reader(vault)
    assert there
    for question in QUESTIONS:
        assert {hit.row.id: hit.row for hit in word_cache.find_pieces(vault, question, 5) or ()} == {
            hit.row.id: hit.row for hit in there.words(question, 5)
        }
    assert titles(vault, 'whales" OR "') == titles(vault, "") == set()


def test_it_follows_every_change(vault: Vault, papers: Path) -> None:  # noqa: F811
    add(vault, papers)
    (papers / "tea.md").write_text("# Tea\n\nLeaves are rolled.\n", encoding="utf-8")
    add(vault)
    assert (titles(vault, "withered"), titles(vault, "rolled")) == (set(), {"Tea"})
    change.archive(vault, ["Kefir"])
    assert titles(vault, "fermented grains") == {"Kombucha"}
    change.restore(vault, ["Kefir"])
    assert titles(vault, "fermented grains") == {"Kombucha", "Kefir"}
    change.remove(vault, ["Kefir"])
    assert titles(vault, "grains") == set()


def test_one_older_than_the_table_or_broken_is_none_and_comes_back(vault: Vault, papers: Path) -> None:  # noqa: F811
    assert titles(vault, "tea") is None
    add(vault, papers)
    (vault.cache / "knowledge" / word_cache.NAME).write_bytes(b"rubbish")
    assert titles(vault, "withered") is None
    add(vault)
    assert titles(vault, "withered") == {"Tea"}
    there = open_reader(vault)
    assert there
    there.mark(there.documents(), "archived")  # as somebody else might
    assert titles(vault, "withered") is None


def test_a_large_shelf_has_none(vault: Vault, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(word_cache, "MOST", 2)
    add(vault, papers)
    assert titles(vault, "withered") is None


@needs("ask")
def test_a_cold_prompt_gets_its_documents_without_lancedb(vault: Vault, papers: Path) -> None:  # noqa: F811
    import_feature("memcli.features.talk")
    add(vault, papers)
    asked = (
        "import sys; from datetime import datetime; from pathlib import Path; from memcli.features.talk import prompt\n"
        "from memcli.vault.vault import open_vault\n"
        "vault = open_vault(Path(sys.argv[1]), datetime.now, {})\n"
        "print(prompt.build(vault, prompt.PromptRequest('why are leaves withered?')).layer('knowledge').text)\n"
        "assert 'lancedb' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", asked, str(vault.root)], capture_output=True, text=True, check=True)
    assert "Leaves are withered." in done.stdout
