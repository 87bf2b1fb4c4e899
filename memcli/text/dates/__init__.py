"""Find dates in English and Chinese text: "last Tuesday", "in early May", 上周五, 去年国庆那几天.

`find_asked_dates` reads questions, `find_dates` notes and options, `find_coming_dates` plans. The functions are pure:
the caller passes today's date. The words are in tables, `language/*/dates.txt`; `english` and `chinese` hold the
grammar. The expressions mean:

- In notes a bare "March", "Tuesday", 27号 or 国庆 is its latest turn that has begun, today included. In questions the
  past tense means the last turn and the future the coming one; without a tense it is both, or the near one. A clause
  has its own tense. A bare 早上 is today's in the past tense, and no date in any other.
- "Last March" is the latest one over, "last Tuesday" the latest before today, "next" and 下 look ahead.
  上周五 is the Friday of last week. Weeks run from Monday to Sunday; "this week" is the whole.
- "N days ago" is a day, "N weeks/months/years ago" that whole calendar week, month, year; a couple of days is 1–3,
  "a few" 2–6. What lies ahead is a day: "in two weeks" and 两周后 are this weekday, 一个月后 this day of the next month,
  半个月后 15 days on; "in about two weeks" is that whole week. "Within N days" and N天内 reach N days ahead, in a plan
  or in a question about the future.
  "The last N days" reach back N days through today, and so do "past week" and 过去一周 (7 days);
  recently, lately and 最近 are the last 7 days; in a question about plans they reach 7 days ahead as well.
- Early, mid and late (初/上旬, 中旬, 底/下旬) are 1–10, 11–20, 21–end of a month, and January–March, May–August,
  October–December of a year; its end begins on 15 November. The end of a month is this month's once it has begun.
- Seasons are meteorological and northern; winter begins in its year. A bare "in summer" or 夏天 needs a tense.
- "Since X" and "after X" run through today; "before X" and "until X" begin at `EPOCH`, or today when X lies ahead.
  Only "before" excludes X. In a range the vaguer end follows the clearer one.
- A bare weekday after a day in figures that falls on it means that day: "due 2 December, Wednesday 8:00".
- What was moved, set or put off to a day lies ahead: "moved to Friday", 改到周五.
- In 05/07/2023 the month comes first unless it cannot; in 7.5.2023 the day does.

What looks like a date but is none (30 February, 13月, versions, 5号线, "May I", a 《title》, 周三多) is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memcli.text import phrases
from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN

from .explained import find_explained
from .vocabulary import date_signs

if TYPE_CHECKING:
    from .meaning import Period, When

# "Before" and "until" need a beginning of time. No memory is older than this.
EPOCH = date(1970, 1, 1)

WEEK = 7  # days
FAR, NEAR, MUCH = 183, 31, 4  # days ahead, days from today, and how many times as far the other turn lies

# Map full-width forms and typographic marks to one plain character each, so that places stay the same.
_FOLD = {0xFF01 + n: 0x21 + n for n in range(94)} | str.maketrans("\u3000–—－〜～’‘", " -----''")
# Figures that may be a date without a word of time beside them: 2023, 14th, 7.5.23, 5/7, 05-07.
_FIGURES = compile_later(
    r"(?:19|20)\d\d|\d(?:[sS][tT]|[nNrR][dD]|[tT][hH])|\d[-/.]\d+[-/.]\d|\d/\d|\d\d-\d\d"
    r"|\d\.\d\d? ?(?:[^\x00-\x7f]{1,2}了|[那当]天)"
)
_LATIN = compile_later("[a-z]+[0-9]*")
_RANGE = compile_later(r"(?<=\d)[–—－〜～](?=(?:19|20)\d\d[-/.]\d)")  # between two days in figures
# 11.20 交年检费 is a day; 11.20 元 and version 11.20 are none.
_DOTTED = compile_later(
    r"(?:(?<![^，。；])|(?<=\d:\d\d ))(1[0-2]|0?[1-9])\.([0-3]\d)(?= ?(?:[交付还缴去]|之?前(?!的)))"
)
_DOTTED_DAY = compile_later(r"(?<![\d.])(1[0-2]|0?[1-9])\.([0-3]?\d)(?=[号日](?![线楼机球电]))")  # 12.8号
_TITLE = compile_later(
    r"""[《〈][^》〉]*[》〉]|["“„«][A-Z][^"“”»0-9]*["”“»]|(?<!\w)'[A-Z](?:[^'0-9]|(?<=\w)'(?=\w))*'(?!\w)"""
)
# The end of a clause, which may have its own tense.
_END = compile_later(r"[.?!;]\s|\s-\s|[。?!;]")


