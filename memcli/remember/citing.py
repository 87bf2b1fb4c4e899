"""Record which memories an answer quotes by their place; memories in use fade more slowly in recall."""

from __future__ import annotations

from itertools import islice

from memcli import bounds
from memcli.errors import MemError
from memcli.text.later import compile_later
from memcli.vault import journal
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

_LINE = compile_later(r"\.(?:md|markdown)(?P<colon>:)(?P<line>\d+)")  # the end of a place, which is found quickly


def cite(vault: Vault, text: str) -> list[Entry]:
    """Record and return every memory that a text names as `path:line`. Skip those that don't exist here."""
    present = vault.files()
    used: dict[str, Entry] = {}
    before = 0
    for match in islice(_LINE.finditer(text), bounds.CITATIONS):
        # Chinese stands right before a path, so take the longest file name that ends here.
        start, end = before, match.start("colon")
        path = max((each for each in present if text.endswith(each, start, end)), key=len, default="")
        before = match.end()
        try:
            found = vault.matches(f"{path}:{match['line'][: bounds.DIGITS]}") if path else []
        except MemError:
            continue
        used.update((entry.hash, entry) for entry in found)
    now = vault.now.isoformat(timespec="seconds")
    for entry in used.values():
        journal.append(vault.root, journal.USE, {"at": now, "id": entry.hash, "place": entry.place})
    return list(used.values())
