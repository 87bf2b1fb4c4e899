"""What the queue can do: the handler of each kind of job, and `work`, which does what waits."""

from __future__ import annotations

from memcli.vault import queue
from memcli.vault.queue import Drained, Handler
from memcli.vault.vault import Vault

HANDLERS: dict[str, Handler] = {}


def work(vault: Vault, again: bool = False) -> Drained:
    """Do what waits in the queue and is due; `again` also what waits for its next try or was set aside."""
    return queue.drain(vault, HANDLERS, again)
