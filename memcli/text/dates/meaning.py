"""What an expression of time means: calendar arithmetic, what comes round, and how meanings combine. No words here.

A `Period` is a pair of days, both inclusive. A `When` is a meaning before it meets a calendar: "7 May 2023" is fixed;
"7 May" comes round every year, "the 7th" every month, "Tuesday" every week. Memories lie in the past, so what comes
round means its latest turn that has begun (`settle`). What the calendar does not have (30 February, the year 0) raises
one of `NO_DATE`; whoever asks passes it over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from . import EPOCH

Period = tuple[date, date]
Measure = tuple[str, tuple[int, int]]  # a unit, and how many of it: at least, at most

NO_DATE = (ValueError, OverflowError, IndexError)

_MONTHS_IN = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}


def shifted(day: date, days: int) -> date:
    return day + timedelta(days=days)


def run(first: date, length: int = 1) -> Period:
    return first, shifted(first, length - 1)


def months(y: int, m: int, count: int = 1) -> Period:
    """`count` whole months from month `m` of year `y`; `m` may lie outside 1–12."""
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    end = m - 1 + count
    return date(y, m, 1), shifted(date(y + end // 12, end % 12 + 1, 1), -1)


def whole(unit: str, around: date, shift: int = 0) -> Period:
    """The whole unit (day, week, …) that lies `shift` of them from the one around a day."""
    if unit == "day":
        return run(shifted(around, shift))
    if unit in ("week", "weekend"):
        monday = shifted(around, 7 * shift - around.weekday())
        return run(monday, 7) if unit == "week" else run(shifted(monday, 5), 2)
    size = _MONTHS_IN[unit]
    return months(0, ((around.year * 12 + around.month - 1) // size + shift) * size + 1, size)


def moved(start: date, unit: str, count: int) -> date:
    """The same day `count` units away, kept inside a shorter month."""
    if unit in ("day", "week"):
        return shifted(start, count * (7 if unit == "week" else 1))
    first, last = months(start.year, start.month + _MONTHS_IN[unit] * count)
    return first.replace(day=min(start.day, last.day))


def _months_of(period: Period) -> int:
    """How many, when they are whole ones."""
    first, last = period
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    return count if period == months(first.year, first.month, count) else 0


def third(period: Period, which: int) -> Period:
    """Early, mid or late: 1–10, 11–20, 21–end of a month; Mon–Tue, Wed–Thu, Fri–Sun of a week; January to
    March, May to August, October to December of a year; months of a quarter. Other days have no parts."""
    first, last = period
    count = _months_of(period)
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
    core: Callable[[int], Period] | None = None  # the very day of a feast that means several
    begun: Callable[[int], date] | None = None  # when a turn counts as begun, if not with its first day

    @property
    def fixed(self) -> bool:
        return self.rank == FIXED

    def near(self, day: date) -> Iterator[tuple[date, Period]]:
        """Its turns around a day, in order, each with the day on which it counts as begun."""
        middle = ((day.toordinal() - 1) // 7, day.year * 12 + day.month - 1, day.year, 0)[self.rank]
        for n in range(middle - _REACH[self.rank], middle + _REACH[self.rank] + 1):
            try:
                period = self.turn(n)
                yield self.begun(n) if self.begun else period[0], period
            except NO_DATE:
                continue

    def settle(self, day: date) -> Period:
        """The latest turn begun."""
        return max(turn for turn in self.near(day) if self.rank == FIXED or turn[0] <= day)[1]

    def over(self, day: date) -> Period:
        """The latest turn of which some day has come; the settled one where none has."""
        return max((turn for _, turn in self.near(day) if turn[0] <= day), default=self.settle(day))

    def coming(self, day: date) -> Period:
        """The first turn that is not over, of those since the latest begun."""
        turns = list(self.near(day))
        latest = max((begun for begun, _ in turns if begun <= day), default=date.min)
        return next(turn for begun, turn in turns if turn[1] >= day and begun >= latest)

    def beside(self, day: date, n: int) -> Period:
        """The nth turn over before a day (-1, -2, …) or to come after it (1, 2, …)."""
        turns = [p for _, p in self.near(day) if (p[1] < day if n < 0 else p[0] > day)]
        return turns[n if n < 0 else n - 1]

    def map(self, change: Callable[[Period], Period], begun: Callable[[int], date] | None = None) -> When:
        return When(self.rank, lambda n: change(self.turn(n)), begun=begun)

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


# How meanings combine: the rules of the languages call these, with the day it is.
def around(today: date, unit: str = "day", shift: int = 0) -> When:
    return fixed(*whole(unit, today, shift))


def relative(today: date, shift: int, when: When) -> When:
    """The last one over (-1), the one of this week or year, or the next one to come (1); -2 is the one before last."""
    if shift:
        return fixed(*when.beside(today, shift))
    return in_year(today, when) if when.rank == YEARLY else fixed(*when.turn((today.toordinal() - 1) // 7))


def in_year(today: date, when: When, year: int = 0, shift: int = 0) -> When:
    """The turn of that year; in January and February "this winter" is the one going on."""
    wanted = year or today.year + shift

    def turn(make: Callable[[int], Period]) -> Period:
        turns = [p for _, p in When(YEARLY, make).near(today) if p[0] <= today <= p[1] and p[0].year < wanted]
        return turns[0] if turns and wanted == today.year else make(wanted)

    return When(FIXED, lambda _: turn(when.turn), lambda _: turn(when.core or when.turn))


def same(today: date, when: When) -> When:
    return when


def days(today: date, when: When, first: int, last: int = 0) -> When:
    return when.map(lambda p: (p[0].replace(day=first), p[0].replace(day=last or first)))


def part(today: date, when: When, which: int) -> When:
    """The end of a month has begun when the month has: "the end of November" is this November's. Its very end is the
    last day: "before the end of the month" reaches so far."""

    def begun(n: int) -> date:
        whole = when.turn(n)
        return whole[0] if (whole[1] - whole[0]).days <= 31 else third(whole, which)[0]

    end = (lambda n: run(when.turn(n)[1])) if which == 2 else None
    return When(when.rank, lambda n: third(when.turn(n), which), end, begun)


def nth(period: Period, unit: str | When, n: int) -> Period:
    """The nth weekday, day, week (days 1–7, 8–14, …), weekend, month, quarter or half of it; -1 is the last."""
    first, last = period
    unit = WEEKEND if unit == "weekend" else unit
    if isinstance(unit, When):
        found = unit.beside(shifted(first, -1) if n > 0 else shifted(last, 1), n)
    elif unit == "half":  # a month breaks after the 15th
        count = _months_of(period)
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
    """The day, weekday, week, weekend, month … that ends just before (-1) or begins just after (1), or so many."""
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
    """Two days before Christmas."""
    unit, amount = measure
    low, high = sorted(way * n for n in amount)
    anchor = when.exact()
    begun = None if when.rank == YEARLY else lambda n: anchor.turn(n)[0]
    return anchor.map(lambda p: (moved(p[way > 0], unit, low), moved(p[way > 0], unit, high)), begun)


def measure(today: date, n: int | tuple[int, int], unit: str, more: str = "") -> Measure:
    low, high = (n, n) if isinstance(n, int) else n
    return unit.removesuffix("s"), (low, high + bool(more))


def couple(today: date, n: int, unit: str) -> Measure:
    """Of days it is vague, of anything longer it is two."""
    return unit.removesuffix("s"), (n - 1, n + 1) if unit == "days" else (n, n)


def ago(today: date, measure: Measure = ("day", (1, 7)), way: int = -1) -> When:
    """As precise as its unit: "three days ago" is a day, "two weeks ago" a whole week."""
    unit, amount = measure
    low, high = sorted(way * n for n in amount)
    return fixed(whole(unit, today, low)[0], whole(unit, today, high)[1])


def turn_ago(today: date, measure: Measure, when: When | None = None, unit: When | None = None) -> When | None:
    """June two years ago, Monday three weeks ago."""
    whole, (low, high) = measure
    if when and whole == "year" and when.rank == YEARLY and low == high:
        return in_year(today, when, today.year - low)
    if unit and whole in ("week", "month"):
        return nth_of(today, ago(today, measure), 1, unit) if whole == "week" else None
    return None


def to_the_day(today: date, measure: Measure) -> When | None:
    """Three years ago today."""
    unit, (low, high) = measure
    return fixed(*run(moved(today, unit, -low))) if low == high else None


def that_time(today: date, year: int) -> When:
    """This time of another year: the days around it."""
    day = moved(today, "year", year - today.year)
    return fixed(shifted(day, -7), shifted(day, 7))


def week_of(today: date, n: int, year: int = 0, shift: int = 0) -> When:
    """Week 10 of a year, as calendars count them: the first one has the year's first Thursday."""
    monday = date.fromisocalendar(year or today.year + shift, n, 1)
    return fixed(*run(monday, 7))


