"""Find notes that are not valid UTF-8 and have a match, because ripgrep leaves them out.

Reading every file for that would take longer than a search. So `.mem/unread.json` lists the unreadable notes, and
only files changed since then are read again. In a vault with very many files only `mem doctor` reports them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.errors import MemError
from memcli.vault import files, layout
from memcli.vault.grep import by_bytes
from memcli.vault.search import line_search

if TYPE_CHECKING:
    from memcli.text.words import Term
    from memcli.vault.search import Look
    from memcli.vault.vault import Vault

FILES = 2000  # in a larger vault only `mem doctor` reports them
MOST = 3  # files reported one by one
KEPT = "unread.json"  # in .mem/: the unreadable notes, and the time of the last check


def tell_hits(vault: Vault, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[Look]) -> None:
    """Report in notices the first of these files that can't be read and have a match."""
    if not (terms or looks):
        return
    unread = vault.unread(paths) if vault.source.stays else _told_in_passing(vault, paths)
    sought = line_search(terms, looks)
    for path in islice((path for path in unread if by_bytes(vault.root / path, sought)), MOST):
        try:
            files.read_file(files.inside(vault.root, path), path)
        except MemError as error:
            vault.notice(error.message)


def _told_in_passing(vault: Vault, paths: Sequence[str]) -> list[str]:
    """Return which of these files can't be read.

    Only those that changed since the last time, or could not be read then, are checked. Return [] when there are more
    than `FILES`.
    """
    if not paths or len(paths) > FILES:
        return []
    seen, known = _read(vault)
    latest, unread = seen, set[str]()
    fresh = False
    for path in paths:
        stamp = vault.stamps.get(path) or _stamp(vault.root / path)
        changed = stamp[2] if stamp else 0
        if changed > seen:
            fresh, latest = True, max(latest, changed)
        if stamp and (path in known or changed > seen) and not files.is_text(vault.root / path):
            unread.add(path)
    if fresh:
        _write(vault, latest, unread | (known - set(paths)))
    return sorted(unread)


def _stamp(path: Path) -> tuple[int, ...] | None:
    info = files.stat_of(path)
    return layout.stamp(info) if info else None


def _read(vault: Vault) -> tuple[int, set[str]]:
    with suppress(MemError, ValueError, TypeError, KeyError, RecursionError):
        kept = json.loads(files.read_or_empty(vault.cache / KEPT).text)
        return int(kept["seen"]), {str(path) for path in kept["paths"]}
    return 0, set()


def _write(vault: Vault, seen: int, paths: set[str]) -> None:
    with suppress(MemError, OSError):  # a vault that can't be written to is searched all the same
        if Path(vault.cache).is_dir():
            files.write_file(vault.cache / KEPT, json.dumps({"seen": seen, "paths": sorted(paths)}))
