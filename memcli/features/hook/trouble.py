"""Note in `.mem/` why a hook printed nothing although it should have. `mem doctor` reports it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.text.clean import one_line
from memcli.vault import files, health
from memcli.vault.layout import CACHE
from memcli.vault.vault import Vault

FILE = "hooks/trouble"
LATEST = 4096  # bytes at the end of the file that are read
TOLD = timedelta(days=7)  # older trouble is not reported
MEND = "mem watch --detach makes hooks quicker; hooks.limit is what they may take, in milliseconds"


def note(root: Path, now: datetime, event: str, why: str) -> None:
    """Append a line about a failure. If that can't be written either, nothing is raised, so that the agent's work goes
    on."""
    record = {"at": now.isoformat(timespec="seconds"), "event": event, "why": one_line(why, 200)}
    with suppress(MemError, OSError):
        files.make_cache(root / CACHE)
        path = root / CACHE / FILE
        if files.size_of(path) > 16 * LATEST:
            files.remove(path)
        files.append(path, json.dumps(record, ensure_ascii=False))


def checks(vault: Vault) -> Iterator[health.Check]:
    """Yield a check of `mem doctor` for each event, with its latest failure of the last days."""
    found: dict[str, tuple[str, str]] = {}
    with suppress(MemError):
        for line in files.tail(vault.cache / FILE, LATEST).splitlines():
            with suppress(ValueError, KeyError, TypeError):
                record = json.loads(line)
                if vault.now - datetime.fromisoformat(record["at"]) < TOLD:
                    found[str(record["event"])] = str(record["at"]), str(record["why"])
    for event, (at, why) in found.items():
        mend = MEND if "took longer" in why else "mem hook with --strict shows it"
        yield health.Check(
            "hooks", health.NOTE, f"{one_line(event)} printed nothing on {at[:16]}: {one_line(why)}", mend
        )
