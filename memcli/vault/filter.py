"""Select entries by their days, tags, types, words and place."""

from __future__ import annotations

import os
import re
from datetime import date
from typing import NamedTuple

from memcli.errors import UsageError
from memcli.message import Message
from memcli.text import lexicon
from memcli.text.clean import without_accents
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN
from memcli.vault import layout
from memcli.vault.entries import Entry, without_time

_EITHER = compile_later(r"(0?[1-9]|1[0-2])/(0?[1-9]|1[0-2])(?:/(\d{4}|\d\d))?")  # 03/11: which is the month?

LONGEST_IN_PARTS = 60  # characters of a Chinese word whose parts are looked for; the time grows with their square


class Filter(NamedTuple):
    """Say which entries are wanted. An empty field admits everything."""

    since: date | None = None
    until: date | None = None
    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    path: str = ""  # a file (of a note without its .md, too), a folder, or a glob
    kinds: frozenset[str] = frozenset()  # empty means everything that is a memory
    words: tuple[str, ...] = ()  # each must stand in the entry's text, tags or headings
    in_parts: bool = False  # whether a Chinese word may stand there in parts

    @property
    def admits_all_files(self) -> bool:
        """Return whether every file that may hold memories is admitted."""
        return not (self.path or self.kinds or self.since or self.until)

    def admits_file(self, path: str) -> bool:
        """Return whether the file's name admits it, so that other files need not be opened."""
        if self.path and not _under(path, self.path):
            return False
        if self.kinds:
            if layout.kind_of(path) not in self.kinds:
                return False
        elif not layout.is_memory(path):
            return bool(self.path)  # a named place includes files that are not memories
        if self.since is None and self.until is None:
            return True
        return layout.kind_of(path) != "log" or self.admits_day(layout.day_of(path))

    def admits_day(self, day: date | None) -> bool:
        if day is None:
            return self.since is None and self.until is None
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)

    def admits(self, entry: Entry) -> bool:
        if not (self.since or self.until or self.tags or self.types or self.words):
            return True
        return (
            self.admits_day(entry.day)
            and all(any(matches_tag(own, tag) for own in entry.tags) for tag in self.tags)
            and (not self.types or (entry.type or "") in self.types)
            and self._has_words(entry)
        )

    def _has_words(self, entry: Entry) -> bool:
        text = "\n".join([without_time(entry.body), *entry.tags, *entry.trail]).casefold() if self.words else ""
        return all(self.finds(word, text) for word in self.words)

    def finds(self, word: str, text: str) -> bool:
        """Return whether a text in lower case has one of the words."""
        return stands_in(word.casefold(), text) or (self.in_parts and _stands_in_parts(word, text))


def stands_in(word: str, text: str) -> bool:
    """Return whether a text has a word, or one that begins with it: rent is not in different. A number is no part of
    another, nor of a date. A word without accents also finds one with them: ruairi finds Ruairí."""
    if word.isdecimal():
        return re.search(rf"(?<![\d-]){word}(?![\d-])", text) is not None
    if word.isascii() and word[:1].isalpha():
        text = text if text.isascii() else without_accents(text)
        return re.search(rf"(?<![A-Za-z]){re.escape(word)}", text) is not None
    return word in text


def has_parts(word: str) -> bool:
    """Return whether a word may stand in a text in parts: Chinese is written without spaces."""
    return 2 < len(word) <= LONGEST_IN_PARTS and CJK_RUN.fullmatch(word) is not None


def _stands_in_parts(word: str, text: str) -> bool:
    """Return whether a text has all parts of a Chinese word, each of two characters or more but for particles: 红姐的台账
    stands in 给红姐补台账."""
    particles, ends = lexicon.stop_words("zh", "particle"), {0}
    for end in range(1, len(word) + 1) if has_parts(word) else ():
        starts = (start for start in range(end - 1) if start in ends and word[start:end] in text)
        if next(starts, None) is not None or (end - 1 in ends and word[end - 1] in particles):
            ends.add(end)
    return len(word) in ends


def _under(path: str, place: str) -> bool:
    place = place.replace(os.sep, "/").strip("/").removeprefix("./")
    if not path.isascii():  # a Mac may store accents as separate characters
        from unicodedata import normalize

        path, place = normalize("NFC", path), normalize("NFC", place)
    if any(sign in place for sign in "*?["):
        from fnmatch import fnmatchcase

        return fnmatchcase(path, place)
    return place in ("", ".") or path in (place, f"{place}.md") or path.startswith(f"{place}/")


def matches_tag(own: str, wanted: str) -> bool:
    """Return whether a tag matches, ignoring case; `work` also matches `work/api`."""
    own, wanted = own.lower(), wanted.lower().lstrip("#")
    return own == wanted or own.startswith(wanted + "/")


def read_either(text: str, today: date) -> tuple[date, ...]:
    """Return the two days that figures may mean, as 03/11 is 11 March to some and 3 November to others; else none."""
    written = _EITHER.fullmatch(text)
    year = int(f"20{written[3] or today.year}"[-4:]) if written else 0
    if not written or not year or int(written[1]) == int(written[2]):
        return ()
    return tuple(date(year, int(written[month]), int(written[3 - month])) for month in (1, 2))


def read_days(text: str, today: date, nearest: bool = False) -> tuple[date, date]:
    """Return the first and last day that a date or words mean. A day without a year is the latest one, or with
    `nearest` the one nearest to today. Raise UsageError if they mean none, or may mean two days, as 03/11 may."""
    from memcli.text.dates.written_days import parse_days, parse_nearest_days  # few commands need it

    if turns := read_either(text, today):
        raise UsageError("'{text}' may mean {one} or {other}: write which", text=text, one=turns[0], other=turns[1])
    if found := parse_nearest_days(text, today) if nearest else parse_days(text, today):
        return found
    raise UsageError(Message("'{text}' is not a day I understand", text=text), "2026-11-01, yesterday, 'last week'")
