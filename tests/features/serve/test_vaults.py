"""Many vaults in one process: warm while they are used, let go after, and never out of date."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli import warm as room
from memcli.recall import Request, recall
from memcli.remember import Memory, add
from memcli.warm import WarmVault, WarmVaults
from tests.conftest import NOW, opened


def a_vault(place: Path, word: str, files: int = 1) -> Path:
    (place / "logs").mkdir(parents=True)
    for number in range(files):
        (place / "logs" / f"2026-10-{number + 1:02}.md").write_text(f"- The {word} is on shelf {number}\n", "utf-8")
    return place


@pytest.fixture
def vaults() -> Iterator[WarmVaults]:
    made = some(most=3)
    yield made
    made.close()


def some(**bounds: Any) -> WarmVaults:
    told: list[str] = []
    return WarmVaults(lambda: NOW, dict(os.environ), told.append, **bounds)


def asked(vault: WarmVault, question: str) -> str:
    return recall(vault.reading(vault.root, lambda: NOW, dict(os.environ)), Request(question)).text


def test_each_vault_answers_from_its_own_files(vaults: WarmVaults, tmp_path: Path) -> None:
    for word in ("teapot", "violin"):
        a_vault(tmp_path / word, word)
    assert "teapot is on shelf 0" in asked(vaults.at(tmp_path / "teapot"), "where is the teapot")
    assert "teapot" not in asked(vaults.at(tmp_path / "violin"), "where is the violin")


def test_the_same_block_as_without_a_server(vaults: WarmVaults, tmp_path: Path) -> None:
    root = a_vault(tmp_path / "v", "teapot", 20)
    assert asked(vaults.at(root), "teapot") == recall(opened(root), Request("teapot")).text


def test_no_more_vaults_are_open_than_may_be_and_those_asked_last_stay(vaults: WarmVaults, tmp_path: Path) -> None:
    for number in range(5):
        asked(vaults.at(a_vault(tmp_path / str(number), "teapot")), "teapot")
    assert len(vaults.kept) == 3
    last, first = vaults.at(tmp_path / "4"), vaults.at(tmp_path / "0")
    assert last.size > 0 and first.size == 0  # the first was let go, so it has to be read again
    assert "teapot" in asked(first, "teapot")


def test_vaults_that_are_too_large_together_are_let_go_but_for_the_one_that_is_asked(tmp_path: Path) -> None:
    vaults = some(room=100)
    for number in range(3):
        asked(vaults.at(a_vault(tmp_path / str(number), "teapot", 5)), "teapot")
    vaults.let_go()
    assert len(vaults.kept) == 1
    assert vaults.at(tmp_path / "2").size > 0


def test_idle_vaults_are_let_go_without_anybody_asking(tmp_path: Path) -> None:
    vaults = some(idle=0.04)
    asked(vaults.at(a_vault(tmp_path / "v", "teapot")), "teapot")
    until = time.monotonic() + 20
    while len(vaults.kept) and time.monotonic() < until:
        time.sleep(0.01)
    assert not vaults.kept
    vaults.close()


@pytest.mark.parametrize("small", [room.SMALL, 0])
def test_what_a_writer_wrote_the_next_reader_finds(
    vaults: WarmVaults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(room, "SMALL", small)  # 0: this vault is a large one, which is watched
    vault = vaults.at(a_vault(tmp_path / "v", "teapot"))
    asked(vault, "teapot")
    for number, place in enumerate(("", "shelves.md#Upper", "deep/er/shelf.md", "shelves.md#Lower")):
        told = f"The astrolabe {number} belongs to Grandfather"
        add(vault.writing(vault.root, lambda: NOW, dict(os.environ)), Memory(told, to=place))
        vault.wrote()
        assert told in asked(vault, f"astrolabe {number} Grandfather")


def test_what_another_program_changed_is_found_once_it_is_compared(
    vaults: WarmVaults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = vaults.at(a_vault(tmp_path / "v", "teapot"))
    asked(vault, "teapot")
    monkeypatch.setattr(room, "FRESH", 0.0)
    (vault.root / "note.md").write_text("The astrolabe belongs to Grandfather\n", "utf-8")
    assert "astrolabe" in asked(vault, "astrolabe")
    (vault.root / "note.md").unlink()
    assert "astrolabe belongs" not in asked(vault, "astrolabe")


def test_who_works_with_a_vault_keeps_it_though_it_is_let_go(vaults: WarmVaults, tmp_path: Path) -> None:
    vault = vaults.at(a_vault(tmp_path / "v", "teapot"))
    reading = vault.reading(vault.root, lambda: NOW, dict(os.environ))
    vaults.close()
    assert "teapot" in recall(reading, Request("teapot")).text
    assert "teapot" in asked(vault, "teapot")
    assert not vault.is_watched
