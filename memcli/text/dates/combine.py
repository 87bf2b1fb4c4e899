"""Combine meanings: define the functions that the rules of the languages call with today's date.

This module knows no words.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from . import EPOCH
from .meaning import (
    FIXED,
    MONTHLY,
    WEEKEND,
    YEARLY,
    Measure,
    Period,
    When,
    fixed,
    months,
    months_of,
    moved,
    run,
    shifted,
    third,
    whole,
)


def around(today: date, unit: str = "day", shift: int = 0) -> When:
    return fixed(*whole(unit, today, shift))


def relative(today: date, shift: int, when: When) -> When:
    """Return the last turn that is over (-1), that of this week or year (0), or the next (1).

    -2 is the one before last.
    """
    if shift:
        return fixed(*when.beside(today, shift))
    return in_year(today, when) if when.rank == YEARLY else fixed(*when.turn((today.toordinal() - 1) // 7))


def in_year(today: date, when: When, year: int = 0, shift: int = 0) -> When:
    """Return the turn of a year. In January and February "this winter" is the one going on."""
    wanted = year or today.year + shift

    def turn(make: Callable[[int], Period]) -> Period:
        turns = [p for _, p in When(YEARLY, make).near(today) if p[0] <= today <= p[1] and p[0].year < wanted]
        return turns[0] if turns and wanted == today.year else make(wanted)

    return When(FIXED, lambda _: turn(when.turn), lambda _: turn(when.core or when.turn))


def same(today: date, when: When) -> When:
    return when


def days(today: date, when: When, first: int, last: int = 0) -> When:
    return when.map(lambda p: (shifted(p[0], -(0 < last < first)).replace(day=first), p[0].replace(day=last or first)))


def two_days(today: date, first: int, last: int, when: When | None = None) -> When | None:
    """Return two days in a row, as in "the 14th and 15th", or None for days apart, which are two dates."""
    return days(today, when or When(MONTHLY, lambda n: months(0, n + 1)), first, last) if last == first + 1 else None


def part_of_period(today: date, when: When, which: int) -> When:
    """Return a part of a period, such as its end.

    The end of a month counts as begun with the month: "the end of November" is this November's. Its exact end is the
    last day, which "before the end of the month" reaches.
    """

    def begun(n: int) -> date:
        whole = when.turn(n)
        return whole[0] if (whole[1] - whole[0]).days <= 31 else third(whole, which)[0]

    end = (lambda n: run(when.turn(n)[1])) if which >= 2 else None
    return When(when.rank, lambda n: third(when.turn(n), which), end, begun)


def nth(period: Period, unit: str | When, n: int) -> Period:
    """Return the nth part of a period; -1 is the last.

    Raise ValueError when there is none.

    A part is a weekday, day, week (days 1–7, 8–14, …), weekend, month, quarter or half.
    """
    first, last = period
    unit = WEEKEND if unit == "weekend" else unit
    if isinstance(unit, When):
        found = unit.beside(shifted(first, -1) if n > 0 else shifted(last, 1), n)
    elif unit == "half":  # a month breaks after the 15th
        count = months_of(period)
        second = shifted(first, 15 if count == 1 else ((last - first).days + 1) // 2)
        second = months(first.year, first.month + count // 2)[0] if count and count % 2 == 0 else second
        found = (first, shifted(second, -1)) if n == 1 else (second, last)
    elif unit == "week":
        start = shifted(first, 7 * n - 7) if n > 0 else shifted(last, -6)
        found = start, min(shifted(start, 6), last)
    else:
        found = whole(unit, first if n > 0 else last, max(n - 1, 0))
    if not first <= found[0] <= found[1] <= last:
        raise ValueError("no such part of the period")
    return found


def neighbour(period: Period, unit: str | When, way: int, count: int = 1) -> Period:
    """Return the unit that ends just before a period (-1) or begins just after it (1), or `count` such units.

    The unit is a day, weekday, week, weekend, month …
    """
    first, last = period
    unit = WEEKEND if unit == "weekend" else unit
    if isinstance(unit, When):
        return unit.beside(period[way > 0], way)
    if way < 0:
        return moved(first, unit, -count), shifted(first, -1)
    return shifted(last, 1), shifted(moved(shifted(last, 1), unit, count), -1)


def nth_of(today: date, when: When, n: int = 1, unit: str | When = "half") -> When:
    return when.map(lambda p: nth(p, unit, n))


def counted(today: date, measure: Measure, way: int, when: When) -> When:
    """Return the meaning of an amount before or after something, as in "two days before Christmas"."""
    unit, amount = measure
    low, high = sorted(way * n for n in amount)
    anchor = when.exact()
    begun = None if when.rank == YEARLY else anchor.start
    return anchor.map(lambda p: (moved(p[way > 0], unit, low), moved(p[way > 0], unit, high)), begun)


def measure(today: date, n: int | tuple[int, int], unit: str, more: str = "") -> Measure:
    low, high = (n, n) if isinstance(n, int) else n
    vague = 9 if more and low >= 10 and low % 10 == 0 else bool(more)  # more than twenty are fewer than thirty
    return unit.removesuffix("s"), (low, high + vague)


def either(today: date, unit: str, high: int, low: int = 1) -> Measure | None:
    """Return the amount of "two or three days" or "a week or two", or None when `low` is not below `high`."""
    return (unit.removesuffix("s"), (low, high)) if low < high else None


def and_half(today: date, unit: str, n: int = 1) -> Measure | None:
    """Return the amount of "two and a half weeks" in halves, or None when the unit has no half."""
    unit = unit.removesuffix("s")
    if unit == "year":
        return "month", (12 * n + 6, 12 * n + 6)
    return (f"half_{unit}", (2 * n + 1, 2 * n + 1)) if unit in ("week", "month") else None


def some(today: date, unit: str, way: int = -1) -> When:
    """Return the period of "recent weeks" or "the coming days": three or four of them."""
    return rolling(today, (unit.removesuffix("s"), (3, 4)), way)


def couple(today: date, n: int, unit: str) -> Measure:
    """Return the amount of "a couple of": one to three days, or exactly two of anything longer when `n` is 2."""
    return unit.removesuffix("s"), (n - 1, n + 1) if unit == "days" else (n, n)


def ago(today: date, measure: Measure = ("day", (1, 7)), way: int = -1) -> When:
    """Return the period that an amount ago (-1), or an amount ahead (1), means.

    What is over is as exact as its unit: "three days ago" is a day, "two weeks ago" a week. What lies ahead is a
    day: "in two weeks" is this weekday.
    """
    unit, (low, high) = measure
    if way < 0 or unit == "weekend":
        return nearly(today, measure, way)
    return fixed(moved(today, unit, low), moved(today, unit, high))


def nearly(today: date, measure: Measure, way: int = 1) -> When:
    """Return the whole units that an amount means, as in "in about two weeks"."""
    unit, amount = measure
    low, high = sorted(way * n for n in amount)
    return fixed(whole(unit, today, low)[0], whole(unit, today, high)[1])


def turn_ago(today: date, measure: Measure, when: When | None = None, unit: When | None = None) -> When | None:
    """Return the turn of "June two years ago" or "Monday three weeks ago", or None when the two don't combine."""
    whole, (low, high) = measure
    if when and whole == "year" and when.rank == YEARLY and low == high:
        return in_year(today, when, today.year - low)
    if unit and whole in ("week", "month"):
        return nth_of(today, ago(today, measure), 1, unit) if whole == "week" else None
    return None


