"""Dates in language: what each expression means on Saturday 21 November 2026, and what is not a date at all."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.text import phrases
from memcli.text.dates import EPOCH, find_asked_dates, find_dates
from memcli.text.dates.vocabulary import split_words
from tests.rows import check_rows

TODAY = date(2026, 11, 21)

# An expression, its first day, and its last one when that is another. Brackets mark what is read when it is
# less than the whole text.
ENGLISH = """
today | 2026-11-21
yesterday | 2026-11-20
tomorrow | 2026-11-22
the day before yesterday | 2026-11-19
the day after tomorrow | 2026-11-23
this morning | 2026-11-21
tonight | 2026-11-21
last night | 2026-11-20
yesterday evening | 2026-11-20
the other day | 2026-11-14 | 2026-11-20
recently | 2026-11-14 | 2026-11-21
these days | 2026-11-14 | 2026-11-21
Tuesday | 2026-11-17
on [Tuesday] | 2026-11-17
on [Saturday] | 2026-11-21
last Tuesday | 2026-11-17
last Saturday | 2026-11-14
this past Tuesday | 2026-11-17
this Friday | 2026-11-20
next Friday | 2026-11-27
Tuesday last week | 2026-11-10
Tuesday of last week | 2026-11-10
Friday morning | 2026-11-20
on [Fri] | 2026-11-20
two Fridays ago | 2026-11-13
the Friday before last | 2026-11-13
this week | 2026-11-16 | 2026-11-22
last week | 2026-11-09 | 2026-11-15
next week | 2026-11-23 | 2026-11-29
the week before last | 2026-11-02 | 2026-11-08
early last week | 2026-11-09 | 2026-11-10
two weeks ago | 2026-11-02 | 2026-11-08
3 days ago | 2026-11-18
a couple of days ago | 2026-11-18 | 2026-11-20
a few days ago | 2026-11-15 | 2026-11-19
a year ago today | 2025-11-21
a month ago | 2026-10-01 | 2026-10-31
half a year ago | 2026-05-01 | 2026-05-31
two years ago | 2024-01-01 | 2024-12-31
3 days from now | 2026-11-24
past 10 days | 2026-11-11 | 2026-11-21
in [the last 10 days] | 2026-11-11 | 2026-11-21
over [the past week] | 2026-11-14 | 2026-11-21
in [the last month] | 2026-10-21 | 2026-11-21
the past couple of weeks | 2026-11-07 | 2026-11-21
the next 3 days | 2026-11-21 | 2026-11-24
this month | 2026-11-01 | 2026-11-30
last month | 2026-10-01 | 2026-10-31
the month before last | 2026-09-01 | 2026-09-30
end of last month | 2026-10-21 | 2026-10-31
the end of the month | 2026-11-21 | 2026-11-30
early this month | 2026-11-01 | 2026-11-10
in [March] | 2026-03-01 | 2026-03-31
in [may] | 2026-05-01 | 2026-05-31
in [November] | 2026-11-01 | 2026-11-30
in [December] | 2025-12-01 | 2025-12-31
October | 2026-10-01 | 2026-10-31
last March | 2026-03-01 | 2026-03-31
last November | 2025-11-01 | 2025-11-30
next March | 2027-03-01 | 2027-03-31
[the March] release | 2026-03-01 | 2026-03-31
in [early May] | 2026-05-01 | 2026-05-10
mid-June 2023 | 2023-06-11 | 2023-06-20
late February 2024 | 2024-02-21 | 2024-02-29
May 2023 | 2023-05-01 | 2023-05-31
May, 2023 | 2023-05-01 | 2023-05-31
May of last year | 2025-05-01 | 2025-05-31
May '23 | 2023-05-01 | 2023-05-31
7 May 2023 | 2023-05-07
7th of May, 2023 | 2023-05-07
May 7th, 2023 | 2023-05-07
may 7 2023 | 2023-05-07
Sept. 5 | 2026-09-05
Dec 3 | 2025-12-03
the 3rd of June | 2026-06-03
the third of June | 2026-06-03
Monday, May 8, 2023 | 2023-05-08
Tue 5 May | 2026-05-05
2023-05-07 | 2023-05-07
2023/5/7 | 2023-05-07
2023.5.7 | 2023-05-07
7.5.2023 | 2023-05-07
05/07/2023 | 2023-05-07
25/12/2023 | 2023-12-25
2023-05 | 2023-05-01 | 2023-05-31
on [5/7] | 2026-05-07
[2026-11-20]T14:30:00 | 2026-11-20
logs/[2026-11-20].md | 2026-11-20
on [the 14th] | 2026-11-14
on [the 30th] | 2026-10-30
the 14th of last month | 2026-10-14
Friday the 13th | 2026-11-13
last year | 2025-01-01 | 2025-12-31
late last year | 2025-10-01 | 2025-12-31
in [2023] | 2023-01-01 | 2023-12-31
in [the year 2023] | 2023-01-01 | 2023-12-31
in [mid-2023] | 2023-05-01 | 2023-08-31
Q3 | 2026-07-01 | 2026-09-30
Q3 2025 | 2025-07-01 | 2025-09-30
2025 Q3 | 2025-07-01 | 2025-09-30
last quarter | 2026-07-01 | 2026-09-30
the third quarter of 2025 | 2025-07-01 | 2025-09-30
in [the 4th quarter] | 2026-10-01 | 2026-12-31
the second half of the summer | 2026-07-17 | 2026-08-31
first half of 2025 | 2025-01-01 | 2025-06-30
the second half of last year | 2025-07-01 | 2025-12-31
the first week of October | 2026-10-01 | 2026-10-07
October 2nd week | 2026-10-08 | 2026-10-14
the last ten days of October | 2026-10-22 | 2026-10-31
Remembrance Sunday | 2026-11-08 | 2026-11-08
the first weekend of August | 2026-08-01 | 2026-08-02
the last week of October | 2026-10-25 | 2026-10-31
the last Friday in May | 2026-05-29
the first Monday of October 2025 | 2025-10-06
last summer | 2026-06-01 | 2026-08-31
this summer | 2026-06-01 | 2026-08-31
this winter | 2026-12-01 | 2027-02-28
last winter | 2025-12-01 | 2026-02-28
summer 2023 | 2023-06-01 | 2023-08-31
the fall of 2023 | 2023-09-01 | 2023-11-30
in [the spring] | 2026-03-01 | 2026-05-31
late summer 2023 | 2023-08-01 | 2023-08-31
last weekend | 2026-11-14 | 2026-11-15
over [the weekend] | 2026-11-21 | 2026-11-22
the weekend of May 6 | 2026-05-09 | 2026-05-10
the weekend of the 14th | 2026-11-14 | 2026-11-15
the week of May 6 | 2026-05-04 | 2026-05-10
Christmas | 2025-12-24 | 2025-12-26
Christmas Eve | 2025-12-24
Christmas 2023 | 2023-12-24 | 2023-12-26
last year's Christmas | 2025-12-24 | 2025-12-26
two days before Christmas | 2025-12-23
three weeks before Friday | 2026-10-30
two days after the weekend | 2026-11-24
the day after the day before yesterday | 2026-11-20
the week before Christmas | 2025-12-18 | 2025-12-24
New Year's | 2025-12-31 | 2026-01-01
New Year’s Eve | 2025-12-31
Thanksgiving | 2025-11-27
next Thanksgiving | 2026-11-26
Easter | 2026-04-03 | 2026-04-06
Good Friday 2024 | 2024-03-29
Halloween | 2026-10-31
Labor Day | 2026-09-07
Mother's Day | 2026-05-10
Chinese New Year 2024 | 2024-02-09 | 2024-02-16
the Friday before 15 July 2023 | 2023-07-14
the day after Christmas | 2025-12-26
between May 1 and May 4 | 2026-05-01 | 2026-05-04
from Monday to Wednesday | 2026-11-16 | 2026-11-18
from Friday to Monday | 2026-11-13 | 2026-11-16
£26 a month from [Monday] | 2026-11-16
20 hours a week from [1 March] | 2026-03-01
twice a week from [Tuesday] | 2026-11-17
[a week from Friday] | 2026-12-04
two sessions, [a week from Friday] | 2026-12-04
Mon–Wed | 2026-11-16 | 2026-11-18
May 1-4 | 2026-05-01 | 2026-05-04
May 1-4, 2023 | 2023-05-01 | 2023-05-04
1–4 May 2023 | 2023-05-01 | 2023-05-04
May to August 2023 | 2023-05-01 | 2023-08-31
from May 2023 to June | 2023-05-01 | 2023-06-30
between 2020 and 2022 | 2020-01-01 | 2022-12-31
[November 17th, 1858], the epoch | 1858-11-17
from [the 3rd] | 2026-11-03
from the 3rd to the 7th | 2026-11-03 | 2026-11-07
2023-05-07 to 2023-05-09 | 2023-05-07 | 2023-05-09
from March until now | 2026-03-01 | 2026-11-21
since May | 2026-05-01 | 2026-11-21
since last Friday | 2026-11-20 | 2026-11-21
since 2024 | 2024-01-01 | 2026-11-21
after June | 2026-07-01 | 2026-11-21
before June | 1970-01-01 | 2026-05-31
until June | 1970-01-01 | 2026-06-30
until last Friday | 1970-01-01 | 2026-11-20
by Friday | 1970-01-01 | 2026-11-20
"""

CHINESE = """
会推迟到[下周五] | 2026-11-27
改到[后天] | 2026-11-23
提前到[明天] | 2026-11-22
今天 | 2026-11-21
[今天]天气 | 2026-11-21
昨天 | 2026-11-20
前天 | 2026-11-19
大前天 | 2026-11-18
明天 | 2026-11-22
后天 | 2026-11-23
今早 | 2026-11-21
昨晚 | 2026-11-20
今晚 | 2026-11-21
昨天晚上 | 2026-11-20
上周 | 2026-11-09 | 2026-11-15
上上周 | 2026-11-02 | 2026-11-08
上个星期 | 2026-11-09 | 2026-11-15
这周 | 2026-11-16 | 2026-11-22
本周 | 2026-11-16 | 2026-11-22
下周 | 2026-11-23 | 2026-11-29
上周五 | 2026-11-13
上星期五 | 2026-11-13
上礼拜五 | 2026-11-13
上上周五 | 2026-11-06
上周的周五 | 2026-11-13
上周一下午 | 2026-11-09
下周二 24 号下午 | 2026-11-24
这周三 | 2026-11-18
下周二 | 2026-11-24
周三 | 2026-11-18
周六 | 2026-11-21
周日 | 2026-11-15
星期天 | 2026-11-15
周末 | 2026-11-21 | 2026-11-22
上周末 | 2026-11-14 | 2026-11-15
上个周末 | 2026-11-14 | 2026-11-15
[上周]三个人 | 2026-11-09 | 2026-11-15
[上周]一起 | 2026-11-09 | 2026-11-15
晚上[周五] | 2026-11-20
上個禮拜五 | 2026-11-13
兩週前 | 2026-11-02 | 2026-11-08
上个月 | 2026-10-01 | 2026-10-31
这个月 | 2026-11-01 | 2026-11-30
本月 | 2026-11-01 | 2026-11-30
上上个月 | 2026-09-01 | 2026-09-30
下个月 | 2026-12-01 | 2026-12-31
上个月5号 | 2026-10-05
月初 | 2026-11-01 | 2026-11-10
月底 | 2026-11-21 | 2026-11-30
上月底 | 2026-10-21 | 2026-10-31
上个月中旬 | 2026-10-11 | 2026-10-20
去年 | 2025-01-01 | 2025-12-31
前年 | 2024-01-01 | 2024-12-31
今年 | 2026-01-01 | 2026-12-31
去年夏天 | 2025-06-01 | 2025-08-31
今年春天 | 2026-03-01 | 2026-05-31
上个冬天 | 2025-12-01 | 2026-02-28
去年底 | 2025-11-15 | 2025-12-31
去年年底 | 2025-11-15 | 2025-12-31
今年年初 | 2026-01-01 | 2026-03-31
年底 | 2026-11-15 | 2026-12-31
去年5月 | 2025-05-01 | 2025-05-31
三年前的夏天 | 2023-06-01 | 2023-08-31
24年国庆 | 2024-10-01 | 2024-10-07
2023年5-8月 | 2023-05-01 | 2023-08-31
去年今天 | 2025-11-21
4月27号 | 2026-04-27
[11/17] 做了什么 | 2026-11-17
[10-16] 做了什么 | 2026-10-16
约了 [11-20] 交 build | 2026-11-20
会改到 [11/30] | 2026-11-30
demo 延到 [12/12]，她同意 | 2026-12-12
4月27日 | 2026-04-27
四月二十七号 | 2026-04-27
四月二十七 | 2026-04-27
12月3号 | 2025-12-03
27号 | 2026-10-27
二十一号 | 2026-11-21
十一月二十一日 | 2026-11-21
5月 | 2026-05-01 | 2026-05-31
十二月份 | 2025-12-01 | 2025-12-31
2023年 | 2023-01-01 | 2023-12-31
二〇二三年 | 2023-01-01 | 2023-12-31
二〇二三年五月七日 | 2023-05-07
２０２３年５月７日 | 2023-05-07
2023 年 5 月 7 日 | 2023-05-07
23年5月 | 2023-05-01 | 2023-05-31
2023年5月初 | 2023-05-01 | 2023-05-10
5月中旬 | 2026-05-11 | 2026-05-20
五月下旬 | 2026-05-21 | 2026-05-31
5月上半月 | 2026-05-01 | 2026-05-15
十月第一周 | 2026-10-01 | 2026-10-07
5月的最后一周 | 2026-05-25 | 2026-05-31
在[2023-05-07]那个 | 2023-05-07
三天前 | 2026-11-18
两三天前 | 2026-11-18 | 2026-11-19
两周前 | 2026-11-02 | 2026-11-08
两个星期前 | 2026-11-02 | 2026-11-08
半个月前 | 2026-11-03 | 2026-11-09
一个月之前 | 2026-10-01 | 2026-10-31
三天前晚上 | 2026-11-18
一个半月前 | 2026-10-04 | 2026-10-10
一年半前 | 2025-05-01 | 2025-05-31
半年前 | 2026-05-01 | 2026-05-31
一年多前 | 2024-01-01 | 2025-12-31
几天前 | 2026-11-14 | 2026-11-19
前几天 | 2026-11-14 | 2026-11-20
这几天 | 2026-11-16 | 2026-11-21
三天后 | 2026-11-24
最近 | 2026-11-14 | 2026-11-21
最近三天 | 2026-11-18 | 2026-11-21
最近三天之前 | 1970-01-01 | 2026-11-17
过去一周 | 2026-11-14 | 2026-11-21
过去的一年里 | 2025-11-21 | 2026-11-21
近两周 | 2026-11-07 | 2026-11-21
近半年 | 2026-05-21 | 2026-11-21
前段时间 | 2026-09-22 | 2026-11-14
未来三天 | 2026-11-21 | 2026-11-24
5月1日到5月4日 | 2026-05-01 | 2026-05-04
5月1号至4号 | 2026-05-01 | 2026-05-04
5月1-4日 | 2026-05-01 | 2026-05-04
5月1日～4日 | 2026-05-01 | 2026-05-04
从周一到周三 | 2026-11-16 | 2026-11-18
周一至周五 | 2026-11-16 | 2026-11-20
上周五到周一 | 2026-11-13 | 2026-11-16
去年12月到今年2月 | 2025-12-01 | 2026-02-28
5月和6月之间 | 2026-05-01 | 2026-06-30
从3月到现在 | 2026-03-01 | 2026-11-21
2023-05-01到2023-05-04 | 2023-05-01 | 2023-05-04
自从去年5月 | 2025-05-01 | 2026-11-21
上周以来 | 2026-11-09 | 2026-11-21
从5月开始 | 2026-05-01 | 2026-11-21
5月1日之前 | 1970-01-01 | 2026-04-30
春节以后 | 2026-02-24 | 2026-11-21
截至上周五 | 1970-01-01 | 2026-11-13
到5月底为止 | 1970-01-01 | 2026-05-31
国庆 | 2026-10-01 | 2026-10-07
国庆那几天 | 2026-10-01 | 2026-10-07
国庆节当天 | 2026-10-01
十一假期 | 2026-10-01 | 2026-10-07
去年国庆 | 2025-10-01 | 2025-10-07
国庆前一周 | 2026-09-24 | 2026-09-30
国庆那周 | 2026-09-28 | 2026-10-04
春节 | 2026-02-16 | 2026-02-23
过年 | 2026-02-16 | 2026-02-23
除夕 | 2026-02-16
大年初三 | 2026-02-19
2024年春节 | 2024-02-09 | 2024-02-16
清明 | 2026-04-05
端午节 | 2026-06-19
端午前后 | 2026-06-16 | 2026-06-22
七夕 | 2026-08-19
中秋 | 2026-09-25
中秋那几天 | 2026-09-24 | 2026-09-26
2023年中秋节 | 2023-09-29
元旦 | 2026-01-01
五一 | 2026-05-01 | 2026-05-05
劳动节 | 2026-05-01 | 2026-05-05
双十一 | 2026-11-11
双11 | 2026-11-11
[双十一]起 | 2026-11-11
圣诞节 | 2025-12-25
第三季度 | 2026-07-01 | 2026-09-30
三季度 | 2026-07-01 | 2026-09-30
上季度 | 2026-07-01 | 2026-09-30
2025年Q3 | 2025-07-01 | 2025-09-30
上半年 | 2026-01-01 | 2026-06-30
下半年 | 2026-07-01 | 2026-12-31
2025年上半年 | 2025-01-01 | 2025-06-30
"""

# The same with another today in front.
OTHER_DAYS = """
2026-11-30 | next Wednesday | 2026-12-09
2026-11-30 | in [the new year] | 2027-01-01 | 2027-01-31
2026-11-30 | week on Tuesday | 2026-12-08
2026-12-05 | the 23rd to 4 January | 2025-12-23 | 2026-01-04
2026-12-05 | from 3 November through to 4 November | 2026-11-03 | 2026-11-04
2026-12-03 | next Fri | 2026-12-11
2026-12-05 | next Wednesday | 2026-12-09
2026-12-05 | next Saturday | 2026-12-12
2026-12-03 | coming Friday | 2026-12-04
2026-01-01 | yesterday | 2025-12-31
2026-01-01 | last month | 2025-12-01 | 2025-12-31
2026-01-01 | this week | 2025-12-29 | 2026-01-04
2026-01-01 | in [January] | 2026-01-01 | 2026-01-31
2026-01-01 | Q4 | 2025-10-01 | 2025-12-31
2026-01-01 | last quarter | 2025-10-01 | 2025-12-31
2026-01-01 | 上个月 | 2025-12-01 | 2025-12-31
2026-01-01 | 元旦 | 2026-01-01
2026-01-01 | 下半年 | 2025-07-01 | 2025-12-31
2026-01-15 | 年底 | 2025-11-15 | 2025-12-31
2027-01-20 | this winter | 2026-12-01 | 2027-02-28
2027-01-20 | 今年冬天 | 2026-12-01 | 2027-02-28
2027-01-20 | 去年冬天 | 2026-12-01 | 2027-02-28
2024-02-29 | today | 2024-02-29
2024-03-01 | yesterday | 2024-02-29
2024-03-01 | 昨天 | 2024-02-29
2024-03-31 | the last month | 2024-02-01 | 2024-02-29
2024-03-31 | past month | 2024-02-29 | 2024-03-31
2026-03-15 | Feb 29 | 2024-02-29
2026-03-15 | 2月29日 | 2024-02-29
2024-03-05 | late February | 2024-02-21 | 2024-02-29
2026-03-30 | on [the 31st] | 2026-01-31
2026-03-30 | 31号 | 2026-01-31
2026-11-23 | last weekend | 2026-11-21 | 2026-11-22
2026-11-23 | Monday | 2026-11-23
2026-11-23 | last Monday | 2026-11-16
2026-11-23 | next Monday | 2026-11-30
2026-11-18 | the day before yesterday | 2026-11-16
2026-11-18 | over [the weekend] | 2026-11-14 | 2026-11-15
2026-11-18 | 周末 | 2026-11-14 | 2026-11-15
2026-11-17 | from Monday to Wednesday | 2026-11-09 | 2026-11-11
2026-02-10 | 春节 | 2025-01-28 | 2025-02-04
2026-09-30 | 国庆 | 2025-10-01 | 2025-10-07
2026-10-03 | 国庆 | 2026-10-01 | 2026-10-07
2026-12-31 | tomorrow | 2027-01-01
2026-12-31 | next month | 2027-01-01 | 2027-01-31
"""

IN_QUESTIONS = """
what did we decide about redis [last Tuesday]? | 2026-11-17
on [the 3rd] Orla comes over | 2026-11-03
Who came to dinner on [Friday night], and what did they bring? | 2026-11-20
Summarise the meetings [between May 1 and May 4], please. | 2026-05-01 | 2026-05-04
what have I been working on [lately]? | 2026-11-14 | 2026-11-21
[Last week]'s decisions about the index | 2026-11-09 | 2026-11-15
What changed [since last Friday] in the parser? | 2026-11-20 | 2026-11-21
Which books did I read in [the summer of 2023]? | 2023-06-01 | 2023-08-31
What happened [yesterday]... and why? | 2026-11-20
How was [Christmas] at my parents' house? | 2025-12-24 | 2025-12-26
why did we drop python 3.9 in [October]? | 2026-10-01 | 2026-10-31
What did Caroline do [the week before 9 June 2023]? | 2023-06-02 | 2023-06-08
[上周五]我跟老王聊了什么 | 2026-11-13
[国庆那几天]我们去了哪里玩？ | 2026-10-01 | 2026-10-07
我[昨天晚上]吃的那家面馆叫什么 | 2026-11-20
[最近三天]有没有提到 Redis 的决定 | 2026-11-18 | 2026-11-21
我[去年]生日老婆送了我什么 | 2025-01-01 | 2025-12-31
[去年夏天]去日本的行程是怎么安排的 | 2025-06-01 | 2025-08-31
[4月27号]那场会议的结论 | 2026-04-27
[11月13号]高架堵车 | 2026-11-13
[11月13号]线路故障 | 2026-11-13
[十一月三号]楼下见 | 2026-11-03
[11月13号到15号]机场接人 | 2026-11-13 | 2026-11-15
[上个月5号]公司年会 | 2026-10-05
[11月]13号线开通了吗 | 2026-11-01 | 2026-11-30
[12月6号]守门员手套到货 | 2025-12-06
[11月]3号楼停水 | 2026-11-01 | 2026-11-30
[上个月底]定的预算是多少 | 2026-10-21 | 2026-10-31
关于缓存，我们[两周前]是怎么决定的？ | 2026-11-02 | 2026-11-08
[从周一到周三]我都见了谁 | 2026-11-16 | 2026-11-18
"""

NO_DATES = """
2/3 杯奶
每天 10-15 分钟
约了 10-11 点
1/20 的概率
9/10 分
on the 3rd Floor is a café
on the 1st Class passengers had tea
on the 5th Avenue is closed
May I ask you something?
may I
you may have been right
this may be wrong
May the force be with you
March on Washington
they march on
the Mayor of London
April said hello
what does June think of jazz
mail from Jan
the sun is out
he sat down
I wed her
a second opinion
just a second
the second half of the game
the last week of school
mon ami
python 3.11.7
version 1.2.3
v2023.5.7
192.168.1.1
10.0.2023.5.7
open 24/7
call 138-1234-5678
13912345678
in 2000 steps
in the 1900s
2023 users
port 2023
it cost $2023
Q3_total
fooQ3
Q1: what is this
February 30
May 45
2023-13-01
2023-02-30
13/13/2023
31/04/2023
on the 14th floor
used by 3rd-party packages
the 14th century
every Monday
on Fridays
on a Tuesday
every summer
in summer
the fall of Rome
the weekend of my birthday
Easter eggs
friday@example.com
sunday.md
#tuesday
may 5 users
march 3 miles
half past nine
the end of the day
the middle of nowhere
long ago
the week
a week
for three days
five days
周杰伦的歌
晚上周杰伦的演唱会
周
日
月亮
晚上月亮很圆
5号线
3号楼
12号桌
5号门
2号门
13号高架
神舟十号
天宫一号
第3号
编号27号
6号守门员手套
3号烤漆房
5号球衣
队服换成1号，绿的
座位是12号
20号工位
一天
每天
三天
两周
三个月
一年
一周三次
一月一次
每周五
每个周末
每月5号
每年国庆
十一点
十一个人
二十五一个
春天来了
五月天
13月
2月30日
三百五十天前
31月5日
4月31号
7日游
100日元
说明天气
目前天气
以后天天
如今天气
如今年轻人
过去
从前
后来
前端
周围
周期
两周年
附近三天
离我最近的地铁站
最近的医院
最近一次
今日头条
清明上河图
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def check(text: str, first: str, last: str, today: date) -> None:
    plain = text.replace("[", "").replace("]", "")
    start = max(text.find("["), 0)
    expected = text[start + 1 : text.index("]")] if "[" in text else text
    spans = find_dates(plain, today)
    assert [(str(s.first), str(s.last), s.start, s.text) for s in spans] == [(first, last, start, expected)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_word_has_two_meanings(language: str) -> None:
    told = [
        word for row in phrases.table("dates", language) if "kind" in row or "frame" in row
        for key, lines in row.items() if key not in ("kind", "frame", "takes", "leaves")
        for line in lines for word in split_words(line)
    ]  # fmt: skip
    assert [word for word, times in Counter(told).items() if times > 1] == []


@check_rows("row", rows(ENGLISH) + rows(CHINESE), ids=lambda row: row[0])
def test_an_expression_means_its_days(row: list[str]) -> None:
    check(row[0], row[1], row[-1], TODAY)


@check_rows("row", rows(OTHER_DAYS), ids=lambda row: " ".join(row[:2]))
def test_it_follows_the_day_it_is_asked_on(row: list[str]) -> None:
    check(row[1], row[2], row[-1], date.fromisoformat(row[0]))


@check_rows("row", rows(IN_QUESTIONS), ids=lambda row: row[0])
def test_it_is_found_inside_a_question(row: list[str]) -> None:
    check(row[0], row[1], row[-1], TODAY)


@check_rows("text", NO_DATES.strip().splitlines())
def test_a_false_friend_is_no_date(text: str) -> None:
    assert find_dates(text, TODAY) == []


def test_several_dates_come_in_order() -> None:
    text = "昨天 and last Tuesday, 或者 2023-05-07"
    assert [span.text for span in find_dates(text, TODAY)] == ["昨天", "last Tuesday", "2023-05-07"]


def test_the_longest_expression_wins() -> None:
    (span,) = find_dates("the week before last Tuesday", TODAY)
    assert span.text == "the week before last Tuesday"
    (span,) = find_dates("2023年国庆节那几天", TODAY)
    assert (span.text, span.first) == ("2023年国庆节那几天", date(2023, 10, 1))


def test_before_begins_at_the_epoch() -> None:
    (span,) = find_dates("before 2020", TODAY)
    assert (span.first, span.last) == (EPOCH, date(2019, 12, 31))


LUNAR = """
2015年大年初一 | 2015-02-19
2017年端午 | 2017-05-30
2018年七夕 | 2018-08-17
2020年中秋节 | 2020-10-01
2020年除夕 | 2020-01-24
2023年大年初一 | 2023-01-22
2025年重阳节 | 2025-10-29
2028年元宵节 | 2028-02-09
2032年中秋 | 2032-09-19
2033年除夕 | 2033-01-30
2050年端午 | 2050-06-23
2099年中秋 | 2099-09-29
2026年腊八 | 2026-01-26
2026年冬至 | 2026-12-22
2030年立春 | 2030-02-04
2045年小暑 | 2045-07-07
2027年清明 | 2027-04-05
2028年清明 | 2028-04-04
"""


@check_rows("row", rows(LUNAR), ids=lambda row: row[0])
def test_a_lunar_feast_falls_on_its_published_day(row: list[str]) -> None:
    check(row[0], row[1], row[1], TODAY)


@pytest.mark.slow
def test_a_text_without_a_word_of_time_loads_no_language() -> None:
    script = (
        "import sys; from datetime import date; from memcli.text.dates import find_dates;"
        "print(find_dates('what is the name of my dog? 我的狗叫什么', date(2026, 11, 21)),"
        "[name for name in ('english', 'chinese', 'meaning') if f'memcli.text.dates.{name}' in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[] []"


VOCABULARY = (
    "the last next this day week month year before after since until from to between and of on in early mid first "
    "second May Tuesday 5 14th 2023 Q3 Christmas ago two a 3 31 - , ' 上 个 周 五 一 月 底 号 日 年 前 后 去年 今天 到 从 最近 天 "
    "半 国庆 第 季度 那 十 两 过去 的 每"
)
texts = st.text() | st.lists(st.sampled_from(VOCABULARY.split()), max_size=30).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)


@settings(deadline=None)
@given(texts, st.dates())
@example("the day before " * 500, TODAY)
@example("early " * 2000 + "May", TODAY)
@example("9999年12月31日后三年, 99999999年前, 9999 years ago, since 2099", date.max)
@example("tomorrow, last year, 三天前, 去年底, before yesterday", date.min)
@example("İ ß ﬁ Ⅷ ² ٣ days ago ３日 one", TODAY)
def test_any_text_gives_ordered_spans_that_are_its_own_words(text: str, today: date) -> None:
    end = 0
    for span in find_dates(text, today):
        assert end <= span.start < span.stop <= len(text)
        assert span.text == text[span.start : span.stop]
        assert span.first <= span.last
        end = span.stop
    assert all(span.first <= span.last for span in find_asked_dates(text, today))


# A list, and the days or months it names; what is said once holds for all of it.
LISTS = """
on 1 and 3 November | 1 | 3 November
November 1, 5 and 9 | November 1 | 5 | 9
the 1st, 5th and 9th of November | the 1st | 5th | 9th of November
10月1号和3号 | 10月1号 | 3号
11月1、2、3号 | 11月1 | 2 | 3号
去年10月1号和3号 | 去年10月1号 | 3号
"""


def test_days_of_a_list_have_the_month_and_year_that_it_says_once() -> None:
    for row in LISTS.strip().splitlines():
        text, *said = row.split(" | ")
        found = find_dates(text, TODAY)
        assert [span.text for span in found] == said, text
        assert len({(span.first.year, span.first.month) for span in found}) == 1, text
        assert all(span.first == span.last and f"{span.first.day}" in span.text for span in found), text


@pytest.mark.parametrize(
    "text", ["in March and April last year", "去年三月和四月", "March and May 2025", "2025年3月、4月和5月"]
)
def test_months_of_a_list_have_the_year_that_it_says_once(text: str) -> None:
    assert {span.first.year for span in find_dates(text, TODAY)} == {2025}


@pytest.mark.parametrize(
    "text", ["on Nov 1 and 12 people came", "3月5号和2个朋友吃饭", "Oct 3 and 9 friends", "11月1号和小王吃饭"]
)
def test_a_number_that_counts_ends_a_list(text: str) -> None:
    assert len(find_dates(text, TODAY)) == 1


@pytest.mark.parametrize("between", ["～", "–", "~", " to ", "到"])
def test_two_days_in_figures_are_a_range_whatever_stands_between(between: str) -> None:
    (span,) = find_asked_dates(f"2026-11-01{between}2026-11-03", TODAY)
    assert (span.first.day, span.last.day) == (1, 3)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in the last 48 hours", 19, 21), ("最近24小时", 20, 21), ("30分钟前", 21, 21), ("90分钟前", 21, 21),
        ("十一月第二个星期二", 10, 10), ("11月第二个星期一共", 8, 14), ("上周一和周三", 9, 11),
        ("yesterday and the day before", 19, 20),
    ],
)  # fmt: skip
def test_hours_minutes_and_days_of_a_week_are_told_apart(text: str, first: int, last: int) -> None:
    found = find_dates(text, TODAY)
    assert (min(span.first.day for span in found), max(span.last.day for span in found)) == (first, last)
