"""English: a small recursive descent over words, from the longest expressions down to single names.

Every reader takes the place of a word and gives back what it read and the place after it, or None; the
longest reading wins. What a reading means is left to `when.py`.
"""

from __future__ import annotations

from datetime import date

from . import english_words as words
from . import numeric, periods, when
from .english_names import Names, Reading
from .periods import Amount, Period
from .when import When

# "The day before the week of the first Tuesday in May" is three deep; no sentence needs more.
_DEEPEST = 5


def read(text: str, today: date) -> list[tuple[int, int, Period]]:
    sentence = _Sentence(text, today)
    found, i = [], 0
    while i < len(sentence.low):
        reading = sentence.expression(i) if sentence.may_start(i) else None
        if reading is None:
            i += 1
            continue
        meaning, stop = reading
        period = None if sentence.is_no_date(i, stop, meaning) else meaning.settle(today)
        if period:
            found.append((sentence.start[i], sentence.stop[stop - 1], period))
        i = stop
    return found


class _Sentence(Names):
    depth = 0

    def may_start(self, i: int) -> bool:
        word = self.low[i]
        return word in words.STARTS or word[0].isdecimal() or word[0] in "qh"

    def is_no_date(self, i: int, stop: int, meaning: When) -> bool:
        """Habits ("every Monday"), and words that are parts of a tag, path, address or identifier."""
        before = self.word(i - 1)
        if before in words.HABITUAL and meaning.rank != when.FIXED:
            return True
        if before in words.INDEFINITE and meaning.rank == when.WEEKLY:
            return True
        if numeric.read(self.raw[i]):
            return False
        if self.glued(i) and before in "#@.$\\=":
            return True
        return (
            self.word(stop) in tuple("@.\\=") and self.glued(stop) and self.glued(stop + 1) and self.is_word(stop + 1)
        )

    # --- expressions --------------------------------------------------------------------------------

    def expression(self, i: int) -> Reading | None:
        """An atom, a range of two, or an open range."""
        word = self.word(i)
        if word in ("from", "between"):
            return self.range(self.atom(i + 1, sure=True), words.AND if word == "between" else words.TO)
        if word in words.OPEN:
            atom = self.atom(i + 1, sure=word != "by")
            if atom is None:
                return None
            opened = {"since": when.since, "after": when.after, "before": when.before}.get(word, when.until)
            return opened(atom[0], self.today), atom[1]
        # "Mon–Wed" and "May to June" vouch for each other.
        other = self.word(i + 2)
        paired = word in words.NAMES and self.word(i + 1) in words.TO and other in words.NAMES and other != word
        left = self.atom(i, sure=paired)
        return self.range(left, words.TO) or (self.atom(i) if paired else left)

    def range(self, left: Reading | None, joints: frozenset[str]) -> Reading | None:
        if left is None or self.word(left[1]) not in joints:
            return None
        place = left[1] + 1
        right = self.atom(place, sure=True)
        if right is None and self.word(place) in words.NOW:
            right = when.fixed(lambda: periods.run(self.today, 1)), place + 1
        return right and (when.between(left[0], right[0], self.today), right[1])

    def atom(self, i: int, *, sure: bool = False) -> Reading | None:
        """The longest single date at a place; `sure` when the words before it already promise one."""
        if self.depth == _DEEPEST:
            return None
        self.depth += 1
        place = self.skip(i, "the")
        readings = [
            reading
            for reader in (
                self.numeric,
                self.day,
                self.relative,
                self.counted,
                self.neighbour,
                self.part,
                self.nth_part,
                self.week_of,
                self.name,
                self.nth,
                self.weekday,
                self.year,
            )
            if (reading := reader(place, sure))
        ]
        self.depth -= 1
        if not readings:
            return None
        meaning, stop = max(readings, key=lambda reading: reading[1])
        return meaning, self.skip(stop, *words.DAYPARTS)

    # --- relative to today --------------------------------------------------------------------------

    def day(self, i: int, sure: bool) -> Reading | None:
        word, following = self.word(i), self.word(i + 1)
        if word in words.DAYS:
            return self.shifted("day", words.DAYS[word]), i + 1
        if word == "this" and following in words.DAYPARTS:
            return self.shifted("day", 0), i + 2
        if word == "last" and following == "night":
            return self.shifted("day", -1), i + 2
        if word == "other" and self.word(i - 1) == "the" and following in ("day", "night"):
            return when.fixed(lambda: periods.ago("day", (1, 7), self.today)), i + 2
        if word in ("recently", "lately") and self.word(i - 1) != "most":
            return self.rolling("day", (7, 7)), i + 1
        if word == "these" and following == "days":
            return self.rolling("day", (7, 7)), i + 2
        return None

    def shifted(self, kind: str, shift: int) -> When:
        return when.fixed(lambda: periods.unit(kind, self.today, shift))

    def rolling(self, kind: str, amount: Amount, direction: int = -1) -> When:
        return when.fixed(lambda: periods.rolling(kind, amount, self.today, direction))

    def relative(self, i: int, sure: bool) -> Reading | None:
        """last, this or next — week, Tuesday, May, summer, Christmas, ten days."""
        word = self.word(i)
        shift = words.SHIFTS.get(word)
        if shift is None:
            return None
        place, name = i + 1, self.word(i + 1)
        if word == "this" and name in ("past", "coming"):
            shift, place, name = words.SHIFTS[name], i + 2, self.word(i + 2)
        measure = self.measure(place) if shift else None
        if measure:
            kind, amount, stop = measure
            return self.rolling(kind, amount, shift), stop
        if name in words.CALENDAR - {"day"} and self.word(place + 1) != "of":
            over_it = self.word(i - 1) == "the" and self.word(i - 2) in words.WITHIN and word == "last"
            if (word == "past" or over_it) and name in words.UNITS:
                return self.rolling(name, (1, 1)), place + 1
            if name == "year":
                # "last year's Christmas"
                turn = self.turn(place + 3) if self.word(place + 1) == "'" else None
                if turn:
                    return when.in_year(turn[0], self.today.year + shift, self.today), turn[1]
            return self.shifted(name, shift), place + 1
        if word == "past" and place == i + 1:
            return None  # "half past Tuesday", "walked past June"
        day = words.WEEKDAYS.get(name)
        if day is not None and (name != "sun" or self.capital(place)):
            if shift:
                return self.turned(when.weekday(day), shift), place + 1
            return self.shifted("week", 0).map(lambda p: periods.nth_weekday(p, day, 1)), place + 1
        turn = self.turn(place)
        if turn is None or (name in words.VERBS and word != "last" and not self.capital(place)):
            return None
        make, stop = turn
        if shift == 0:
            return when.in_year(make, self.today.year, self.today), stop
        return self.turned(when.yearly(make), shift), stop

    def turned(self, meaning: When, shift: int) -> When:
        return when.last(meaning, self.today) if shift < 0 else when.coming(meaning, self.today)

    # --- counting -----------------------------------------------------------------------------------

    def counted(self, i: int, sure: bool) -> Reading | None:
        """two weeks ago, three days from now, two days before Christmas, two Fridays ago."""
        measure = self.measure(i)
        if measure is None:
            return self.weekdays_ago(i)
        kind, amount, stop = measure
        word = self.word(stop)
        if word == "ago" and self.word(stop + 1) == "today":
            return when.fixed(lambda: periods.run(periods.moved(self.today, kind, -amount[0]), 1)), stop + 2
        if word in ("ago", "back"):
            return when.fixed(lambda: periods.ago(kind, amount, self.today)), stop + 1
        if word == "from" and self.word(stop + 1) in ("now", "today"):
            return when.fixed(lambda: periods.ahead(kind, amount, self.today)), stop + 2
        atom = self.anchor(stop + 1) if word in ("before", "after") else None
        if atom is None:
            return None
        low, high = amount

        def change(p: Period) -> Period:
            if word == "before":
                return periods.moved(p[0], kind, -high), periods.moved(p[0], kind, -low)
            return periods.moved(p[1], kind, low), periods.moved(p[1], kind, high)

        return atom[0].map(change), atom[1]

    def weekdays_ago(self, i: int) -> Reading | None:
        counted = self.amount(i)
        if counted is None:
            return None
        (weeks, _), stop = counted
        day = words.WEEKDAYS.get(self.word(stop).removesuffix("s"))
        if day is None or self.word(stop + 1) != "ago":
            return None
        latest = when.last(when.weekday(day), self.today)
        return latest.map(lambda p: periods.run(periods.shifted(p[0], 7 - 7 * weeks), 1)), stop + 2

    def anchor(self, i: int) -> Reading | None:
        """What days are counted from: of a feast its very day, else any atom."""
        feast = self.feast(self.skip(i, "the"), exact=True)
        return (feast and self.placed(*feast)) or self.atom(i, sure=True)

    def neighbour(self, i: int, sure: bool) -> Reading | None:
        """the day before yesterday, the week after Easter, the Friday before 15 July, the week before last."""
        kind, side = self.word(i), self.word(i + 1)
        day = words.WEEKDAYS.get(kind)
        if side not in ("before", "after") or (day is None and kind not in words.CALENDAR | {"night"}):
            return None
        kind = "day" if kind == "night" else kind
        atom = self.anchor(i + 2)
        if atom is None:
            if self.word(i + 2) != {"before": "last", "after": "next"}[side]:
                return None
            step = -1 if side == "before" else 1
            if day is None:
                return self.shifted(kind, 2 * step), i + 3
            first = self.turned(when.weekday(day), step)
            return first.map(lambda p: periods.run(periods.shifted(p[0], 7 * step), 1)), i + 3

        def change(p: Period) -> Period:
            if day is None:
                return periods.just_before(p, kind) if side == "before" else periods.just_after(p, kind)
            if side == "before":
                return periods.run(periods.shifted(p[0], -((p[0].weekday() - day) % 7 or 7)), 1)
            return periods.run(periods.shifted(p[1], (day - p[1].weekday()) % 7 or 7), 1)

        return atom[0].map(change), atom[1]

    # --- parts of something longer ------------------------------------------------------------------

    def whole(self, i: int) -> Reading | None:
        """What a part can be of: "the month", or any atom."""
        place = self.skip(i, "the")
        kind = self.word(place)
        if kind in ("week", "month", "quarter", "year") and self.word(place + 1) not in ("of", "before", "after"):
            return self.shifted(kind, 0), place + 1
        return self.atom(i, sure=True)

    def part(self, i: int, sure: bool) -> Reading | None:
        """early May, late last year, mid-2023, the end of the month, the week of May 6."""
        word = self.word(i)
        if word in words.PARTS:
            which, whole = words.PARTS[word], self.whole(self.skip(i + 1, "-", "in", "on"))
        elif word in words.PARTS_OF and self.word(i + 1) == "of":
            which, whole = words.PARTS_OF[word], self.whole(i + 2)
        else:
            return None
        return whole and (whole[0].map(lambda p: periods.third(p, which)), whole[1])

    def week_of(self, i: int, sure: bool) -> Reading | None:
        """the week of 6 May, the weekend of the 14th, the weekend."""
        word = self.word(i)
        if word in ("week", "weekend") and self.word(i + 1) == "of":
            atom = self.atom(i + 2, sure=True)
            return atom and (atom[0].map(lambda p: periods.unit(word, p[0], 0)), atom[1])
        if word == "weekend" and self.word(i - 1) == "the":
            return when.weekly(periods.weekend), i + 1
        return None

    def nth_part(self, i: int, sure: bool) -> Reading | None:
        """the first week of October, the last Friday in May, the second half of 2025."""
        word, kind = self.word(i), self.word(i + 1)
        n = -1 if word in ("last", "final") else words.ORDINALS.get(word)
        if n is None or self.word(i + 2) not in ("of", "in"):
            return None
        day = words.WEEKDAYS.get(kind)
        if day is None and kind not in ("half", "day", "week", "weekend", "month", "quarter"):
            return None
        whole = self.whole(i + 3)

        def change(p: Period) -> Period:
            if day is not None:
                return periods.nth_weekday(p, day, n)
            if kind == "half":
                return periods.halved(p, {1: 0, 2: 1, -1: 1}.get(n, 2))
            return periods.nth(p, kind, n)

        return whole and (whole[0].map(change), whole[1])

    # --- weekdays and figures -----------------------------------------------------------------------

    def weekday(self, i: int, sure: bool) -> Reading | None:
        """Tuesday, Tuesday last week, Tuesday the 14th, Tue 5 May 2026."""
        name = self.word(i)
        day = words.WEEKDAYS.get(name)
        if day is None:
            return None
        place = self.skip(self.skip(i + 1, ","), "the")
        if self.month_day(place) or self.day_month(place):
            return self.name(place, True)
        dated = self.numeric(place, True) or self.nth(place, True)
        if dated:
            return dated
        place = self.skip(self.skip(i + 1, "of", "in"), "the")
        week = self.relative(place, True) or self.neighbour(place, True)
        if week and self.word(week[1] - 1) in ("week", "last", "next"):
            return week[0].map(lambda p: periods.nth_weekday(periods.week(p[0]), day, 1)), week[1]
        if not name.endswith("day") and not sure and self.word(i - 1) not in words.WEEKDAY_CUES:
            return None
        if name == "sun" and not self.capital(i):
            return None
        return when.weekday(day), i + 1
