"""Find memories from the days that the question names, or from the last few days: the time path.

There are no notes from days to come, but there may be plans: recent notes that mention such a day are found, and older
ones that write it out (12 December, 12月12日).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import islice

from memcli.recall.query import Query
from memcli.recall.search_state import VaultSearch, cached_per_search
from memcli.recall.told_days import (
    MONTH,
    MONTHS,
    WEEK,
    compile_days,
    days_of,
    is_plan_for,
    is_planned,
    is_short,
    is_told_later,
    names_day,
)
from memcli.recall_path import RecallPath
from memcli.text.dates import DateSpan
from memcli.vault import layout
from memcli.vault.entries import Entry
from memcli.vault.search import LinePattern

MOST_FILES = 93  # all days of a quarter; in a longer span the text path finds the rest
MOST_OF_A_FILE = 500
AHEAD = 30  # plans are searched in the notes of so many days

LONG = 0.6  # strength within a time of more than three days, which is less certain than a day
SPAN = 0.2  # from this strength on a memory is from the time in question
AFTERMATH, AFTERMATH_DAYS = 0.1, 14  # strength of notes from the days after, which fades within so many days
TOLD_LATER = 0.6  # strength of another note that names the day: "yesterday I …", or an appointment that is over
WAS_PLANNED = 0.3  # strength of an older plan for a longer time that is over: after all that was noted in it
SOON = 3  # later notes are searched in so many days after; each file costs time


def find_entries(search: VaultSearch) -> Iterator[Entry]:
    """Yield the entries of the days in the question; without any, those of the last `recall.recent_days`."""
    spans = [(span.first, span.last) for span in search.query.spans]
    if not spans:
        today = search.today
        spans = [(today - timedelta(days=search.vault.settings.recall.recent_days), today)]
    of = (
        search.whole_file if search.query.spans else search.entries
    )  # a day that is named may stand in a large file, too
    for path in _find_dated_files(search, spans):
        yield from islice((entry for entry in of(path) if _is_within(entry.day, spans)), MOST_OF_A_FILE)
    coming = [span for span in search.query.spans if _may_be_planned(span, search.today)]
    for path in _find_near_files(search, search.today - timedelta(days=AHEAD), date.max) if coming else ():
        yield from (entry for entry in search.entries(path) if any(is_planned(entry, span) for span in coming))
    yield from (entry for entry in _find_dated_by_name(search) if not _is_within(entry.day, spans))
    for span in search.query.named_spans:
        told_of = is_short(span) and span.last <= search.today
        around = span.first - timedelta(days=WEEK), span.last + timedelta(days=SOON)
        for path in _find_near_files(search, *around) if told_of else ():
            about = (entry for entry in search.entries(path) if is_plan_for(entry, span) or is_told_later(entry, span))
            yield from (entry for entry in about if not _is_within(entry.day, spans))


def _may_be_planned(span: DateSpan, today: date) -> bool:
    """Return whether a time is not over: what was planned for a time up to today, "since May", has come or not."""
    return span.last > today or span.first == today


def _written_out(query: Query) -> list[DateSpan]:
    """Return the times that older notes may name by their date, as an appointment: a coming month at most, one that is
    over where the question asks for plans, and a day or a few that it names by their date."""
    return [
        span
        for span in query.named_spans
        if ((span.last > query.today or query.asks_for_plans) and (span.last - span.first).days <= MONTH)
        or (is_short(span) and any(map(str.isdigit, span.text)))
    ]


def _day_patterns(spans: Iterable[DateSpan]) -> Iterator[LinePattern]:
    """Yield patterns for any day of the months of these times: 12 December, Dec 12th, 12月12日. Patterns for the days
    themselves would be many alternatives, which takes ripgrep twenty times as long."""
    for month in dict.fromkeys(day.month for span in spans for day in (span.first, span.last)):
        name = MONTHS[month - 1]
        yield LinePattern(name, rf"[0-9](?:st|nd|rd|th)?,? +(?:of +)?{name}|{name}[a-z]*\.? +[0-9]")
        yield from (LinePattern(f"{month}{gap}月", rf"{month}{gap}月 ?[0-9]") for gap in ("", " "))


def _find_dated_by_name(search: VaultSearch) -> Iterator[Entry]:
    """Yield what names a date of the question in its text, however long ago it was noted; the latest files first."""
    spans = tuple(_written_out(search.query))
    if not spans:
        return
    names_it = compile_days(spans).search
    files = search.findings.files_with(lambda line: names_it(line) is not None)
    for path in sorted(files, key=lambda path: layout.day_of(path) or date.max, reverse=True)[:MOST_FILES]:
        yield from (entry for entry in search.whole_file(path) if any(names_day(entry, span) for span in spans))


def _is_within(day: date | None, spans: list[tuple[date, date]]) -> bool:
    return day is not None and any(first <= day <= last for first, last in spans)


def is_about(entry: Entry, span: DateSpan, query: Query) -> bool:
    """Return whether an entry is from a time of a question, or is a plan for it or a later note about it."""
    return _rate_day(entry, span, query) >= SPAN


def _find_near_files(search: VaultSearch, since: date, until: date) -> list[str]:
    """Return the files of these days, and those with a priority."""
    dated = {path for _, path in layout.dated(search.paths, since, until)}
    first = search.vault.settings.recall.priorities
    return [path for path in search.paths if path in dated or layout.split(path)[1] in first]


def _find_dated_files(search: VaultSearch, spans: list[tuple[date, date]]) -> list[str]:
    """Return the files dated within the spans, newest first, then undated files that contain such a date."""
    span = min(first for first, _ in spans), max(last for _, last in spans)
    near = layout.dated(search.paths, *span)
    dated = [path for day, path in near if _is_within(day, spans)]
    newest = dated[:MOST_FILES]
    if not search.query.spans:
        return newest
    touched = search.findings.touched()
    hit = [path for path in dated if path in touched][:MOST_FILES]
    mentioned = [path for path in sorted(touched) if layout.day_of(path) is None]
    return list(dict.fromkeys([*newest, *hit, *mentioned[:MOST_FILES]]))


def strength(search: VaultSearch, entry: Entry) -> float:
    """Return 1 for a day in the question and less within a longer time. Without a time, return 1 / (1 + decay *
    days)."""
    if spans := asked_spans(search):
        return max(_rate_day(entry, span, search.query) for span in spans)
    return search.age_factor(entry.day) if entry.day else 0.0


@cached_per_search
def asked_spans(search: VaultSearch) -> tuple[DateSpan, ...]:
    """Return the times that the question asks for, without those that it only mentions in passing."""
    return search.query.named_spans


def _rate_day(entry: Entry, span: DateSpan, query: Query) -> float:
    today = query.today
    planned = _may_be_planned(span, today) and (is_planned(entry, span) if entry.day else is_plan_for(entry, span))
    if (entry.day and span.first <= entry.day <= span.last) or planned:
        return 1.0 if (planned and span.first > today) or is_short(span) else LONG
    if span.last > today:
        return 0.0
    if entry.day and (is_short(span) or query.asks_for_plans) and is_plan_for(entry, span):
        return TOLD_LATER if is_short(span) else WAS_PLANNED
    after = (entry.day - span.last).days if entry.day else 1  # people often write about a day afterwards
    if is_short(span) and (0 < after <= AFTERMATH_DAYS or names_day(entry, span)) and is_told_later(entry, span):
        return TOLD_LATER
    if not entry.day:
        return 0.0
    return AFTERMATH * (1 - after / AFTERMATH_DAYS) if 0 < after < AFTERMATH_DAYS else 0.0


def _figures_of_days(spans: Iterable[DateSpan]) -> Iterator[LinePattern]:
    """Yield patterns for the days of short times in figures: 18/12, 18.12. and 12.18, 5/3 and 05/03. Each is fixed
    text, which ripgrep finds twenty times as fast as one that varies."""
    days = [day for span in spans if is_short(span) for day in days_of(span)]
    written = (
        f"{first:{width}}{mark}{second:{width}}"
        for day in days
        for first, second in ((day.day, day.month), (day.month, day.day))
        for width in ("", "02")
        for mark in "/."
    )
    yield from (LinePattern(each, re.escape(each)) for each in dict.fromkeys(written))


def looks(query: Query) -> Iterable[LinePattern]:
    """Yield patterns for dates in headings or fields, so that notes in files without a date in their name are found.
    For a span longer than a quarter there are none, and only the text path finds such notes."""
    named = _written_out(query)
    yield from (*_day_patterns(named), *_figures_of_days(named))
    for span in query.spans:
        length = (span.last - span.first).days
        if length < MOST_FILES:
            days = [*(span.first + timedelta(step) for step in range(0, length, 28)), span.last]
            for year, month in sorted({(day.year, day.month) for day in days}):
                name = MONTHS[month - 1]
                # Each begins with fixed letters or digits, so that ripgrep skips most text quickly.
                yield LinePattern(
                    f"{year}", rf"{year}(?:[-/._年]\s?0?{month}[-/._月]|{month:02}[0-3][0-9](?:[^0-9]|$))"
                )
                yield LinePattern(f"{year}", rf"{name}[a-z]*\.?,?\s+(?:\d+(?:st|nd|rd|th)?,?\s+)?{year}")


PATH = RecallPath("time", "time", 0.05, find_entries, strength, leads=False, looks=looks)
