"""Start a watcher as a process of its own, on request or by itself.

With `watch.auto` the first question that no watcher answers starts one. It ends after an hour without a question, and
the lock of the vault lets no second one in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from memcli import system
from memcli.errors import Busy, MemError
from memcli.vault import files, opener
from memcli.vault.layout import CACHE
from memcli.vault.lock import hold_lock
from memcli.vault.vault import Vault

LOG = "watch.log"
IDLE = 3600  # seconds without a question after which a watcher that started by itself ends
LARGEST = 2**30  # bytes of memory from which it ends as well
IDLE_LOCK = "watch.idle"  # the lock of a watcher that ends by itself, from its first moment on
TOO_LARGE = "watch.large"  # marks a vault whose watcher grew too large, so that none starts automatically again


def start(root: Path, options: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start `mem watch` on a vault. A fork would not do: threads and models do not survive one."""
    files.make_cache(root / CACHE)
    log = root / CACHE / LOG
    files.remove(log)
    files.create_exclusive(log, mode=0o600)
    out = opener.descriptor(log, os.O_WRONLY)
    # Python looks for modules where it is started. That must be the package's folder: a vault may be a stranger's.
    where = Path(__file__).parents[2]
    try:
        return subprocess.Popen(
            [*command(root), *options],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=where, close_fds=True, **system.detached(),
        )  # fmt: skip
    finally:
        os.close(out)


def start_if_wanted(vault: Vault) -> None:
    """Start a watcher that ends when it is idle, if the settings ask for one. Failures are ignored."""
    if not vault.settings.watch.auto or vault.environ.get("MEM_LANE") == "off" or (vault.cache / TOO_LARGE).exists():
        return
    with suppress(MemError, OSError):
        files.make_cache(vault.cache)
        if is_starting(vault.root):
            return
        start(vault.root, ["--idle", str(IDLE)])


def is_starting(root: Path) -> bool:
    """Return whether a watcher that ends by itself is starting or at work."""
    try:
        with only_one(root):
            return False
    except Busy:
        return True


def only_one(root: Path) -> AbstractContextManager[None]:
    """Return the lock that an automatic watcher takes when it starts, long before it can answer."""
    return hold_lock(root / CACHE / IDLE_LOCK, 0, "watch", doing="a watcher is being started")


def command(root: Path) -> list[str]:
    """Return the words that start a watcher."""
    return [sys.executable, "-m", "memcli", "--vault", str(root.resolve()), "watch"]