def rest(today: date, when: When, side: int) -> When:
    """What is over of this week (-1), or still to come (1)."""
    first, last = when.settle(today)
    return fixed(today, max(today, last)) if side > 0 else fixed(first, min(last, today))


def rolling(today: date, measure: Measure = ("day", (7, 7)), way: int = -1) -> When:
    """From so many units back through today, or from today so many ahead."""
    unit, (low, high) = measure
    there = moved(today, unit, way * ((low + high + 1) // 2))
    return fixed(min(there, today), max(there, today))


def opened(today: date, when: When, side: str | int = "until") -> When:
    """Since, before (-1), after (1) or until; a start still to come stands for itself, an end to come begins today."""

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
        end = last if side == "until" else before(n)
        return today if end >= today else min(EPOCH, end), end

    return When(when.rank, turn, begun=lambda n: when.turn(n)[0])


def between(today: date, left: When, right: When) -> When:
    """From the one through the other. The end that says more is placed first and the other follows it:
    "May 1 to the 4th" stays in May, "Monday to Wednesday" is one week, "May to August 2023" one year."""
    clearer = left if left.rank > right.rank else right

    def turn(n: int) -> Period:
        if clearer is left:
            a = left.turn(n)
            b = min(p for _, p in right.near(a[0]) if p[0] >= a[0])
        else:
            b = right.turn(n)
            a = left.settle(b[0])
        return min(a[0], b[0]), max(a[1], b[1])

    return When(clearer.rank, turn, begun=lambda n: clearer.turn(n)[0])
