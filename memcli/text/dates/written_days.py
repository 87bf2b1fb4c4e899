"""Read a text that is nothing but a day or a span of days, as an option like `--since` has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from memcli.text.dates import DateSpan, find_coming_dates, find_dates
from memcli.text.later import compile_later

YEAR = 350  # days, at least, between two turns of a day that names no year, by the lunar calendar too
# Words that may stand beside the days; in an option other words mean that it was misread.
_BESIDE_DAYS = compile_later(
    r"\b(?:the|on|of|in|at|since|from|until|till|to|through|and|between|morning|afternoon|evening|night|noon)\b"
    r"|[从自到至在的起和与那天]|[早晚]上|[上下中]午|以来|以[前后]|之[前后]",
    re.I,
)


def parse_days(
    text: str, today: date, find: Callable[[str, date], list[DateSpan]] = find_dates
) -> tuple[date, date] | None:
    """Return the first and last day that a date or words mean, or None. `find` chooses the turn of what recurs."""
    try:
        if week := re.fullmatch(r"(\d{4})-?W(\d\d)", text):  # Python would read it as the Monday
            monday = date.fromisocalendar(int(week[1]), int(week[2]), 1)
            return monday, date.fromordinal(monday.toordinal() + 6)
        exact = date.fromisoformat(text)
        return exact, exact
    except ValueError:  # 11-16, 11.16, 16.11. and 20 nov 25 are days here, where nothing but a day is expected
        text = re.sub(r"(?i)\A(\d{1,2}(?:st|nd|rd|th)? [a-z]{3,9})\.?,? (\d\d)\Z", r"\1 20\2", text)
        text = re.sub(r"\A(\d{1,2})\.(\d{1,2})\.\Z", r"\2/\1", text)
        text = re.sub(r"\A(\d{1,2})[-.](\d{1,2})\Z", r"\1/\2", text)
        # In a sentence Sat, Jan and "week ago" may mean something else without these words.
        text = next((each for each in (text, f"on {text}", f"in {text}", f"a {text}") if find(each, today)), text)
        spans = find(text, today)
    rest = "".join(sign for at, sign in enumerate(text) if not any(span.start <= at < span.stop for span in spans))
    if not spans or any(map(str.isalpha, _BESIDE_DAYS.sub("", rest))):  # 随便昨天啦 means no day
        return None
    return min(span.first for span in spans), max(span.last for span in spans)


def parse_nearest_days(text: str, today: date) -> tuple[date, date] | None:
    """Return the days like `parse_days`, but those of the nearest year where none is named."""
    last, coming = parse_days(text, today), parse_days(text, today, find_coming_dates)
    is_yearly = last and coming and (coming[0] - last[0]).days >= YEAR
    return coming if last and coming and is_yearly and coming[0] - today < today - last[1] else last
