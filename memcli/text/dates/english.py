"""Turn English text into tokens, and define the rules that make dates of them."""

from __future__ import annotations

from datetime import date
from typing import Any

from memcli.text.later import compile_later

from . import combine, meaning
from .feasts import turn_of_year
from .grammar import FIGURES, Grammar, parse_figures
from .meaning import FIXED, When, weekly, yearly
from .names import is_name
from .vocabulary import read_lexicon

_READERS = (
    dict.fromkeys(("full_month", "short_month", "name", "verb"), lambda written: yearly(int(written)))
    | dict.fromkeys(("weekday", "weekdays", "short_weekday"), lambda written: weekly(int(written) - 1))
    | dict.fromkeys(("season", "fall", "quarter_name", "half_year", "feast"), turn_of_year)
)
_WORDS = read_lexicon("en", _READERS)
_FEASTS = {
    "".join(f"{word.removesuffix('s')} " for word in name.split()): day
    for name, day in _WORDS.items()
    if day[0] in ("feast", "no_feast")
}
_LONGEST = max(map(len, _FEASTS))
_WEEK, _FORTNIGHT = ("week", (1, 1)), ("week", (2, 2))

_LETTER = "[0-9A-Za-z_\u00c0-\u00ff]"
# A word in a tag, an address, a path, an amount or a version is only `other`.
_TOKEN = compile_later(
    rf"(?P<dated>{FIGURES})"
    r"|(?<![.:$/#@])(?<!\d,)(?:(?P<nth>[0-9]{1,2})(?:st|nd|rd|th)|(?P<full_year>(?:19|20)[0-9]{2})"
    rf"|(?P<few_figures>[0-9]{{1,2}})|(?P<figures>[0-9]{{1,4}}))(?!{_LETTER}|%|[.:/][0-9])"
    rf"|(?:(?<=[Oo]n )|(?<=[Bb]y )|(?<=since )|(?<=until )|(?<=before )|(?<=after )|(?<=due )|(?<=beg )"
    rf"|^(?=[0-9/]+(?:[,:?]|$)))"
    rf"(?P<slashed>[0-9]{{1,2}}/[0-9]{{1,2}})(?!{_LETTER}|/)|'(?P<short_year>[0-9]{{2}})\b"
    rf"|(?<![#@$=\\])(?<!\w\.)(?P<word>{_LETTER}+)(?!{_LETTER}|[@\\=]|\.[A-Za-z])"
    rf"|(?P<other>{_LETTER}+)|(?:'s\b|\S)"
)
_TWO_YEARS = compile_later("(?:19|20)([0-9]{2})[/-]([0-9]{2})")
_FEAST_WORD = compile_later(r"[ .-]{0,2}([A-Za-z]+)('s?(?![A-Za-z]))?")


def read_dates(text: str, today: date) -> list[tuple[int, int, When]]:
    return _GRAMMAR.find_dates(text, today, _read)


def _read(text: str, start: int) -> tuple[str, Any, int]:
    match = _TOKEN.match(text, start)
    if match is None:
        return "gap", None, start + 1
    kind, written, stop = match.lastgroup, match[0], match.end()
    if kind == "dated":
        if dated := parse_figures(written):
            return kind, dated, stop
        two_years = _TWO_YEARS.fullmatch(written)  # winter 2024/25
        follows = two_years and int(two_years[2]) == (int(two_years[1]) + 1) % 100
        return ("full_year", int(written[:4]), stop) if follows else ("other", None, stop)
    if kind == "slashed":
        month, day = map(int, written.split("/"))
        return "day_of_year", turn_of_year(f"{month}-{day}" if month <= 12 else f"{day}-{month}"), stop
    if kind in ("nth", "full_year", "few_figures", "figures", "short_year"):
        return kind, int(match[kind]) + 2000 * (kind == "short_year"), stop
    if kind == "other" or written == "sun":
        return "other", None, stop
    if kind == "word" and (feast := _feast(text, start)):
        return feast
    low = written.lower()
    kind, value = _WORDS.get(low, ("things" if low.endswith("s") and low.isalpha() else "word", None))
    if written != low:
        if is_name(text, start, stop, kind):
            return "word", None, stop
        kind = {"verb": "capital_verb", "word": "capital"}.get(kind, kind) if low != "august" else "full_month"
    return "short_month" if kind == "name" and written == low else kind, value, stop


