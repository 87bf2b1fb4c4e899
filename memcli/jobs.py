"""Run queued work, each kind of job by the package that handles it.

`work` runs the queue; `catch_up` updates the index. This module lies above the packages, so that they need not import
each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli import contributions, extras
from memcli.errors import MissingPart
from memcli.vault import queue
from memcli.vault.queue import QueueReport
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.index.refresh import RefreshReport


def work(vault: Vault, again: bool = False) -> QueueReport:
    """Run the jobs that are due, then let features update their files outside the vault.

    `again` includes jobs that wait for their next try or were set aside.
    """
    report = queue.drain(vault, contributions.jobs(), again)
    contributions.refresh(vault)
    return report


def catch_up(vault: Vault) -> RefreshReport | None:
    """Update the index from the files, if there is one or a model to make one with.

    This needs no queue: comparing files and index shows what is missing. Return a report, or None without an index.
    """
    try:
        with extras.wanted():
            from memcli.index import catalog, models, refresh  # only users with an index load these
    except MissingPart:
        return None
    if models.usable_model(vault) or (vault.cache / catalog.NAME).exists():
        return refresh.refresh(vault)
    return None
