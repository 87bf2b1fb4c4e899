"""Turn Chinese text into tokens, and define the rules that make dates of them.

There are no spaces between Chinese words, so the longest known one is taken at each place. What only looks like a word
of time (周围, 月亮, the 上 of 晚上周五) belongs to a longer word that is known as `other`.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import takewhile
from typing import Any

from memcli.text.later import compile_later

from . import combine, meaning
from .combine import around, nth_of, part_of_period, same
from .feasts import chinese_day, turn_of_year
from .grammar import FIGURES, MONTH_AND_DAY, Grammar, parse_figures
from .meaning import FIXED, MONTHLY, When, shifted, weekly, yearly
from .numbered import is_day_of_month, numbers_a_thing
from .vocabulary import read_lexicon, read_neighbours

_READERS = {"weekday": lambda written: weekly(int(written) - 1)} | dict.fromkeys(
    ("season", "turn", "feast"), turn_of_year
)
_WORDS = read_lexicon("zh", _READERS)
_NEVER, _EXCEPT, _ONLY = (read_neighbours("zh", key) for key in ("before", "except", "only"))
_LONGEST = max(map(len, _WORDS))

_COUNTED = compile_later("[0-9一二三四五六七八九十两几半]个?(?:天|周|月|年|星期|礼拜|小时)$")
_COUNTS = tuple("点时个元块岁人号楼年月周天分页章倍米度折")  # 08-10点
_REACHED = tuple("收拿见看听遇买找得接抢拍想")  # verbs that 到 completes

# 五, 二十七, 二〇二三; 两三 is a few. Any other row of numerals is not a number.
_FIGURES = "〇一二三四五六七八九"
_ONES = ["", *_FIGURES[1:]]
_NUMBERS: dict[str, tuple[str, Any]] = {_ONES[n]: ("han_figure", n) for n in range(1, 10)}
_NUMBERS |= {f"十{_ONES[n]}": ("han_figures", 10 + n) for n in range(10)}
_NUMBERS |= {f"{_ONES[n // 10]}十{_ONES[n % 10]}": ("han_figures", n) for n in range(20, 100)}
_NUMBERS |= {f"廿{_ONES[n]}": ("han_figures", 20 + n) for n in range(10)}
_NUMBERS |= {_ONES[n] + _ONES[m]: ("few", (n, m)) for m in range(2, 10) for n in range(1, m)}
_NUMBERS |= {"".join(_FIGURES[int(c)] for c in str(y)): ("year_figures", y) for y in range(1900, 2100)}
_NUMBERS |= {f"〇{_ONES[n]}": ("year_figures", 2000 + n) for n in range(1, 10)}
_NUMBERS |= {"十": ("han_figure", 10), "两": ("two", 2), "两三": ("few", (2, 3))}
_HAN, _NUMERALS = "\u4e00", frozenset(_FIGURES + "零两十廿百千万亿")
_BEGINNINGS = _NUMERALS.union(word[0] for word in _WORDS)
# This has no Han characters, since a class of them takes long to compile.
_TOKEN = compile_later(
    rf"(?<![-/.:A-Za-z0-9])(?P<dated>{FIGURES})|(?<![-/.:A-Za-z0-9])(?P<month_day>{MONTH_AND_DAY})"
    r"|(?<![0-9:])(?P<mark>[0-9]{1,2}:[0-9]{2})(?![0-9:])"  # a time of day, as before 周三 in a log, counts nothing
    r"|(?<![A-Za-z0-9])[Qq](?P<quarter>[1-4])(?![0-9A-Za-z_])"
    r"|(?<![.A-Za-z0-9])(?:(?P<year_figures>(?:19|20)[0-9]{2})|(?P<short_year>0[0-9])(?=年)|(?P<figure>[0-9])"
    r"|(?P<figures>[0-9]{2})|(?P<number>[0-9]{3,5}))(?![0-9])"
)

# 12/9, 11/17: a month and a day where it can hardly be a fraction or a range, or where the words around it say so.
_SLASHED = compile_later("(?<![-/.:A-Za-z0-9])([0-9]{1,2})([-/.])([0-9]{1,2})(?![-/.:%A-Za-z0-9])")
_APPOINTED = compile_later("(?:[约改延定]|推迟|提前)[了在到成至] ?$|截止 ?$|  $")  # 改到 is blank here
_ASKED = compile_later(" ?(?:那天|当天|[早晚]上|[上下]午|[做干][了什啥]|.{1,2}了[什啥谁哪多]|发生|有[什啥])")


def read_dates(text: str, today: date) -> list[tuple[int, int, When]]:
    return _GRAMMAR.find_dates(text, today, _read)


def _read(text: str, start: int) -> tuple[str, Any, int]:
    if text[start] >= _HAN and text[start] not in _BEGINNINGS:  # as most are
        return "other", None, start + 1
    if (slashed := _SLASHED.match(text, start)) and _is_month_and_day(slashed):
        return "turn", turn_of_year(f"{slashed[1]}-{slashed[3]}"), slashed.end()
    match = _TOKEN.match(text, start)
    kind = match.lastgroup if match else ""
    if match and kind == "dated" and (dated := parse_figures(match[0])):
        return "date", dated, match.end()
    if match and kind == "month_day" and not text[match.end() :].lstrip().startswith(_COUNTS):
        return "turn", turn_of_year(match[0].replace("/", "-")), match.end()
    if match and kind == "quarter":
        return "turn", yearly(3 * int(match[kind]) - 2, 3), match.end()
    if match and kind == "mark":
        return kind, None, match.end()
    for stop in range(min(start + _LONGEST, len(text)), start, -1):
        word = text[start:stop]
        if word == "最近" and "离" in text[max(0, start - 8) : start]:
            continue  # the nearest
        if word[0] in "前后" and word[1:] and word != "后天" and _COUNTED.search(text[max(0, start - 8) : start]):
            continue  # 三天前|提交
        if word == "到" and text[max(0, start - 1) : start] in _REACHED:
            continue  # 收到第一季度的奖金: what was reached is not an end of a time
        if word[0] == "号" and stop - start == 2 and is_day_of_month(text, start, stop):
            continue
        if word == "号" and numbers_a_thing(text, start):
            return "other", None, stop
        if word in _WORDS and _keeps_meaning(word, text, stop):
            return *_WORDS[word], stop
    if match and kind and kind not in ("dated", "month_day"):
        return kind, int(match[kind]) + 2000 * (kind == "short_year"), match.end()
    if numerals := "".join(takewhile(_NUMERALS.__contains__, text[start : start + 9])):
        return *_NUMBERS.get(numerals.replace("零", "〇"), ("other", None)), start + len(numerals)
    before, after = text[start - 1 : start], text[start + 1 : start + 2]
    if text[start] == " " and ((before.isdecimal() and after >= _HAN) or (before >= _HAN and after.isdecimal())):
        return "gap", None, start + 1
    return "other" if text[start] >= _HAN or text[start] in "0123456789.:/%" else "mark", None, start + 1


def _is_month_and_day(written: re.Match[str]) -> bool:
    """Return whether 12/9 or 12-9 is a day of the year."""
    month, day = int(written[1]), int(written[3])
    before, after = written.string[: written.start()], written.string[written.end() :]
    if not (1 <= month <= 12 and 1 <= day <= 31) or after.lstrip().startswith(_COUNTS):
        return False
    if written[2] == "." and before[-1:] not in ("", "我", "在", "，"):  # 版本 1.12
        return False
    if _ASKED.match(after) or written[2] == ".":
        return _ASKED.match(after) is not None
    if written[2] == "-":
        return after[:1] < _HAN and _APPOINTED.search(before[-5:]) is not None  # 改为6-8公里
    return (month > 1 and (month > day or day > 12)) or _APPOINTED.search(before[-5:]) is not None


def _keeps_meaning(word: str, text: str, stop: int) -> bool:
    """Return whether a word keeps its meaning before the text that follows it."""
    never, may, only = (text.startswith(table.get(word, ()), stop) for table in (_NEVER, _EXCEPT, _ONLY))
    return (may or not never) and (only or word not in _ONLY or stop == len(text))


_GRAMMAR = Grammar(
    day_number="figure figures han_figure han_figures", bare_day="figure figures han_figures", arabic="figure figures",
    exact="day_number two number", count="exact few", counted="day week units quarter 年",
    sevenths="han_figure 日 day", of_month="week units day weekend weekday",
    some_turn="month turn feast", turnish="some_turn season", any_shift="shift 这",
    span="quarter weekend", day_mark="号 日", joint="to 直到 dash", backward="front before",
    forward="back after", rolling="past recent 这", tail="daypart that_day", until_word="until 直到",
    lunar_day="first_ten day_number", before_or_after="front back",
    number_before="figure figures number han_figure han_figures few two year_figures 半 多 第 来",
    not_weekday="count 个 半", apart="plain mark to with 的 shift 晚 daypart dash",
)  # fmt: skip
_ANY_YEAR = yearly(1, 12)
_SPRING = {-1: turn_of_year("lunar 1-1 -30 -1"), 1: turn_of_year("lunar 1-8 0 +21")}  # 年前, 年后
_ANY_MONTH = When(MONTHLY, lambda n: meaning.months(0, n + 1))
_GRAMMAR.rules(
    # 大年初九, 正月初十, 五月初五, 腊月二十三, 农历八月二十.
    ("great_year day:lunar_day", lambda today, day: chinese_day(12 if day > 20 else 1, day), "turn"),
    ("new_year day:lunar_day; (?<!day_number) 年 day:first_ten", lambda today, day: chinese_day(1, day), "turn"),
    ("month:lunar_month day:lunar_day; lunar month:day_number 月 day:lunar_day; month:day_number 月 day:first_ten",
     lambda today, month, day: chinese_day(month, day), "turn"),
    # 五月, 5-8月, 上个月; 5月底, 5月上半月, 十月第一周, 5月的最后一天.
    ("n:day_number joint last:day_number 月 份?", lambda today, n, last: yearly(n, (last - n) % 12 + 1), "turn"),
    ("n:day_number 月 份?", lambda today, n: yearly(n), "month"),
    ("n:few 月 份?", lambda today, n: yearly(n[0], 2) if n[1] - n[0] == 1 else None, "turn"),
    ("shift:any_shift unit:月 的? today; shift:any_shift unit:week 的? today", combine.same_day),
    ("shift:any_shift unit:月 份?", around, "month"),
    ("n:day_number which:month_part", lambda today, n, which: part_of_period(today, yearly(n), which), "turn"),
    ("shift:any_shift which:month_part",
     lambda today, shift, which: part_of_period(today, around(today, "month", shift), which), "turn"),
    ("when:month 的? which:month_part", part_of_period, "turn"),
    ("n:day_number which:quarter_part",
     lambda today, n, which: part_of_period(today, yearly(3 * n - 2, 3), which), "turn"),
    ("shift:any_shift which:quarter_part",
     lambda today, shift, which: part_of_period(today, around(today, "quarter", shift), which)),
    ("which:quarter_part", lambda today, which: part_of_period(today, around(today, "quarter"), which)),
    ("when:month 的? 第 n:day_number unit:units on:sevenths (?!other)",  # 五月第二个星期日
     lambda today, when, n, unit, on:
         nth_of(today, when, n, weekly((on if isinstance(on, int) else 7) - 1)) if unit == "week" else None, "turn"),
    ("when:month 的? n:half_month; when:month 的? 第 n:day_number 个? unit:of_month;"
     "when:month 的? n:last_one 个? unit:of_month", nth_of, "turn"),
    # 5月27号, 5月1号到4号, 四月二十七, 5月7我们; but not 5月7楼.
    ("when:month 的? first:day_number day_mark? joint last:day_number day_mark;"
     "when:month 的? first:day_number dash last:day_number (?!月);"
     "when:month 的? first:day_number day_mark; when:month 的? first:bare_day (?=apart|$)", combine.days, "turn"),
    # 10月1号和3号, 11月1、2、3号: the month is said once. Each round of a list of three needs the date before.
    *[("(?<=when:turn with) first:day_number day_mark;"
       "(?<=when:turn with) first:day_number (?=with (day_number with)* day_number day_mark)",
       combine.days, "turn")] * 3,
    ("when:turn on:weekday", lambda today, when, on: when.on_weekday(on, today), "turn"),
    # 三季度, 国庆当天, 中秋那几天.
    ("(?<!front) 第? n:day_number quarter", lambda today, n: yearly(3 * n - 2, 3), "turn"),
    ("when:feast 的? 第 n:day_number day",
     lambda today, when, n: when.exact().map(lambda p: meaning.run(shifted(p[0], n - 1))), "turn"),
    ("when:feast 的? last_one day", lambda today, when: when.map(lambda p: meaning.run(p[1])), "turn"),
    ("when:feast that_day", lambda today, when: when.exact(), "turn"),
    ("when:feast feast_days",
     lambda today, when: when.map(lambda p: p if p[0] < p[1] else (shifted(p[0], -1), shifted(p[1], 1))), "turn"),
    # 张国庆 is a person.
    ("(?<!nickname) surname (feast|season) (?!that_day|feast_days); 第 feast", lambda today: "", "other"),
    # 去年, 2023年, 23年5月, 三年前的夏天, 去年底, 去年国庆, 去年今天.
    ("first:figures 年 joint last:figures 年",
     lambda today, first, last:
         meaning.fixed(date(2000 + first, 1, 1), date(2000 + last, 12, 31)) if first < last else None),
    ("year:year_figures 年; year:short_year 年", lambda today, year: year, "year"),
    ("shift:year_word", lambda today, shift: today.year + shift, "year"),
    ("n:figures 年 (?=turnish); n:figures (?=year_part)", lambda today, n: 2000 + n, "year"),
    ("n:exact 年 backward (?=turnish|的 turnish)", lambda today, n: today.year - n, "year"),
    ("year:year which:part; year:year 的? which:year_part; year:year_figures which:year_part",
     lambda today, year, which: part_of_period(today, combine.in_year(today, _ANY_YEAR, year), which)),
    # 去年三月和四月: the year is said once.
    ("(?<=year:year turnish with turnish with) when:turnish; (?<=year:year turnish with) when:turnish;"
     "(?<=year:year 的 turnish with) when:turnish", combine.in_year),
    ("year:year 的? when:turnish", combine.in_year),
    ("year:year 的? 第 n:day_number unit:week", lambda today, year, n, unit: combine.week_of(today, n, year)),
    ("year:year 的? n:last_one 个? unit:of_month; year:year 的? 第 n:day_number 个? unit:of_month",
     lambda today, year, n, unit: nth_of(today, combine.in_year(today, _ANY_YEAR, year), n, unit)),
    ("(?<!other|any_shift) n:figures 年 (?=plain)",
     lambda today, n: combine.in_year(today, _ANY_YEAR, 2000 + n) if n <= today.year - 1995 else None),
    ("year:year 的? that_time", combine.that_time),
    ("year:year 的? today", combine.same_day),
    ("year:year", lambda today, year: combine.in_year(today, _ANY_YEAR, year)),
    ("n:two unit:月; n:exact 个 多 unit:月; n:exact 个 多 unit:week", combine.measure, "measure"),
    ("when:date eve", lambda today, when: combine.counted(today, ("day", (1, 1)), -1, when)),
    ("n:day_number 来 unit:counted", lambda today, n, unit: combine.measure(today, (n, n + n // 2), unit), "measure"),
    # 三天, 几个月, 一年多, 三周半, 一年半.
    ("n:exact week 半", lambda today, n: combine.and_half(today, "week", n), "measure"),
    ("(?<!第) n:exact unit:counted more:多; (?<!第) n:count (more:多)? unit:counted;"
     "(?<=rolling) n:count unit:日; n:count unit:日 (?=backward|forward|inside)", combine.measure, "measure"),
    ("n:exact year_and_half", lambda today, n: combine.and_half(today, "year", n), "measure"),
    ("n:exact month_and_half", lambda today, n: combine.and_half(today, "month", n), "measure"),
    # 三年前的今天, 三周前的周二.
    ("measure:measure backward 的? today", combine.to_the_day),
    ("measure:measure backward 的? unit:weekday", combine.turn_ago),
    ("measure:measure forward 的 unit:weekday",
     lambda today, measure, unit:
         nth_of(today, combine.nearly(today, measure), 1, unit) if measure[0] == "week" else None),
    ("measure:measure 来 (?=apart|$)", combine.rolling),
    # 昨天, 上周, 上周五, 上周的周五, 这个季度, 上个冬天.
    ("shift:day_word; shift:today", around),
    ("(?<=shift:any_shift weekday with) unit:weekday; shift:any_shift unit:weekday",
     lambda today, shift, unit: nth_of(today, around(today, "week", shift), 1, unit)),
    ("shift:any_shift unit:week", around, "this_week"),
    ("when:this_week 的 unit:weekday", nth_of),
    # 下周前三天 are its first ones.
    ("when:this_week front measure:measure",
     lambda today, when, measure:
         when.map(lambda p: meaning.run(p[0], measure[1][1])) if measure[0] == "day" else None),
    ("shift:any_shift unit:span", around),
    ("shift:any_shift when:season; shift:any_shift when:feast", combine.relative),
    ("(?<!number_before) 年 way:before_or_after (?!measure)", lambda today, way: _SPRING[way]),
    # 周五, 周末, 27号, 月底, 年底; but not 三周五, 神舟十号.
    ("(?<!not_weekday) when:weekday; when:this_week; when:some_turn", same),
    ("(?<!not_weekday) weekend", lambda today: meaning.WEEKEND),
    ("when:date day_number 号", lambda today, when: when if len({*when.settle(today)}) == 1 else None),
    ("(?<!label|第|号) first:day_number joint last:day_number 号",
     lambda today, first, last: combine.days(today, _ANY_MONTH, first, last)),
    ("(?<!label|第|号) day:day_number 号; (?<!label) day:arabic 日 (?!inside)", lambda today, day: meaning.monthly(day)),
    ("which:month_part", lambda today, which: part_of_period(today, _ANY_MONTH, which)),
    ("n:half_month", lambda today, n: nth_of(today, _ANY_MONTH, n)),
    ("which:year_part", lambda today, which: part_of_period(today, _ANY_YEAR, which)),
    ("hours:exact hour backward", lambda today, hours: around(today, "day", -(hours // 24))),
    ("count hour backward; 半 hour backward; count minute backward; number minute backward",
     lambda today: around(today)),
    ("rolling 的? hours:exact hour", lambda today, hours: combine.within_hours(today, hours, -1)),
    # 国庆前一周, 三天前, 两周后, 前几天, 最近三天, 未来三天, 最近.
    ("when:date way:front measure:measure; when:date way:back measure:measure",
     lambda today, when, way, measure: when.map(lambda p: combine.neighbour(p, measure[0], way, measure[1][1]))),
    ("front measure:measure",
     lambda today, measure: combine.ago(today, (measure[0], (1, measure[1][1]))) if measure[1][0] == 2 else None),
    ("rolling 的? measure:measure inside?; way:future 的? measure:measure inside?; measure:measure 以来", combine.rolling),
    # 国庆后第一周, 国庆后第一个周末, 春节后第一个周一, 国庆后第三天.
    ("when:date forward 的? 第 n:day_number 个? unit:week; when:date forward 的? 第 n:day_number unit:units;"
     "when:date forward 的? 第 n:day_number 个? unit:weekend; when:date forward 的? 第 n:day_number 个? unit:weekday",
     lambda today, when, n, unit: when.map(lambda p: combine.neighbour((p[0], shifted(p[1], 7 * n - 7)), unit, 1))),
    ("when:date forward 的? 第 n:day_number day",
     lambda today, when, n: when.map(lambda p: meaning.run(shifted(p[1], n)))),
    ("n:count workday inside; n:count workday forward", combine.workdays),
    ("measure:measure inside", lambda today, measure: combine.rolling(today, measure, 1)),
    ("hours:exact hour inside", combine.within_hours),
    ("(?<!number_before|any_shift) unit:年 inside; (?<!number_before|any_shift) unit:月 inside",
     lambda today, unit: combine.rest(today, unit, 1)),
    ("hence measure:measure (?!backward|forward)", lambda today, measure: combine.ago(today, measure, 1)),
    ("measure:measure way:backward; measure:measure way:forward", combine.ago),
    ("days:lately; days:recent", lambda today, days: meaning.fixed(shifted(today, -days[0]), shifted(today, -days[1]))),
    # 5月1号那周, 端午前后, 周五晚上; but not 每周五.
    ("when:date unit:that", lambda today, when, unit: when.map(lambda p: meaning.whole(unit, p[0]))),
    ("when:date about", lambda today, when: when.map(lambda p: (shifted(p[0], -3), shifted(p[1], 3)))),
    ("when:date tail; when:date 晚 (?=apart|$)", same),
    ("when:season", same),
    # 早上: today's, in the past tense.
    ("(^) daypart; (?<=^plain) daypart", around),
    ("shift:any_shift measure:measure",
     lambda today, shift, measure: combine.ago(today, (measure[0], (1, measure[1][1]))) if shift == -1 else None),
    ("habit measure? 的? when:date", lambda today, when: None if when.rank == FIXED else "", "habit"),
    # Ranges.
    ("from? left:date joint right:date (之间|feast_days)?; left:date with right:date 之间", combine.between),
    ("from? when:date joint now; from when:date onwards; when:date 以来; ever_since when:date",
     lambda today, when: combine.opened(today, when, "since")),
    ("until_word when:date 为止?; joint when:date 为止; when:date side:backward; when:date side:forward;"
     "(?<!date) to when:date", combine.opened),
)  # fmt: skip
