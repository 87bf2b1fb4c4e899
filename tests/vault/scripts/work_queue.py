"""Puts and does jobs until it is killed, and reports each before it is done: FOLDER FIRST."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from memcli.remember import Memory, add
from memcli.vault import queue
from memcli.vault.vault import Vault
from tests.conftest import opened


def keep(vault: Vault, payload: dict[str, Any]) -> None:
    """A handler as they must be: done again it adds nothing."""
    if payload["said"] not in {entry.words for entry in vault.entries()}:
        add(vault, Memory(payload["said"], to="list"))


folder, first = Path(sys.argv[1]), int(sys.argv[2])
vault = opened(folder, write__lock_timeout=60)
for number in range(first, first + 1000):
    queue.queue_job(vault, "keep", f"job {number}", {"said": f"memory {number}"})
    print(number, flush=True)
    queue.drain(vault, {"keep": keep})
