"""Chinese dates by name: numerals, years, months and their days, quarters, seasons, feasts, 27号.

The lower half of the Chinese grammar: nothing here looks inside another expression. `turn` reads what comes
round every year, `month_tail` what may follow a month.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from . import chinese_words as words
from . import periods, when
from .periods import Period
from .when import When

Reading = tuple[When, int]
Turn = Callable[[int], Period]
InMonth = Callable[[int, int], Period]

_DIGITS = "0123456789"
_NUMERALS = frozenset(words.FIGURES) | {"十", "百", "两"}


_DATE_ENDS = frozenset("号日天点")  # "3号 8号" are two


def is_han(c: str) -> bool:
    return "\u4e00" <= c <= "\u9fff"


def value(written: str) -> int | None:
    """2023, 二〇二三, 十一, 二十七, 一百二十, 两; None when it is no number."""
    if written.isdecimal():
        return int(written)
    if "十" not in written and "百" not in written:
        return int("".join(str(words.FIGURES.get(c, 2)) for c in written))
    total, figure = 0, 0
    for c in written:
        if c in "百十":
            total += (figure or 1) * (100 if c == "百" else 10)
            figure = 0
        elif figure:
            return None
        else:
            figure = 2 if c == "两" else words.FIGURES[c]
    return total + figure


class Line:
    """A text without the spaces that stand between figures and characters, and the named dates in it."""

    def __init__(self, text: str, today: date) -> None:
        def is_gap(i: int) -> bool:
            left, right = text[i - 1 : i], text[i + 1 : i + 2]
            if text[i] != " " or not left or not right or left in _DATE_ENDS:
                return False
            return (is_han(left) and right in _DIGITS) or (left in _DIGITS and is_han(right))

        self.today = today
        self.origin = [i for i in range(len(text)) if not is_gap(i)]
        self.text = "".join(text[i] for i in self.origin)

    # --- looking around -----------------------------------------------------------------------------

    def char(self, i: int) -> str:
        return self.text[i] if 0 <= i < len(self.text) else ""

    def at(self, i: int, choices: Iterable[str]) -> str:
        """The longest of the words that stands at a place, unless its neighbours make it another word."""
        found = self.tail(i, choices)
        return "" if found and self.is_other_word(found, i) else found

    def is_other_word(self, word: str, i: int) -> bool:
        before = self.char(i - 1)
        if before and before in words.NOT_AFTER.get(word[0], ()):
            return True
        return self.text.startswith(words.NOT_BEFORE.get(word, ()), i + len(word))

    def tail(self, i: int, choices: Iterable[str]) -> str:
        """The longest of the words that follows what was read, whatever its neighbours."""
        return max((c for c in choices if self.text.startswith(c, i)), key=len, default="")

    def ends_plainly(self, i: int) -> bool:
        c = self.char(i)
        return c in words.PLAIN_TAILS if is_han(c) else c not in _DIGITS + ".:/%-" or c == ""

    def after_figure(self, i: int) -> bool:
        c = self.char(i - 1)
        return c != "" and (c in _DIGITS or c in _NUMERALS or c in ".第" or (c.isascii() and c.isalpha()))

    def number(self, i: int) -> tuple[int, int] | None:
        c = self.char(i)
        kind: Iterable[str] = _DIGITS if c and c in _DIGITS else _NUMERALS
        stop = i
        while stop < len(self.text) and self.text[stop] in kind:
            stop += 1
        found = value(self.text[i:stop]) if i < stop <= i + 5 else None
        return None if found is None else (found, stop)

    # --- days of a month ----------------------------------------------------------------------------

    def month_tail(self, i: int) -> tuple[InMonth, int]:
        """What may follow a month: 初, 中旬, 底, 上半月, 第一周, 27号, 1号到4号, or nothing."""
        i += self.text.startswith("份", i)
        found: list[tuple[InMonth, int]] = [(periods.month, i)]
        place = i + self.text.startswith("的", i)
        part = self.at(place, words.MONTH_PARTS)
        stop = place + len(part)
        lunar = part == "初" and self.char(stop) in _NUMERALS  # 五月初五
        if part and not lunar and (part not in ("中", "月中") or self.ends_plainly(stop)):
            which = words.MONTH_PARTS[part]
            found.append((lambda y, m: periods.third(periods.month(y, m), which), stop))
        half = self.at(place, words.HALF_MONTHS)
        if half:
            found.append((lambda y, m: periods.halved(periods.month(y, m), words.HALF_MONTHS[half]), place + len(half)))
        nth = self.nth_week(place)
        if nth:
            kind, n, stop = nth
            found.append((lambda y, m: periods.nth(periods.month(y, m), kind, n), stop))
        days = self.days(place)
        if days:
            first, last, stop = days
            found.append((lambda y, m: (date(y, m, first), date(y, m, last)), stop))
        return max(found, key=lambda f: f[1])

    def nth_week(self, i: int) -> tuple[str, int, int] | None:
        """第一周, 第二个星期, 最后一天."""
        if self.text.startswith("最后一", i):
            n, place = -1, i + 3
        else:
            number = self.number(i + 1) if self.char(i) == "第" else None
            if number is None:
                return None
            n, place = number
        place += self.text.startswith("个", place)
        kind = self.at(place, (*words.WEEKS, "天"))
        return ("day" if kind == "天" else "week", n, place + len(kind)) if kind else None

    def days(self, i: int) -> tuple[int, int, int] | None:
        """27号, 1号到4号, 1-4日, 二十七: first and last day, and the place after them."""
        first = self.day(i)
        if first is None:
            return None
        d, stop, marked = first
        joint = self.at(stop, words.TO)
        last = self.day(stop + len(joint)) if joint else None
        if last and (last[2] or (joint == "-" and not marked)) and self.char(last[1]) != "月":
            return d, last[0], last[1]
        plain = self.text[i:stop].isdecimal() or stop - i > 1
        if not marked and (not plain or not (self.ends_plainly(stop) or joint)):
            return None
        return d, d, stop

    def day(self, i: int) -> tuple[int, int, bool] | None:
        number = self.number(i)
        if number is None or number[1] - i > 3 or self.text[i] == "两":
            return None
        marked = self.char(number[1]) in ("号", "日")
        return number[0], number[1] + marked, marked

    def bare_day(self, i: int) -> Reading | None:
        """27号, 27日, when it numbers a day and no line, house or table."""
        numbered = self.text.endswith(words.NOT_NUMBERED_AFTER, 0, i)
        first = None if self.after_figure(i) or numbered else self.day(i)
        if first is None or not first[2]:
            return None
        d, stop, _ = first
        if self.char(stop - 1) == "日" and not self.text[i].isdecimal():
            return None  # 三日 are three days
        if self.text.startswith(words.NUMBERED if self.char(stop - 1) == "号" else words.NOT_A_DAY, stop):
            return None
        return when.monthly(lambda y, m: periods.day(y, m, d)), stop

    def bare_part(self, i: int) -> Reading | None:
        """月初, 月底, 上旬: of the latest month that has it."""
        part = self.at(i, words.MONTH_PARTS)
        stop = i + len(part)
        if len(part) < 2 or self.after_figure(i) or self.char(i - 1) in ("个", "月"):
            return None
        if (part == "月中" and not self.ends_plainly(stop)) or (part == "月初" and self.char(stop) in _NUMERALS):
            return None
        which = words.MONTH_PARTS[part]
        return when.monthly(lambda y, m: periods.third(periods.month(y, m), which)), stop

    # --- what comes round every year ----------------------------------------------------------------

    def turn(self, i: int) -> tuple[Turn, int] | None:
        found = [turn for reader in (self.feast, self.month, self.quarter, self.year_part) if (turn := reader(i))]
        return max(found, key=lambda f: f[1]) if found else None

    def month(self, i: int) -> tuple[Turn, int] | None:
        number = self.number(i)
        if number is None or number[1] - i > 2 or self.text[i] == "两":
            return None
        m, stop = number
        joint = self.at(stop, words.TO)
        last = self.number(stop + len(joint)) if joint else None
        if last and last[1] - stop <= 4 and self.at(last[1], ("月",)):  # 5-8月
            n, stop = last
            return (lambda y: (date(y, m, 1), periods.month(y, n)[1])), stop + 1
        if not self.at(stop, ("月",)):
            return None
        if self.text[i] == "五" and self.text.startswith("月天", i + 1):
            return None  # the band
        make, stop = self.month_tail(stop + 1)
        return (lambda y: make(y, m)), stop

    def quarter(self, i: int) -> tuple[Turn, int] | None:
        english = self.text[i : i + 2].upper()
        if english in ("Q1", "Q2", "Q3", "Q4") and self.char(i + 2) not in (*_DIGITS, "_"):
            n = int(english[1])
            return (lambda y: periods.quarter(y, n)), i + 2
        number = self.number(i + self.text.startswith("第", i))
        if number is None or not 1 <= number[0] <= 4 or not self.text.startswith("季度", number[1]):
            return None
        if self.char(i - 1) == "前" or self.text[i] == "两":
            return None  # 前三季度 are three of them
        n = number[0]
        return (lambda y: periods.quarter(y, n)), number[1] + 2

    def year_part(self, i: int) -> tuple[Turn, int] | None:
        half = self.at(i, words.HALF_YEARS)
        if half:
            return (lambda y: periods.half(y, words.HALF_YEARS[half])), i + len(half)
        part = self.at(i, words.YEAR_PARTS)
        stop = i + len(part)
        if not part or (part == "年中" and not self.ends_plainly(stop)):
            return None
        if part == "年初" and self.char(stop) in _NUMERALS:
            return None  # 年初一 is a feast
        which = words.YEAR_PARTS[part]
        return (lambda y: periods.third(periods.year(y), which)), stop

    def feast(self, i: int) -> tuple[Turn, int] | None:
        name = self.at(i, words.FEASTS)
        feast, stop = words.FEASTS.get(name), i + len(name)
        if self.text.startswith("十一", i) and not self.after_figure(i) and not name:
            feast, stop = words.FEASTS["国庆"], i + 2
            if not self.at(stop, words.NATIONAL_TAILS):
                return None
        if feast is None:
            return None
        if name in words.NUMBER_FEASTS and (
            self.char(i - 1) in words.NOT_NUMBER_FEAST_AFTER
            or self.text.startswith(words.NOT_NUMBER_FEAST_BEFORE, stop)
        ):
            return None
        tail = self.tail(stop, (*words.FEAST_DAY, *words.FEAST_DAYS))
        if tail in words.FEAST_DAY:
            return feast.day, stop + len(tail)
        wider = 1 if tail and not feast.after else 0
        return (lambda y: feast.period(y, wider)), stop + len(tail)

    def bare_turn(self, i: int) -> Reading | None:
        found = None if self.after_figure(i) or self.char(i - 1) == "个" else self.turn(i)
        return found and (when.yearly(found[0]), found[1])

    # --- years --------------------------------------------------------------------------------------

    def year_at(self, i: int) -> tuple[int, int] | None:
        """去年, 2023年, 二〇二三年, and 23年 when more follows: 23年5月, 23年国庆."""
        word = self.at(i, words.YEARS)
        if word:
            other = self.text.startswith(words.NOT_BEFORE["年"], i + len(word))
            return None if other or self.after_figure(i) else (self.today.year + words.YEARS[word], i + len(word))
        number = None if self.after_figure(i) else self.number(i)
        if number is None or not self.at(number[1], ("年",)):
            return None
        n, stop = number[0], number[1] + 1
        if number[1] - i == 2 and self.text[i] in _DIGITS and (self.turn(stop) or self.turn(stop - 1)):
            return 2000 + n, stop
        return (n, stop) if number[1] - i == 4 and 1900 <= n <= 2099 else None

    def dated(self, i: int) -> Reading | None:
        """A year and what of it: 去年国庆, 2023年5月初, 去年底, 今年春天, 去年今天."""
        found = self.year_at(i)
        return self.of_year(*found) if found else None

    def of_year(self, year: int, stop: int) -> Reading:
        place = stop + self.text.startswith("的", stop)
        # 去年底 and 2023年初 share their 年.
        turns = [turn for start in (place, stop - 1) if (turn := self.turn(start)) and turn[1] > stop]
        season = self.at(place, words.SEASONS)
        if season:
            n = words.SEASONS[season]
            turns.append(((lambda y: periods.season(y, n)), place + len(season)))
        if self.text.startswith(("今天", "今日"), place):
            month, day = self.today.month, self.today.day
            turns.append(((lambda y: periods.day(y, month, day)), place + 2))
        if not turns:
            return when.fixed(lambda: periods.year(year)), stop
        make, stop = max(turns, key=lambda turn: turn[1])
        return when.in_year(make, year, self.today), stop
