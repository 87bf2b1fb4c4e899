"""The duplicate gate: has the same been written already?

There is no index to keep in step. What can be a duplicate are the logs of the last days, the files of lasting facts and
the notes changed lately: they are read as they lie on the disk, and parsed only where the rarest words of the new text
stand.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

from memcli import extras
from memcli.errors import MemError, MissingPart
from memcli.text.plain import plain
from memcli.vault import edit, entries, files, layout
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

WINDOW = timedelta(days=7)
LIKENESS = 0.95  # above it two texts are the same
LASTING = frozenset(
    {"memory", "insight", "project"}
)  # what stands there is not of a day, so the same is the same for ever
TYPO = 0.7  # likeness of two words from which one is the other misspelt
NOTES = 200  # files without a day that are looked into, the latest first
PROBES = 8

# Patterns as text: they are compiled when a file holds the words of the new text, which is seldom.
_SIGN = r"\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = rf"[{_SIGN}]|[^\W_{_SIGN}]+(?:'\w+)?"
_TIME = r"\W*\d{1,2}:\d\d(?::\d\d)?\W*"
_TAG = r"(?<!\S)#\S+"
_NAME = r"(?<=[^.!?\s] )[A-Z]\w+"  # within a sentence


def same(vault: Vault, text: str, path: str, day: date) -> Entry | None:
    """The memory of the days around `day` that says what `text` says; `path` is where the text would go.

    What lies in a log does not stand in for what is meant for a more lasting place.
    """
    for name in _near(vault, path, day):
        try:
            found = files.read(vault.root / name, name).text
        except MemError:  # doctor names it, and nothing in it is recalled either
            continue
        if old := within(vault, name, found, text, day):
            return old
    return None if path and layout.kind_of(path) != "log" else by_meaning(vault, text, day)


def by_meaning(vault: Vault, text: str, day: date) -> Entry | None:
    """What a running `mem watch` with a model finds to mean the same, with the same numbers, negations and names."""
    try:
        with extras.wanted():
            from memcli.watch import wire
    except MissingPart:
        return None
    try:
        answer = wire.call(wire.meeting(str(vault.root), vault.environ), wire.ALIKE, f"{day}\0{text}".encode())
        found = vault.matches(answer.decode()) if answer else []
    except (wire.Broken, OSError, MemError):
        return None
    new = _asked(text)[0]
    for old in found:
        if not old.superseded and _told(new) == _told(old):
            return old
    return None


def _told(entry: Entry) -> tuple[set[str], set[str]]:
    """What must be the same in two texts that mean the same: numbers and negations, and names."""
    return set(filter(_tells, tokens(entry))), set(re.findall(_NAME, _timeless(entry)))


def _tells(word: str) -> bool:
    """Whether a word makes a text another one: a number, or a not."""
    from memcli.text import phrases  # seldom: something must be alike first

    numbers, nots = (phrases.words_of("differs", sign, phrases.LANGUAGES) for sign in ("number", "not"))
    return word[0].isdecimal() or word in numbers or word in nots or re.fullmatch(r"\w+n't", word) is not None


def within(vault: Vault, name: str, found: str, text: str, day: date) -> Entry | None:
    """The same, if it stands in one file, whose text is `found`."""
    new, said, probes = _asked(text)
    low = found.lower()
    if not said or sum(probe in low for probe in probes) * 2 < len(probes):
        return None
    for entry in reversed(entries.read(name, found).entries):
        if entry.superseded or entry.task != new.task or (new.time and entry.time != new.time):
            continue
        if entry.raw.lstrip().startswith(("|", "`", "~", "<", ">")):  # a mark of having been seen would break it
            continue
        old = tokens(entry)
        if said == old and entry.kind in LASTING:
            return entry
        if (said == old or alike(said, old)) and _is_recent(vault, entry, day):
            return entry
    return None


@lru_cache(maxsize=1)
def _asked(text: str) -> tuple[Entry, tuple[str, ...], list[str]]:
    """A text as the memory it would be, its words, and the words a file must hold to be worth a look: the longest."""
    new = entries.read("", edit.item("", text)).entries[0]
    said = tokens(new)
    return new, said, sorted(dict.fromkeys(said), key=len, reverse=True)[:PROBES]


def tokens(entry: Entry) -> tuple[str, ...]:
    """The words and Chinese characters of a memory in lower case, without its time, tags and punctuation."""
    return tuple(re.findall(_TOKEN, plain(re.sub(_TAG, " ", _timeless(entry))).text.lower()))


def _timeless(entry: Entry) -> str:
    """Its words without the time of day before them, behind which the first word would look like a name."""
    return re.sub(_TIME, "", entry.words, count=1) if entry.time else entry.words


def alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two texts hardly differ, and not in a number, a negation, an order or a name."""
    if not 0.9 < len(one) / max(1, len(other)) < 1.1 or len(set(one) ^ set(other)) > len(one) / 5:
        return False
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.ratio() <= LIKENESS:
        return False
    gone: list[str] = []
    come: list[str] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "replace" and SequenceMatcher(None, " ".join(one[a:b]), " ".join(other[c:d])).ratio() < TYPO:
            return False
        if kind != "equal":
            gone += one[a:b]
            come += other[c:d]
    return not set(gone) & set(come) and not any(map(_tells, gone + come))


def _near(vault: Vault, path: str, day: date) -> list[str]:
    """The files that may hold it, the likeliest first."""
    lasting = bool(path) and layout.kind_of(path) != "log"
    want = Filter()
    logs, facts, notes = [], [], []
    first, last = (day - WINDOW).isoformat(), (day + WINDOW).isoformat()
    for name in layout.walk(vault.root):
        if not first <= name[-13:-3] <= last and name[-13:-3].replace("-", "").isdigit() and name[-9:-8] == "-":
            continue  # most logs of a large vault, told by their usual name alone
        own = layout.day_of(name)
        if name == path or (own and abs(own - day) > WINDOW) or not vault.admitted([name], want):
            continue
        kind = layout.kind_of(name)
        if kind in LASTING:
            facts.append(name)
        elif kind == "log" and not lasting:
            logs.append(name)
        elif kind == "note":
            notes.append(name)
    since = _midnight(day - WINDOW)
    dated = sorted(((_changed(vault, name), name) for name in notes), reverse=True)
    latest = [name for at, name in dated[:NOTES] if at >= since]
    return [*([path] if (vault.root / path).exists() else ()), *reversed(logs), *facts, *latest]


def _is_recent(vault: Vault, entry: Entry, day: date) -> bool:
    """Written or seen again within the last days; what has no day of its own is as old as its file."""
    seen = layout.day_in(entry.fields.get("seen", "")) or entry.day
    if seen is None:
        return entry.kind in LASTING or _changed(vault, entry.path) >= _midnight(day - WINDOW)
    return abs(seen - day) <= WINDOW


def _changed(vault: Vault, name: str) -> float:
    info = files.stat_of(vault.root / name)
    return info.st_mtime if info else 0.0  # it was there a moment ago


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day).timestamp()
