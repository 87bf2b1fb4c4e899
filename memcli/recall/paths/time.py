"""The time path: what was written in the days the question names, else in the last few days.

Of days to come nothing is written yet, but something may be planned: recent notes that speak of such a day count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from memcli.recall.search import Field
from memcli.text import dates
from memcli.text.dates import DateSpan
from memcli.vault import layout
from memcli.vault.entries import Entry

MOST_FILES = 62  # of a long span; what matches a word in the rest is found by the text path
AHEAD = 30  # days back in which plans are looked for

_WEEKDAY = re.compile(r"day\b|周|星期|礼拜", re.I)
_LOOKS_BACK = re.compile(r"last|ago|yesterday|today|tonight|昨|前|上|今", re.I)


def find(field: Field) -> Iterator[Entry]:
    """Entries of the named days; without any, of the last `recall.recent_days`."""
    spans = [(span.first, span.last) for span in field.query.spans]
    if not spans:
        today = field.vault.today
        spans = [(today - timedelta(days=field.vault.settings.recall.recent_days), today)]
    for path in _files(field, spans):
        for entry in field.entries(path):
            if entry.day and any(first <= entry.day <= last for first, last in spans):
                yield entry
    coming = [span for span in field.query.spans if span.last > field.vault.today]
    for path in _recent(field) if coming else ():
        yield from (entry for entry in field.entries(path) if any(planned(entry, span) for span in coming))


@lru_cache(maxsize=8192)
def planned(entry: Entry, span: DateSpan) -> bool:
    """Whether an entry speaks of a coming time: "tooth out on Thursday the 26th". Seen from the end of that time, a
    bare day of the month or of the week means its latest turn, which is the one in it."""
    fresh = entry.day is not None and entry.day >= span.first - timedelta(days=7)
    for said in dates.find(entry.words, span.last):
        tells = any(sign.isdigit() for sign in said.text) or (fresh and _WEEKDAY.search(said.text))
        short = (said.last - said.first).days < 7 and not _LOOKS_BACK.search(said.text)
        if tells and short and said.first <= span.last and said.last >= span.first:
            return True
    return False


def _recent(field: Field) -> list[str]:
    """Files of the last weeks, and those with a priority."""
    since = field.vault.today - timedelta(days=AHEAD)
    recent = {path for _, path in field.vault.dated(field.paths, since, date.max)}
    return [path for path in field.paths if path in recent or path in field.vault.settings.recall.priorities]


def _files(field: Field, spans: list[tuple[date, date]]) -> list[str]:
    """Files dated within the spans, newest first, and undated ones in which such a day is written."""
    span = min(first for first, _ in spans), max(last for _, last in spans)
    near = field.vault.dated(field.paths, *span)
    dated = [path for day, path in near if any(first <= day <= last for first, last in spans)]
    newest = dated[:MOST_FILES]
    if not field.query.spans:
        return newest
    touched = field.findings.touched()
    hit = [path for path in dated if path in touched][:MOST_FILES]
    mentioned = [path for path in sorted(touched) if layout.day_of(path) is None]
    return list(dict.fromkeys([*newest, *hit, *mentioned[:MOST_FILES]]))
