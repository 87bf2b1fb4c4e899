"""Search the user's own notes as `mem recall` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memcli.evidence import Evidence, PlanStep
from memcli.recall import Request, pack, seek
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

ROOM = 20_000  # characters; enough that only the number of memories limits


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return all memories that match, in order of their score.

    The latest notes that recall adds without a match are not evidence and are left out.
    """
    want = step.want
    query = " ".join([step.query, *(f"type:{value}" for value in want.types)])
    request = Request(query, ROOM, step.most, want.since, want.until, want.tags, fill=True)
    result = seek(vault, request)
    if not result.matched:
        return []
    block = pack(result, ROOM, len)  # no model reads this, so characters will do
    found = []
    for memory in sorted(block.chosen, key=lambda each: -each.scored.score):
        entry = memory.scored.entry
        title = " > ".join(map(one_line, entry.trail)) or entry.path
        found.append(
            Evidence(
                step.source, entry.hash, title, entry.place, memory.text, entry.day.isoformat() if entry.day else "",
                "", memory.scored.score, meta={"tags": ", ".join(entry.tags)} if entry.tags else {},
            )
        )  # fmt: skip
    return found
