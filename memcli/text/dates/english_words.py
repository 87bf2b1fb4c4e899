"""The English vocabulary of time, and which of its words may stand alone. No grammar here."""

from __future__ import annotations

from . import feasts
from .feasts import on
from .periods import COUPLE, FEW


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _numbered(rows: str, first: int) -> dict[str, int]:
    """Each row's words with the row's number."""
    return {word: n for n, row in enumerate(rows.split("|"), start=first) for word in row.split()}


MONTHS = _numbered(
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|"
    "september sep sept|october oct|november nov|december dec",
    first=1,
)
WEEKDAYS = _numbered(
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat|sunday sun", first=0
)
DAYS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
DAYPARTS = _set("morning afternoon evening night noon lunchtime")
SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
UNITS = {kind + s: kind for kind in ("day", "week", "month", "quarter", "year", "decade") for s in ("", "s")}
CALENDAR = _set("day week weekend month quarter year")
SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
PARTS = {"early": 0, "mid": 1, "late": 2}
PARTS_OF = {"beginning": 0, "start": 0, "middle": 1, "end": 2}
ORDINALS = _numbered("first 1st|second 2nd|third 3rd|fourth 4th|fifth 5th", first=1)
NUMBERS = _numbered(
    "a an one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen", first=1
) | {"twenty": 20, "thirty": 30}
AMOUNTS = {"couple": COUPLE, "few": FEW, "several": FEW}

NAMES = frozenset(MONTHS) | frozenset(WEEKDAYS)
AND = _set("and")
TO = _set("to - through thru until till")
OPEN = _set("since after before until till by")
NOW = _set("now present")
HABITUAL = _set("every each any per most")
INDEFINITE = _set("a an one some")
WITHIN = _set("in over within during for throughout across")

# Names of people and verbs among the months: alone, they need one of the words below before them.
DOUBTFUL_MONTHS = _set("march april may june august")
MONTH_CUES = _set("in since until till before after during of last early mid late through throughout around between")
VERBS = frozenset(("may", "march"))
WEEKDAY_CUES = _set("on last next this since until till before after from by")
YEAR_CUES = _set("in since during until till before after from throughout by of year early mid late around")
NTH_CUES = _set("on since until till by before after from between through to")
# What may follow "on the 14th"; anything else ("floor", "century") makes it count something.
NTH_TAILS = (
    _set(
        "at in i we you he she they it did do does was were is are and or but to with for about when what who "
        "where why how morning afternoon evening night from until through by because after before then please "
        "my our the that if as had have has will of"
    )
    | frozenset(",.?!;:)'\"")
    | {""}
)
# Short words that end in s and yet count nothing: "in 2023 is", "by 2023 was".
NOT_COUNTED = _set("is was has this as its does s us plus versus vs yes")
COUNTED = _set("people more km kg ms mb gb kb px min sec percent % of")

FEASTS = {
    "christmas": on(12, 25, 1, 1),
    "xmas": on(12, 25, 1, 1),
    "christmas eve": on(12, 24),
    "christmas day": on(12, 25),
    "boxing day": on(12, 26),
    "new year": on(1, 1, 1),
    "new years": on(1, 1, 1),
    "new year eve": on(12, 31),
    "new years eve": on(12, 31),
    "new year day": on(1, 1),
    "new years day": on(1, 1),
    "valentine day": on(2, 14),
    "valentines day": on(2, 14),
    "st patrick day": on(3, 17),
    "april fools": on(4, 1),
    "april fool day": on(4, 1),
    "april fools day": on(4, 1),
    "good friday": feasts.from_easter(-2),
    "easter": feasts.from_easter(0, 2, 1),
    "easter sunday": feasts.from_easter(0),
    "easter monday": feasts.from_easter(1),
    "mother day": feasts.nth(2, 6, 5),
    "mothers day": feasts.nth(2, 6, 5),
    "memorial day": feasts.nth(-1, 0, 5),
    "father day": feasts.nth(3, 6, 6),
    "fathers day": feasts.nth(3, 6, 6),
    "independence day": on(7, 4),
    "labor day": feasts.nth(1, 0, 9),
    "halloween": on(10, 31),
    "thanksgiving": feasts.nth(4, 3, 11),
    "thanksgiving day": feasts.nth(4, 3, 11),
    "black friday": feasts.nth(4, 3, 11, 1),
    "cyber monday": feasts.nth(4, 3, 11, 4),
    "chinese new year": feasts.lunar(feasts.SPRING, 0, 1, 6),
    "lunar new year": feasts.lunar(feasts.SPRING, 0, 1, 6),
    "spring festival": feasts.lunar(feasts.SPRING, 0, 1, 6),
    "dragon boat festival": feasts.lunar(feasts.DRAGON_BOAT),
    "mid autumn festival": feasts.lunar(feasts.MID_AUTUMN),
    "mid autumn": feasts.lunar(feasts.MID_AUTUMN),
}
FEAST_STARTS = frozenset(name.split()[0] for name in FEASTS)
# What an expression may begin with: a gate, so that long texts pass quickly.
STARTS = (
    NAMES
    | FEAST_STARTS
    | OPEN
    | frozenset((*DAYS, *SEASONS, *SHIFTS, *PARTS, *PARTS_OF, *ORDINALS, *NUMBERS, *AMOUNTS))
    | _set("the from between other recently lately these half day night week weekend month year final")
)
# "Easter eggs" are found in programs all year round.
NOT_A_FEAST = _set("egg eggs bunny island")
