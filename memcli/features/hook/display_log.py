"""Remember which memories a session was shown: one small file for each session under `.mem/`, until the session
ends."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.text.digest import digest
from memcli.vault import cache_files, files
from memcli.vault.vault import Vault

FOLDER = "hooks"
LEFT_BEHIND = timedelta(days=7)  # age at which the file of a session that never ended is removed
LARGEST = 64 * 1024  # bytes that are read; memories that were shown before may be shown again


def read_shown(vault: Vault, session: str) -> frozenset[str]:
    """Return the hashes of the memories and lines that the session was shown."""
    return frozenset(files.tail(_file(vault, session), LARGEST).split()) if session else frozenset()


def note_shown(vault: Vault, session: str, hashes: Iterable[str]) -> None:
    listed = list(hashes)
    if session and listed:
        files.make_cache(vault.cache)
        files.append(_file(vault, session), " ".join(listed))


def forget_shown(vault: Vault, session: str) -> None:
    """Remove the list of a session that is over, or whose context was emptied."""
    if session:
        files.remove(_file(vault, session))


def remove_stale(vault: Vault) -> None:
    """Remove the lists of sessions that never reported their end."""
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
    return vault.cache / FOLDER / f"{digest(session, 16)}.shown"
