"""Record failures of hooks in `.mem/`, for the report of `mem doctor`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import files, json_read
from memcli.vault.check import NOTE, Check
from memcli.vault.layout import CACHE
from memcli.vault.vault import Vault

FILE = "hooks/trouble"
LATEST = 4096  # bytes at the end of the file that are read
REPORTED_FOR = timedelta(days=7)  # older trouble is not reported
HOW_TO_SPEED_UP = "mem watch --detach makes hooks quicker; hooks.limit is what they may take, in milliseconds"


def note_failure(root: Path, now: datetime, event: str, why: str, limit: int = 0, by_words: bool = False) -> None:
    """Append a line about a failure; `limit` is the milliseconds that were not enough, `by_words` that the answer came
    without the model. If that can't be written either, nothing is raised, so that the agent's work goes on."""
    record = {"at": now.isoformat(timespec="seconds"), "event": event, "why": one_line(why, 200), "limit": limit}
    record |= {"by_words": True} if by_words else {}
    with suppress(MemError, OSError):
        files.make_cache(root / CACHE)
        path = root / CACHE / FILE
        if files.size_of(path) > 16 * LATEST:
            files.remove(path)
        files.append(path, json.dumps(record, ensure_ascii=False))


def checks(vault: Vault) -> Iterator[Check]:
    """Yield a check of `mem doctor` for each event, with its latest failure of the last days."""
    found: dict[str, tuple[str, str, int, bool]] = {}
    with suppress(MemError):
        for record in json_read.parse_records(files.tail(vault.cache / FILE, LATEST)):
            with suppress(ValueError, KeyError, TypeError):
                if vault.now - datetime.fromisoformat(record["at"]) < REPORTED_FOR:
                    limit = int(record.get("limit", 0))
                    found[str(record["event"])] = (
                        str(record["at"]),
                        str(record["why"]),
                        limit,
                        bool(record.get("by_words")),
                    )
    for event, (at, why, limit, by_words) in found.items():
        fix = HOW_TO_SPEED_UP if limit else "mem hook with --strict shows it"
        why = Message("took longer than {n} ms", n=limit) if limit else one_line(why)
        nothing, words = "{event} printed nothing on {time}: {WHY}", "{event} went without the model on {time}: {WHY}"
        message = words if by_words else nothing
        yield Check("hooks", NOTE, message, fix, event=one_line(event), time=at[:16], WHY=why)
