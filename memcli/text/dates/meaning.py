"""Represent what an expression of time means: calendar arithmetic, what recurs, and its turns.

This module knows no words.

A `Period` is a pair of days, both inclusive. A `When` is a meaning before it meets a calendar: "7 May 2023" is fixed;
"7 May" recurs every year, "the 7th" every month, "Tuesday" every week. Memories lie in the past, so what recurs means
its latest turn that has begun (`settle`). What the calendar does not have (30 February, the year 0) raises one of
`NO_DATE`, which the caller skips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from . import NO_DATE

Period = tuple[date, date]
Measure = tuple[str, tuple[int, int]]  # a unit and its least and greatest number

_MONTHS_IN = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
_DAYS_IN = {"day": 1, "week": 7, "weekend": 7, "half_week": 3.5, "half_month": 15}
_AROUND = {"half_week": 1, "half_month": 3}  # "a month and a half ago" means so many days on either side, too


def shifted(day: date, days: int) -> date:
    return day + timedelta(days=days)


def run(first: date, length: int = 1) -> Period:
    return first, shifted(first, length - 1)


def months(y: int, m: int, count: int = 1) -> Period:
    """Return `count` whole months from month `m` of year `y`; `m` may lie outside 1–12."""
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    end = m - 1 + count
    return date(y, m, 1), shifted(date(y + end // 12, end % 12 + 1, 1), -1)


def whole(unit: str, around: date, shift: int = 0) -> Period:
    """Return the whole unit (day, week, …) that lies `shift` units from the one that holds the day `around`."""
    if unit == "day":
        return run(shifted(around, shift))
    if unit in _AROUND:
        middle = moved(around, unit, shift)
        return shifted(middle, -_AROUND[unit]), shifted(middle, _AROUND[unit])
    if unit in ("week", "weekend"):
        monday = shifted(around, 7 * shift - around.weekday())
        return run(monday, 7) if unit == "week" else run(shifted(monday, 5), 2)
    size = _MONTHS_IN[unit]
    return months(0, ((around.year * 12 + around.month - 1) // size + shift) * size + 1, size)


def moved(start: date, unit: str, count: int) -> date:
    """Return the same day `count` units away, kept inside a shorter month."""
    if unit in _DAYS_IN:
        return shifted(start, int(count * _DAYS_IN[unit]))
    first, last = months(start.year, start.month + _MONTHS_IN[unit] * count)
    return first.replace(day=min(start.day, last.day))


def months_of(period: Period) -> int:
    """Return how many months a period has, or 0 when they are not whole."""
    first, last = period
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    return count if period == months(first.year, first.month, count) else 0


def third(period: Period, which: int) -> Period:
    """Return the early (0), middle (1) or late (2) part of a period, or its end (3).

    These are 1–10, 11–20, 21–end of a month; Mon–Tue, Wed–Thu, Fri–Sun of a week; January–March, May–August,
    October–December of a year, whose end begins on 15 November; months of a quarter. Other periods have no parts and
    are returned whole.
    """
    first, last = period
    count = months_of(period)
    if count == 12 and first.month == 1 and which == 3:
        return date(first.year, 11, 15), last
    which = min(which, 2)
    if count == 1:
        return (run(first, 10), run(shifted(first, 10), 10), (shifted(first, 20), last))[which]
    if count == 12 and first.month == 1:
        return months(first.year, *((1, 3), (5, 4), (10, 3))[which])
    if count and count % 3 == 0:
        return months(first.year, first.month + which * count // 3, count // 3)
    if period == run(first, 7):
        return (run(first, 2), run(shifted(first, 2), 2), run(shifted(first, 4), 3))[which]
    return period


WEEKLY, MONTHLY, YEARLY, FIXED = range(4)
# How many turns to look at on either side of a day; a leap day may be eight years away (1896 to 1904).
_REACH = {WEEKLY: 9, MONTHLY: 3, YEARLY: 8, FIXED: 0}


@dataclass(frozen=True, slots=True)
class When:
    rank: int
    turn: Callable[[int], Period]  # by the number of its week, month or year
    core: Callable[[int], Period] | None = None  # the exact day of a feast whose name means several
    begun: Callable[[int], date] | None = None  # the day on which a turn counts as begun, if not the first

    @property
    def fixed(self) -> bool:
        return self.rank == FIXED

    @property
    def weekly(self) -> bool:
        return self.rank == WEEKLY

    def start(self, n: int) -> date:
        """Return the day on which a turn counts as begun."""
        return self.begun(n) if self.begun else self.turn(n)[0]

    def near(self, day: date) -> Iterator[tuple[date, Period]]:
        """Yield the turns around a day, in order, each with the day on which it counts as begun."""
        middle = ((day.toordinal() - 1) // 7, day.year * 12 + day.month - 1, day.year, 0)[self.rank]
        for n in range(middle - _REACH[self.rank], middle + _REACH[self.rank] + 1):
            try:
                yield self.start(n), self.turn(n)
            except NO_DATE:
                continue

    def settle(self, day: date) -> Period:
        """Return the latest turn that has begun."""
        return max(turn for turn in self.near(day) if self.rank == FIXED or turn[0] <= day)[1]

    def over(self, day: date) -> Period:
        """Return the latest turn of which at least one day has come, or the settled one when there is none."""
        turns = [turn for turn in self.near(day) if turn[0] <= day and turn[1][0] <= day]
        return max(turns)[1] if turns else self.settle(day)

    def coming(self, day: date) -> Period:
        """Return the first turn that is not over, counting from the latest one that has begun."""
        turns = list(self.near(day))
        latest = max((begun for begun, _ in turns if begun <= day), default=date.min)
        return next((turn for begun, turn in turns if turn[1] >= day and begun >= latest), self.over(day))

    def beside(self, day: date, n: int) -> Period:
        """Return the nth turn that is over before a day (-1, -2, …) or that begins after it (1, 2, …)."""
        turns = [p for _, p in self.near(day) if (p[1] < day if n < 0 else p[0] > day)]
        return turns[n if n < 0 else n - 1]

    def map(self, change: Callable[[Period], Period], begun: Callable[[int], date] | None = None) -> When:
        return When(self.rank, lambda n: change(self.turn(n)), begun=begun)

    def on_weekday(self, weekday: When, today: date) -> When | None:
        """Return the one of the last and the coming turn that is on a weekday, or the same if both or none are. Return
        None for what is longer than a day."""
        if len({*self.settle(today)}) > 1:
            return None
        wanted = weekday.turn(0)[0].weekday()
        turns = {turn for turn in (self.over(today), self.coming(today)) if turn[0].weekday() == wanted}
        return fixed(*turns.pop()) if self.rank == YEARLY and len(turns) == 1 else self

    def exact(self) -> When:
        return When(self.rank, self.core or self.turn)


def fixed(first: date, last: date) -> When:
    return When(FIXED, lambda _: (first, last))


def yearly(month: int, count: int = 1) -> When:
    return When(YEARLY, lambda y: months(date(y, month, 1).year, month, count))


def monthly(day: int) -> When:
    return When(MONTHLY, lambda n: run(date(n // 12, n % 12 + 1, day)))


def weekly(weekday: int, length: int = 1) -> When:
    return When(WEEKLY, lambda n: run(date.fromordinal(7 * n + 1 + weekday), length))


WEEKEND = weekly(5, 2)
