"""Read the dates of a question, and take them out of its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from memcli.text import dates, lexicon, phrases, words
from memcli.text.dates import DateSpan
from memcli.text.later import compile_later
from memcli.text.words import Form, Term

_MONTH = compile_later(r"\d+月|[一二三四五六七八九十]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.I)
_EITHER = compile_later(r"(?<![\d/])(?!(\d{1,2})/\1(?!\d))\d{1,2}/\d{1,2}(?!\d|/(?!(?:\d\d)?\d\d(?!\d)))")
_WEEKS = ("周", "星期", "礼拜")
_WEEKDAY = compile_later(rf"(?:{'|'.join(_WEEKS)})([一二三四五六日天])")
_BARE_WEEKDAY = compile_later(
    r"(?:周|星期|礼拜)[一二三四五六日天末][早中晚]?[上午]?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the )?weekend",
    re.I,
)
_YEAR = compile_later(r"\d{4}|年|农历|阴历")  # or of a calendar in which the same day is another one


def add_other_readings(question: str, spans: Sequence[DateSpan], today: date) -> Iterator[DateSpan]:
    """Yield the times of a question. 11/12 is 12 November to some and 11 December to others; in Chinese the month comes
    first."""
    if words.CJK_RUN.search(question):
        yield from spans
        return
    others = set[tuple[int, date]]()
    for span in spans:
        if span.first == span.last and _EITHER.search(span.text) and span.first.day <= 12:
            month, day = span.first.day, span.first.month
            years = [today.year - 1, today.year, today.year + 1] if span.text.count("/") == 1 else [span.first.year]
            turns = [date(year, month, day) for year in years]
            other = min(turns, key=lambda turn: abs(turn - today))
            if (span.start, other) not in others:  # the same for 11 May of this year and of the next
                yield span._replace(first=other, last=other)
            others.add((span.start, other))
        yield span


def add_last_year(spans: Sequence[DateSpan], today: date, asks_ahead: bool) -> Iterator[DateSpan]:
    """Yield the times of a question. A coming day of the year is preceded by the same day a year before, which notes
    may describe, unless the question asks for plans. When the coming day is over half a year ahead, only the earlier
    one is meant."""
    starts = [span.start for span in spans]
    days = [span for span in spans if span.first == span.last]
    sure = {f"{day.first:%m-%d}": day for day in days if day.first.year >= today.year and not _recurs(day)}
    for span in spans:
        ahead = (span.first - today).days
        if span in days and _recurs(span) and (same := sure.get(f"{span.first:%m-%d}")):
            yield span._replace(first=same.first, last=same.last)  # 11月20号 beside 2026-11-20
            continue
        if asks_ahead and span.last < today and starts.count(span.start) > 1:
            continue  # "the 8th" of a plan is the coming one
        if 0 < ahead < 366 and starts.count(span.start) == 1 and _recurs(span):
            if ahead > dates.FAR or not asks_ahead:
                yield span._replace(first=_move_to_last_year(span.first), last=_move_to_last_year(span.last))
            if ahead > dates.FAR:
                continue
        yield span


def _recurs(span: DateSpan) -> bool:
    """Return whether a time comes round every year, as a day without a year does."""
    return bool(_MONTH.search(span.text)) and not _YEAR.search(span.text)


def include_deadlines(spans: Sequence[DateSpan], today: date) -> Iterator[DateSpan]:
    """Yield the times of a question. What is to be done before Friday may be due on Friday."""
    for span in spans:
        is_due = span.last >= today and dates.excludes_its_day(span.text)
        yield span._replace(last=span.last + timedelta(days=1)) if is_due else span


def leave_out_days_of_rules(question: str, spans: Sequence[DateSpan]) -> Iterator[DateSpan]:
    """Yield the times of a question without a bare weekday where it asks for a rule: 周日开门吗 means no Sunday."""
    for span in spans:
        if not (_BARE_WEEKDAY.fullmatch(span.text) and phrases.find_phrase("recall", "rule", question)):
            yield span


def _move_to_last_year(day: date) -> date:
    return day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)


def blank_dates(text: str, spans: Sequence[DateSpan]) -> str:
    """Return the text without its dates, which are searched as days and not as words."""
    for span in spans:
        text = text[: span.start] + " " * (span.stop - span.start) + text[span.stop :]
    return text


def find_time_names(spans: Sequence[DateSpan]) -> tuple[Term, ...]:
    """Return the names of months, weekdays and feasts as terms, too: "the shop opens on Monday" may be noted on any
    day. A day that is written out (12 December) is that day alone."""
    wide = [span for span in spans if span.first < span.last or not any(map(str.isdigit, span.text))]
    name_words = dict.fromkeys(
        word for span in wide for word in words.words(span.text) if word.isalpha() and len(word) > 2
    )
    relative = phrases.words_of("recall", "relative time", ("en",)) if name_words else ()
    named = [word for word in name_words if word not in relative and not words.is_stop(word)]
    weekdays = dict.fromkeys(match[1] for span in wide if (match := _WEEKDAY.fullmatch(span.text)))
    return (
        *(Term(word, words.forms(word), words.COMMON) for word in named),
        *(Term(f"周{day}", tuple(words.literal(week + day) for week in _WEEKS), words.COMMON) for day in weekdays),
        *(feast for feast in find_feasts(spans) if feast.text not in name_words),
    )


def find_feasts(spans: Sequence[DateSpan]) -> tuple[Term, ...]:
    """Return the names of feasts and seasons among times, which notes of any day may have, "Halloween: keep the dogs
    in" and 冬至煮汤圆, with their other names: 春节 is 过年, too."""
    found = (
        match[0].lower()
        for span in spans
        for match in phrases.pattern("recall", "feast", phrases.languages(span.text)).finditer(span.text)
    )
    return tuple(Term(feast, _forms_of_feast(feast)) for feast in dict.fromkeys(found))


def _forms_of_feast(feast: str) -> tuple[Form, ...]:
    if feast.isascii() and feast.isalpha():
        return words.forms(feast)
    return (words.literal(feast), *map(words.literal, lexicon.other_words("zh", [feast])))
