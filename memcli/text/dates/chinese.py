"""Chinese: a small recursive descent over characters, table by table.

Every reader takes a place in the line and gives back what it read and the place after it, or None; the longest
reading wins. What a reading means is left to `when.py`.
"""

from __future__ import annotations

import re
from datetime import date

from . import chinese_words as words
from . import numeric, periods, when
from .chinese_names import Line, Reading
from .periods import FEW, Amount, Period
from .when import When

_NUMERIC = re.compile(numeric.SHAPE)
# What an expression may begin with: a gate, so that long texts pass quickly.
_STARTS = frozenset("0123456789〇零一二三四五六七八九十两几好数半百第Qq大星礼周月中年最截直") | {
    word[0]
    for table in (words.DAYS, words.YEARS, words.SHIFTS, words.LATELY, words.ROLLING, words.FEASTS, words.FROM,
                  words.UNTIL, words.MONTH_PARTS)
    for word in table
}  # fmt: skip


def read(text: str, today: date) -> list[tuple[int, int, Period]]:
    line = _Grammar(text, today)
    found, i = [], 0
    while i < len(line.text):
        reading = line.expression(i) if line.text[i] in _STARTS else None
        if reading is None:
            i += 1
            continue
        meaning, stop = reading
        habit = meaning.rank != when.FIXED and line.text.endswith(words.HABITS, 0, i)
        period = None if habit else meaning.settle(today)
        if period:
            found.append((line.origin[i], line.origin[stop - 1] + 1, period))
        i = stop
    return found


