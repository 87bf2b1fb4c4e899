"""Dates written in figures, the same in every language: 2023-05-07, 2023/5/7, 2023-05, 05/07/2023, 7.5.2023.

With slashes or hyphens and the year last, the month comes first unless it cannot; with dots, the day does.
Versions, addresses and phone numbers have the shape and are refused.
"""

from __future__ import annotations

import re
from datetime import date

from . import periods, when
from .when import When

SHAPE = r"[0-9]+(?:[-/.][0-9]+){2,}|(?:19|20)[0-9]{2}[-/][0-9]{1,2}(?![0-9])"


def read(written: str) -> When | None:
    """What a string of this shape means; None when it is no date."""
    parts = re.split("[-/.]", written)
    separator = written[len(parts[0]) : len(parts[0]) + 1]
    if not separator or separator.join(parts) != written or not all(part.isdecimal() for part in parts):
        return None
    sizes = [len(part) for part in parts]
    # A file's name may go on after its date: 2026-11-21-1435.
    if separator == "-" and sizes[:3] == [4, 2, 2]:
        parts, sizes = parts[:3], sizes[:3]
    if len(parts) not in (2, 3) or any(size > 2 for size in sizes[1:-1]):
        return None
    a, b, c = map(int, (*parts, "1")[:3])
    if sizes[0] == 4 and 1900 <= a <= 2099 and sizes[-1] <= 2:
        if len(parts) == 2:
            return when.fixed(lambda: periods.unit("month", date(a, b, 1), 0))
        return when.fixed(lambda: periods.day(a, b, c))
    short = separator == "/" and sizes[-1] == 2
    if len(parts) == 2 or sizes[0] > 2 or not (short or (sizes[-1] == 4 and 1900 <= c <= 2099)):
        return None
    y, day_first = 2000 + c if short else c, separator == "." or a > 12
    return when.fixed(lambda: periods.day(y, b, a) if day_first else periods.day(y, a, b))