def to_the_day(today: date, measure: Measure, way: int = -1) -> When | None:
    """Return the day of "three years ago today" or "a week from today", or None when the amount is vague."""
    unit, (low, high) = measure
    return fixed(*run(moved(today, unit, way * low))) if low == high else None


def same_day(
    today: date, shift: int = -1, unit: str = "year", year: int = 0, measure: Measure | None = None, around: int = 0
) -> When:
    """Return this day of another week, month or year, with `around` days on either side."""
    if measure:
        unit, shift = measure[0], -measure[1][0]
    day = moved(today, unit, year - today.year if year else shift)
    return fixed(shifted(day, -around), shifted(day, around))


def that_time(today: date, unit: str = "year", **other: Any) -> When:
    """Return this time of another year or month: 7 days on either side for a year, 3 for a shorter unit."""
    return same_day(today, unit=unit, around=7 if unit == "year" else 3, **other)


def week_of(today: date, n: int, year: int = 0, shift: int = 0) -> When:
    """Return week `n` of a year by ISO 8601: the first week has the year's first Thursday."""
    monday = date.fromisocalendar(year or today.year + shift, n, 1)
    return fixed(*run(monday, 7))


def week_from(today: date, measure: Measure, shift: int) -> When | None:
    """Return the day of "a week tomorrow", or None when the amount is no one or two weeks."""
    unit, (low, high) = measure
    return around(today, "day", 7 * low + shift) if unit == "week" and low == high <= 2 and shift >= 0 else None


