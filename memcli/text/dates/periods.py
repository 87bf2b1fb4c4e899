"""Calendar arithmetic: whole days, weeks, months, quarters, seasons and years, and the parts of them.

A period is a pair of dates, both inclusive. Nothing here knows about words. A period outside the
calendar raises `ValueError` or `OverflowError`, as `datetime` does; `when.py` turns that into "no date".
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

Period = tuple[date, date]
# How many of a unit: at least, at most. "three" is (3, 3), "a few" is FEW.
Amount = tuple[int, int]

COUPLE: Amount = (1, 3)
FEW: Amount = (2, 7)
EARLY, MID, LATE = 0, 1, 2
_DAY = timedelta(days=1)
# Where a week and a year break into early, mid and late (days of the week; months of the year).
_WEEK_PARTS = ((0, 1), (2, 3), (4, 6))
_YEAR_PARTS = ((1, 3), (5, 4), (10, 3))


def shifted(day: date, days: int) -> date:
    return day + timedelta(days=days)


def run(first: date, length: int) -> Period:
    return first, shifted(first, length - 1)


def day(y: int, m: int, d: int) -> Period:
    only = date(y, m, d)
    return only, only


def months(y: int, m: int, count: int) -> Period:
    """`count` whole months from month `m` of year `y`; `m` may lie outside 1–12."""
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    end = m - 1 + count
    return date(y, m, 1), date(y + end // 12, end % 12 + 1, 1) - _DAY


def month(y: int, m: int) -> Period:
    first = date(y, m, 1)  # there is no 13th month
    return months(first.year, m, 1)


def quarter(y: int, n: int) -> Period:
    return months(y, 3 * n - 2, 3)


def half(y: int, n: int) -> Period:
    return months(y, 6 * n - 5, 6)


def season(y: int, n: int) -> Period:
    """Meteorological, northern: 1 spring is March to May, 4 winter begins in December of `y`."""
    return months(y, 3 * n, 3)


def year(y: int) -> Period:
    return months(y, 1, 12)


def week(around: date, shift: int = 0) -> Period:
    return run(shifted(around, 7 * shift - around.weekday()), 7)


def weekend(around: date, shift: int = 0) -> Period:
    sunday = week(around, shift)[1]
    return sunday - _DAY, sunday


def with_weekend(day: Period) -> Period:
    """A day and the weekend it makes long: a Monday the one before it, a Thursday the one after."""
    around = weekend(day[0], -1 if day[0].weekday() < 2 else 0)
    return min(day[0], around[0]), max(day[1], around[1])


def in_month(make: Callable[[int, int], Period], around: date, shift: int) -> Period:
    """What `make` finds in the month that lies `shift` months from the one around a day."""
    first, _ = months(around.year, around.month + shift, 1)
    return make(first.year, first.month)


def unit(kind: str, around: date, shift: int) -> Period:
    """The whole `kind` (day, week, …) that lies `shift` of them from the one around a day."""
    if kind == "day":
        return run(shifted(around, shift), 1)
    if kind == "week":
        return week(around, shift)
    if kind == "weekend":
        return weekend(around, shift)
    if kind == "month":
        return months(around.year, around.month + shift, 1)
    if kind == "quarter":
        return quarter(around.year, (around.month + 2) // 3 + shift)
    if kind == "decade":
        return months(around.year // 10 * 10 + 10 * shift, 1, 120)
    return year(around.year + shift)


def moved(start: date, kind: str, count: int) -> date:
    """The same day `count` units away, kept inside a shorter month."""
    if kind in ("day", "week"):
        return shifted(start, count * (7 if kind == "week" else 1))
    size = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[kind]
    first, last = months(start.year, start.month + size * count, 1)
    return first.replace(day=min(start.day, last.day))


def ago(kind: str, amount: Amount, today: date) -> Period:
    """As precise as its unit: "3 days ago" is a day, "two weeks ago" a whole week."""
    low, high = amount
    return unit(kind, today, -high)[0], unit(kind, today, -low)[1]


def ahead(kind: str, amount: Amount, today: date) -> Period:
    low, high = amount
    return unit(kind, today, low)[0], unit(kind, today, high)[1]


def rolling(kind: str, amount: Amount, today: date, direction: int = -1) -> Period:
    """From so many units back through today, or from today so many ahead."""
    middle = (amount[0] + amount[1] + 1) // 2
    there = moved(today, kind, direction * middle)
    return min(there, today), max(there, today)


def _whole_months(period: Period) -> int:
    first, last = period
    if first.day != 1 or shifted(last, 1).day != 1:
        return 0
    return (last.year - first.year) * 12 + last.month - first.month + 1


def third(period: Period, which: int) -> Period:
    """Early, mid or late: 1–10, 11–20, 21–end of a month; Mon–Tue, Wed–Thu, Fri–Sun of a week; January to
    March, May to August, October to December of a year; months of a quarter. A few days have no parts."""
    first, last = period
    length = (last - first).days + 1
    whole = _whole_months(period)
    if whole == 1:
        return (run(first, 10), run(shifted(first, 10), 10), (shifted(first, 20), last))[which]
    if whole == 12 and first.month == 1:
        start, count = _YEAR_PARTS[which]
        return months(first.year, start, count)
    if whole and whole % 3 == 0:
        return months(first.year, first.month + which * whole // 3, whole // 3)
    if length == 7:
        start, stop = _WEEK_PARTS[which]
        return shifted(first, start), shifted(first, stop)
    if length < 7:
        return period
    return shifted(first, which * length // 3), shifted(first, (which + 1) * length // 3 - 1)


def halved(period: Period, which: int) -> Period:
    """The first (0) or second (1) half; a month breaks after the 15th."""
    if which not in (0, 1):
        raise ValueError("there are two halves")
    first, last = period
    whole = _whole_months(period)
    if whole and whole % 2 == 0:
        return months(first.year, first.month + which * whole // 2, whole // 2)
    middle = shifted(first, 14 if whole == 1 else ((last - first).days + 1) // 2 - 1)
    return (shifted(middle, 1), last) if which else (first, middle)


def nth(period: Period, kind: str, n: int) -> Period:
    """The nth day, week (days 1–7, 8–14, …), weekend, month or quarter of a period; -1 is the last one."""
    first, last = period
    if kind in ("day", "week"):
        length = 7 if kind == "week" else 1
        start = shifted(first, length * (n - 1)) if n > 0 else shifted(last, 1 - length)
        found = start, min(shifted(start, length - 1), last)
    elif kind == "weekend":
        return run(nth_weekday(period, 5, n)[0], 2)
    else:
        found = unit(kind, first, n - 1) if n > 0 else unit(kind, last, 0)
    return _inside(found, period)


def nth_weekday(period: Period, weekday: int, n: int) -> Period:
    first, last = period
    if n > 0:
        found = shifted(first, (weekday - first.weekday()) % 7 + 7 * (n - 1))
    else:
        found = shifted(last, -((last.weekday() - weekday) % 7))
    return _inside((found, found), period)


def _inside(found: Period, period: Period) -> Period:
    if found[0] < period[0] or found[1] > period[1]:
        raise ValueError("no such part of the period")
    return found


def just_before(period: Period, kind: str) -> Period:
    """The day, week, month … that ends when a period begins."""
    first = period[0]
    if kind == "weekend":
        saturday = shifted(first, -((first.weekday() - 5) % 7 or 7))
        return run(saturday, 2) if shifted(saturday, 1) < first else run(shifted(saturday, -7), 2)
    return moved(first, kind, -1), shifted(first, -1)


def just_after(period: Period, kind: str) -> Period:
    """The day, week, month … that begins when a period ends."""
    start = shifted(period[1], 1)
    if kind == "weekend":
        return run(shifted(start, (5 - start.weekday()) % 7), 2)
    return start, shifted(moved(start, kind, 1), -1)
