"""The doors of deep search."""

from __future__ import annotations

from dataclasses import dataclass

from memcli.deep.passages import Evidence
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class Found:
    """Evidence for a prompt: fenced lines, each with its source, and the passages they were made of."""

    text: str = ""
    items: tuple[Evidence, ...] = ()


def evidence(vault: Vault, query: str, budget: int = 300) -> Found:
    """What the documents of this vault say to a question, in at most so many tokens. No model is asked."""
    return Found()
