"""Do work that was left for later, and choose which package does which kind of job.

`work` does what waits in the queue; `catch_up` updates the index. This module stands above the packages, so that
none has to know another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memcli import contributions, extras
from memcli.errors import MissingPart
from memcli.vault import queue
from memcli.vault.queue import Handler, Job, QueueReport
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.index.refresh import RefreshReport


def work(vault: Vault, again: bool = False) -> QueueReport:
    """Do what waits in the queue and is due, then let features update what lies outside the vault.

    `again` includes jobs that wait for their next try or were set aside.
    """
    theirs = {kind: _of_feature(do) for kind, do in contributions.jobs().items()}
    drained = queue.drain(vault, theirs, again)
    contributions.refresh(vault)
    return drained


def _of_feature(do: Callable[[Vault, Any], object]) -> Handler:
    """Return a handler that gives the payload to a feature, with the id of the job. Its writes may be a batch."""

    def handle(vault: Vault, job: Job) -> None:
        try:
            do(vault, {**job.payload, "job": job.id})
        finally:
            vault.batch = ""

    return handle


def catch_up(vault: Vault) -> RefreshReport | None:
    """Update the index from the files, if there is one or a model to make one with.

    It needs no queue, since it can see at any time how far the index is behind. Return what was done, or None.
    """
    try:
        with extras.wanted():
            from memcli.index import catalog, embed, models, refresh  # only users with an index load these
    except MissingPart:
        return None

    model = models.usable_model(vault)
    if not model and not (vault.cache / catalog.NAME).exists():
        return None
    return refresh.refresh(vault, embed.Embedder(model, vault.environ) if model else None)
