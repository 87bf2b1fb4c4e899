"""Resolve the days in a text to be remembered: words like "yesterday", and a day at the beginning.

`resolve_days` writes the date beside "yesterday", 下周五 and "before Friday", which would mean another day next week.
`leading_day` returns the day whose log a memory belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from memcli.remember.durations import BEGINS, CLAUSE, NUMBER, SENTENCE_END, is_duration
from memcli.text import dates
from memcli.text.later import compile_later
from memcli.text.words import CJK_RUN

LONGEST = 500  # characters; a longer text, or one of several lines, is pasted and stays as it is
RECENT = timedelta(days=100)  # a day without a year at the head of a text is the latest one only if it is just over
_WEEK, _MORE_THAN_A_YEAR = timedelta(days=7), timedelta(days=400)
_ISO = compile_later(r"\d{4}-\d\d-\d\d")
_DAY_ALONE = compile_later(r"yesterday|tomorrow|.*[天日]", re.I)  # names the whole day and no part of it, as 昨晚 does
_YEAR = compile_later(r"\d{4}")
# 号 without a month may be a size or a name (8号螺丝滑丝了). It is a day before what was done, a time or a person.
_BARE_DAY = compile_later(r"[\d一二三四五六七八九十廿]+号")
_VERBS = "交发打装买剪面考理体搬回吃看拿寄收付借送接办做洗换跑爬加请生结离出开报签订退领取拆卖停约见听住去来到辞"
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙朱胡郭何高罗郑梁谢宋唐许韩冯邓曹彭曾萧田董潘袁蔡蒋余于杜叶程魏苏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤裘"
)
_DONE_THEN = compile_later(
    r"[\s,，:：、]|[那当]天|[早晚]|[上下中]午|凌晨|半?夜|我|咱|[他她]|大家|[一全]家|[爸妈爷奶]|老[公婆]|孩子|宝宝|[儿女][子儿]"
    rf"|[和跟同在从把被给又还就才已没终]|[小老阿]?[{_SURNAMES}]|(?!.{{0,6}}[坏丢断破漏堵裂]了)[{_VERBS}]|.了|.{{1,2}}过(?!了)"
)
# 前天 in 前天买的牛奶坏了 and 上周五借的书今天还了 says which one; what happened, or is still to do, is of today
_ON = compile_later(r"(?:on )?", re.I)
_OF_TODAY = compile_later(
    r"[^。.!！?？\n]*?(?:今[天早晚日儿]|现在|刚才|刚刚|\b(?:today|this (?:morning|afternoon|evening)|just now)\b)"
    r"|(?!下(?!单|的)|[和跟与同在去到给我晚早上中的])[^，,。的了]{1,6}的[^，,。太]{1,12}(?:了|没[^，,。了过]{1,4})(?=[，,。！!]|\Z)"
    r"|[^，,。的了]{1,6}的[^，,。太的]{1,8}?[坏烂碎丢破断漏裂霉馊到]了[^，,。了的]{1,4}(?=[，,。！!]|\Z)"
    r"|[^，,。的了]{0,6}的(?!时|路)[^，,。]{1,12}?还[没剩](?![^，,。]*就)",
    re.I,
)
_WRITTEN = compile_later(r"\s?[(（](?:约 ?|about )?\d{4}-\d\d-\d\d")  # its date stands there already
_MONTH = compile_later(r"[\d一二三四五六七八九十] ?月|\d/\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.I)
_BESIDE = compile_later(r"[\s,，、(（]{0,2}(?:on )?(?:the )?", re.I)
_TWO_WEEKDAYS = compile_later("[一二三四五六][二三四五六日天](?![点个])")  # of 下周三四: no date fits between them
# "from Monday to Friday", 从周三改到周四: mostly what happens each week
_IN_ENGLISH = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thur?s?|fri|sat|sun)"
_FROM_WEEKDAY = compile_later(
    r"从每?(?:周|星期|礼拜)[一二三四五六日天]\S{0,2}[改挪换调移]\S?(?:周|星期|礼拜).$"
    rf"|\b{_IN_ENGLISH} ?(?:to|till|until|through|[-–]) ?{_IN_ENGLISH}(?: (?:this|next) week)?$",
    re.I,
)
_THIS = compile_later(r"(?:on )?this (?:mon|tues|wednes|thurs|fri|satur|sun)day", re.I)
_BESIDE_A_DATE = compile_later(  # the weekday of Thursday 19 November and 12月3号周四 makes it no day of this week
    r"^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?=(?:the )?\d|[a-z]+ \d)"
    r"|(?<=[日号\d])(?:周|星期|礼拜)[一二三四五六日天]$",
    re.I,
)
_WEEKDAY = compile_later(r"[周期拜][一二三四五六日天]|day\b", re.I)
_RECURS = compile_later(
    r"以后|今后|往后(?![推挪延移拖顺])|(?:新|改了?)规矩|每(?:周|天|月|次|晚|早|个?星期)|固定|一律|\b(?:from now on|always|weekly|usually"
    r"|the (?:first|second|third|fourth|last) \w+day|(?:every|each) (?:other|week|day|mon|tue|wed|thu|fri|sat|sun))",
    re.I,
)
_WEEKLY_MOVED = compile_later(  # 夜班换到周五, 陶艺课改到周六, 例会定在周二 hold for every week; 看牙改到周五 does not
    r"(?:[周例早晨组班站]会|周报|[夜白晚早中]班|值班|[^\s上下补](?<!公开|试听|[这那一]节)课|训练|排练)\S{0,4}"
    r"(?:[改换挪调移定排]|提前|推迟)\S?$"
)
_THIS_WEEK = compile_later(r"[这本]个?(?:周|星期|礼拜)|这次")
_ONWARDS = compile_later(r"起(?![床飞诉草步身名航程])")
_LONG = compile_later(r"(?:(?!到|至| to ).)*(?:周|星期|礼拜|月|年|\b(?:w(?:ee)?k|month|y(?:ea)?r|fortnight))", re.I)
_AGO = compile_later(r"(?:周|星期|礼拜)之?以?前|\bw(?:ee)?ks? ago", re.I)
# A bare weekday or 12号 beside words for something to do once means the coming one.
_BARE_DAYS = compile_later(
    r"(?:周|星期|礼拜)[一二三四五六日天](?:[早晚]上|[上下中]午|傍晚|一早)?|\d{1,2}号(?:[早晚]上|[上下中]午|傍晚|一早)?"
    rf"|(?:on )?(?:(?:{_IN_ENGLISH} )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)|{_IN_ENGLISH})",
    re.I,
)
_REMINDS = compile_later(
    r"(?:别忘了?|不要忘了?|记得|提醒我|务必)[^，,。；;]*\Z|\b(?:don['’]?t forget|remember to|remind me)\b[^.;]*\Z"
    r"|\A\[ \] [^，,。；;]*\Z",
    re.I,
)
_ONCE = compile_later(
    r"[^，,。；;了]{0,8}?(?:拜访|看望|给[^，,。；;了]{1,6}(?:送(?!饭|餐|奶)|寄|回电|还|补)|请[^，,。；;了]{1,5}吃饭"
    r"|复查|复诊|面试|签合同|验收|退房|搬家)(?![^，,。；;]*[了过])"
)
# 11.23 宏运付了一半 begins with a day; 11.23 元 and a version do not
_DOTTED = compile_later(r"(1[0-2]|0?[1-9])\.([0-2]?\d|3[01])(?= (?![元块米公斤寸分度万倍版升更发折级吨号])[一-鿿])")
_AND_ANOTHER = compile_later(  # 上周日和前天的照片, "yesterday and Friday"
    r"(?i)(?:[早晚上中下午 ]|[（(][^）)]*[）)]){0,5}(?:(?:[和跟与及、]|还有) ?(?:\d+[月号日]|[大上这本]*(?:[昨前今]天"
    rf"|[周星礼][期拜]?[一二三四五六日天末]))|(?:and|&) (?:on |the |last )*(?:{_IN_ENGLISH}|yesterday|day before))"
)
_POSSESSIVE = compile_later(r"['’]s\b")


def resolve_days(text: str, today: date) -> str:
    """Return the text with the date added to words that mean a day relative to today: `tomorrow (2026-11-22)`.

    These are days, weekends and weeks that are over, days that lie ahead, and the day by which something is due. At
    the beginning a past date replaces the word. A bare weekday, which may be over or recur, stays as it is unless
    something is due by it, or to be done once.
    """
    if len(text) > LONGEST or "\n" in text or "`" in text or not dates.may_hold_date(text):
        return text
    spans = dates.find_coming_dates(text, today)
    for span in reversed(spans):
        day = None if _may_be_next(span, text, today) else _relative_day(text, span, today)
        behind = text[day.stop :] if day else ""
        if not day or f"{day.first}" in text or _WRITTEN.match(behind):
            continue
        if any(_says_which(other, span, text) for other in spans if other is not span):
            continue
        before = text[: span.start]
        if day.first > today and is_duration(before, span.text, behind, today):
            continue
        sentence = SENTENCE_END.split(before)[-1]
        if _WEEKDAY.search(span.text) and _RECURS.search(sentence + span.text):
            continue
        if span.text[:1] in "周星礼" and _WEEKLY_MOVED.search(before) and not _THIS_WEEK.search(sentence):
            continue
        if _TWO_WEEKDAYS.match(text[day.stop - 1 :]) or _FROM_WEEKDAY.search(text[: day.stop]):
            continue
        if day.stop == span.stop and (owned := _POSSESSIVE.match(behind)):
            day, behind = day._replace(stop=day.stop + owned.end()), behind[owned.end() :]
        words, tells_of_it = text[span.start : day.stop], not _OF_TODAY.match(behind)
        if span.start == 0 and day.first < today and _heads(behind) and tells_of_it and _DAY_ALONE.fullmatch(words):
            text = f"{day.first}{'' if behind[0] in ' ,，:：' else ' '}{behind}"
        elif CJK_RUN.search(words):
            written = f"{day.first}" if day.first == day.last else f"{day.first} 到 {day.last}"
            text = f"{text[: day.stop]}（{'约 ' * day.is_about}{written}）{behind.removeprefix(' ')}"
        else:
            written = f"{day.first}" if day.first == day.last else f"{day.first} to {day.last}"
            text = f"{text[: day.stop]} ({'about ' * day.is_about}{written}){behind}"
    return text


def _says_which(other: dates.DateSpan, span: dates.DateSpan, text: str) -> bool:
    """Return whether another date says which day one is, as in 下周五11月20号 and "tomorrow, 13 November"."""
    between = text[min(span.stop, other.stop) : max(span.start, other.start)]
    is_same = any(f"{other.first:{form}}" == f"{span.first:{form}}" for form in ("%m-%d", "%a"))
    return is_same and other.first == other.last and bool(_MONTH.search(other.text) and _BESIDE.fullmatch(between))


def _may_be_next(span: dates.DateSpan, text: str, today: date) -> bool:
    """Return whether a text plans something for "this Friday" after that is over, or 这周三 is ahead and has happened."""
    said = _THIS.fullmatch(span.text) if span.last < today else _THIS_WEEK.match(span.text)
    return bool(said) and span.first != today and dates.tells_of_past(text) == (span.first > today)


class _RelativeDay(NamedTuple):
    stop: int  # the place in the text where its date is written
    first: date
    last: date
    is_about: bool = False  # "two weeks ago" may be a day more or less


def _relative_day(text: str, span: dates.DateSpan, today: date) -> _RelativeDay | None:
    """Return the day, weekend or past week that words mean relative to today, or None."""
    if span.first <= today <= span.last:
        return _due_day(span, text, today) if dates.is_deadline(span.text) else None
    if begun := _first_day(text, span, today):
        return begun
    is_weekend = span.first.weekday() == 5 and (span.last - span.first).days == 1
    if not is_weekend and span.first != span.last and not _is_week_over(text, span, today):
        return None
    if not _is_relative(span, text[: span.stop], today) and not _is_coming_once(span, text, today):
        return None
    if not is_weekend and span.first != span.last and _AGO.search(span.text):
        day = span.first + timedelta(days=today.weekday())
        return _RelativeDay(span.stop, day, day, is_about=True)
    name = _day_name(span.text, span.first, span.last, today) if CJK_RUN.search(span.text) else span.text
    return _RelativeDay(span.start + len(name), span.first, span.last)


def _is_coming_once(span: dates.DateSpan, text: str, today: date) -> bool:
    """Return whether a bare weekday, or a bare day of the month, is that of something to do once: 别忘了周五送资料."""
    if span.first <= today or span.first != span.last or not _BARE_DAYS.fullmatch(span.text) or _RECURS.search(text):
        return False
    return bool(_REMINDS.search(text[: span.start]) or _ONCE.match(text, span.stop))


def _is_week_over(text: str, span: dates.DateSpan, today: date) -> bool:
    """Return whether words mean a whole week that is over, as "last week" and 上周 do. In 上周六家店 it is not sure."""
    is_week = span.first.weekday() == 0 and (span.last - span.first).days == 6 and span.last < today
    return is_week and bool(_LONG.search(span.text)) and not re.match("[一二三四五六日天]", text[span.stop :])


def _first_day(text: str, span: dates.DateSpan, today: date) -> _RelativeDay | None:
    """Return the day from which something holds: the first one of 下个月起 and "from next month", or None."""
    name = span.text.strip("从自由起开始")
    start = text.index(name, span.start)
    stop = start + len(name)
    if not _LONG.fullmatch(name) or not (BEGINS.search(text[:start]) or _ONWARDS.match(text, stop)):
        return None
    if span.first <= today or _POSSESSIVE.match(text, stop) or not _is_relative(span._replace(text=name), name, today):
        return None
    return _RelativeDay(stop, span.first, span.first)


def _due_day(span: dates.DateSpan, text: str, today: date) -> _RelativeDay | None:
    """Return the day by which something is due: Friday of "before Friday", or None."""
    for start, stop in _parts(span.text):
        part = span.text[start:stop]
        alone = part if CJK_RUN.search(part) else f"on {part}"
        inner = dates.find_coming_dates(alone, today)
        if [one.text for one in inner] != [part] or inner[0].last <= today or inner[0].first == today:
            continue  # 截至下周 of 截至下周三 is no day either
        first, last = inner[0].first, inner[0].last
        due_span = span._replace(first=first, last=last, text=part)
        if not _is_relative(due_span, alone, today, is_due=True) and not _is_coming_once(due_span, text, today):
            return None
        due = first if span.last < first else last
        return _RelativeDay(span.start + stop, due, due)
    return None


def _parts(words: str) -> Iterator[tuple[int, int]]:
    """Yield where the beginnings and the ends of words lie: the end is behind "before", and 前 behind its day."""
    if CJK_RUN.search(words):
        yield from ((0, stop) for stop in range(len(words) - 1, 1, -1))
        yield from ((start, len(words)) for start in range(1, len(words) - 1))
    else:
        yield from ((space.end(), len(words)) for space in re.finditer(r"\s+", words))


def _is_relative(span: dates.DateSpan, words: str, today: date, is_due: bool = False) -> bool:
    """Return whether the last of some words mean another day when they are said on another day."""
    settled = any((one.first, one.last) == (span.first, span.last) for one in dates.find_dates(words, today))
    later = dates.find_coming_dates(words, today + _WEEK)
    if bool(later) and (later[-1].first, later[-1].last) == (span.first + _WEEK, span.last + _WEEK):
        return settled or (is_due and span.first > today)
    alone = _BESIDE_A_DATE.sub("", span.text)
    alone = alone if CJK_RUN.search(alone) else f"on {alone}"  # not "moved to 3 December", which is settled
    turns = [
        [(one.first, one.last) for one in dates.find_coming_dates(alone, day)]
        for day in (today, today + _MORE_THAN_A_YEAR)
    ]
    return settled and turns[0] == [(one.first, one.last) for one in dates.find_dates(alone, today)] != turns[1] != []


def _day_name(words: str, first: date, last: date, today: date) -> str:
    """Return the part of Chinese words that names the day: 后天 of 后天下午, since 下午 belongs to the hour behind it."""
    for part in (words[:stop] for stop in range(1, len(words)) if words[stop:].lstrip()[:1] not in ("号", "日", "个")):
        if [(one.first, one.last, one.text) for one in dates.find_coming_dates(part, today)] == [(first, last, part)]:
            return part
    return words


def leading_day(text: str, today: date) -> date | None:
    """Return the past day that stands at the head of a text, else None.

    A day without a year is past only if a colon follows it, as in a diary, or the words behind it tell what happened
    then: "On 20 November met Ana", 10号交了电费.
    """
    text = _DOTTED.sub(r"\1月\2日", text, count=1) if _DOTTED.match(text) else text
    head = text[:80].split("\n")[0]
    first = next(iter(dates.find_dates(head, today)), None) if dates.may_hold_date(head) else None
    if first is None or not _ON.fullmatch(head[: first.start]) or first.first != first.last or first.first >= today:
        return None
    if _may_be_next(first, text, today):
        return None
    if _TWO_WEEKDAYS.match(head[first.stop - 1 :]):
        return None
    if not _heads(head[first.stop :]) or not (_ISO.match(first.text) or _means_latest(first, text, today)):
        return None
    return first.first


def _means_latest(span: dates.DateSpan, text: str, today: date) -> bool:
    """Return whether a text that begins with a day in words certainly tells of the past one."""
    behind = text[span.stop :]
    if _OF_TODAY.match(behind):
        return False
    if _moves(text[: span.stop], span.first, today) and span.first in {
        one.first for one in dates.find_coming_dates(text[: span.stop], today)
    }:
        return True
    is_just_over = today - span.first <= RECENT or _YEAR.search(span.text)
    if not NUMBER.search(span.text) or not is_just_over or behind.startswith("的"):  # 28号的票买了
        return False
    if _BARE_DAY.fullmatch(span.text) and not _DONE_THEN.match(behind):
        return False
    if behind.startswith((":", "：")) or (_YEAR.search(span.text) and today - span.first <= RECENT):
        return True
    return bool((clause := CLAUSE.match(behind)) and dates.tells_of_past(clause[1]))


def _heads(behind: str) -> bool:
    """Return whether a space, a sign or a Chinese character follows a day, and no "and" with another day."""
    return not _AND_ANOTHER.match(behind) and bool(re.match(r"[\s,，:：（]|[^\x00-\x7f’]", behind))


def _moves(text: str, day: date, today: date) -> bool:
    """Return whether the last words of time in a text mean another day a week later."""
    later = dates.find_dates(text, today + _WEEK)
    return bool(later) and later[-1].first == later[-1].last == day + _WEEK
