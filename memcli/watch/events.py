"""Report what may have changed in a vault: a set of paths, or None for "anything".

Editors save in their own ways, so an event means only that a file may have changed. Events come in bursts and are
reported after a short silence. When the system has no watches left, all files are compared every other second, and the
user gets a notice.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from watchdog import events
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from memcli.message import Message
from memcli.vault.layout import MARKDOWN

QUIET, AT_MOST = 0.15, 1.0  # seconds without an event, or since the first one, after which events are handed on
MANY = 300  # number of paths from which it is simpler to compare all files
NET, POLL = 60.0, 2.0  # seconds between two comparisons of all files, with events and without

_READ = (*MARKDOWN, ".yaml", ".yml", ".jsonl")  # the files that recall reads
_KINDS: list[type[FileSystemEvent]] = [
    events.DirCreatedEvent, events.DirDeletedEvent, events.DirMovedEvent, events.FileClosedEvent,
    events.FileCreatedEvent, events.FileDeletedEvent, events.FileModifiedEvent, events.FileMovedEvent,
]  # fmt: skip  # not: opened and read


class FolderWatch:
    """Watch a folder from `start` to `stop`, and call `changed` from its own thread or from the one that flushes."""

    def __init__(self, root: Path, changed: Callable[[set[str] | None], None], tell: Callable[[str], None]) -> None:
        self.root, self._changed, self._tell = root.resolve(), changed, tell
        self.polling = False
        self._pending: set[str] = set()
        self._everything = False
        self._first = self._last = 0.0
        self._more = threading.Condition()
        self._done = False
        self._observer: Any = None
        self._overflow = _Overflow(self)
        self._thread = threading.Thread(target=self._hand_on, name="changes", daemon=True)

    def start(self) -> None:
        logging.getLogger("watchdog").addHandler(self._overflow)
        try:
            self._observer = Observer()
            self._observer.schedule(_Hints(self), str(self.root), recursive=True, event_filter=_KINDS)
            self._observer.start()
        except OSError as error:
            self._poll(error)
        self.check_room()
        self._thread.start()

    def stop(self) -> None:
        with self._more:
            self._done = True
            self._more.notify()
        if self._observer is not None and self._observer.is_alive():
            self._observer.stop()
            self._observer.join(1)
        if self._thread.is_alive():
            self._thread.join(1)
        logging.getLogger("watchdog").removeHandler(self._overflow)

    def hint(self, path: str | None) -> None:
        """Note that a file, by its path in the vault, may have changed; None means that anything may have."""
        with self._more:
            self._last = time.monotonic()
            if not self._pending and not self._everything:
                self._first = self._last
            if path is None or len(self._pending) >= MANY:
                self._everything = True
            else:
                self._pending.add(path)
            self._more.notify()

    def flush(self) -> None:
        """Report pending changes at once, so that a question right after a write sees them."""
        with self._more:
            if not self._pending and not self._everything:
                return
            paths = None if self._everything else self._pending
            self._pending, self._everything = set(), False
        self._changed(paths)

    def check_room(self) -> None:
        """Start polling when the system has no watches left: some folder may be unwatched without an error."""
        if self.polling or sys.platform != "linux":
            return
        try:  # ask for one more watch
            self._observer.unschedule(self._observer.schedule(FileSystemEventHandler(), os.sep))
        except OSError as error:
            self._poll(error)

    def _poll(self, error: OSError) -> None:
        self.polling = True
        self._tell(
            Message(
                "files can't be watched ({WHY}): comparing all of them every {n} s instead; "
                "raising fs.inotify.max_user_watches mends it",
                WHY=error.strerror or str(error),
                n=f"{POLL:g}",
            )
        )

    def _hand_on(self) -> None:
        """Report hints after each burst, and have all files compared from time to time, until stopped."""
        compared = time.monotonic()
        while True:
            with self._more:
                now = time.monotonic()
                left = compared + (POLL if self.polling else NET) - now
                if self._done:
                    return
                if left <= 0:
                    self._everything = True
                else:
                    if self._pending or self._everything:
                        left = min(self._last + QUIET, self._first + AT_MOST) - now
                    if left > 0:
                        self._more.wait(left)
                        continue
            if self._everything:
                compared = time.monotonic()
                self.check_room()
            try:
                self.flush()
            except Exception as error:  # one failure must not end the thread
                self._tell(f"what has changed can't be read: {type(error).__name__}: {error}")


class _Hints(FileSystemEventHandler):
    def __init__(self, watch: FolderWatch) -> None:
        self.watch = watch
        self.prefix = str(watch.root) + os.sep

    def on_any_event(self, event: FileSystemEvent) -> None:
        for name in {os.fsdecode(event.src_path), os.fsdecode(event.dest_path)}:
            path = name.removeprefix(self.prefix)
            if path == name or path[0] == "." or f"{os.sep}." in path or "node_modules" in path.split(os.sep):
                continue
            if event.is_directory:
                self.watch.hint(None)
            elif path.endswith(_READ):
                self.watch.hint(path.replace(os.sep, "/"))


class _Overflow(logging.Handler):
    """Hint that anything may have changed when events were lost: the observer only logs that."""

    def __init__(self, watch: FolderWatch) -> None:
        super().__init__(logging.WARNING)
        self.watch = watch

    def emit(self, record: logging.LogRecord) -> None:
        self.watch.hint(None)
