"""Find the memory whose day a new one moves: "the dentist is moved to Friday" takes the place of "dentist tomorrow"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memcli.remember.conflicts.compare import LONGEST, number_pattern, plain_words
from memcli.text import dates, phrases, words
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

BACK = timedelta(days=200)  # how long ago an appointment may have been noted
_CLAUSE = re.compile(r"[,;，；。.!?！？]")
SHARED, SHARED_CJK = 0.5, 0.25  # least share of subject words in common; pairs of characters also stand across words


def says_moved(text: str) -> bool:
    """Return whether a text says that something was moved to another day."""
    return _moved().search(text) is not None


def find_what_moved(text: str) -> str:
    """Return the words before the words for moving in their clause: 公开课 of 公开课改到 12 月 8 号; "" if there is none."""
    moved = _moved().search(text)
    return _CLAUSE.split(text[: moved.start()])[-1] if moved else ""


def without_moving(text: str) -> str:
    """Return a text without the words for moving, which say nothing about its subject."""
    return _moved().sub(" ", text)


def _moved() -> re.Pattern[str]:
    return phrases.pattern("differs", "moved in notes", phrases.LANGUAGES)


def find_moved(vault: Vault, text: str, today: date) -> Entry | None:
    """Return the memory of the same subject with a day to come, if a text moves it to another day and only one fits."""
    if len(text) > LONGEST or not says_moved(text) or not _coming(text, today, today):
        return None
    subject = _subject(text, today)
    found = [
        entry for entry in vault.entries(Filter(today - BACK, today))
        if not entry.superseded and entry.task not in ("done", "cancelled") and len(entry.raw) <= LONGEST
        and dates.may_hold_date(entry.words) and _is_same(subject, _subject(plain_words(entry), entry.day or today))
        and _coming(plain_words(entry), entry.day or today, today)
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _coming(text: str, written: date, today: date) -> bool:
    return any(span.first == span.last >= today for span in dates.find_coming_dates(text, written))


def _subject(text: str, written: date) -> frozenset[str]:
    """Return the stems and pairs of characters of a text without its days, its numbers and the words for moving."""
    for span in reversed(dates.find_coming_dates(text, written)):
        text = f"{text[: span.start]} {text[span.stop :]}"
    text = number_pattern().sub(" ", without_moving(text))
    return frozenset(words.stem(w) for w in words.words(text) if not words.is_stop(w)) | words.pairs(text)


def _is_same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Return whether a new subject (`first`) matches an older one (`second`) and has at least half of its words."""
    least = SHARED_CJK if any(words.CJK_RUN.match(each) for each in first) else SHARED
    shared = len(first & second)  # a text with less than half of the older subject would lose the rest
    return bool(first and second) and shared >= least * max(len(first), len(second)) and shared * 2 >= len(second)
