"""Tell 号 in a day of the month from 号 in the number of a thing: 5号线, 3号楼, 6号守门员手套, 队服换成1号.

After a month the number is a day: 11月13号高架堵了. Even there it may still be a line or a building.
"""

from __future__ import annotations

from functools import lru_cache

from memcli.text import phrases
from memcli.text.later import compile_later

_DAY_BEFORE = compile_later("月[0-9一二三四五六七八九十号日到至和、 -]{1,9}$")
_EVEN_SO = {"号线": tuple("路上下索"), "号楼": tuple("上下盘道")}


def is_day_of_month(text: str, start: int, stop: int) -> bool:
    """Return whether the 号 of 号线, 号楼 or 号高 ends the day of a month."""
    after = _EVEN_SO.get(text[start:stop])
    if after and not text.startswith(after, stop):
        return False
    return _DAY_BEFORE.search(text[max(0, start - 10) : start]) is not None


def numbers_a_thing(text: str, start: int) -> bool:
    """Return whether this 号, which no month precedes, ends the number of a thing."""
    return start in _numbered(text) and _DAY_BEFORE.search(text[max(0, start - 10) : start]) is None


@lru_cache(maxsize=4)
def _numbered(text: str) -> frozenset[int]:
    return frozenset(match.end() - 1 for match in phrases.pattern("dates", "numbered", ("zh",)).finditer(text))