class _Grammar(Line):
    # --- expressions --------------------------------------------------------------------------------

    def expression(self, i: int) -> Reading | None:
        """An atom, a range of two, or an open range."""
        until = self.at(i, words.UNTIL)
        if until:
            atom = self.atom(i + len(until))
            ends = atom is not None and self.text.startswith("为止", atom[1])
            if atom and (until != "到" or ends):
                return when.until(atom[0], self.today), atom[1] + 2 * ends
        start = self.at(i, words.FROM)
        atom = self.atom(i + len(start))
        if atom is None:
            return None
        meaning, stop = atom
        joined = self.range(meaning, stop)
        if joined:
            return joined
        side = self.at(stop, words.SINCE)
        if side in ("以来", "至今") or (side and start):
            return when.since(meaning, self.today), stop + len(side)
        if start == "自从":
            return when.since(meaning, self.today), stop
        return None if start else self.before_or_after(meaning, stop) or atom

    def range(self, left: When, i: int) -> Reading | None:
        """…到…, …和…之间."""
        joint = self.at(i, words.TO) or self.at(i, words.WITH)
        if not joint:
            return None
        right = self.atom(i + len(joint))
        now = "" if right or joint in words.WITH else self.at(i + len(joint), words.NOW)
        if now:
            return when.since(left, self.today), i + len(joint) + len(now)
        if right is None:
            return None
        stop = right[1]
        tail = self.at(stop, ("之间", "期间"))
        if joint in words.WITH and tail != "之间":
            return None
        return when.between(left, right[0], self.today), stop + len(tail)

    def before_or_after(self, meaning: When, i: int) -> Reading | None:
        """…之前, …以后, 国庆前一周, 春节后三天."""
        side = self.char(i)
        measure = self.measure(i + 1) if side in ("前", "后") else None
        if measure:
            kind, (_, count), stop = measure

            def change(p: Period) -> Period:
                if side == "前":
                    return periods.moved(p[0], kind, -count), periods.shifted(p[0], -1)
                return periods.shifted(p[1], 1), periods.moved(p[1], kind, count)

            return meaning.map(change), stop
        word = self.at(i, words.BEFORE)
        if word:
            return when.before(meaning, self.today), i + len(word)
        word = self.at(i, words.AFTER)
        return (when.after(meaning, self.today), i + len(word)) if word else None

    def atom(self, i: int) -> Reading | None:
        """The longest single date at a place, with the time of day or the 那天 that may follow it."""
        readings = [
            reading
            for reader in (
                self.numeric,
                self.named_day,
                self.dated,
                self.relative,
                self.bare_turn,
                self.weekday,
                self.bare_day,
                self.bare_part,
                self.ago,
                self.lately,
                self.rolling,
            )
            if (reading := reader(i))
        ]
        if not readings:
            return None
        meaning, stop = max(readings, key=lambda reading: reading[1])
        that = self.at(stop, words.THAT)
        if that:
            return meaning.map(lambda p: periods.unit(words.THAT[that], p[0], 0)), stop + len(that)
        if self.text.startswith("前后", stop):
            return meaning.map(lambda p: (periods.shifted(p[0], -3), periods.shifted(p[1], 3))), stop + 2
        stop += len(self.tail(stop, (*words.DAYPARTS, *words.FEAST_DAY)))
        return meaning, stop + (self.char(stop) == "晚" and self.ends_plainly(stop + 1))

    def numeric(self, i: int) -> Reading | None:
        before = self.char(i - 1)
        if not self.text[i : i + 1].isdecimal() or before in tuple("-/.:") or (before.isascii() and before.isalnum()):
            return None
        shape = _NUMERIC.match(self.text, i)
        meaning = numeric.read(shape[0]) if shape else None
        return (meaning, shape.end()) if shape and meaning else None

    # --- relative to today --------------------------------------------------------------------------

    def named_day(self, i: int) -> Reading | None:
        word = self.at(i, words.DAYS)
        shift = words.DAYS.get(word, 0)
        return (when.fixed(lambda: periods.unit("day", self.today, shift)), i + len(word)) if word else None

    def relative(self, i: int) -> Reading | None:
        """上周, 上周五, 这个月初, 上个月5号, 下季度, 上个冬天."""
        found = None
        for word, shift in words.SHIFTS.items():
            if not self.text.startswith(word, i) or self.is_other_word(word, i):
                continue
            place = i + len(word)
            unit = self.at(place, words.UNITS) or self.at(place, words.SEASONS)
            reading = self.of_unit(unit, shift, place + len(unit)) if unit else None
            if reading and (found is None or reading[1] > found[1]):
                found = reading
        return found

    def of_unit(self, unit: str, shift: int, i: int) -> Reading | None:
        today = self.today
        if unit in words.SEASONS:
            season = words.SEASONS[unit]
            if shift == 0:
                return when.in_year(lambda y: periods.season(y, season), today.year, today), i
            turns = when.yearly(lambda y: periods.season(y, season))
            return (when.last if shift < 0 else when.coming)(turns, today), i
        kind = words.UNITS[unit]
        if kind == "month":
            make, stop = self.month_tail(i)
            return when.fixed(lambda: periods.in_month(make, today, shift)), stop
        again = len(self.at(i + 1, words.WEEKS)) if self.char(i) == "的" else 0  # 上周的周五
        place = i + 1 + again if again else i
        day = self.weekday_at(place) if kind == "week" else None
        if day is not None:
            return when.fixed(lambda: periods.nth_weekday(periods.week(today, shift), day, 1)), place + 1
        return when.fixed(lambda: periods.unit(kind, today, shift)), i

    def weekday_at(self, i: int) -> int | None:
        figure = self.char(i)
        if self.text.startswith(words.NOT_WEEKDAY, i + 1):
            return None
        taken = () if self.text.startswith("一下午", i) else words.NOT_WEEKDAY_BY_FIGURE.get(figure, ())
        if self.text.startswith(taken, i + 1):
            return None
        if figure != "天" and self.char(i + 1) == "天" and self.char(i + 2) != "气":
            return None  # 上周三天 are three days
        return words.WEEKDAYS.get(figure)

    def weekday(self, i: int) -> Reading | None:
        """周五, 星期天, 周末: the latest one."""
        if self.after_figure(i) or self.char(i - 1) in ("个", "几", "半", "整"):
            return None
        if self.at(i, words.UNITS) == "周末":
            return when.weekly(periods.weekend), i + 2
        word = self.at(i, words.WEEKS)
        stop = i + len(word)
        day = self.weekday_at(stop) if word else None
        if day is None or (word == "周" and self.char(stop) == "天"):
            return None
        return when.weekday(day), stop + 1

    # --- counting -----------------------------------------------------------------------------------

    def amount(self, i: int) -> tuple[Amount, int] | None:
        few = self.at(i, ("几", "好几", "数"))
        if few:
            return FEW, i + len(few)
        number = None if self.after_figure(i) else self.number(i)
        if number is None:
            return None
        n, stop = number
        written = self.text[i:stop].replace("两", "二")
        if len(written) == 2 and all(c in words.FIGURES for c in written):  # 两三天, 三五天
            low, high = (words.FIGURES[c] for c in written)
            return ((low, high), stop) if low < high else None
        if n == 10 and self.char(stop) == "几":
            return (11, 19), stop + 1
        more = self.char(stop) == "多"
        return (n, n + more), stop + more

    def measure(self, i: int) -> tuple[str, Amount, int] | None:
        """An amount of a unit: 三天, 两个星期, 半年, 几个月, 一年多."""
        for half, known in (("半个月", ("day", (12, 18))), ("半年", ("month", (6, 6)))):
            if self.text.startswith(half, i):
                return known[0], known[1], i + len(half)
        counted = self.amount(i)
        if counted is None:
            return None
        (low, high), place = counted
        if self.text.startswith("个半月", place):
            return "day", (30 * low + 12, 30 * high + 18), place + 3
        if self.text.startswith("年半", place):
            return "month", (12 * low + 6, 12 * high + 6), place + 2
        unit = self.at(place, words.COUNTED_UNITS)
        stop = place + len(unit)
        if not unit or (unit == "周" and self.char(stop) in ("年", "岁")) or (unit == "年" and low > 200):
            return None  # 三周年; 2008年前 is no 2008 years ago
        more = low == high and self.char(stop) == "多"
        return words.COUNTED_UNITS[unit], (low, high + more), stop + more

    def ago(self, i: int) -> Reading | None:
        """三天前, 两个星期之前, 半年前; 三天后."""
        measure = self.measure(i)
        if measure is None:
            return None
        kind, amount, stop = measure
        before, after = self.at(stop, words.BEFORE), self.at(stop, words.AFTER)
        if before and kind == "year" and amount[0] == amount[1]:  # 三年前, 三年前的夏天
            return self.of_year(self.today.year - amount[0], stop + len(before))
        if self.text.startswith("以来", stop):
            return when.fixed(lambda: periods.rolling(kind, amount, self.today)), stop + 2
        if before:
            return when.fixed(lambda: periods.ago(kind, amount, self.today)), stop + len(before)
        return (when.fixed(lambda: periods.ahead(kind, amount, self.today)), stop + len(after)) if after else None

    def lately(self, i: int) -> Reading | None:
        word = self.at(i, words.LATELY)
        if not word or (word == "最近" and "离" in self.text[max(0, i - 8) : i]):
            return None
        start, stop = words.LATELY[word]
        span = when.fixed(lambda: (periods.shifted(self.today, -start), periods.shifted(self.today, -stop)))
        return span, i + len(word)

    def rolling(self, i: int) -> Reading | None:
        """最近三天, 过去一周, 近两周, 这几天; 前几天; 未来三天."""
        if self.text.startswith(("前几", "前两"), i):
            measure = self.measure(i + 1)
            if measure is None or self.char(i - 1) in words.NOT_AFTER["前"]:
                return None
            kind, (_, high), stop = measure
            return when.fixed(lambda: periods.ago(kind, (1, high), self.today)), stop
        word = self.at(i, words.ROLLING)
        place = i + len(word)
        measure = self.measure(place + self.text.startswith("的", place)) if word else None
        if measure is None or (word == "这" and measure[1] == (1, 1)):
            return None
        kind, amount, stop = measure
        direction = words.ROLLING[word]
        stop += len(self.at(stop, ("以来", "以内", "之内", "内", "里")))
        return when.fixed(lambda: periods.rolling(kind, amount, self.today, direction)), stop