def _feast(text: str, start: int) -> tuple[str, When | None, int] | None:
    """Return the kind, day and end of the longest feast name that begins at `start`, or None.

    The s of "Valentine's" is left out.
    """
    name, stop, feast = "", start, None
    while len(name) < _LONGEST and (word := _FEAST_WORD.match(text, stop)):
        name, stop = f"{name}{word[1].lower().removesuffix('s')} ", word.end()
        if name == "new year ":
            feast = "feast" if word[2] else "new_year", _FEASTS[name][1], stop
        elif name in _FEASTS:
            kind, day = _FEASTS[name]
            feast = ("feast", day, word.end(1)) if kind == "feast" else ("word", None, word.end(1))
    return feast


_GRAMMAR = Grammar(
    short_name="short_month name verb capital_verb", months="full_month short_name", day_name="weekday short_weekday",
    any_day_name="day_name weekdays", figure="few_figures nth", count_from="a one count few_figures full_year figures",
    some_time="moment hour", amount="few_figures figures count hour often",
    turn="day_of_year months season fall feast new_year quarter_name half_year",
    dated_day="dated day_of_year nth_day",
    sure="dated_day full_month weekday feast quarter_name this_week", shift="last this next coming",
    directed="last past next coming",
    given="date dated nth_day this_week the_unit bare_year now_day day_name turn", span="weekend month quarter year",
    long_unit="week month quarter year", unit="day long_unit other_unit", beside_unit="day night daypart week span",
    neighbour="beside_unit day_name", part_unit="neighbour half", some_week="week weekend", joint="to until dash",
    nth_word="ordinal nth last final", tail="other_tail or", side="before after", open="since until",
    daytime="daypart night",
    within="in during about inside", month_cue="in inside during around of last open side part between",
    weekday_cue="on shift open side from by",
    nth_cue="about day_name comma and dash of to between on open side from by",
    year_cue="in inside during around about of open side by part year",
    nth_tail="tail possessive comma dot colon at in from to until by side and of daytime the about",
)  # fmt: skip
_GRAMMAR.rules(
    ("(?<=between) the? first:figure and the? last:figure of? when:months;"
     "(?<=between) when:months the? first:figure and the? last:figure", combine.days, "day_of_year"),
    ("first:figure and the? last:figure of? when:months; when:months the? first:figure and the? last:figure (?!months)",
     combine.two_days, "day_of_year"),
    # 1, 5 and 9 November; November 1, 5 and 9: the month is said once.
    ("first:figure (?=comma (the? figure comma)* (the? figure)? and the? figure of? when:months);"
     "first:figure (?=and the? figure of? when:months)", combine.days, "day_of_year"),
    # 25, 26, 27 December
    ("((?<=figure comma)|(?=figure comma figure comma)) first:figure (?=comma (figure comma)* figure of? when:months)",
     combine.days, "day_of_year"),
    # Week 10 of this year, week 10 of 2026.
    ("week n:few_figures of? year:full_year; week n:few_figures of? shift:shift year;"
     " (?<=in|calendar) week n:few_figures (?!of)",
     combine.week_of, "dated"),
    ("when:months n:nth_word unit:some_week", combine.nth_of, "dated"),  # December 2nd week
    # 7 May, the first of May, May 1-4; but not "at most 2 may", "march 3 miles".
    ("when:short_month dot (?=figure)", combine.same, "short_month"),
    ("(?!(?<!nth_cue) few_figures verb (?!full_year|short_year))"
     " first:figure (joint the? last:figure)? of? when:months; first:ordinal of when:months;"
     "(?!verb few_figures (things|other_unit)) when:months the? first:figure (joint the? last:figure (?!months))?;"
     " when:months the first:ordinal",
     combine.days, "day_of_year"),
    *[("(?<=when:day_of_year comma) first:figure (?=(comma figure)* comma? and figure (nth_tail|$));"
       "(?<=when:day_of_year and) first:figure (?=nth_tail|$);"
       "(?<=when:day_of_year comma and) first:figure (?=nth_tail|$)",
       combine.days, "day_of_year")] * 3,
    ("n:ordinal quarter; n:nth quarter", lambda today, n: yearly(3 * n - 2, 3), "quarter_name"),
    # March and April last year, May and June 2024: the year is said once.
    ("when:turn (?=(comma? and turn)+ (comma|of|in)? year:full_year (?!things|other_unit));"
     "when:turn (?=(comma? and turn)+ (of|in)? the? shift:shift year)", combine.in_year, "dated"),
    # May 2023, summer of '23, 2025 Q3, May of last year, last year's Christmas; a bare year.
    ("when:turn (comma|of|in)? year:full_year (?!things|other_unit); when:turn (comma|of|in)? year:short_year;"
     "year:full_year when:turn;"
     "(?!verb this) when:turn (comma|of|in)? the? shift:shift year; shift:shift year possessive when:turn;"
     "shift:shift year (in|on|at|around|during) the? when:turn", combine.in_year, "dated"),
    ("when:day_of_year comma? year:figures",  # not in "10 Dec 0900"
     lambda today, when, year: combine.in_year(today, when, year) if year > 999 else None, "dated"),
    ("year year:full_year", lambda today, year: combine.around(date(year, 1, 1), "year"), "dated"),
    ("year:full_year (?!things|other_unit)", lambda today, year: combine.around(date(year, 1, 1), "year"), "bare_year"),
    # The 14th of last month; on the 14th, but not "on the 14th floor".
    ("first:nth of the? shift:shift month",
     lambda today, first, shift: combine.days(today, combine.around(today, "month", shift), first)),
    ("(?<=nth_cue) the? first:nth and the? last:nth (?=nth_tail|$)", combine.two_days, "nth_day"),
    ("(?<=nth_cue) the? day:nth (?=nth_tail|dash nth|$);"
     "(?<=on the) day:nth (?=capital (other_tail|things))",  # on the 3rd Ana comes
     lambda today, day: meaning.monthly(day), "nth_day"),
    # Two weeks, a couple of days, half a year; with ago, from now, the last before it.
    ("low:count_from or high:count_from unit:unit; a unit:unit or high:count_from", combine.either, "measure"),
    ("half a year", lambda today: ("month", (6, 6)), "measure"),
    ("n:count and a half unit:unit; one and a half unit:unit; a unit:unit and a half", combine.and_half, "measure"),
    ("a? n:couple of? unit:other_unit", combine.couple, "measure"),
    ("n:count_from unit:unit; a? n:few of? unit:unit", combine.measure, "measure"),
    ("(a|one) n:count unit:unit", combine.measure, "measure"),
    ("fortnight (?=from the? day_name)", lambda today: _FORTNIGHT, "measure"),
    ("n:count_from fortnight", lambda today, n: ("week", (2 * n, 2 * n)), "measure"),
    # This day last year, this time last month.
    ("this day shift:last unit:unit; this day measure:measure ago", combine.same_day),
    ("this time shift:last unit:unit; this time shift:next unit:unit;"
     " this time measure:measure ago", combine.that_time),
    # June two years ago, Monday three weeks ago, a week from Friday, in two weeks.
    ("when:turn measure:measure ago; unit:day_name measure:measure ago;"
     " measure:measure ago (in|on|at|during) when:turn;"
     "measure:measure ago on unit:day_name", combine.turn_ago),
    ("(^) week on when:day_name",
     lambda today, when: combine.counted(today, _WEEK, 1, meaning.fixed(*when.coming(today)))),
    ("(?<!about) measure:measure on when:day_name",
     lambda today, measure, when:
         combine.counted(today, measure, 1, meaning.fixed(*when.coming(today))) if measure == _WEEK else None),
    ("measure:measure ago? last when:day_name",  # a week last Tuesday
     lambda today, measure, when:
         combine.counted(today, measure, -1, meaning.fixed(*when.beside(today, -1))) if measure == _WEEK else None),
    # Not in "£640 a month from 1 January".
    ("(?<!amount) measure:measure from the? when:day_name; (?<!amount) measure:measure from the? when:date",
     lambda today, measure, when: combine.counted(today, measure, 1, meaning.fixed(*when.coming(today)))),
    ("in measure:measure (possessive? time)? (?!ago)", lambda today, measure: combine.ago(today, measure, 1)),
    ("in (nearly|about|around) measure:measure (possessive? time)? (?!ago)", combine.nearly),
    ("inside (nearly|about)? measure:measure", lambda today, measure: combine.rolling(today, measure, 1)),
    ("inside the? unit:long_unit (?!of)",
     lambda today, unit: combine.rolling(today, combine.measure(today, 1, unit), 1)),
    ("in hours:count_from hour", combine.in_hours),
    ("way:directed hours:count_from hour", combine.within_hours),
    ("inside hours:count_from hour", combine.within_hours),
    ("hours:count_from hour ago", lambda today, hours: combine.around(today, "day", -(hours // 24))),
    ("measure:measure ago today", combine.to_the_day),
    ("measure:measure shift:day_word; measure:measure shift:today", combine.week_from),
    ("count_from some_time ago; a? few some_time ago", lambda today: combine.around(today)),
    ("measure:measure way:from today", combine.to_the_day),
    ("measure:measure ago; measure:measure way:from now; the other (day|night)", combine.ago),
    ("the other week", lambda today: combine.ago(today, ("week", (1, 3)))),
    ("n:count_from when:any_day_name ago", lambda today, n, when: combine.relative(today, -n, when)),
    ("n:count_from when:any_day_name from now", lambda today, n, when: combine.relative(today, n, when)),
    # The last ten days of October.
    ("last measure:measure of the? when:given", lambda today, measure, when: when.map(
        lambda p: (meaning.moved(meaning.shifted(p[1], 1), measure[0], -measure[1][1]), p[1])
    )),
    ("this? way:directed measure:measure; (?<!habit) lately; these other_unit", combine.rolling),
    ("(?<!this) past unit:unit; (?<=within the) last unit:unit (?!of)",
     lambda today, unit: combine.rolling(today, combine.measure(today, 1, unit))),
    ("way:directed fortnight", lambda today, way: combine.rolling(today, _FORTNIGHT, way)),
    ("side:rest this unit:long_unit; side:rest of the? unit:long_unit; side:rest of this unit:long_unit", combine.rest),
    # In Britain and Ireland: Friday week, next Friday week, tomorrow fortnight, this day week, Wednesday next.
    ("(?<!count_from) (this|next)? when:day_name week (?!few_figures|count_from|possessive|dash|of)",
     lambda today, when: combine.counted(today, _WEEK, 1, meaning.fixed(*when.coming(today)))),
    ("(?<!count_from) (this|next)? when:day_name fortnight (?!possessive|dash|of)",
     lambda today, when: combine.counted(today, _FORTNIGHT, 1, meaning.fixed(*when.coming(today)))),
    ("shift:day_word week (?!few_figures|count_from|possessive|dash|of);"
     "shift:today week (?!few_figures|count_from|possessive|dash|of)",
     lambda today, shift: combine.week_from(today, _WEEK, shift)),
    ("shift:day_word fortnight (?!possessive|dash|of); shift:today fortnight (?!possessive|dash|of)",
     lambda today, shift: combine.week_from(today, _FORTNIGHT, shift)),
    ("this day week (?!few_figures|count_from)", lambda today: combine.around(today, "day", 7)),
    # Yesterday, last night, last week, this past month, last May, next Christmas.
    ("shift:day_word; shift:today; this daytime; shift:last daytime", combine.around),
    ("now", combine.around, "now_day"),
    ("this? coming weekend", lambda today: meaning.fixed(*meaning.WEEKEND.beside(today, 1)), "this_week"),
    ("shift:shift unit:week (?!of); this shift:directed unit:week (?!of)", combine.around, "this_week"),
    ("shift:shift unit:span (?!of); this shift:directed unit:span (?!of)", combine.around),
    # Said on Monday, next Friday is hardly that of this week.
    ("next when:day_name",
     lambda today, when: meaning.fixed(*when.beside(meaning.shifted(today, 6 - today.weekday()), 1))),
    ("(?!(this|next) verb) shift:shift when:turn; this shift:directed when:turn", combine.relative),
    # In summer: only with a tense.
    ("in when:season", combine.same),
    # The last Friday in May, the second half of 2025, the end of the month, early 2023, the week of 6 May.
    ("(?<=of|in|part) the? unit:long_unit (?!of|side|bare_year)", combine.around, "the_unit"),
    ("(?<=the) weekend (?!of|side)", lambda today: meaning.WEEKEND, "this_week"),
    ("n:nth_word unit:part_unit (of|in) the? when:given", combine.nth_of),
    ("shift:shift when:day_name; this shift:directed when:day_name", combine.relative),
    ("unit:long_unit possessive which:part_of",
     lambda today, unit, which: combine.part_of_period(today, combine.around(today, unit), which)),
    ("which:part (dash|in|on)? the? when:given; which:part_of of the? when:given", combine.part_of_period),
    ("(?<!nth_word) unit:some_week (of|part_of) the? when:given",
     lambda today, unit, when: when.map(lambda p: meaning.whole(unit, p[0]))),
    ("recent unit:other_unit; way:directed unit:other_unit", combine.some),
    # The day before yesterday, two days before Christmas, the week before last.
    ("way:before last; way:after next", lambda today, way: 2 * way, "second"),
    ("unit:beside_unit shift:second", combine.around, "this_week"),
    ("when:day_name shift:second; when:turn shift:second", combine.relative),
    ("unit:neighbour way:side the? when:given",
     lambda today, unit, way, when: when.exact().map(lambda p: combine.neighbour(p, unit, way))),
    ("(?<=when:date and) the unit:neighbour way:side (?=tail|comma|dot|$)",
     lambda today, when, unit, way: when.exact().map(lambda p: combine.neighbour(p, unit, way))),
    ("measure:measure way:side the? when:given", combine.counted),
    # Monday, May 8; Friday the 13th; Tuesday of last week; but not "every Monday", "on a Tuesday".
    ("on:day_name comma? the? when:dated_day", lambda today, on, when: when.on_weekday(on, today), "dated"),
    ("unit:day_name (of|in)? the? when:this_week; when:this_week on? unit:day_name", combine.nth_of),
    ("when:day_name next (?=$|tail|comma|dot|at)", lambda today, when: meaning.fixed(*when.beside(today, 1))),
    ("when:day_name last (?=$|tail|comma|dot|at)", lambda today, when: meaning.fixed(*when.beside(today, -1))),
    ("when:short_weekday daytime (?!side)", combine.same),
    ("habit (other|ordinal)? when:given; (a|one|some) when:any_day_name",
     lambda today, when: None if when.rank == FIXED else "", "habit"),
    ("(?<=the) weekend (?!of)", lambda today: meaning.WEEKEND),
    ("(?<=in the) new_year",  # from March on the coming one
     lambda today: meaning.fixed(*meaning.months(today.year + (today.month > 2), 1))),
    # Bare names: some mean a date wherever they stand, some after a word that promises one.
    ("from? left:months joint right:months; from? left:day_name joint right:day_name;"
     "from? left:months joint right:dated_day", combine.between),
    ("(?<=planning about the) when:short_name; (?<=planning about) when:short_name", combine.same),
    ("(?!quarter_name colon) when:sure; (?<=month_cue) when:short_name; (?<=the|from) when:name;"
     "(?<=the|from|about) when:capital_verb; (?<=weekday_cue) when:short_weekday; (?<=within the) when:season;"
     "(?<=within the) when:fall; (?<=the|within|at|around|this|by|side) when:new_year;"
     "(?<=year_cue) when:bare_year (?!by); (^) when:bare_year ($|comma|colon|tail);"
     " (?<=from) when:bare_year (?!joint)", combine.same),
    ("the when:date; when:date daytime", combine.same),
    # Ranges.
    ("from the? left:given joint to? the? right:given; between the? left:given and the? right:given;"
     "left:date joint to? the? right:given", combine.between),
    ("side:open (?!the? fall) the? when:given;"
     " (?<!neighbour|measure|other_unit) side:side (?!the? fall) the? when:given;"
     "by when:date", combine.opened),
)  # fmt: skip
