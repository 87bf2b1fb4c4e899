"""Recover writes that race with our replacing of a file.

Between our last look at the file and the rename another program may have it open, and what it writes then goes to a
file without a name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memcli import system
from memcli.vault import opener
from memcli.vault.files import FileContent, stamp_of


def _read(handle: int, size: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, size)


@contextmanager
def held(path: Path, source: FileContent) -> Iterator[Callable[[], str | None]]:
    """Keep the file that `source` was read from open, and yield a function that returns its text.

    The function returns None when the file has not changed. On Windows it always does, because an open file can't be
    replaced there.
    """
    handle = -1
    if source.stamp is not None and not system.WINDOWS:
        with suppress(OSError):
            handle = opener.descriptor(path)

    def changed() -> str | None:
        info = os.fstat(handle) if handle >= 0 else None
        if info is None or source.stamp is None or info.st_ino != source.stamp[0] or stamp_of(info) == source.stamp:
            return None
        with suppress(UnicodeDecodeError):
            return _read(handle, info.st_size).decode("utf-8")
        return None

    try:
        yield changed
    finally:
        if handle >= 0:
            os.close(handle)
