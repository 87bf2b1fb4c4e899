"""Which memories a session was shown already: one small file a session under `.mem/`, gone when the session ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.vault import cache_files, files
from memcli.vault.vault import Vault

FOLDER = "hooks"
LEFT_BEHIND = timedelta(days=7)  # after which the file of a session that never ended is taken away
LARGEST = 64 * 1024  # bytes that are read; memories shown long before that may be shown again


def read(vault: Vault, session: str) -> frozenset[str]:
    """The hashes of what was shown."""
    return frozenset(files.tail(_file(vault, session), LARGEST).split()) if session else frozenset()


def mark(text: str) -> str:
    """What stands for a line that is no memory."""
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:16]


def note(vault: Vault, session: str, hashes: Iterable[str]) -> None:
    listed = list(hashes)
    if session and listed:
        files.make_cache(vault.cache)
        files.append(_file(vault, session), " ".join(listed))


def forget(vault: Vault, session: str) -> None:
    """The session is over, or its context was emptied."""
    if session:
        files.remove(_file(vault, session))


def sweep(vault: Vault) -> None:
    """Take away what sessions left behind that were killed."""
    folder = vault.cache / FOLDER
    before = (vault.now - LEFT_BEHIND).timestamp()
    try:
        for name in cache_files.names(folder, ".shown"):
            info = files.stat_of(folder / name)
            if info and info.st_mtime < before:
                files.remove(folder / name)
    except MemError as error:
        vault.notice(error.message)


def _file(vault: Vault, session: str) -> Path:
    return vault.cache / FOLDER / f"{mark(session)}.shown"