NO_DATE = (ValueError, OverflowError, IndexError)  # raised for a day that the calendar does not have


class DateSpan(NamedTuple):
    first: date  # inclusive
    last: date  # inclusive
    start: int  # the place of the expression in the text
    stop: int
    text: str  # the expression as written


def find_dates(text: str, today: date) -> list[DateSpan]:
    """Return the dates in a text, in order and without overlap; of two that overlap the longer wins.

    What recurs means its latest turn that has begun.
    """
    return _spans(text, today, lambda when, words, _: [] if _vague(words) else [when.settle(today)])


def find_coming_dates(text: str, today: date) -> list[DateSpan]:
    """Return the dates in a plan or a rule, in order. What recurs means its first turn that is not over."""

    # "After May" reaches from the last May through today, but a plan means the next. "Within a week" lies ahead in a
    # plan; elsewhere it may say how long something took.
    def turns(when: When, words: str, clause: str) -> list[Period]:
        return [_first_turn(when, today)] if _says("took", words) or not _vague(words) else []

    return _spans(text, today, turns)


def _first_turn(when: When, today: date) -> Period:
    """Return the first turn of what recurs that is not over."""
    first, last = when.coming(today)
    if when.fixed or last != today or (today - first).days <= MUCH:
        return first, last
    return min((later for _, later in when.near(today) if later[0] > today), default=(first, last))


def may_hold_date(text: str) -> bool:
    """Return whether a text may hold a date. The check is fast, for callers with many texts."""
    return any(True for _ in _languages_with_dates(_plain(text)))


def find_asked_dates(question: str, today: date) -> list[DateSpan]:
    """Return the dates that a question asks about.

    What recurs (Thursday, 3 December) means its last turn in the past tense and its coming turn in the future. Without
    a tense it means both, as two spans in one place.
    """

    def turns(when: When, words: str, clause: str) -> list[Period]:
        took, untold, gone = (_says(sign, words) for sign in ("took", "untold", "gone"))
        period = when.settle(today) if when.fixed else None
        planned = period and period[0] < period[1] == today and _rolls(words, today)  # plans for them lie ahead
        if period and not (took or untold or gone or planned):
            return [period]
        own = _tense(clause)
        past, future = own if any(own) else _tense(question)
        if (took and own == (True, False)) or (untold and past is future) or (gone and (past, future) != (True, False)):
            return []
        if period:
            return [(period[0], today + (today - period[0]) if planned and future and not past else period[1])]
        latest, coming = when.over(today), when.coming(today)
        if past is not future:
            return [latest] if past else [coming]
        return _likely(latest, coming, today)

    return _spans(question, today, turns)


def _rolls(words: str, today: date) -> bool:
    """Return whether words mean days that end today on every day, as "these days" do and "this week" does not."""
    tomorrow = date.fromordinal(today.toordinal() + 1)
    return any(span.last == tomorrow for span in find_dates(words, tomorrow))


def _vague(words: str) -> bool:
    return _says("untold", words) or _says("gone", words)


@lru_cache(maxsize=64)
def _tense(question: str) -> tuple[bool, bool]:
    """Return whether a question speaks of the past, and whether it speaks of the future."""
    plain = _plain(question)
    past, future = _says("past", plain), _says("future", plain)
    return past, future or (not past and _says("present", plain))


def tells_of_past(clause: str) -> bool:
    """Return whether a clause of a note tells what has happened, and plans nothing."""
    past, future = _tense(clause)
    return (past or _says("done", clause)) and not (future or _says("to do", clause))


def is_deadline(words: str) -> bool:
    """Return whether words of time are a time until a day, as "by Friday" and 周五前 are."""
    return excludes_its_day(words) or _says("by", _plain(words))


def excludes_its_day(words: str) -> bool:
    """Return whether words of time end before the day that they name, as "before Friday" does."""
    return _says("before", _plain(words))


def choose_due(spans: Sequence[DateSpan]) -> DateSpan | None:
    """Return the time by which a task is to be done, of those that it names, or None. A deadline counts before other
    times, and a day or a week before what is longer: "send the November timesheets (2026-12-03)"."""
    by = [span for span in spans if is_deadline(span.text)]
    short = [span for span in spans if (span.last - span.first).days < WEEK]
    return min(by or short or spans, key=lambda span: span.last, default=None)


