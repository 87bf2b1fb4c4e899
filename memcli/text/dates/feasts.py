"""Parse what recurs every year as the tables write it.

Examples are `12-25 -1 +1`, `4 thursday 11`, `easter -2`, `lunar 8-15`, `sun 270` and `months 6-8`. The Chinese
calendar is loaded only when one of its days is looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from .combine import nth
from .meaning import YEARLY, When, months, run, shifted, weekly, yearly

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def turn_of_year(written: str) -> When:
    """Return the meaning of a table's entry: a day with the days around it that its name means, or whole months."""
    kind, *rest = written.split()
    if kind == "months":
        first, last = map(int, rest[0].split("-"))
        return yearly(first, last - first + 1)
    if kind == "easter":
        return _feast(lambda year: shifted(_easter(year), int(rest[0])), rest[1:])
    if kind == "sun":
        return _feast(lambda year: _solar(year, int(rest[0])), rest[1:])
    if kind == "lunar":
        return _feast(lambda year: _lunar(year, *map(int, rest[0].split("-"))), rest[1:])
    if rest and rest[0] in _WEEKDAYS:
        which, weekday, month = int(kind), weekly(_WEEKDAYS.index(rest[0])), int(rest[1])
        later = int(rest[3]) if rest[2:3] == ["then"] else 0
        return _feast(lambda year: shifted(nth(months(year, month), weekday, which)[0], later), [])
    month, day = map(int, kind.split("-"))
    return _feast(lambda year: date(year, month, day), rest)


def chinese_day(month: int, day: int) -> When:
    return _feast(lambda year: _lunar(year, month, day), [])


def _feast(day: Callable[[int], date], around: list[str]) -> When:
    """Return the meaning of a feast.

    `around` has the first and last day that its bare name means, in days from its own.
    """
    first, last = min(map(int, around), default=0), max(map(int, around), default=0)
    if len(around) == 1:
        first, last = min(first, 0), max(last, 0)
    return When(YEARLY, lambda y: (shifted(day(y), first), shifted(day(y), last)), lambda y: run(day(y)))


def _lunar(year: int, month: int, day: int) -> date:
    from .lunar import feast_in

    return feast_in(year, month, day)


def _solar(year: int, degrees: int) -> date:
    from .lunar import solar_term

    return solar_term(year, degrees)


def _easter(year: int) -> date:
    """Return Western Easter Sunday, by the anonymous Gregorian algorithm."""
    golden, century = year % 19, year // 100
    moon = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    sunday = moon - (year + year // 4 + moon + 2 - century + century // 4) % 7
    return shifted(date(year, 3, 28), sunday)