def in_hours(today: date, hours: int) -> When | None:
    """Return the day that is reached after so many hours. Fewer than 24 mean a duration and return None."""
    return around(today, "day", hours // 24) if hours >= 24 else None


def within_hours(today: date, hours: int, way: int = 1) -> When | None:
    """Return the days from today to the one that lies so many hours ahead (1) or back (-1); None for fewer than 24."""
    return fixed(*sorted((today, shifted(today, way * (hours // 24))))) if hours >= 24 else None


def workdays(today: date, n: int | tuple[int, int]) -> When:
    """Return the period through the day on which so many workdays are over. Weekends do not count, holidays do."""
    weeks, left = divmod(n if isinstance(n, int) else n[1], 5)
    friday = shifted(today, -max(0, today.weekday() - 4))  # on a weekend the count starts at Friday
    weekend = 2 if friday.weekday() + left > 4 else 0
    return fixed(today, max(today, shifted(friday, 7 * weeks + left + weekend)))


def rest(today: date, unit: str, side: int) -> When:
    """Return the part of this unit that is over (-1) or still to come (1)."""
    first, last = whole(unit, today)
    return fixed(today, max(today, last)) if side > 0 else fixed(first, min(last, today))


def rolling(today: date, measure: Measure = ("day", (7, 7)), way: int = -1) -> When:
    """Return the period from so many units back through today (-1), or from today so many ahead (1)."""
    unit, (low, high) = measure
    there = moved(today, unit, way * ((low + high + 1) // 2))
    return fixed(min(there, today), max(there, today))


def opened(today: date, when: When, side: str | int = "until") -> When:
    """Return the period since, before (-1), after (1) or until something.

    A start that lies ahead stands for itself; an end that lies ahead begins today.
    """

    def before(n: int) -> date:
        first, last = when.turn(n)
        start, stop = when.exact().turn(n)
        return last if first < start <= last == stop else shifted(start, -1)

    def turn(n: int) -> Period:
        first, last = when.turn(n)
        if side == "since":
            return first, today if first <= today else last
        if side == 1:
            return (shifted(last, 1), today) if last < today else (first, last)
        end = before(n) if side == -1 else last
        return today if end >= today else min(EPOCH, end), end

    return When(when.rank, turn, begun=when.start)


def between(today: date, left: When, right: When) -> When:
    """Return the period from one through the other.

    The end that says more is placed first and the other follows it: "May 1 to the 4th" stays in May, "Monday to
    Wednesday" is one week, "May to August 2023" is one year.
    """
    clearer = left if left.rank > right.rank else right

    def turn(n: int) -> Period:
        if clearer is left:
            a = left.turn(n)
            b = min(p for _, p in right.near(a[0]) if p[0] >= a[0])
        else:
            b = right.turn(n)
            a = left.settle(b[0])
        return min(a[0], b[0]), max(a[1], b[1])

    return When(clearer.rank, turn, begun=clearer.start)
