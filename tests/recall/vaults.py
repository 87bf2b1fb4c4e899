"""Vaults laid out of plain mappings, and questions asked of them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from memcli.recall import Block, Request, query, recall
from memcli.recall.engine import search_vault
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.vault.entries import Entry, parse_document
from memcli.vault.vault import Filter, Vault
from tests.conftest import NOW, opened

TODAY = NOW.date()
SAMPLE = Path(__file__).parents[2] / "sample_vault"
SAMPLE_NOW = datetime(2026, 11, 21, 12)


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Exactly these files, byte for byte, in a folder that is emptied first."""
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return folder


def ask(folder: Path, question: str = "", **request: Any) -> Block:
    return recall(opened(folder).seen_by(request.pop("agent", None)), Request(question, **request))


def ask_sample(question: str, **request: Any) -> Block:
    """A question to the sample vault on its own day."""
    return recall(opened(SAMPLE, SAMPLE_NOW), Request(question, **request))


def ground(vault: Vault, question: str, want: Filter | None = None, **tags: list[str]) -> VaultSearch:
    """The search for a question, before any path has gone over it."""
    return search_vault(vault, query.parse(question, vault.today, tags), want or Filter())


def texts(block: Block) -> list[str]:
    return [each.text for each in block.chosen]


def places(block: Block) -> list[str]:
    return [each.scored.entry.place for each in block.chosen]


def entry(raw: str, path: str = "logs/2026-11-20.md") -> Entry:
    """The first entry of a text."""
    return parse_document(path, raw).entries[0]


def scored(raw: str, score: float = 1.0, path: str = "logs/2026-11-20.md") -> ScoredMemory:
    return ScoredMemory(entry(raw, path), score, {}, ("text",), ())


def log(day: date) -> str:
    return f"logs/{day.isoformat()}.md"
