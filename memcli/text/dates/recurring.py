"""Find the days that recur every week or month in notes: read the tables `language/*/recurring.txt`."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache, lru_cache

from memcli.text.phrases import LANGUAGES, table
from memcli.text.tables import expression

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LONGEST = 3  # days; a longer period would contain almost every recurring day


def recurs_between(text: str, first: date, last: date) -> bool:
    """Return whether a recurring day that a text names falls between the days `first` and `last`."""
    weekly, monthly = _find_recurring_days(text)
    days = [first + timedelta(step) for step in range((last - first).days + 1)] if (last - first).days < LONGEST else []
    return any(day.weekday() in weekly or day.day in monthly for day in days)


@lru_cache(maxsize=8192)
def _find_recurring_days(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the weekdays (0 is Monday) and the days of the month that a text says recur."""
    weekly: set[int] = set()
    monthly: set[int] = set()
    for every, pattern in _patterns():
        for match in pattern.finditer(text):
            if every in _DAYS:
                weekly.add(_DAYS.index(every))
            else:
                monthly.update(int(day) for day in match.groupdict().values() if day)
    return frozenset(weekly), frozenset(monthly)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (row["every"][0], re.compile(expression(row["says"]), re.I))
        for language in LANGUAGES
        for row in table("recurring", language)
    )
