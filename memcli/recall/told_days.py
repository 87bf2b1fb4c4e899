"""Say whether a note speaks of a day: as a plan or a deadline, or in telling of it later."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from memcli.text import dates
from memcli.text.dates import DateSpan
from memcli.text.dates.recurring import recurs_between
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN
from memcli.vault.entries import Entry

MOST_OF_A_PLAN = 60  # days of a plan that names its first and its last: "away from 19 December to 4 January"
MONTH = 31  # days
SOON_TO_COME = timedelta(days=120)  # so far ahead a date may lie that by its tense would be over
WEEK = 7  # days
A_YEAR = timedelta(days=366)  # so far ahead a day in figures may lie
SHORT = 3  # days; for a longer time later notes about it are not searched

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_DAY_TO_DAY = compile_later(
    r"\d(?:st|nd|rd|th|[日号])?(?: [a-z]+){0,2} ?(?:to|until|till|through|(?<!\d{4})[-–—~〜～到至]) ?(?:\w+ )*\d", re.I
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CHINESE_WEEKDAYS = (*"一二三四五六", "[日天]")
_BY = "(?:by|on|until|till|before|due|from)"
_NAMES_MONTH = compile_later(r"\d ?[月/]|\b(?:" + "|".join(MONTHS) + ")", re.I)
_DONE = compile_later(r"[了过]|\b(?:booked|made|got|bought|ordered|fixed|planned|arranged|moved)\b", re.I)


def is_plan_for(entry: Entry, span: DateSpan) -> bool:
    """Return whether an entry was written before a time and is a plan for it: it names a day of it by its date, or was
    written in the week before a short time. In a time of more than a month, such as "until 2050", the days are too
    many to look for."""
    if entry.day and entry.day >= span.first:
        return False
    is_of_week_before = is_short(span) and entry.day is not None and span.first - entry.day <= timedelta(days=WEEK)
    if not (is_of_week_before and _compile_days_ahead(span).search(entry.words)) and not names_day(entry, span):
        return False
    return is_planned(entry, span)


@lru_cache(maxsize=64)
def _compile_days_ahead(span: DateSpan) -> re.Pattern[str]:
    """Return a pattern for what a note of the week before may call a day of a short time: tomorrow, Friday, the 27th,
    周五, 27号."""
    english, chinese = (
        f"(?:{'|'.join(signs[day.weekday()] for day in days_of(span))})" for signs in (_WEEKDAYS, _CHINESE_WEEKDAYS)
    )
    numbers = f"(?:{'|'.join(_numbers_of(span))})"
    return re.compile(
        rf"[周期拜]{chinese}|明|后天|{numbers}[号日]|\b{english}|\b(?:tomorrow|tmrw)|\b{numbers}(?:st|nd|rd|th)",
        re.I,
    )


def names_day(entry: Entry, span: DateSpan) -> bool:
    """Return whether an entry writes out a day of a time of at most a month."""
    if is_short(span) and not any(number in entry.words for number in _numbers_of(span)):
        return False  # as most do not, and a pattern takes longer
    return (span.last - span.first).days <= MONTH and compile_days((span,)).search(entry.words) is not None


@lru_cache(maxsize=64)
def _numbers_of(span: DateSpan) -> tuple[str, ...]:
    return tuple(str(day.day) for day in days_of(span))


def is_planned(entry: Entry, span: DateSpan) -> bool:
    """Return whether an entry speaks of a coming time: "tooth out on Thursday the 26th". Words like "Thursday" count
    from the day of the note, or from the day before the span in a file without a day. A deadline counts on its day."""
    if entry.day and entry.day != entry.file_day and span.first <= entry.day <= span.last:
        return True
    written = entry.day or span.first - timedelta(days=1)
    vaguest = max(6, (span.last - span.first).days)  # days; "next year" plans nothing for next week
    if written < span.last and recurs_between(entry.words, span.first, span.last):
        return True
    if written < span.first <= written + A_YEAR and _names_in_figures(entry.words, span):
        return True
    mentions = _find_dates(entry.words, written)
    # 约了12月5号 and "chose the trombone, first lesson 8 Dec" tell of what is to come in the past tense
    is_done = _DONE.search(entry.words) is not None
    if is_done or _NAMES_MONTH.search(entry.words):
        mentions += tuple(
            each
            for each in _find_coming_dates(entry.words, written)
            if each.first - written <= SOON_TO_COME and (is_done or _NAMES_MONTH.search(each.text))
        )
    return any(
        _is_due(mentioned, written, span)
        or (
            written < mentioned.first <= span.last
            and mentioned.last >= span.first
            and (mentioned.last - mentioned.first).days
            <= (MOST_OF_A_PLAN if _DAY_TO_DAY.search(mentioned.text) else vaguest)
        )
        for mentioned in mentions
    )


def find_due(task: Entry, today: date) -> DateSpan | None:
    """Return the time by which a task is to be done, or None if it names none."""
    written = task.day or today
    coming = _find_coming_dates(task.fields.get("due") or task.words, written)
    return dates.choose_due([each for each in coming if each.last >= written])


def due_key(due: DateSpan | None) -> date:
    """Return what sorts tasks by their day; those without one come last."""
    return due.last if due else date.max


def _names_in_figures(text: str, span: DateSpan) -> bool:
    is_chinese = not text.isascii() and CJK_RUN.search(text) is not None
    return (span.last - span.first).days < WEEK and _compile_figures(span, is_chinese).search(text) is not None


def _is_due(mentioned: DateSpan, written: date, span: DateSpan) -> bool:
    """Return whether a time that a note mentions is a deadline within a span. "Before Friday" counts on Thursday and on
    Friday."""
    if not mentioned.first <= written <= mentioned.last or not dates.is_deadline(mentioned.text):
        return False
    named = mentioned.last + timedelta(days=dates.excludes_its_day(mentioned.text))
    return any(written < day and span.first <= day <= span.last for day in (mentioned.last, named))


def is_told_later(entry: Entry, span: DateSpan) -> bool:
    """Return whether an entry tells of a day that is over: "yesterday I saw the dentist". Words like "yesterday" count
    from the day of the note. In a file without a day the text has to name the year."""
    if entry.day and entry.day < span.first:
        return False
    if not entry.day and str(span.first.year) not in entry.words:
        return False  # it can't name the day, and reading dates takes long
    written = entry.day or span.first - timedelta(days=800)
    return any(
        span.first <= mentioned.first and mentioned.last <= span.last for mentioned in _find_dates(entry.words, written)
    )


def days_of(span: DateSpan) -> list[date]:
    return [span.first + timedelta(step) for step in range((span.last - span.first).days + 1)]


@lru_cache(maxsize=16)
def compile_days(spans: tuple[DateSpan, ...]) -> re.Pattern[str]:
    """Return a pattern that finds a day of these times written out, with or without a year."""
    days: dict[int, set[int]] = {}
    for span in spans:
        for day in days_of(span):
            days.setdefault(day.month, set()).add(day.day)
    ways = []
    for month, numbers in days.items():
        name, number = MONTHS[month - 1], f"0?(?:{'|'.join(map(str, numbers))})"
        ways.append(rf"{number}(?:st|nd|rd|th)?,? +(?:of +)?{name}|{name}[a-z]*\.? +{number}(?!\d)")
        ways.append(rf"0?{month}(?: ?月 ?|[-/.]){number}(?!\d)|{number}[/.]0?{month}(?!\d)")
    return re.compile(rf"(?<!\d)(?:{'|'.join(ways)})", re.I)


@lru_cache(maxsize=64)
def _compile_figures(span: DateSpan, is_chinese: bool) -> re.Pattern[str]:
    """Return a pattern for the days of a time in figures, where they can hardly be anything else: 18/12, 18.12.,
    05/12, and in Chinese 12.18, but neither 3/4, 24/7 and 16/9, nor "Python 3.12", `x = 1.30` and 12.18元."""
    ways = []
    for month, day in ((each.month, each.day) for each in days_of(span)):
        ways.append(rf"0?{day}\.0?{month}\.(?!\d)")
        if day > 12 and (day, month) not in ((24, 7), (16, 9)):
            ways.append(rf"(?:0?{day}/0?{month}|0?{month}/0?{day})(?![\w/%])")
        both = rf"(?:0?{day}/0?{month}|0?{month}/0?{day})"
        ways.append(rf"{_BY} {both}(?![\w/%])|{both}/(?:20)?{span.first:%y}(?!\d)")
        if min(day, month) < 10 and not is_chinese:  # a leading zero tells a day from a fraction
            ways.append(rf"(?:{day:02}/{month:02}|{month:02}/{day:02})(?![\w/%])")
        if is_chinese:
            ways.append(rf"(?<![a-z本=＝×] )(?<![=＝×率])0?{month}\.0?{day}(?![\d/%.a-z元块万度])")
    return re.compile(rf"(?<![A-Za-z\d_./€$£¥])(?:{'|'.join(ways)})", re.I)


def is_short(span: DateSpan) -> bool:
    return (span.last - span.first).days < SHORT


@lru_cache(maxsize=8192)
def _find_dates(text: str, written: date) -> tuple[DateSpan, ...]:
    return tuple(dates.find_asked_dates(text, written))


@lru_cache(maxsize=1024)
def _find_coming_dates(text: str, written: date) -> tuple[DateSpan, ...]:
    return tuple(dates.find_coming_dates(text, written))
