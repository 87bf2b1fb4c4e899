"""What an expression means before it meets a calendar: one fixed period, or one that comes round again.

"7 May 2023" is fixed; "7 May" comes round every year, "the 7th" every month, "Tuesday" every week. A memory
lies in the past, so what comes round means its latest turn that has begun (`settle`); "last" means the
latest one over, "next" the first one to come. Periods the calendar does not have (30 February) are passed
over here, and only here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from . import periods
from .periods import Period

WEEKLY, MONTHLY, YEARLY, FIXED = range(4)
# "Before" and "until" need a beginning of time; nobody's memory file is older.
EPOCH = date(1970, 1, 1)
# A leap day may be eight years away (1896 to 1904).
_YEARS_AROUND = range(-8, 9)


@dataclass(frozen=True, slots=True)
class When:
    rank: int
    near: Callable[[date], Iterable[Period]]  # its turns around a day, in order

    def settle(self, day: date) -> Period | None:
        if self.rank == FIXED:
            return next(iter(self.near(day)), None)
        return max((p for p in self.near(day) if p[0] <= day), default=None)

    def over_before(self, day: date) -> Period | None:
        return max((p for p in self.near(day) if p[1] < day), default=None)

    def first_after(self, day: date, *, counting: bool = False) -> Period | None:
        return min((p for p in self.near(day) if p[0] > day or (counting and p[0] == day)), default=None)

    def map(self, change: Callable[[Period], Period]) -> When:
        return When(self.rank, lambda day: _real(change, ((p,) for p in self.near(day))))


def _real(make: Callable[..., Period], each: Iterable[tuple[object, ...]]) -> Iterator[Period]:
    """The periods that exist: no 30 February, no feast outside its table, no year 0."""
    for arguments in each:
        try:
            yield make(*arguments)
        except (ValueError, OverflowError):
            continue


def fixed(make: Callable[[], Period]) -> When:
    return When(FIXED, lambda _: _real(make, [()]))


def yearly(make: Callable[[int], Period]) -> When:
    return When(YEARLY, lambda day: _real(make, ((day.year + n,) for n in _YEARS_AROUND)))


def monthly(make: Callable[[int, int], Period]) -> When:
    def turn(day: date, n: int) -> Period:
        return periods.in_month(make, day, n)

    return When(MONTHLY, lambda day: _real(turn, ((day, n) for n in range(-3, 4))))


def weekly(make: Callable[[date], Period]) -> When:
    """`make` is given the Monday of a week."""

    def turn(day: date, n: int) -> Period:
        return make(periods.week(day, n)[0])

    return When(WEEKLY, lambda day: _real(turn, ((day, n) for n in range(-2, 3))))


def weekday(n: int) -> When:
    return weekly(lambda monday: periods.run(periods.shifted(monday, n), 1))


def _found(period: Period | None) -> Period:
    if period is None:
        raise ValueError("no such date")
    return period


def _settled(when: When, day: date) -> Period:
    return _found(when.settle(day))


def last(when: When, today: date) -> When:
    return fixed(lambda: _found(when.over_before(today)))


def coming(when: When, today: date) -> When:
    return fixed(lambda: _found(when.first_after(today)))


def in_year(make: Callable[[int], Period], year: int, today: date) -> When:
    """The turn of that year; in January and February "this winter" is the one going on."""

    def turn() -> Period:
        if year == today.year:
            going_on = next(_real(make, [(year - 1,)]), None)
            if going_on and going_on[0] <= today <= going_on[1]:
                return going_on
        return make(year)

    return fixed(turn)


def since(when: When, today: date) -> When:
    """From its first day through today; a start still to come stands for itself."""

    def span() -> Period:
        first, last_ = _settled(when, today)
        return (first, today) if first <= today else (first, last_)

    return fixed(span)


def after(when: When, today: date) -> When:
    """From the day after it through today, when that is any day at all."""

    def span() -> Period:
        first, last_ = _settled(when, today)
        return (periods.shifted(last_, 1), today) if last_ < today else (first, last_)

    return fixed(span)


def before(when: When, today: date) -> When:
    def span() -> Period:
        end = periods.shifted(_settled(when, today)[0], -1)
        return min(EPOCH, end), end

    return fixed(span)


def until(when: When, today: date) -> When:
    def span() -> Period:
        end = _settled(when, today)[1]
        return min(EPOCH, end), end

    return fixed(span)


def between(left: When, right: When, today: date) -> When:
    """From the one through the other. The end that says more is placed first and the other follows it:
    "May 1 to the 4th" stays in May, "Monday to Wednesday" is one week, "May to August 2023" one year."""

    def span() -> Period:
        if left.rank > right.rank:
            a = _settled(left, today)
            b = _found(right.first_after(a[0], counting=True))
        else:
            b = _settled(right, today)
            a = _settled(left, b[0])
        return min(a[0], b[0]), max(a[1], b[1])

    return fixed(span)
