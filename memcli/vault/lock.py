"""Let one writer in at a time, with a lock on the vault that names its holder and ends with its process.

`filelock` does the same but takes 40 ms to import, a fifth of the time of `mem add`. Using the kernel's lock needs
little code.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memcli import system
from memcli.errors import Busy
from memcli.vault import discover, files, opener

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

POLL = 0.02  # seconds between two attempts
WRITING = "the vault is being written"
_PATIENCE = 10.0  # seconds to wait for a file that is written in milliseconds


@contextmanager
def lock_user_files(environ: Mapping[str, str]) -> Iterator[None]:
    """Hold the lock on the user's own files outside the vaults: settings, trusted vaults, installed parts."""
    home = Path(discover.data_home(environ))
    files.make_folder(home, 0o700)
    with hold_lock(home / "lock", _PATIENCE, "config", doing="the settings of this user are being written"):
        yield


@contextmanager
def lock_vault(vault: Vault, action: str, file: str = "lock", doing: str = WRITING) -> Iterator[None]:
    """Hold a lock of a vault, by default the one of its writers. Wait for as long as `write.lock_timeout` says."""
    files.make_cache(vault.cache)
    with hold_lock(vault.cache / file, vault.settings.write.lock_timeout, action, doing=doing):
        yield


@contextmanager
def hold_lock(
    path: Path, timeout: float, action: str, waiting: Callable[[str], None] | None = None, doing: str = WRITING
) -> Iterator[None]:
    """Hold the lock file at `path`, which the kernel releases however its holder ends. `waiting` is called once with
    that holder, and Busy raised after `timeout` seconds."""
    with files.writing(path):
        handle = opener.descriptor(path, os.O_RDWR | os.O_CREAT)
    try:
        deadline = time.monotonic() + timeout
        while not system.lock(handle):
            if waiting or time.monotonic() >= deadline:
                os.lseek(handle, 0, os.SEEK_SET)
                holder = os.read(handle, 200).decode("utf-8", "replace").strip()
                busy = f"{doing} by {holder or 'another process'}"
            if time.monotonic() >= deadline:
                hint = "try again when it is done; nothing was changed"
                raise Busy("{BUSY}; waited {n} s", hint, BUSY=busy, n=f"{timeout:g}")
            if waiting:
                waiting(busy)
                waiting = None
            time.sleep(POLL)
        with suppress(OSError):  # on a full disk only the holder's name is lost
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"`mem {action}` (process {os.getpid()})".encode())
        yield
    finally:
        os.close(handle)
