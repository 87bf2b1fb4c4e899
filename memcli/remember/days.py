"""Resolve the days in a text to be remembered: words like "yesterday", and a day at the beginning.

`resolve_days` writes the date beside "yesterday" and 昨天, which would mean another day next week. `leading_day` returns
the day whose log a memory belongs to.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from memcli.text import dates
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN

LONGEST = 500  # characters; a longer text, or one of several lines, is pasted and stays as it is
RECENT = timedelta(days=31)  # a day without a year at the head of a text is the latest one only if it is just over
_WEEK = timedelta(days=7)
_ISO = compile_later(r"\d{4}-\d\d-\d\d")
_DAY_ALONE = compile_later(r"yesterday|tomorrow|.*[天日]", re.I)  # names the whole day and no part of it, as 昨晚 does
_NUMBER = compile_later(r"\d|月|号")  # in a day without a year: 20 November, 十五号
_CLAUSE = compile_later(r"[\s,，:：、]*([^,，;；。!！?？\n]*)")
_POSSESSIVE = compile_later(r"['’]s\b")


def resolve_days(text: str, today: date) -> str:
    """Return the text with the date added to each word that means a day relative to today: `tomorrow (2026-11-22)`.

    At the beginning a past date replaces the word. What may mean two days ("Tuesday") stays as it is.
    """
    if len(text) > LONGEST or "\n" in text or "`" in text or not dates.may_hold_date(text):
        return text
    sure = {(span.start, span.first, span.last) for span in dates.find_coming_dates(text, today)}
    for span in reversed(dates.find_dates(text, today)):
        day = span.first
        is_day = day == span.last != today and (span.start, day, day) in sure
        if not is_day or f"{day}" in text or not _moves(text[: span.stop], day, today):
            continue
        owned = _POSSESSIVE.match(text, span.stop)
        stop = owned.end() if owned else span.stop
        words, behind = text[span.start : stop], text[stop:]
        if span.start == 0 and day < today and _heads(behind) and _DAY_ALONE.fullmatch(words):
            text = f"{day}{'' if behind[0] in ' ,，:：' else ' '}{behind}"
        elif CJK_RUN.search(words):
            named = _day_name(words, day, today)
            text = f"{text[: span.start]}{named}（{day}）{words[len(named) :]}{behind}"
        else:
            text = f"{text[: span.start]}{words} ({day}){behind}"
    return text


def _day_name(words: str, day: date, today: date) -> str:
    """Return the part of Chinese words that names the day: 后天 of 后天下午, since 下午 belongs to the hour behind it."""
    for part in (words[:stop] for stop in range(1, len(words))):
        if [(one.first, one.last, one.text) for one in dates.find_coming_dates(part, today)] == [(day, day, part)]:
            return part
    return words


def leading_day(text: str, today: date) -> date | None:
    """Return the past day that stands at the head of a text, else None.

    A day without a year is past only if the words behind it tell what happened then: "20 November met Ana", 10号交了电费.
    """
    head = text[:80].split("\n")[0]
    first = next(iter(dates.find_dates(head, today)), None) if dates.may_hold_date(head) else None
    if first is None or first.start or first.first != first.last or first.first >= today:
        return None
    if not _heads(head[first.stop :]) or not (_ISO.match(first.text) or _means_latest(first, text, today)):
        return None
    return first.first


def _means_latest(span: dates.DateSpan, text: str, today: date) -> bool:
    """Return whether a day without a year certainly means the past one."""
    if _moves(text[: span.stop], span.first, today) and span.first in {
        one.first for one in dates.find_coming_dates(text[: span.stop], today)
    }:
        return True
    behind = text[span.stop :]
    if not _NUMBER.search(span.text) or today - span.first > RECENT or behind.startswith("的"):  # 28号的票买了
        return False
    clause = _CLAUSE.match(behind)
    return bool(clause and dates.tells_of_past(clause[1]))


def _heads(behind: str) -> bool:
    """Return whether the text after a day is separated from it: by a space, a sign, or a Chinese character."""
    return bool(re.match(r"[\s,，:：（]|[^\x00-\x7f’]", behind))


def _moves(text: str, day: date, today: date) -> bool:
    """Return whether the last words of time in a text mean another day a week later."""
    later = dates.find_dates(text, today + _WEEK)
    return bool(later) and later[-1].first == later[-1].last == day + _WEEK
