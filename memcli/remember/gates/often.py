"""Limit how often an agent may add memories, by counting its actions in the audit."""

from __future__ import annotations

from datetime import timedelta

from memcli.vault import files, journal, json_read
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault

WITHIN = timedelta(hours=1)
LINE = 400  # bytes of a line of the audit, to estimate how much of its end to read


def too_often(vault: Vault) -> bool:
    """Report whether the caller is an agent that has added its maximum of memories to its space within the hour."""
    most = vault.settings.gates.agent_hourly
    if most <= 0 or not vault.agent:
        return False
    space, since, count = vault.space, vault.now - WITHIN, 0
    for record in json_read.parse_records(files.tail(journal.place(vault.root, journal.AUDIT), LINE * (most + 100))):
        at = moment(record.get("at"))
        ours = record.get("action") == "add" and any(path.startswith(space) for path in journal.paths_of(record))
        count += bool(ours and at and at > since)
    return count >= most
