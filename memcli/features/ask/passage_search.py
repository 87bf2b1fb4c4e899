"""Find passages for an agent. The vault's watcher does it if there is one, because it has the documents open."""

from __future__ import annotations

import json

from memcli.evidence import Evidence
from memcli.features.ask import page, pipeline
from memcli.vault.vault import Vault


def passages(vault: Vault, question: str, budget: int) -> str:
    """Return what the documents of this vault say about a question, or ""."""
    items = None if vault.source.stays else _of_watcher(vault, question)
    if items is None:
        return pipeline.evidence(vault, question, budget).text
    return page.brief(items, question, budget, vault.settings.recall.encoding)[0]


def _of_watcher(vault: Vault, question: str) -> list[Evidence] | None:
    """Return the passages that the watcher found, or None if there is none or it failed."""
    from memcli.watch import wire

    words = ["ask", "--evidence", "--source=knowledge", "--json", "--", question]
    code, answered = wire.run(str(vault.root), words, vault.environ, str(vault.root)) or (0, "")
    if not answered or code:
        return None
    told = json.loads(answered)["evidence"]
    return [Evidence(**{name: value for name, value in item.items() if name != "n"}) for item in told]
