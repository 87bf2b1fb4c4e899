"""The days of feasts and public holidays, by year. Their names stand with the languages.

A feast is a day with the days around it that its bare name means: Christmas is 24–26 December, 国庆 the first
week of October. Lunar feasts come from a table of published dates and do not exist outside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from . import periods
from .periods import Period

# Year: Spring Festival, Dragon Boat, Qixi, Mid-Autumn, Double Ninth, as month and day.
_LUNAR = {
    2015: (219, 620, 820, 927, 1021),
    2016: (208, 609, 809, 915, 1009),
    2017: (128, 530, 828, 1004, 1028),
    2018: (216, 618, 817, 924, 1017),
    2019: (205, 607, 807, 913, 1007),
    2020: (125, 625, 825, 1001, 1025),
    2021: (212, 614, 814, 921, 1014),
    2022: (201, 603, 804, 910, 1004),
    2023: (122, 622, 822, 929, 1023),
    2024: (210, 610, 810, 917, 1011),
    2025: (129, 531, 829, 1006, 1029),
    2026: (217, 619, 819, 925, 1018),
    2027: (206, 609, 808, 915, 1008),
    2028: (126, 528, 826, 1003, 1026),
    2029: (213, 616, 816, 922, 1016),
    2030: (203, 605, 805, 912, 1005),
    2031: (123, 624, 824, 1001, 1024),
    2032: (211, 612, 812, 919, 1012),
}
SPRING, DRAGON_BOAT, QIXI, MID_AUTUMN, DOUBLE_NINTH = range(5)


@dataclass(frozen=True, slots=True)
class Feast:
    date: Callable[[int], date]
    before: int = 0  # days around it that belong to its bare name
    after: int = 0

    def period(self, year: int, wider: int = 0) -> Period:
        day = self.date(year)
        return periods.shifted(day, -self.before - wider), periods.shifted(day, self.after + wider)

    def day(self, year: int) -> Period:
        return periods.run(self.date(year), 1)


def on(month: int, day: int, before: int = 0, after: int = 0) -> Feast:
    return Feast(lambda year: date(year, month, day), before, after)


def nth(n: int, weekday: int, month: int, then: int = 0) -> Feast:
    """The nth Monday (0), Tuesday … of a month, or so many days later; -1 is the last."""
    return Feast(lambda year: periods.shifted(periods.nth_weekday(periods.month(year, month), weekday, n)[0], then))


def from_easter(days: int, before: int = 0, after: int = 0) -> Feast:
    return Feast(lambda year: periods.shifted(easter(year), days), before, after)


def lunar(which: int, shift: int = 0, before: int = 0, after: int = 0) -> Feast:
    return Feast(lambda year: periods.shifted(_lunar_day(which, year), shift), before, after)


def _lunar_day(which: int, year: int) -> date:
    if year not in _LUNAR:
        raise ValueError(f"no lunar dates for {year}")
    m, d = divmod(_LUNAR[year][which], 100)
    return date(year, m, d)


def easter(year: int) -> date:
    """Western Easter Sunday, by the anonymous Gregorian reckoning."""
    golden, century = year % 19, year // 100
    skipped = century - century // 4 - (8 * century + 13) // 25
    moon = (skipped + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    sunday = moon - (year + year // 4 + moon + 2 - century + century // 4) % 7
    m = 3 + (sunday + 40) // 44
    return date(year, m, sunday + 28 - 31 * (m // 4))


def qingming(year: int) -> date:
    # The fourth or fifth of April; this rhythm holds from 2009 to 2043.
    return date(year, 4, 4 if year % 4 < 2 else 5)
