"""What another program writes into a file while it is being replaced: between the last look at it and the renaming it
may have it open, and what it writes then goes to a file without a name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memcli import system
from memcli.vault import opener
from memcli.vault.files import Source, stamp_of


def _read(handle: int, size: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, size)


@contextmanager
def held(path: Path, source: Source) -> Iterator[Callable[[], str | None]]:
    """The file that `source` was read from, kept open: gives its text when it is another one by now. On Windows nothing
    that is open can be replaced, so nothing is held."""
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
