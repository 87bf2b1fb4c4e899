"""Read times as chat programs write them in many countries.

A stamp without a day (`10:23`, `Yesterday at 10:23`, 昨天 10:23) is not a moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any

_MONTHS = {name: n for n, names in enumerate(
    ("jan", "feb", "mar mär", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"), 1
) for name in names.split()}  # fmt: skip
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-zä]*\.?"
_NUMBERS = r"\d{4}[-/.年]\s?\d\d?[-/.月]\s?\d\d?日?|\d\d?[./-]\d\d?[./-]\d{2}(?:\d{2})?|\d\d?月\d\d?日"
_NAMED = (
    rf"(?:\w{{3,9}}, )?(?:\d\d?(?:st|nd|rd|th|\.)? {_MONTH},?(?: \d{{4}})?"
    rf"|{_MONTH} \d\d?(?:st|nd|rd|th)?(?:,? \d{{4}})?)"
)
_NEAR = (
    r"today|yesterday|heute|gestern|今天|昨天|前天|(?:周|週|星期|礼拜)[一二三四五六日天]"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
DAY = rf"(?:{_NUMBERS}|{_NAMED}|{_NEAR})"
_HALF = r"上午|下午|晚上|凌晨|早上|中午|傍晚|清晨"
_TWELVE = r"(?:\s?[ap]\.?\s?m\b\.?)?"
CLOCK = rf"(?:(?:{_HALF})\s?)?\d\d?[:：]\d\d(?:[:：]\d\d)?{_TWELVE}"
_DOTTED = rf"\d\d?\.\d\d(?:\.\d\d)?{_TWELVE}"  # only after a day: alone it may be any number
_BETWEEN = r"(?:[T,]?\s*(?:(?:at|um|à|a las|kl\.?|klo)\s+)?|\s*(?:周|星期)[一二三四五六日天]\s*)"
DATED = rf"{DAY}{_BETWEEN}(?:{CLOCK}|{_DOTTED})"
STAMP = rf"(?:{DATED}|{CLOCK})"

_CLOCK_PARTS = re.compile(
    rf"(?P<half>{_HALF})?\s?(?P<h>\d\d?)[:：.](?P<m>\d\d)(?:[:：.](?P<s>\d\d))?\s?(?P<ampm>[ap])?", re.I
)
_YEAR_FIRST = re.compile(r"(\d{4})[-/.年]\s?(\d\d?)[-/.月]\s?(\d\d?)日?")
_YEAR_LAST = re.compile(r"(\d\d?)([./-])(\d\d?)[./-](\d{4}|\d\d)\b")
_WITH_MONTH = re.compile(
    rf"(?:(?P<d1>\d\d?)(?:st|nd|rd|th|\.)? )?(?P<month>{_MONTH})(?: (?P<d2>\d\d?)(?:st|nd|rd|th)?\b)?"
    r"(?:,? (?P<year>\d{4}))?",
    re.I,
)


def month_first(stamps: Iterable[str]) -> bool:
    """Return whether a conversation writes 3/15/26 and not 15/3/26, judging by its numbers, else by a twelve-hour
    clock."""
    stamps = list(stamps)
    days = [match for match in map(_YEAR_LAST.search, stamps) if match and match[2] == "/"]
    if any(int(match[1]) > 12 for match in days):
        return False
    return any(int(match[3]) > 12 for match in days) or any("AM" in each or "PM" in each for each in stamps)


def moment(value: Any, months_first: bool = False) -> datetime | None:
    """Return a time in the local time zone, or None if it has no day."""
    try:
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value)
        text = str(value or "").strip()
        if re.fullmatch(r"\d{9,10}(\.\d+)?", text):  # seconds, as Slack writes them
            return datetime.fromtimestamp(float(text))
        if re.search(r"T\d.*(Z|[+-]\d\d:?\d\d)$", text):
            return _zoned(text)
        day = _day(text, months_first)
        return datetime.combine(day[0], clock(text[day[1] :]) or time()) if day else None
    except (ValueError, OverflowError, OSError):
        return None


def clock(text: str) -> time | None:
    """Return the time of day in a stamp, or None."""
    if not (match := _CLOCK_PARTS.search(text)):
        return None
    hour, half, mark = int(match["h"]), match["half"] or "", (match["ampm"] or "").lower()
    if (mark == "p" or half in ("下午", "晚上", "傍晚", "中午")) and 0 < hour < (12 if half != "中午" else 3):
        hour += 12
    elif (mark == "a" or half in ("上午", "凌晨")) and hour == 12:
        hour = 0
    minute, second = int(match["m"]), int(match["s"] or 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _zoned(text: str) -> datetime:
    plain = re.sub(r"\.\d+", "", text).replace("Z", "+00:00")
    plain = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", plain)
    return datetime.fromisoformat(plain).astimezone().replace(tzinfo=None)


def _day(text: str, months_first: bool) -> tuple[date, int] | None:
    """Return the day of a stamp and the position after it, or None if it has no year."""
    if match := _YEAR_FIRST.search(text):
        return date(int(match[1]), int(match[2]), int(match[3])), match.end()
    if match := _YEAR_LAST.search(text):
        one, other = int(match[1]), int(match[3])
        day, month = (other, one) if months_first and match[2] == "/" else (one, other)
        return date(int(match[4]) % 100 + 2000, month, day), match.end()
    if (match := _WITH_MONTH.search(text)) and match["year"] and (day_said := match["d1"] or match["d2"]):
        return date(int(match["year"]), _MONTHS[match["month"][:3].lower()], int(day_said)), match.end()
    return None
