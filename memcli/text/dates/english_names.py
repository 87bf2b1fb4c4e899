"""English dates by name: months and their days, quarters, seasons, feasts, years, "the 14th".

The lower half of the English grammar: nothing here looks inside another expression. `turn` reads what comes
round every year; whether a bare one may stand alone ("May I?") is decided here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from . import english_words as words
from . import numeric, periods, when
from .periods import Amount, Period
from .when import When

Reading = tuple[When, int]
Turn = Callable[[int], Period]

_TOKEN = re.compile(numeric.SHAPE + r"|[0-9A-Za-z_\u00c0-\u024f]+|\S")


class Names:
    """The words of a text, and the named dates among them."""

    def __init__(self, text: str, today: date) -> None:
        tokens = list(_TOKEN.finditer(text))
        self.today = today
        self.raw = [token[0] for token in tokens]
        self.low = [token[0].lower() for token in tokens]
        self.start = [token.start() for token in tokens]
        self.stop = [token.end() for token in tokens]

    # --- looking around -----------------------------------------------------------------------------

    def word(self, i: int) -> str:
        return self.low[i] if 0 <= i < len(self.low) else ""

    def skip(self, i: int, *optional: str) -> int:
        return i + 1 if self.word(i) in optional else i

    def capital(self, i: int) -> bool:
        return self.raw[i][0].isupper()

    def is_word(self, i: int) -> bool:
        return self.word(i)[:1].isalnum()

    def glued(self, i: int) -> bool:
        return 0 < i < len(self.low) and self.start[i] == self.stop[i - 1]

    def counts_something(self, i: int) -> bool:
        """Whether the number just before place `i` counts things: "2000 users", "5 km"."""
        word = self.word(i)
        return word in words.COUNTED or (word.endswith("s") and word.isalpha() and word not in words.NOT_COUNTED)

    def in_a_figure(self, i: int) -> bool:
        """Whether a number is part of a larger figure: 3.11, 7:30, $5, 12%."""
        if self.glued(i) and self.word(i - 1) in ".:$/#@,":
            return True
        following = self.word(i + 1)
        return self.glued(i + 1) and (following == "%" or (following in ".:/" and self.word(i + 2)[:1].isdecimal()))

    # --- days and months ----------------------------------------------------------------------------

    def month_at(self, i: int) -> tuple[int, int] | None:
        number = words.MONTHS.get(self.word(i))
        if number is None:
            return None
        dotted = self.word(i + 1) == "." and len(self.word(i)) <= 4 and self.word(i + 2)[:1].isdecimal()
        return number, i + 2 if dotted else i + 1

    def day_at(self, i: int) -> tuple[int, bool] | None:
        """A day of the month, and whether it is an ordinal."""
        word = self.word(i)
        if self.in_a_figure(i):
            return None
        if word in words.ORDINALS:
            return words.ORDINALS[word], True
        ordinal = word[-2:] in ("st", "nd", "rd", "th")
        digits = word[:-2] if ordinal else word
        return (int(digits), ordinal) if digits.isdecimal() and len(digits) <= 2 else None

    def month_day(self, i: int) -> tuple[Turn, int] | None:
        """May 7, May 7th, May 1-4."""
        month = self.month_at(i)
        if month is None:
            return None
        m, place = month
        place = self.skip(place, "the")
        day = self.day_at(place)
        if day is None or self.word(place).isalpha():
            return None
        first, last, stop = day[0], day[0], place + 1
        until = self.day_at(self.skip(place + 2, "the"))
        if until and self.joined(place + 1, i - 1) and not self.month_at(place + 3):
            last, stop = until[0], self.skip(place + 2, "the") + 1
        verb = self.low[i] in words.VERBS and not self.capital(i)
        if verb and not day[1] and self.year_at(stop) is None and self.counts_something(stop):
            return None  # "may 5 users", "march 3 miles"
        return (lambda y: (date(y, m, first), date(y, m, last))), stop

    def day_month(self, i: int) -> tuple[Turn, int] | None:
        """7 May, the 3rd of June, 1-4 May."""
        day = self.day_at(i)
        if day is None:
            return None
        first, last, place = day[0], day[0], i + 1
        until = self.day_at(self.skip(i + 2, "the"))
        if until and self.joined(i + 1, i - 1):
            last, place = until[0], self.skip(i + 2, "the") + 1
        month = self.month_at(self.skip(place, "of"))
        if month is None or (self.word(i).isalpha() and self.word(place) != "of"):
            return None
        m, stop = month
        plain = not day[1] and self.word(place) != "of"
        verb = self.word(place) in words.VERBS and not self.capital(place)
        if plain and verb and self.year_at(stop) is None and self.word(i - 1) not in words.NTH_CUES:
            return None  # "at most 2 may enter"
        return (lambda y: (date(y, m, first), date(y, m, last))), stop

    def joined(self, i: int, before: int) -> bool:
        return self.word(i) in words.TO or (self.word(i) == "and" and self.word(before) == "between")

    # --- what comes round every year ----------------------------------------------------------------

    def turn(self, i: int) -> tuple[Turn, int] | None:
        dated = self.month_day(i) or self.day_month(i)
        if dated:
            return dated
        word = self.word(i)
        feast = self.feast(i)
        if feast:
            return feast
        month = self.month_at(i)
        if month:
            m, stop = month
            return (lambda y: periods.month(y, m)), stop
        if word in words.SEASONS:
            n = words.SEASONS[word]
            return (lambda y: periods.season(y, n)), i + 1
        if len(word) == 2 and word[0] in "qh" and word[1] in ("12" if word[0] == "h" else "1234"):
            size, n = (periods.half if word[0] == "h" else periods.quarter), int(word[1])
            return (lambda y: size(y, n)), i + 1
        if self.word(i + 1) == "quarter" and words.ORDINALS.get(word, 5) <= 4:
            n = words.ORDINALS[word]
            return (lambda y: periods.quarter(y, n)), i + 2
        return None

    def feast(self, i: int, *, exact: bool = False) -> tuple[Turn, int] | None:
        if self.word(i) not in words.FEAST_STARTS:
            return None
        name, stop, found = "", i, None
        while stop < len(self.low) and stop < i + 9:
            word = self.word(stop)
            # "New Year's Eve", "Mid-Autumn", "St. Patrick's Day": what stands between the words is skipped.
            if not (stop > i and self.glued(stop) and (word in "'-." or (word == "s" and self.word(stop - 1) == "'"))):
                name = f"{name} {word}".lstrip()
                found = (words.FEASTS[name], stop + 1) if name in words.FEASTS else found
            stop += 1
        if found is None or self.word(found[1]) in words.NOT_A_FEAST:
            return None
        feast, stop = found
        if self.word(stop) == "weekend":
            return (lambda y: periods.with_weekend(feast.day(y))), stop + 1
        if self.word(stop) == "'" and self.word(stop + 1) == "s" and self.low[stop - 1] == "year":
            stop += 2
        return (feast.day if exact else feast.period), stop

    def stands_alone(self, i: int, stop: int, sure: bool) -> bool:
        """Whether what `turn` read at a place means a date without a year after it."""
        word, before = self.word(i), self.word(i - 1)
        if word in words.SEASONS and stop == i + 1:
            over_it = before == "the" and self.word(i - 2) in words.WITHIN
            return over_it or (sure and word != "fall") or before in words.PARTS
        if word in ("h1", "h2"):
            return sure
        if word[0] == "q" and stop == i + 1:
            return self.word(stop) != ":"  # "Q1: what is …"
        if word == "new" and stop == i + 2:
            return sure or before in ("the", "at", "over", "around", "this")
        if word not in words.MONTHS or stop > i + 1 or sure:
            return True
        if word in words.DOUBTFUL_MONTHS:
            cues = ("the", "from", "about", "for") if word in words.VERBS else ("the", "from")
            named = self.capital(i) and before in cues
            return named or before in words.MONTH_CUES or (word == "august" and self.capital(i))
        return len(word) > 4 or before in words.MONTH_CUES - {"of"}

    def name(self, i: int, sure: bool) -> Reading | None:
        """What comes round every year, with its year when it is said."""
        found = self.turn(i)
        if found is None:
            return None
        make, stop = found
        dated = self.placed(make, stop)
        return dated if dated[1] > stop or self.stands_alone(i, stop, sure) else None

    def placed(self, make: Turn, stop: int) -> Reading:
        year = self.year_after(stop)
        return (when.in_year(make, year[0], self.today), year[1]) if year else (when.yearly(make), stop)

    # --- years --------------------------------------------------------------------------------------

    def year_at(self, i: int, earliest: int = 1900) -> int | None:
        word = self.word(i)
        good = len(word) == 4 and word.isdecimal() and earliest <= int(word) <= 2099
        return int(word) if good and not self.in_a_figure(i) else None

    def year_after(self, i: int) -> tuple[int, int] | None:
        """2023 / , 2023 / of 2023 / '23 / of last year — after a month, a season, a feast."""
        place = self.skip(i, ",", "of", "in")
        year = self.year_at(place, earliest=1000)  # "November 17th, 1858"
        if year:
            return year, place + 1
        short = self.word(place + 1)
        if self.word(place) == "'" and self.glued(place + 1) and len(short) == 2 and short.isdecimal():
            return 2000 + int(short), place + 2
        if self.word(place + 1) == "year" and self.word(place) in words.SHIFTS:
            return self.today.year + words.SHIFTS[self.word(place)], place + 2
        return None

    def year(self, i: int, sure: bool) -> Reading | None:
        word = self.word(i)
        if (
            word.endswith("0s")
            and not word.endswith("00s")
            and len(word) == 5
            and word[:4].isdecimal()
            and self.word(i - 1) == "the"
        ):
            decade = int(word[:4])
            return when.fixed(lambda: periods.months(decade, 1, 120)), i + 1
        place = self.skip(i, "year")
        number = self.year_at(place)
        turn = self.turn(place + 1) if number else None
        if number and turn:  # 2025 Q3
            return when.in_year(turn[0], number, self.today), turn[1]
        if number is None or self.counts_something(place + 1):
            return None
        before = self.word(place - 1)
        if before == "from" and not sure and self.word(place + 1) in words.TO:
            return None
        if not sure and before not in words.YEAR_CUES:
            return None
        return when.fixed(lambda: periods.year(number)), place + 1

    # --- the 14th -----------------------------------------------------------------------------------

    def nth(self, i: int, sure: bool) -> Reading | None:
        """on the 14th, the 14th of last month; on 5/7."""
        if self.word(i + 1) == "/" and self.word(i - 1) == "on" and self.word(i + 3) != "/":
            return self.month_slash_day(i)
        day = self.day_at(i)
        if day is None or not day[1] or self.word(i).isalpha():
            return None
        d = day[0]
        if self.word(i + 1) == "of":
            place = self.skip(i + 2, "the")
            if self.word(place) in words.SHIFTS and self.word(place + 1) == "month":
                shift = words.SHIFTS[self.word(place)]
                in_month = when.fixed(lambda: periods.in_month(lambda y, m: periods.day(y, m, d), self.today, shift))
                return in_month, place + 2
        cue = self.word(i - 2) if self.word(i - 1) == "the" else self.word(i - 1)
        ends = self.word(i + 1) in words.NTH_TAILS or (self.word(i + 1) == "-" and self.day_at(i + 2) is not None)
        if (sure or cue in words.NTH_CUES) and ends:
            return when.monthly(lambda y, m: periods.day(y, m, d)), i + 1
        return None

    def month_slash_day(self, i: int) -> Reading | None:
        m, d = self.word(i), self.word(i + 2)
        if not (m.isdecimal() and d.isdecimal() and len(m) <= 2 and len(d) <= 2):
            return None
        return when.yearly(lambda y: periods.day(y, int(m), int(d))), i + 3

    # --- figures and amounts ------------------------------------------------------------------------

    def numeric(self, i: int, sure: bool) -> Reading | None:
        meaning = numeric.read(self.word(i)) if self.word(i)[:1].isdecimal() else None
        return (meaning, i + 1) if meaning else None

    def amount(self, i: int) -> tuple[Amount, int] | None:
        word = self.word(i)
        if word.isdecimal() and len(word) <= 4:
            return (int(word), int(word)), i + 1
        if word == "a" and self.word(i + 1) in ("couple", "few"):
            i, word = i + 1, self.word(i + 1)
        if word in words.AMOUNTS:
            return words.AMOUNTS[word], self.skip(i + 1, "of")
        number = words.NUMBERS.get(word)
        return ((number, number), i + 1) if number else None

    def measure(self, i: int) -> tuple[str, Amount, int] | None:
        """An amount of a unit: "two weeks", "a couple of days", "half a year"."""
        if self.word(i) == "half" and self.word(i + 1) == "a":
            halves: dict[str, tuple[str, Amount]] = {"year": ("month", (6, 6)), "month": ("day", (12, 18))}
            known = halves.get(self.word(i + 2))
            return known and (*known, i + 3)
        counted = self.amount(i)
        kind = words.UNITS.get(self.word(counted[1])) if counted else None
        return (kind, counted[0], counted[1] + 1) if counted and kind else None
