"""The time path: what was written in the days the question names, else in the last few days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from memcli.recall.field import Field
from memcli.vault import layout
from memcli.vault.entries import Entry

MOST_FILES = 62  # of a long span; what matches a word in the rest is found by the text path


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


def _files(field: Field, spans: list[tuple[date, date]]) -> list[str]:
    """Files dated within the spans, newest first, and undated ones in which such a day is written."""
    dated: list[tuple[date, str]] = []
    for path in field.paths:
        day = layout.day_of(path)
        if day is not None and any(first <= day <= last for first, last in spans):
            dated.append((day, path))
    dated.sort(key=lambda each: (-each[0].toordinal(), each[1]))
    hit = [path for _, path in dated if path in field.hits][:MOST_FILES]
    newest = [path for _, path in dated[:MOST_FILES]]
    mentioned = [path for path in sorted(field.hits) if field.query.spans and layout.day_of(path) is None]
    return list(dict.fromkeys([*newest, *hit, *mentioned[:MOST_FILES]]))
