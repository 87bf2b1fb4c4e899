"""The notes that something may be brought up from: read once, with what their words tell (`language/*/nudge.txt`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from pathlib import PurePath

from memcli.text import phrases, words
from memcli.text.dates import NO_DATE, DateSpan
from memcli.text.words import CJK_RUN
from memcli.vault import layout
from memcli.vault.entries import Document, Entry
from memcli.vault.vault import Vault

BACK = 400  # days of logs that are read: a year, so that what comes round every year is in them
NEAR = 150  # days ahead that a day of a month is meant to be, rather than the one before
NUMBER = re.compile(r"[0-9]")
MET = 2  # days on which somebody must have been named to be known
LONGEST = 400  # characters of a line that can be one duty
PEOPLE = ("people/", "contacts/")  # folders with a file about each
LASTING = frozenset({"memory", "insight", "project", "profile", "note"})
_LEAD = re.compile(r"^(?:\d{4}-\d\d-\d\d[ T,:：]*)?(?:\d{1,2}[:：]\d\d(?:\s*[-–—]\s*\d{1,2}[:：]\d\d)?\s+)?")
_TAG = re.compile(r"(?<!\w)#[\w/-]+")
_STAMPS = ("on", "since", "added", "updated", "noted")  # fields that tell when a lasting line came to be
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


@lru_cache(maxsize=65536)
def says(sign: str, text: str) -> re.Match[str] | None:
    """Where a text says what the tables call so."""
    return phrases.pattern("nudge", sign, phrases.languages(text)).search(text)


@dataclass(frozen=True)
class Note:
    """One memory, as a line to be brought up."""

    entry: Entry
    text: str  # without its time of day and tags
    day: date | None  # on which it was written, as far as that is known

    @property
    def lasting(self) -> bool:
        return self.entry.kind in LASTING

    @property
    def open(self) -> bool:
        return self.entry.task == "open"

    @cached_property
    def low(self) -> str:
        """Its words with a space before each, to look for beginnings of words in it."""
        return " " + " ".join(re.findall(r"\w+", self.text.lower()))

    @cached_property
    def dated(self) -> bool:
        """Whether a day may be named in it; dates need not be read where none is."""
        from memcli.text import dates

        return dates.may_hold(self.text)

    @cached_property
    def matter(self) -> frozenset[str]:
        """What it is about, without that it was promised or is waited for."""
        match = says("promise", self.text) or says("waiting", self.text)
        rest = keys(self.text[: match.start()] + " " + self.text[match.end() :]) if match else self.keys
        return rest or self.keys

    @cached_property
    def keys(self) -> frozenset[str]:
        return keys(self.text)


@lru_cache(maxsize=8192)
def keys(text: str) -> frozenset[str]:
    """What a text is about, each as it is to be looked for in `Note.low`: roots of words, pairs of Chinese signs."""
    latin = (word for word in words.words(text) if len(word) > 2 and not words.is_stop(word) and not word.isdigit())
    return frozenset(f" {_root(word)}" for word in latin) | words.pairs(text)


@lru_cache(maxsize=16384)
def _root(word: str) -> str:
    """What a word and its stem share, so that it stands in both."""
    stem = words.stem(word)
    return word[
        : next((at for at, (one, other) in enumerate(zip(word, stem, strict=False)) if one != other), len(stem))
    ]


class Notes:
    """All that is read of a vault for one look, as of today."""

    def __init__(self, vault: Vault) -> None:
        self.today = vault.today
        since = self.today - timedelta(days=BACK)
        paths = [path for path in vault.files() if since <= (layout.day_of(path) or self.today) <= self.today]
        self.documents: list[Document] = list(vault.documents(paths=paths))
        self.all = sorted(self._notes(), key=lambda note: (note.day or date.min, note.entry.path, note.entry.line))

    def _notes(self) -> Iterator[Note]:
        for document in self.documents:
            for entry in document.entries:
                if entry.superseded or entry.kind == "snapshot" or len(entry.raw) > LONGEST:
                    continue
                text = _LEAD.sub("", entry.words).partition("\n")[0]
                text = (_TAG.sub("", text) if "#" in text else text).strip()
                day = entry.day or next((day for key in _STAMPS if (day := _stamp(entry, key))), None)
                if day is None and says("decided", text) and (first := layout.day_in(text)) and first <= self.today:
                    day = first
                if text and (day is None or day <= self.today):
                    yield Note(entry, text, day)

    @cached_property
    def logs(self) -> list[Note]:
        return [note for note in self.all if note.entry.kind == "log"]

    @cached_property
    def lasting(self) -> list[Note]:
        return [note for note in self.all if note.lasting]

    @cached_property
    def people(self) -> dict[str, Document | None]:
        """Who has a file, a label or a line of their own in lasting notes, by name."""
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
        """Who logs name as people are named, on so many days: "told Ana", "Ana said"."""
        seen: dict[str, set[date]] = {}
        for note in self.logs:
            match = says("somebody", note.text)
            if match and note.day:
                seen.setdefault(next(filter(None, match.groups())), set()).add(note.day)
        return {name: len(days) for name, days in seen.items() if len(days) >= MET}

    def front(self, document: Document, key: str) -> Note | None:
        """A line of a front matter, as a note of its own."""
        for number, line in enumerate(document.text.split("\n"), 1):
            if line.startswith(f"{key}:"):
                name = document.front.get("name") or PurePath(document.path).stem
                text = f"{name}: {line.strip()}"
                entry = Entry(document.path, "note", number, number, 0, 0, text)
                return Note(entry, text, None)
        return None

    def somebody(self, text: str) -> bool:
        """Whether a text names somebody in the user's life."""
        return bool(says("relative", text)) or any(name in text for name in (*self.people, *self.met))

    def since(self, day: date) -> list[Note]:
        """Lines of logs from a day on."""
        return [note for note in self.logs if note.day and note.day >= day]

    def after(self, note: Note) -> Iterator[Note]:
        """What was noted after it."""
        mine = (note.day or date.min, note.entry.path, note.entry.line)
        return (other for other in self.logs if (other.day or date.min, other.entry.path, other.entry.line) > mine)

    def about(self, topic: frozenset[str], notes: Iterable[Note], share: float = 0.4) -> Iterator[Note]:
        """Those that share enough of what a text is about."""
        least = max(min(2, len(topic)), -(-len(topic) * share // 1))
        return (note for note in notes if topic and sum(key in note.low for key in topic) >= least)

    def called_off(self, note: Note) -> bool:
        return any(says("cancelled", other.text) for other in self.about(note.keys, self.after(note), 0.3))

    def moved(self, note: Note) -> bool:
        """Whether a later line names another day for it."""
        text = note.text
        for span in sorted(ahead(text, note.day or self.today), reverse=True):
            text = text[: span.start] + text[span.stop :]  # the months of two days are not what they are about
        topic, share = keys(text), 0.2 if CJK_RUN.search(text) else 0.4  # pairs of signs also stand across words
        return any(
            other.dated and says("moved", other.text) and sum(key in other.low for key in topic) >= share * len(topic)
            for other in self.after(note) if topic
        )  # fmt: skip

    def _share(self, note: Note) -> float:
        """How much a line must have in common with another to settle it: a box is checked off by who uses boxes."""
        if note.open:
            return 0.7
        return 0.2 if CJK_RUN.search(note.text) else 0.4  # pairs of signs also stand across words

    def settled(self, note: Note) -> bool:
        """Whether a later line says that this is done, or won't be."""
        return any(
            other.entry.task != "open"
            and (other.entry.task == "done" or says("done", other.text) or says("cancelled", other.text))
            and not says("waiting", other.text)
            for other in self.about(note.matter, self.after(note), self._share(note))
        )


@lru_cache(maxsize=8192)
def ahead(text: str, written: date) -> list[DateSpan]:
    """The days that a plan or a rule names, what comes round as its next turn."""
    from memcli.text import dates

    try:
        return dates.coming(text, written)
    except NO_DATE:
        return []


@lru_cache(maxsize=8192)
def told(text: str, written: date) -> list[DateSpan]:
    """The days of which a note speaks, each in the tense of its sentence."""
    from memcli.text import dates

    try:
        return dates.asked(text, written)
    except NO_DATE:
        return []


@lru_cache(maxsize=8192)
def plans(text: str, written: date) -> list[DateSpan]:
    """The days to come of which a note speaks: those it tells in the tense of its sentence, and days of a month that
    are near; who "rang the vet, jab on 12 May" in April means the coming one, whatever the tense."""
    known = told(text, written)
    near = [
        span for span in ahead(text, written)
        if NUMBER.search(span.text) and 0 <= (span.first - written).days <= NEAR and span not in known
    ]  # fmt: skip
    return sorted([*known, *near])


def sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part.strip()]


def _stamp(entry: Entry, key: str) -> date | None:
    return layout.day_in(entry.fields[key]) if key in entry.fields else None
