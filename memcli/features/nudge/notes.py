"""Read the notes that may yield nudges, once, and tell what later notes say of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import islice
from pathlib import PurePath

from memcli.errors import MemError
from memcli.features.nudge.wording import ahead, keys, says, sentences, what_was_done
from memcli.remember.conflicts.moved_day import find_what_moved, says_moved, without_moving
from memcli.text.dates import DateSpan
from memcli.text.words import CJK_RUN
from memcli.vault import labels, layout
from memcli.vault.entries import Document, Entry
from memcli.vault.tags import without_end_tags
from memcli.vault.vault import Vault

BACK = 400  # days of logs that are read; more than a year, so that they hold yearly events
MET = 2  # days on which somebody must be named to count as known
TURN = 15  # days before its day from which a monthly duty may be done
LONGEST = 400  # characters of a line; a longer one is read sentence by sentence
LINES = 24  # of a memory; a task has one, and details below it
PEOPLE = ("people/", "contacts/")  # folders with one file for each person
LASTING = frozenset({"memory", "insight", "project", "profile", "note"})
_LEAD = re.compile(r"^(?:\d{4}-\d\d-\d\d[ T,:：]*)?(?:\d{1,2}[:：]\d\d(?:\s*[-–—]\s*\d{1,2}[:：]\d\d)?\s+)?")
_STAMPS = ("on", "since", "added", "updated", "noted")  # fields with the date of a lasting line


@dataclass(frozen=True)
class Note:
    """Hold one line of a memory that can be brought up."""

    entry: Entry
    text: str  # without time of day and tags
    day: date | None  # when it was written; None if that is not known
    at: int = 0  # the number of the line within the memory

    @property
    def lasting(self) -> bool:
        return self.entry.kind in LASTING

    @property
    def open(self) -> bool:
        return self.entry.task == "open"

    @cached_property
    def low(self) -> str:
        """Return its words in lower case with a space before each, so that beginnings of words can be searched."""
        return " " + " ".join(re.findall(r"\w+", self.text.lower()))

    @cached_property
    def dated(self) -> bool:
        """Return whether it may name a day. If not, its dates need not be parsed."""
        from memcli.text import dates

        return dates.may_hold_date(self.text)

    @cached_property
    def matter(self) -> frozenset[str]:
        """Return the keys of its subject, without the words for promising, waiting or what comes every month."""
        rest = self.text
        for sign in ("promise", "waiting") if not says("monthly", rest) else ("ought", "monthly"):
            if match := says(sign, rest):
                rest = f"{rest[: match.start()]} {rest[match.end() :]}"
        return keys(rest) or self.keys

    @cached_property
    def keys(self) -> frozenset[str]:
        return keys(self.text)


class Notes:
    """Hold everything that one look at a vault reads, as of today."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.today = vault, vault.today
        since = self.today - timedelta(days=BACK)
        paths = [path for path in vault.files() if since <= (layout.day_of(path) or self.today) <= self.today]
        self.documents: list[Document] = list(vault.documents(paths=paths))
        self.all = sorted(self._notes(), key=lambda note: (note.day or date.min, note.entry.path, note.entry.line))

    def _notes(self) -> Iterator[Note]:
        for document in self.documents:
            for entry in document.entries:
                if entry.superseded or entry.kind == "snapshot":
                    continue
                is_ahead = entry.day is not None and entry.day > self.today and entry.day != entry.file_day
                lines = _lines(entry.words if is_ahead else _LEAD.sub("", entry.words))
                day = entry.file_day if is_ahead else entry.day
                day = day or next((day for key in _STAMPS if (day := _stamp(entry, key))), None)
                for at, line in enumerate(islice(lines, 1 if entry.task else LINES)):
                    text = without_end_tags(line).strip()
                    if day is None and says("decided", text) and (first := layout.day_in(text)) and first <= self.today:
                        day = first
                    if text and len(text) <= LONGEST and (day is None or day <= self.today):
                        yield Note(entry, text, day, at)

    @cached_property
    def labelled(self) -> frozenset[str]:
        """Return the names of the labels, which stand for people and places in the user's life."""
        with suppress(MemError):  # recall reports a broken file
            return frozenset(name for label in labels.read_labels(self.vault) for name in label.names)
        return frozenset()

    @cached_property
    def logs(self) -> list[Note]:
        return [note for note in self.all if note.entry.kind == "log"]

    @cached_property
    def lasting(self) -> list[Note]:
        return [note for note in self.all if note.lasting]

    @cached_property
    def people(self) -> dict[str, Document | None]:
        """Return the people who have a file of their own, by name and alias."""
        found: dict[str, Document | None] = {}
        for document in self.documents:
            if document.path.startswith(PEOPLE):
                name = document.front.get("name") or PurePath(document.path).stem
                others = document.front.get("aliases") or []
                for each in [name, *(others if isinstance(others, list) else [others])]:
                    found[str(each)] = document
        return found

    @cached_property
    def met(self) -> dict[str, int]:
        """Return the people whom logs mention on several days, such as "told Ana" or "Ana said", with the number of
        days."""
        seen: dict[str, set[date]] = {}
        for note in self.logs:
            match = says("somebody", note.text)
            if match and note.day:
                seen.setdefault(next(filter(None, match.groups())), set()).add(note.day)
        return {name: len(days) for name, days in seen.items() if len(days) >= MET}

    def front(self, document: Document, key: str) -> Note | None:
        """Return a line of a file's front matter as a note, or None if it lacks the key."""
        for number, line in enumerate(document.text.split("\n"), 1):
            if line.startswith(f"{key}:"):
                name = document.front.get("name") or PurePath(document.path).stem
                text = f"{name}: {line.strip()}"
                entry = Entry(document.path, "note", number, number, 0, 0, text)
                return Note(entry, text, None)
        return None

    def somebody(self, text: str) -> bool:
        """Return whether a text names somebody in the user's life."""
        known = (*self.people, *self.met, *self.labelled)
        return bool(says("relative", text)) or any(name in text for name in known)

    def often(self, name: str) -> bool:
        """Return whether lines of several days hold a name."""
        return bool(name) and len({note.day for note in self.all if name in note.text}) >= MET

    def since(self, day: date) -> list[Note]:
        """Return the lines of logs from a day on."""
        return [note for note in self.logs if note.day and note.day >= day]

    def after(self, note: Note) -> Iterator[Note]:
        """Yield the log lines that were written after a note."""
        mine = (note.day or date.min, note.entry.path, note.entry.line)
        return (other for other in self.logs if (other.day or date.min, other.entry.path, other.entry.line) > mine)

    def about(self, topic: frozenset[str], notes: Iterable[Note], share: float = 0.4) -> Iterator[Note]:
        """Yield the notes that share enough of the keys of a topic."""
        least = max(min(2, len(topic)), -(-len(topic) * share // 1))
        return (note for note in notes if topic and sum(key in note.low for key in topic) >= least)

    def called_off(self, note: Note) -> bool:
        return any(says("cancelled", other.text) for other in self.about(note.keys, self.after(note), 0.3))

    def moved(self, note: Note) -> bool:
        """Return whether a later line moves this note to another day."""
        text, spans = note.text, ahead(note.text, note.day or self.today)
        for span in sorted(spans, reverse=True):
            text = text[: span.start] + text[span.stop :]  # the words of a date are not part of the subject
        text = without_moving(text)  # "moved" in both is no subject in common
        topic, share = keys(text), 0.2 if CJK_RUN.search(text) else 0.4  # pairs of signs also stand across words
        return any(
            other.dated and says_moved(other.text)
            and (sum(key in other.low for key in topic) >= share * len(topic)
                 or _has_all(note, keys(find_what_moved(other.text)))
                 or (_names_day(other.text, spans) and _shared(note, other, topic) > 1))
            for other in self.after(note) if topic
        )  # fmt: skip

    def _share(self, note: Note) -> float:
        """Return the share of keys that a later line must have in common to settle this note. It is high for an open
        box, because people who use boxes check them off."""
        if note.open:
            return 0.7
        return 0.2 if CJK_RUN.search(note.text) else 0.4  # pairs of signs also stand across words

    def settled(self, note: Note) -> bool:
        """Return whether a later line says that this is done or cancelled. A duty of every month comes again."""
        turn = self.today - timedelta(days=TURN) if says("monthly", note.text) else date.min
        alike = self.about(note.matter, self.after(note), self._share(note))
        few = () if note.open else self.about(note.keys, self.after(note), 0)  # of a long note, a line has few words
        return any(
            other.entry.task != "open"
            and (other.entry.task == "done" or says("done", other.text) or says("cancelled", other.text))
            and not says("waiting", other.text)
            and (other.day or date.min) >= turn
            for other in [*alike, *(each for each in few if _has_all(note, what_was_done(each.text)))]
        )


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, and the sentences of a line that is too long to be a single duty."""
    for line in text.split("\n"):
        yield from sentences(line) if len(line) > LONGEST else (line,)


def _has_all(note: Note, named: frozenset[str]) -> bool:
    """Return whether a note has all keys of what a text names, at least two: 公开课 has two pairs."""
    return len(named) > 1 and all(key in note.low for key in named)


def _names_day(text: str, spans: Iterable[DateSpan]) -> bool:
    """Return whether a text names the number of a day: "the 23rd" of Monday 23 November."""
    days = "|".join({str(span.first.day) for span in spans})
    return bool(days) and re.search(rf"(?<![\d.])(?:{days})(?:st|nd|rd|th|[号日])", text, re.I) is not None


def _shared(note: Note, other: Note, topic: frozenset[str]) -> int:
    """Return how many keys of a topic, and tags of its note, another note shares."""
    return sum(key in other.low for key in topic) + len({*note.entry.tags} & {*other.entry.tags})


def _stamp(entry: Entry, key: str) -> date | None:
    return layout.day_in(entry.fields[key]) if key in entry.fields else None
