"""The Python door: `from memcli import Vault`."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from memcli import Vault
from memcli.errors import UsageError
from memcli.recall import Block
from memcli.text import tokens
from tests.conftest import NOW
from tests.features import needs


@pytest.fixture
def memory(folder: Path) -> Vault:
    vault = Vault.open(folder, lambda: NOW)
    vault.add("Redis replaces the local cache", tags=["cache"], type="quote")
    vault.add("Noodles with Wang")
    return vault


def test_what_is_added_is_recalled(memory: Vault) -> None:
    block = memory.recall("what did we decide about the cache")
    assert isinstance(block, Block)
    assert block.matched
    assert block.chosen[0].scored.entry.place == "logs/2026-11-21.md:3"
    assert "Redis replaces the local cache" in block.text


def test_one_memory_takes_the_place_of_another(memory: Vault) -> None:
    old, new = (memory.add(f"The desk is on floor {n}", type="fact") for n in (2, 3))
    memory.supersede(old.id, new.id)
    assert memory.find_entry(old.id).superseded == new.id


def test_recall_from_python_says_what_the_command_line_says(memory: Vault, mem) -> None:
    assert memory.recall("the cache").text == mem("recall", "the cache").out


def test_recall_takes_what_the_flags_of_the_command_take(memory: Vault) -> None:
    assert memory.recall("cache", budget=60).tokens <= 60
    assert memory.recall("cache noodles", most=1).chosen[1:] == ()
    assert not memory.recall("cache", until=date(2026, 11, 20)).matched
    assert [each.scored.entry.tags for each in memory.recall("redis noodles", tags=["cache"]).chosen] == [("cache",)]
    assert not memory.recall("cache", path="MEMORY.md").matched
    xml = memory.recall("cache", format="xml")
    assert xml.text.startswith("<memory")
    assert xml.tokens == tokens.count(xml.text)
    with pytest.raises(UsageError, match="--format html"):
        memory.recall("cache", format="html")


def test_days_may_be_given_in_words_and_one_tag_as_a_text(memory: Vault) -> None:
    memory.add("The harbour gate closes at ten", tags="harbour")
    assert memory.recall("harbour gate", tags="harbour", since="last week").matched
    assert not memory.recall("harbour gate", until="2020-01-01").matched
    with pytest.raises(UsageError, match="is not a day"):
        memory.recall("harbour gate", since="when the cows come home")


def test_settings_may_be_given_by_name(folder: Path, memory: Vault) -> None:
    assert Vault.open(folder, lambda: NOW, recall__budget=50).recall("cache").tokens <= 50


def test_what_is_forgotten_is_not_recalled(memory: Vault) -> None:
    memory.forget(memory.recall("cache").chosen[0].scored.entry.id)
    assert not memory.recall("redis").matched


@pytest.mark.slow
def test_importing_the_package_loads_nothing_heavy(folder: Path) -> None:
    code = "import sys; from memcli import Vault; print([n for n in ('tiktoken', 'python_ripgrep', 'typer', 'yaml') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@needs("learn")
def test_preferences_labels_and_what_is_learnt(memory: Vault) -> None:
    memory.prefer("drink", "tea")
    memory.prefer("drink", "coffee", scope="tramontane")
    assert memory.preferences()["drink"].value == "tea"
    assert memory.preferences("tramontane")["drink"].value == "coffee"
    assert memory.label("office", "12 Example Road", aliases=["work"]).name == memory.labels()[0].name == "office"
    said = "user: I'm a potter\nassistant: fine\nuser: my wife is called Ana"
    assert [kept.atom.value for kept in memory.learn(said, agree=lambda atom: atom.type == "label")] == ["Ana"]
    assert {kept.atom.value for kept in memory.learn(said)} == {"potter", "Ana"}


@needs("ask")
def test_a_deep_search_from_python_brings_its_evidence(memory: Vault) -> None:
    found = memory.ask("what did we decide about the cache", evidence=True, most=3)
    assert "Redis" in found.items[0].text and not found.answer


@pytest.mark.slow
def test_the_door_alone_loads_nothing_heavy() -> None:
    rooms = "[name for name in sys.modules if name.startswith(('memcli.session', 'memcli.features'))]"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; from memcli import Vault; print({rooms})"], capture_output=True, text=True
    )
    assert done.stdout == "[]\n"
