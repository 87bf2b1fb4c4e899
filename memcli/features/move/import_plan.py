"""Define the data of an import: the user's options, what is written, and the plan that counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from memcli.features.move import attach
from memcli.features.move.keyed_records import KeyedRecord
from memcli.format import ImportedTalk
from memcli.text.clean import one_line

NAME_LENGTH = 200  # characters of a name or reason in the report


@dataclass(frozen=True)
class PlannedFile:
    """Hold a file to write or to append to, with its text or the name of a file in the tree."""

    path: str
    text: str = ""
    copied: str = ""
    data: bytes = b""  # the content of a file that was packed in another


NewItem = PlannedFile | ImportedTalk | KeyedRecord


@dataclass
class Plan:
    """Hold the results of a pass over an import."""

    format: str
    title: str
    memories: int = 0
    pages: int = 0
    talks: int = 0
    messages: int = 0
    attachments: int = 0
    linked: int = 0  # attachments that stay in place, with links from the notes
    left: int = 0  # attachments that are left out
    known: int = 0  # imported before
    copies: list[tuple[str, str]] = field(default_factory=list)  # repeats in this import, and their originals
    same: int = 0  # statements that the vault has already
    disputed: int = 0  # statements that contradict the vault; mem review asks
    first: date | None = None
    last: date | None = None
    files: Counter[str] = field(default_factory=Counter)
    blacked_out: Counter[str] = field(default_factory=Counter)  # or kept in plain words if the user wants that
    sensitive: dict[str, list[str]] = field(default_factory=dict)  # the kinds that each note or conversation held
    refused: list[tuple[str, str]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    # Marks of texts in which the gates found nothing: an import that was previewed scans no text a second time.
    clean: set[int] = field(default_factory=set, repr=False, compare=False)

    def add(self, counter: str, item: NewItem, path: str = "", day: date | None = None) -> NewItem:
        """Count a new item under a counter of the plan, in the note that the report lists, and return it."""
        setattr(self, counter, getattr(self, counter) + 1)
        if isinstance(item, ImportedTalk):
            self.messages += len(item.messages)
        if path:
            self.files[path] += 1
        if day:
            self.first = min(self.first or day, day)
            self.last = max(self.last or day, day)
        return item

    def leave_out(self, name: str, why: str) -> None:
        """Record an item that can't be read."""
        self.unread.append((one_line(name, NAME_LENGTH), one_line(why, NAME_LENGTH)))

    @property
    def is_unread(self) -> bool:
        """Return whether the import yielded nothing: nothing new, nothing known, nothing refused."""
        results = self.fresh or self.known or self.same or self.attachments or self.linked or self.left
        return not (results or self.copies or self.refused)

    @property
    def fresh(self) -> int:
        """Return how many items are new."""
        return self.memories + self.pages + self.talks + self.disputed


@dataclass(frozen=True)
class ImportOptions:
    """Hold the user's options for an import."""

    format: str
    to: str = ""  # a folder of the vault
    keep: bool = False  # keep whole conversations, instead of learning from them
    attachments: str = attach.COPY
    sensitive: bool = False  # redact nothing, since the owner agreed


class ImportProgress(NamedTuple):
    """Hold the number of bytes read so far and in all; a bar shows megabytes."""

    taken: int
    whole: int

    @property
    def done(self) -> int:
        return self.taken >> 20

    @property
    def files(self) -> int:
        return self.whole >> 20


Tell = Callable[[ImportProgress], object]
