"""Judge whether the same memory has been written already.

There is no index to keep up to date. The candidates are the logs of the last days, the files of lasting facts and
recently changed notes. They are read from disk, and parsed only if they hold the rarest words of the new text.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

from memcli import extras
from memcli.errors import MemError, MissingPart
from memcli.text import phrases
from memcli.text.later import compile_later
from memcli.text.plain import plain
from memcli.text.telling_signs import TELLING_SIGN
from memcli.vault import edit, entries, files, layout
from memcli.vault.entries import Entry
from memcli.vault.tags import without_end_tags
from memcli.vault.vault import Filter, Vault

WINDOW = timedelta(days=7)
LIKENESS = 0.95  # two texts with a higher likeness are the same
LASTING = frozenset(
    {"memory", "insight", "project"}
)  # these files belong to no day, so a duplicate in them never expires
LONG_WORD = 6  # letters; in a shorter word one other letter makes another word
NOTES = 200  # files without a day that are searched, the latest first
PROBES = 8

# These patterns are compiled when a file holds the words of the new text, which is rare.
_SIGN = r"\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = compile_later(
    rf"[{_SIGN}]|[^\W_{_SIGN}]+(?:'\w+)?|{TELLING_SIGN}", in_ascii=rf"[^\W_]+(?:'\w+)?|{TELLING_SIGN}"
)
_TIME = r"\W*\d{1,2}:\d\d(?::\d\d)?(?:\W*(?!\d)|\s*)"  # the sign of -3 dB is no part of it
_NAME = r"(?<=[^.!?\s] )[A-Z]\w+"  # within a sentence


def find_duplicate(vault: Vault, text: str, path: str, day: date, is_named: bool = False) -> Entry | None:
    """Return the memory from the days around `day` that says the same as `text`, or None. `path` is where the text
    would go. If somebody named the day (`is_named`), the same words on another day tell of another event.

    A memory in a log does not count as a duplicate of one that goes to a more lasting file.
    """
    for name in _near(vault, path, day):
        try:
            found = files.read_file(vault.root / name, name).text
        except MemError:  # mem doctor reports the file
            continue
        if old := find_in_file(vault, name, found, text, day, is_named):
            return old
    return None if is_named or (path and layout.kind_of(path) != "log") else find_by_meaning(vault, text, day)


def find_by_meaning(vault: Vault, text: str, day: date) -> Entry | None:
    """Return a memory that means the same, or None. A running `mem watch` with a model finds it; numbers, negations
    and names must agree."""
    try:
        with extras.wanted():
            from memcli.watch import wire
    except MissingPart:
        return None
    try:
        answer = wire.call(wire.socket_path(str(vault.root), vault.environ), wire.ALIKE, f"{day}\0{text}".encode())
        found = vault.matches(answer.decode()) if answer else []
    except (wire.WireError, OSError, MemError):
        return None
    new = _asked(text)[0]
    for old in found:
        if not old.superseded and _distinguishing_words(new) == _distinguishing_words(old):
            return old
    return None


def _distinguishing_words(entry: Entry) -> tuple[set[str], set[str]]:
    """Return (numbers and negations, names) of an entry. Both must be equal in two texts that mean the same."""
    return set(filter(_tells, tokens(entry))), _names(entry)


def _names(entry: Entry) -> set[str]:
    return set(re.findall(_NAME, _timeless(entry)))


def _tells(word: str) -> bool:
    """Return whether a word alone makes a text different: a sign, a number or a negation."""
    numbers, nots = (phrases.words_of("differs", sign, phrases.LANGUAGES) for sign in ("number", "not"))
    return not word[0].isalpha() or word in numbers or word in nots or re.fullmatch(r"\w+n't", word) is not None


def find_in_file(vault: Vault, name: str, found: str, text: str, day: date, is_named: bool = False) -> Entry | None:
    """Return the memory in one file that says the same, or None. `found` is the text of the file."""
    new, new_words, probes = _asked(text)
    low = found.lower()
    if not new_words or sum(probe in low for probe in probes) * 2 < len(probes):
        return None
    for entry in reversed(entries.parse_document(name, found).entries):
        if entry.superseded or entry.task != new.task or (new.time and entry.time != new.time):
            continue
        if entry.raw.lstrip().startswith(("|", "`", "~", "<", ">")):  # the field for the day it was seen would break it
            continue
        old = tokens(entry)
        if new_words == old and entry.kind in LASTING:
            return entry
        if is_named and entry.day not in (day, None):
            continue
        is_same = new_words == old or (are_alike(new_words, old) and _names(new) == _names(entry))
        if is_same and _is_recent(vault, entry, day):
            return entry
    return None


@lru_cache(maxsize=1)
def _asked(text: str) -> tuple[Entry, tuple[str, ...], list[str]]:
    """Return a text as an entry, its words, and the longest words, half of which a file must hold to be parsed."""
    new = entries.parse_document("", edit.list_item("", text)).entries[0]
    new_words = tokens(new)
    return new, new_words, sorted(dict.fromkeys(new_words), key=len, reverse=True)[:PROBES]


def tokens(entry: Entry) -> tuple[str, ...]:
    """Return the words and Chinese characters of a memory in lower case, and the signs that change what it says. Leave
    out its time and the tags behind it."""
    return tuple(_TOKEN.findall(plain(without_end_tags(_timeless(entry))).text.lower()))


def _timeless(entry: Entry) -> str:
    """Return the words of an entry without its time of day, after which the first word would look like a name."""
    return re.sub(_TIME, "", entry.words, count=1) if entry.time else entry.words


def are_alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether two texts differ only in a few misspellings and words that add nothing."""
    if not 0.9 < len(first) / max(1, len(second)) < 1.1 or len(set(first) ^ set(second)) > len(first) / 5:
        return False
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() > LIKENESS and all(
        _is_misspelling(first[a:b], second[c:d]) and a > 0
        if kind == "replace"
        else _adds_nothing(first[a:b], second[c:d])
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    )


def _is_misspelling(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether one long word stands for another that differs in one letter, or in the order of two."""
    if len(some) != 1 or len(others) != 1 or any(map(_tells, some + others)):
        return False
    from difflib import SequenceMatcher

    one, other = sorted((some[0], others[0]), key=len)
    shared = sum(block.size for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())
    return len(other) >= LONG_WORD and shared >= len(other) - 1


def _adds_nothing(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    nothing = phrases.pattern("restated", "nothing", phrases.LANGUAGES)
    return all(map(nothing.fullmatch, some + others))


def _near(vault: Vault, path: str, day: date) -> list[str]:
    """Return the files that may hold the memory, the likeliest first."""
    lasting = bool(path) and layout.kind_of(path) != "log"
    want = Filter()
    logs, facts, notes = [], [], []
    first, last = (day - WINDOW).isoformat(), (day + WINDOW).isoformat()
    for name in layout.walk(vault.root):
        if not first <= name[-13:-3] <= last and name[-13:-3].replace("-", "").isdigit() and name[-9:-8] == "-":
            continue  # most logs of a large vault, recognized by their names alone
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
    """Return whether an entry was written or seen again within the last days. Without a day of its own it is as old
    as its file."""
    seen = layout.day_in(entry.fields.get("seen", "")) or entry.day
    if seen is None:
        return entry.kind in LASTING or _changed(vault, entry.path) >= _midnight(day - WINDOW)
    return abs(seen - day) <= WINDOW


def _changed(vault: Vault, name: str) -> float:
    info = files.stat_of(vault.root / name)
    return info.st_mtime if info else 0.0  # the file was removed a moment ago


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day).timestamp()
