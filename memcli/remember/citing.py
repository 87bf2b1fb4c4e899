"""`cite`: an answer that quotes a memory by its place has used it; memories in use fade more slowly in recall."""

from __future__ import annotations

import re

from memcli.errors import MemError
from memcli.vault import journal
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

_PLACE = re.compile(r"([^\s\[\](){}<>\"'`|]+\.(?:md|markdown)):(\d+)")


def cite(vault: Vault, text: str) -> list[Entry]:
    """Record every memory that a text names as `path:line`; what does not exist here is passed over."""
    present = vault.files()
    used: dict[str, Entry] = {}
    for said, line in _PLACE.findall(text):
        # Chinese stands right before a path, so the path is the longest end of the word that is a file.
        path = max((each for each in present if said.endswith(each)), key=len, default="")
        try:
            found = vault.matches(f"{path}:{line}") if path else []
        except MemError:
            continue
        used.update((entry.hash, entry) for entry in found)
    now = vault.now.isoformat(timespec="seconds")
    for entry in used.values():
        journal.append(vault.root, journal.USE, {"at": now, "id": entry.hash, "place": entry.place})
    return list(used.values())
