"""How often an agent may add memories: what agents did is on record in the audit, and counted there."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta

from memcli.vault import files, journal
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault

WITHIN = timedelta(hours=1)
LINE = 400  # bytes of a line of the audit, so that enough of its end is read


def too_often(vault: Vault) -> bool:
    """Whether who asks is an agent that has added as many memories to its space within the hour as it may."""
    most = vault.settings.gates.agent_hourly
    if most <= 0 or not vault.agent:
        return False
    space, since, count = vault.space, vault.now - WITHIN, 0
    for line in files.tail(journal.place(vault.root, journal.AUDIT), LINE * (most + 100)).split("\n"):
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            record = json.loads(line)
            at = moment(record["at"])
            ours = record["action"] == "add" and any(path.startswith(space) for path in record["paths"])
            count += bool(ours and at and at > since)
    return count >= most