def _says(sign: str, text: str) -> bool:
    return phrases.find_phrase("dates", sign, text) is not None


def _likely(last: Period, coming: Period, today: date) -> list[Period]:
    """Return the turns meant without a tense.

    It is only the near one when the other is not near, and never one that is far ahead.
    """
    since, until = (today - last[1]).days, ((coming[1] if coming[0] <= today else coming[0]) - today).days
    if until > FAR or since * MUCH < until > NEAR:
        return [last]
    if since > MUCH * NEAR and until < NEAR:
        return [coming]
    return sorted({last, coming})


def _spans(text: str, today: date, turns: Callable[[When, str, str], Iterable[Period]]) -> list[DateSpan]:
    plain = _TITLE.sub(_without_title, _plain(text))
    spoken = list(_languages_with_dates(plain))
    set_to = list(phrases.pattern("dates", "set to", phrases.languages(plain)).finditer(plain)) if spoken else []
    for match in set_to:  # 改到周五 is a day, not the time until then
        on = ("on" if match[0].isascii() else "").rjust(len(match[0]))
        plain = plain[: match.start()] + on + plain[match.end() :]
    found = [each for language in spoken for each in _read_dates(language, plain, today)]
    spans: list[DateSpan] = []
    weekdays: list[DateSpan] = []
    taken, clauses = bytearray(len(plain)), _clauses(plain)
    for start, stop, when in sorted(found, key=lambda span: (span[0] - span[1], span[0])):
        if 1 in taken[start:stop]:
            continue
        ahead = any(match.end() <= start and not plain[match.end() : start].strip() for match in set_to)
        try:
            periods = [_first_turn(when, today)] if ahead else turns(when, plain[start:stop], clauses(start))
        except NO_DATE:
            continue
        made = [DateSpan(first, last, start, stop, text[start:stop]) for first, last in periods]
        spans += made
        weekdays += [span for span in made if when.weekly and span.first == span.last]
        taken[start:stop] = bytes([bool(made)]) * (stop - start)
    spans.sort(key=lambda span: (span.start, span.first))
    explained = set(find_explained(plain, spans, weekdays, clauses))
    return [span for span in spans if span not in explained]


@lru_cache(maxsize=4)
def _read_dates(language: str, plain: str, today: date) -> list[tuple[int, int, When]]:
    """Return the dates in a text. A note is often asked twice: what it tells of, and what is to come."""
    if language == "en":
        from . import english as grammar
    else:
        from . import chinese as grammar  # type: ignore[no-redef]
    return grammar.read_dates(plain, today)


def _without_title(quoted: re.Match[str]) -> str:
    """Return blanks for a title, else the quotation unchanged.

    English in quotation marks is a title when its longer words have capitals.
    """
    words = quoted[0][1:-1].split()
    is_title = quoted[0][0] in "《〈" or all(len(word) < 4 or word[0].isupper() for word in words)
    return " " * len(quoted[0]) if is_title else quoted[0]


def _clauses(text: str) -> Callable[[int], str]:
    """Return a function that maps an offset in the text to the clause around it."""
    ends = [(end.start() + 1, end.end()) for end in _END.finditer(text)]

    def clause(place: int) -> str:
        at = bisect_right(ends, place, key=lambda end: end[1])
        return text[ends[at - 1][1] if at else 0 : ends[at][0] if at < len(ends) else len(text)]

    return clause


def _plain(text: str) -> str:
    if text.isascii():
        return text
    text = _DOTTED_DAY.sub(r"\1月\2", _DOTTED.sub(r"\1/\2", _RANGE.sub("~", text)))
    return simplified(text.translate(_FOLD))


def _languages_with_dates(text: str) -> Iterator[str]:
    """Yield the languages in which a text may hold a date.

    A date needs figures that look like one or a word of time. A language that can't have any is not even loaded.
    """
    figures, chinese, latin = _FIGURES.search(text), CJK_RUN.search(text), _LATIN.findall(text.lower())
    if (figures and (latin or not chinese)) or _holds_one("en", latin):
        yield "en"
    if chinese and (figures or any(sign in text for sign in date_signs("zh"))):
        yield "zh"


def _holds_one(language: str, said: list[str]) -> bool:
    return bool(said) and not date_signs(language).isdisjoint([*said, *(word.removesuffix("s") for word in said)])
