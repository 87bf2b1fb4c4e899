"""Chinese: its vocabulary of time, how a text becomes tokens, and the rules that make dates of them.

Nothing stands between Chinese words, so place after place the longest known one is taken. What only looks like a word
of time (周围, 月亮, the 上 of 晚上周五) belongs to a longer word that is known as `other`.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import takewhile
from typing import Any

from . import meaning
from .grammar import FIGURES, Grammar, figures, lexicon
from .meaning import FIXED, MONTHLY, Period, When, around, lunar, nth_of, on, part, same, shifted, weekly, yearly

_FEASTS = {
    "元旦": on(1, 1), "春节 过年": lunar(meaning.SPRING, 0, 1, 6), "除夕 大年三十 年三十": lunar(meaning.SPRING, -1),
    "元宵节 正月十五": lunar(meaning.SPRING, 14), "情人节": on(2, 14), "妇女节": on(3, 8),
    "清明 清明节": meaning.feast(lambda y: date(y, 4, 4 if y % 4 < 2 else 5)),
    "五一 五一节 劳动节 五一劳动节": on(5, 1, 0, 4), "母亲节": meaning.nth_weekday(2, 6, 5),
    "六一 儿童节 六一儿童节": on(6, 1), "父亲节": meaning.nth_weekday(3, 6, 6),
    "端午 端午节": lunar(meaning.DRAGON_BOAT), "七夕 七夕节": lunar(meaning.QIXI), "教师节": on(9, 10),
    "中秋 中秋节 八月十五": lunar(meaning.MID_AUTUMN), "重阳 重阳节": lunar(meaning.DOUBLE_NINTH),
    "国庆 国庆节 十一国庆 十一国庆节 十一假期 十一长假 十一黄金周 十一期间 十一放假 十一那几天": on(10, 1, 0, 6),
    "万圣节": on(10, 31), "双十一 双11 光棍节": on(11, 11), "感恩节": meaning.nth_weekday(4, 3, 11),
    "双十二 双12": on(12, 12), "平安夜": on(12, 24), "圣诞 圣诞节": on(12, 25), "跨年": on(12, 31, 0, 1),
} | {f"大年初{c} 年初{c} 正月初{c}": lunar(meaning.SPRING, n) for n, c in enumerate("一二三四五六七八")}  # fmt: skip
_WORDS = lexicon({word: word for word in "直到 为止 之间 号 个 份 的 第 多 晚".split()} | {
    "day_word": (range(-3, 4), "大前天|前天 前晚|昨天 昨日 昨早 昨晚 昨夜||明天 明日 明早 明晚|后天|大后天"),
    "today": ([0], "今天 今日 今早 今晨 今晚 今夜"),
    "year_word": (range(-3, 3), "大前年|前年|去年 上一年|今年 本年|明年 来年 下一年|后年"),
    "shift": (range(-2, 3), "上上 上上个|上 上个 上一 上一个|这个 这一 这一个 本|下 下个 下一 下一个|下下 下下个"),
    "这": ([0], "这"), "front": ([-1], "前"), "before": ([-1], "之前 以前"), "back": ([1], "后"),
    "after": ([1], "之后 以后"), "day": (["day"], "天"), "日": (["day"], "日"), "week": (["week"], "周 星期 礼拜"),
    "weekend": (["weekend"], "周末"), "月": (["month"], "月"), "quarter": (["quarter"], "季度"), "年": (["year"], "年"),
    "units": (["week", "month", "quarter"], "个星期 个礼拜|个月|个季度"),
    "measure": ([("month", (6, 6)), ("day", (12, 18))], "半年|半个月"), "few": ([(2, 7), (11, 19)], "几 好几 数|十几"),
    "season": ([yearly(n, 3) for n in (3, 6, 9, 12)], "春天 春季|夏天 夏季|秋天 秋季|冬天 冬季"),
    "month_part": (range(3), "月初 月上旬 上旬|月中 月中旬 中旬|月底 月末 月下旬 下旬"),
    "year_part": (range(3), "年初|年中|年底 年末"), "part": ([0, 2], "初|底 末"),
    "half_month": ([1, 2], "上半月|下半月"), "turn": ([yearly(1, 6), yearly(7, 6)], "上半年|下半年"),
    "last_one": ([-1], "最后一"), "recent": ([(7, 0)], "最近"),
    # From so many days ago to so many: 最近 is the days before today, 前段时间 the time before those.
    "lately": ([(7, 0), (30, 0), (7, 1), (60, 7)], "近来 近日 这些天|近期 这阵子 这段时间|前些天|前些日子 前阵子 前段时间 前一阵子 前一段时间"),
    "past": "过去 近", "future": ([1], "未来 接下来 今后"), "inside": "以内 之内 内 里",
    "that": (["week", "weekend", "month"], "那周 那一周 那个星期 那星期 当周|那个周末 那周末|那个月 当月"),
    "that_day": "当天 那天 当晚", "feast_days": "小长假 长假 假期 黄金周 期间 那几天 那阵 放假", "about": "前后",
    "daypart": "早上 上午 中午 下午 晚上 夜里 夜晚 凌晨 早晨 清晨 傍晚 半夜 深夜 一早 晚间", "to": "到 至 一直到",
    "dash": "-", "from": "从 自 由", "ever_since": "自从", "with": "和 与 跟", "until": "截至 截止 截至到 截止到",
    "以来": "以来 至今", "onwards": "开始 起", "now": "现在 目前 如今", "habit": "每 每个 每年 每月 每个月 逢",
    "半": "半 整", "year_and_half": "年半", "month_and_half": "个半月",
    # What may follow a day without 号 (5月7我们…), and what makes the number after it a name (神舟十号).
    "plain": "我 你 您 他 她 咱 那 去 在 是 有 早",
    "label": "编 编号 宫 问 娥 舟 征 星 网 国 式 头 型 账 帐 挂 信 记 符 称 外 代",
    "other": "马上 网上 线上 路上 身上 楼上 车上 手上 世上 加上 算上 赶上 遇上 碰上 爱上 床上 桌上 墙上 脸上 船上 天上 以上 "
    "一下 以下 当下 地下 乡下 楼下 手下 天下 私下 底下 如下 之下 日本 基本 根本 资本 样本 课本 书本 脚本 版本 文本 剧本 原本 成本 "
    "先前 从前 生前 饭前 睡前 提前 跟前 面前 门前 眼前 空前 当前 然后 最后 午后 雨后 饭后 课后 会后 说明 证明 声明 表明 聪明 发明 "
    "光明 文明 而今 当今 上去 下去 出去 回去 进去 附近 将近 接近 靠近 远近 周围 周边 周期 周刊 周岁 周年 周杰伦 周星驰 周润发 "
    "周恩来 月亮 月饼 月光 月球 月经 月嫂 月老 月一次 年龄 年纪 年级 年轻 年代 年头 天气 去年轻 今年轻 今日头条 明日方舟 明日香 "
    "后天性 清明上河 过年龄 五月天 一起 一直 一些 一样 一同 一定 最近一次 最近的一次 前端 前台 前面 前提 前任 前景 前辈 前者 "
    "前往 前去 前女友 前男友 后来 后面 后台 后端 后续 后院 后卫 后勤 后期 后备 后悔 后果 后门 后边 后者 日元 日圆 日币 日游 日均 "
    "日报 日志 日程 日常 日子 日期 日历 日记 个人",
} | {"feast": (_FEASTS.values(), "|".join(_FEASTS))})  # fmt: skip
# 5号线, 3号楼, 12号桌: a number on a thing. 最近的地铁站: the nearest.
_NUMBERED = "线楼门院机店桌馆房厅车位球床码台队柜箱仓库井站铺卡油牌服屏栋座层室铁板字病公文选路街单出航高工问实方模会"
_WORDS |= {f"号{thing}": ("other", thing) for thing in _NUMBERED}
# … but after a month the number is its day: 11月13号高架堵了. A line or a building may stand there all the same.
_DAY_BEFORE = re.compile("月[0-9一二三四五六七八九十号日到至和、 -]{1,9}$")
_EVEN_SO = {"号线": tuple("路上下索"), "号楼": tuple("上下盘道")}
_WORDS |= {f"最近的{thing}": ("other", thing) for thing in "地医餐咖超加机车药酒停银厕路站店出"}

# 五一|个, 月初|五, 前|晚上, 5月中|国, 周三|个人: what makes the end of a word part of the next one.
_SPLIT = dict.fromkeys(("五一", "六一"), tuple("个起直共些样同点号月次分位十百千万二三四五六七八九"))
_SPLIT |= {"初": tuple("一二三四五六七八九十"), "前晚": ("上",), "八月十五": tuple("号日个")}
_SPLIT |= dict.fromkeys(("月中", "年中"), tuple("国秋午文心途间学医介央东"))
_TAKEN = {"一": "起直共些样同定", "日": "程报志记常历均本", "天": "气津数空"}
for _n, _figure in enumerate("一二三四五六日天"):
    for _week in ("周", "星期", "礼拜")[_figure == "天" :]:
        _WORDS[_week + _figure] = "weekday", weekly(min(_n, 6))
        _SPLIT[_week + _figure] = (*"个次十百千万天", "点钟", *_TAKEN.get(_figure, ""))

# 五, 二十七, 二〇二三; 两三 is a few. A row of numerals that is none of these is none at all.
_FIGURES = "〇一二三四五六七八九"
_ONES = ["", *_FIGURES[1:]]
_NUMBERS: dict[str, tuple[str, Any]] = {_ONES[n]: ("han_figure", n) for n in range(1, 10)}
_NUMBERS |= {f"十{_ONES[n]}": ("han_figures", 10 + n) for n in range(10)}
_NUMBERS |= {f"{_ONES[n // 10]}十{_ONES[n % 10]}": ("han_figures", n) for n in range(20, 100)}
_NUMBERS |= {_ONES[n] + _ONES[m]: ("few", (n, m)) for m in range(2, 10) for n in range(1, m)}
_NUMBERS |= {"".join(_FIGURES[int(c)] for c in str(y)): ("year_figures", y) for y in range(1900, 2100)}
_NUMBERS |= {"十": ("han_figure", 10), "两": ("two", 2), "两三": ("few", (2, 3))}
_HAN, _NUMERALS = "\u4e00", frozenset(_FIGURES + "零两十百千万亿")
# Without Han characters: a class of them takes long to compile.
_TOKEN = re.compile(
    rf"(?<![-/.:A-Za-z0-9])(?P<dated>{FIGURES})|(?<![A-Za-z0-9])[Qq](?P<quarter>[1-4])(?![0-9A-Za-z_])"
    r"|(?<![.A-Za-z0-9])(?:(?P<year_figures>(?:19|20)[0-9]{2})|(?P<figure>[0-9])|(?P<figures>[0-9]{2})"
    r"|(?P<number>[0-9]{3,5}))(?![0-9])"
)


def read(text: str, today: date) -> list[tuple[int, int, Period]]:
    return _GRAMMAR.read(text, today, _read)


def _read(text: str, start: int) -> tuple[str, Any, int]:
    match = _TOKEN.match(text, start)
    kind = match.lastgroup if match else ""
    if match and kind == "dated" and (dated := figures(match[0])):
        return "date", dated, match.end()
    if match and kind == "quarter":
        return "turn", yearly(3 * int(match[kind]) - 2, 3), match.end()
    for stop in range(min(start + 6, len(text)), start, -1):
        word = text[start:stop]
        if word == "最近" and "离" in text[max(0, start - 8) : start]:
            continue  # the nearest
        if word[0] == "号" and stop - start == 2 and _is_day(text, start, stop):
            continue
        if word in _WORDS and (text.startswith("天气", stop) or not text.startswith(_SPLIT.get(word, ()), stop)):
            return *_WORDS[word], stop
    if match and kind and kind != "dated":
        return kind, int(match[kind]), match.end()
    if numerals := "".join(takewhile(_NUMERALS.__contains__, text[start : start + 9])):
        return *_NUMBERS.get(numerals.replace("零", "〇"), ("other", None)), start + len(numerals)
    before, after = text[start - 1 : start], text[start + 1 : start + 2]
    if text[start] == " " and ((before.isdecimal() and after >= _HAN) or (before >= _HAN and after.isdecimal())):
        return "gap", None, start + 1
    return "other" if text[start] >= _HAN or text[start] in "0123456789.:/%" else "mark", None, start + 1


def _is_day(text: str, start: int, stop: int) -> bool:
    """Whether the 号 of 号线, 号楼, 号高 ends the day of a month."""
    after = _EVEN_SO.get(text[start:stop])
    if after and not text.startswith(after, stop):
        return False
    return _DAY_BEFORE.search(text[max(0, start - 10) : start]) is not None


_GRAMMAR = Grammar(
    day_number="figure figures han_figure han_figures", bare_day="figure figures han_figures", arabic="figure figures",
    exact="day_number two number", count="exact few", counted="day week units quarter 年", of_month="week units day",
    some_turn="month turn feast", turnish="some_turn season", any_shift="shift 这",
    span="quarter weekend", day_mark="号 日", joint="to 直到 dash", backward="front before",
    forward="back after", rolling="past recent 这", tail="daypart that_day", until_word="until 直到",
    not_weekday="count 个 半", apart="plain mark to with 的 shift 晚 daypart dash",
)  # fmt: skip
_ANY_YEAR = yearly(1, 12)
_ANY_MONTH = When(MONTHLY, lambda n: meaning.months(0, n + 1))
_GRAMMAR.rules(
    # 五月, 5-8月, 上个月; 5月底, 5月上半月, 十月第一周, 5月的最后一天.
    ("n:day_number joint last:day_number 月 份?", lambda today, n, last: yearly(n, (last - n) % 12 + 1), "turn"),
    ("n:day_number 月 份?", lambda today, n: yearly(n), "month"),
    ("shift:any_shift unit:月 份?", around, "month"),
    ("n:day_number which:month_part", lambda today, n, which: part(today, yearly(n), which), "turn"),
    ("shift:any_shift which:month_part",
     lambda today, shift, which: part(today, around(today, "month", shift), which), "turn"),
    ("when:month 的? which:month_part", part, "turn"),
    ("when:month 的? n:half_month; when:month 的? 第 n:day_number 个? unit:of_month;"
     "when:month 的? n:last_one 个? unit:of_month", nth_of, "turn"),
    # 5月27号, 5月1号到4号, 四月二十七, 5月7我们; but not 5月7楼.
    ("when:month 的? first:day_number day_mark? joint last:day_number day_mark;"
     "when:month 的? first:day_number dash last:day_number (?!月);"
     "when:month 的? first:day_number day_mark; when:month 的? first:bare_day (?=apart|$)", meaning.days, "turn"),
    # 三季度, 国庆当天, 中秋那几天.
    ("(?<!front) 第? n:day_number quarter", lambda today, n: yearly(3 * n - 2, 3), "turn"),
    ("when:feast that_day", lambda today, when: when.exact(), "turn"),
    ("when:feast feast_days",
     lambda today, when: when.map(lambda p: p if p[0] < p[1] else (shifted(p[0], -1), shifted(p[1], 1))), "turn"),
    # 去年, 2023年, 23年5月, 三年前的夏天, 去年底, 去年国庆, 去年今天.
    ("year:year_figures 年", lambda today, year: year, "year"),
    ("shift:year_word", lambda today, shift: today.year + shift, "year"),
    ("n:figures 年 (?=turnish); n:figures (?=year_part)", lambda today, n: 2000 + n, "year"),
    ("n:exact 年 backward (?=turnish|的 turnish)", lambda today, n: today.year - n, "year"),
    ("year:year which:part; year:year 的? which:year_part; year:year_figures which:year_part",
     lambda today, year, which: part(today, meaning.in_year(today, _ANY_YEAR, year), which)),
    ("year:year 的? when:turnish", meaning.in_year),
    ("year:year 的? today", lambda today, year: meaning.fixed(*meaning.run(today.replace(year=year)))),
    ("year:year", lambda today, year: meaning.in_year(today, _ANY_YEAR, year)),
    # 昨天, 上周, 上周五, 上周的周五, 这个季度, 上个冬天.
    ("shift:day_word; shift:today", around),
    ("shift:any_shift unit:weekday", lambda today, shift, unit: nth_of(today, around(today, "week", shift), 1, unit)),
    ("shift:any_shift unit:week", around, "this_week"),
    ("when:this_week 的 unit:weekday", nth_of),
    ("shift:any_shift unit:span", around),
    ("shift:any_shift when:season", meaning.relative),
    # 三天, 几个月, 一年多, 一年半.
    ("(?<!第) n:exact unit:counted more:多; (?<!第) n:count (more:多)? unit:counted;"
     "(?<=rolling) n:count unit:日; n:count unit:日 (?=backward|forward|inside)", meaning.measure, "measure"),
    ("n:exact year_and_half", lambda today, n: ("month", (12 * n + 6, 12 * n + 6)), "measure"),
    ("n:exact month_and_half", lambda today, n: ("day", (30 * n + 12, 30 * n + 18)), "measure"),
    # 周五, 周末, 27号, 月底, 年底; but not 三周五, 神舟十号.
    ("(?<!not_weekday) when:weekday; when:this_week; when:some_turn", same),
    ("(?<!not_weekday) weekend", lambda today: meaning.WEEKEND),
    ("when:date day_number 号", lambda today, when: when if len({*when.settle(today)}) == 1 else None),
    ("(?<!label|第) day:day_number 号; (?<!label) day:arabic 日 (?!inside)", lambda today, day: meaning.monthly(day)),
    ("which:month_part", lambda today, which: part(today, _ANY_MONTH, which)),
    ("which:year_part", lambda today, which: part(today, _ANY_YEAR, which)),
    # 国庆前一周, 三天前, 两周后, 前几天, 最近三天, 未来三天, 最近.
    ("when:date way:front measure:measure; when:date way:back measure:measure",
     lambda today, when, way, measure: when.map(lambda p: meaning.neighbour(p, measure[0], way, measure[1][1]))),
    ("front measure:measure",
     lambda today, measure: meaning.ago(today, (measure[0], (1, measure[1][1]))) if measure[1][0] == 2 else None),
    ("rolling 的? measure:measure inside?; way:future 的? measure:measure inside?; measure:measure 以来", meaning.rolling),
    ("measure:measure way:backward; measure:measure way:forward", meaning.ago),
    ("days:lately; days:recent", lambda today, days: meaning.fixed(shifted(today, -days[0]), shifted(today, -days[1]))),
    # 5月1号那周, 端午前后, 周五晚上; but not 每周五.
    ("when:date unit:that", lambda today, when, unit: when.map(lambda p: meaning.whole(unit, p[0]))),
    ("when:date about", lambda today, when: when.map(lambda p: (shifted(p[0], -3), shifted(p[1], 3)))),
    ("when:date tail; when:date 晚 (?=apart|$)", same),
    ("habit 的? when:date", lambda today, when: None if when.rank == FIXED else "", "habit"),
    # Ranges.
    ("from? left:date joint right:date (之间|feast_days)?; left:date with right:date 之间", meaning.between),
    ("from? when:date joint now; from when:date onwards; when:date 以来; ever_since when:date",
     lambda today, when: meaning.opened(today, when, "since")),
    ("until_word when:date 为止?; joint when:date 为止; when:date side:backward; when:date side:forward", meaning.opened),
)  # fmt: skip
