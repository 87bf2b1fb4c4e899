"""Convert days of the Chinese calendar and the 24 solar terms to dates, from 1900 to 2100.

This module is loaded only when a question names such a day. Months follow the new moons as observed in Beijing. They
come from published tables and are not computed, because a new moon close to midnight decides over a day.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from math import floor, radians, sin

# Each year has five hexadecimal digits: the leap month, and then one bit for each of up to 13 months, the first month
# lowest. A bit is set when the month has 30 days instead of 29.
_YEARS = (
    "116d20075200ea50b64a0064b00a9b095560056a00b5905752007520db2500b2500a4b0b4ab002ad0056b04b6900da90fd92"
    "00e9200d250ba4d00a56002b6095b5006d400ea905e9200e920cd260052b00a570b2b600b5a006d406ec9007490f69300a93"
    "0052b0ca5b00aad0056a09b5500ba400b4905a9300a950f52d0053600aad0b5aa005b200da507d4a00d4a10a9500a9700556"
    "0cab500ad5006d208ea500ea50064a06c9700a9b0f55a0056a00b690b75200b5200b250964b00a4b114ab002ad0056d0cb69"
    "00da900d9209d2500d2515a4d00a56002b60c5b5006d500ea90be9200e9200d2606a5600a57114d60035a006d50b6c900749"
    "006930952b0052b00a5b0555a0056a0fb5500ba400b490ba9300a950052d08aad00ab5135aa005d200da50dd4a00d4a00c95"
    "0952e0055600ab5055b2006d20cea5007250064b0ac9700cab0055a06ad600b691775200b5200b250da4b00a4b004ab0a55b"
    "005ad00b6a05b5200d920fd2500d2500a550b4ad004b6005b506daa00ec911e9200e9200d260ca5600a5700556086d500755"
    "0074906e93006930f52b0052b00a5b0b55a0056a00b650974a00b4a11a9500a950052d0caad00ab5005aa08ba500da500d4a"
    "07c9500c960f94e0055600ab50b5b2006d200ea508e4a0068b10c97004ab0055b0cad600b6a007520972500b4500a8b0549b"
    "004ab"
)
_FIRST, _NEW_YEAR = 1900, date(1900, 1, 31)

# Terms so close to midnight that the formula below misses the day: (year, degrees), and the days to add.
_NEAR_MIDNIGHT = {
    (1912, 195): 1, (1917, 255): 1, (1923, 330): -1, (1950, 30): -1, (1951, 270): 1, (2008, 60): 1, (2014, 345): 1,
    (2016, 105): 1, (2045, 105): 1, (2047, 345): 1, (2051, 0): -1, (2082, 300): 1, (2084, 75): 1, (2097, 45): 1,
    (1978, 240): -1,
}  # fmt: skip


@lru_cache(maxsize=1)
def _calendar() -> dict[int, tuple[date, list[int], int]]:
    """Return for each year its first day, the lengths of its months, and the month that comes twice (0: none)."""
    calendar, start = {}, _NEW_YEAR
    for place in range(0, len(_YEARS), 5):
        written = int(_YEARS[place : place + 5], 16)
        leap = written >> 13
        lengths = [29 + (written >> month & 1) for month in range(13 if leap else 12)]
        calendar[_FIRST + place // 5] = start, lengths, leap
        start += timedelta(sum(lengths))
    return calendar


def lunar_day(year: int, month: int, day: int) -> date:
    """Return the date of a day in the Chinese year that begins in `year`; day 0 is the last one of the month before.

    Raise ValueError when the table has no such day.
    """
    if year not in _calendar():
        raise ValueError("no such year in the table")
    start, lengths, leap = _calendar()[year]
    before = month - 1 + (0 < leap < month)
    if day > lengths[before]:
        raise ValueError("no such day in that month")
    return start + timedelta(sum(lengths[:before]) + day - 1)


def feast_in(year: int, month: int, day: int) -> date:
    """Return the date of a Chinese day that falls in `year` of our calendar.

    The last months of a Chinese year reach into the next one. Raise ValueError when there is none.
    """
    for chinese in (year, year - 1):
        if chinese in _calendar() and (falls := lunar_day(chinese, month, day)).year == year:
            return falls
    raise ValueError("not in the table, or not in that year")


def solar_term(year: int, degrees: int) -> date:
    """Return the day, in Beijing, on which the sun reaches `degrees` of its path, counted from the spring equinox.

    Raise ValueError outside the years of the table.
    """
    if not _FIRST <= year <= 2100:
        raise ValueError("no such year in the table")
    centuries = (year - 2000 + (degrees + 79.5) % 360 / 360) / 100
    for _ in range(4):
        centuries += ((degrees - _longitude(centuries) + 180) % 360 - 180) / 36000.77
    slowing = 63.86 + 33.45 * centuries  # seconds by which the earth's rotation lags
    noon = centuries * 36525 + 8 / 24 - slowing / 86400  # days since noon of 1 January 2000
    return date(2000, 1, 1) + timedelta(floor(noon + 0.5) + _NEAR_MIDNIGHT.get((year, degrees), 0))


def _longitude(centuries: float) -> float:
    """Return the apparent longitude of the sun in degrees, `centuries` from noon of 1 January 2000."""
    mean = 280.46646 + 36000.76983 * centuries
    anomaly = radians(357.52911 + 35999.05029 * centuries)
    center = (
        (1.914602 - 0.004817 * centuries) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    )
    nodding = 0.00478 * sin(radians(125.04 - 1934.136 * centuries))
    return mean + center - 0.00569 - nodding
