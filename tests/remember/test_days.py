"""Which day a note belongs to, and which of its days are written out."""

from __future__ import annotations

from datetime import date

from memcli.remember.days import leading_day, resolve_days
from tests.rows import check_rows

MONDAY = date(2026, 10, 12)


@check_rows(
    ("text", "day"),
    [
        ("10号交了电费", "2026-10-10"),
        ("十号交了电费", "2026-10-10"),
        ("10号体检了", "2026-10-10"),
        ("10号交房租了", "2026-10-10"),
        ("9号小李结婚了", "2026-10-09"),
        ("9号终于把车修好了", "2026-10-09"),
        ("9号孩子发烧了", "2026-10-09"),
        ("9号和老王吃了饭", "2026-10-09"),
        ("9号妈出院了", "2026-10-09"),
        ("9号去看了牙医", "2026-10-09"),
        ("10月1号去了长城", "2026-10-01"),
        ("10月9号修好了自行车", "2026-10-09"),
        ("10号晚上，看了电影", "2026-10-10"),
        ("前天买菜", "2026-10-10"),
        ("3天前买了菜", "2026-10-09"),
        ("2026-10-05 看牙", "2026-10-05"),
        ("3 October saw the dentist", "2026-10-03"),
        ("Oct 9 met Ana", "2026-10-09"),
        ("9 October walked the dog", "2026-10-09"),
        ("Oct 10: I paid the rent", "2026-10-10"),
        ("On 9 October Osian said his first whole sentence", "2026-10-09"),
        ("9th October: Osian's first whole sentence", "2026-10-09"),
        ("yesterday the boiler broke", "2026-10-11"),
        ("8月9日买了手表", "2026-08-09"),
        ("2025年3月9日买了手表", "2025-03-09"),
        ("2026年9月22日给林姐贴膜", "2026-09-22"),
        ("22 September 2026 party at Ana's", "2026-09-22"),
        ("9.22 宏运付了一半款", "2026-09-22"),
        ("9.22号交了电费", "2026-09-22"),
        ("2026-10-05 借的书今天还了", "2026-10-05"),
        ("昨天的会开了三个小时", "2026-10-11"),
        ("昨天妈妈做的红烧肉太好吃了", "2026-10-11"),
        ("昨天的考试考了90分", "2026-10-11"),
        ("昨天跟老王吃的火锅花了两百", "2026-10-11"),
        ("昨天去的时候还没开门", "2026-10-11"),
        ("昨天的会还没开完就散了", "2026-10-11"),
    ],
)
def test_a_note_that_tells_of_a_past_day_belongs_to_it(text: str, day: str) -> None:
    assert str(leading_day(text, MONDAY)) == day


@check_rows(
    "text",
    [
        "15号去给车做保养",
        "十五号去给车做保养",
        "7号内六角又丢了",
        "8号螺丝滑丝了",
        "2026年9月22日的票买了",
        "9.8 折买了",
        "3.5 寸硬盘坏了",
        "9.8 版发了",
        "10号锅坏了",
        "9号扳手找到了",
        "三号链条油卖完了",
        "二号电脑：阿杰驾照拿到了",
        "28号的高铁票买好了",
        "28号的高铁票买了",
        "11号交电费",
        "30号记得给妈妈过生日",
        "9月28号要还花呗",
        "10月5号的机票订好了",
        "20号约了牙医",
        "1号得把房租交了",
        "9号发了工资就还钱",
        "15号过生日",
        "8号别忘了取快递",
        "10月9号跟小李见面",
        "3号买了冰箱的话要留发票",
        "9 October pay the rent",
        "5 Oct have to renew the passport",
        "Oct 9 dentist at ten",
        "24 Sep booked the hotel",
        "On 9 October pay the rent",
        "12 March: the visa runs out",
        "9 October we will move",
        "20 Sep shared flat, viewing at ten",
        "3 March met Ana",
        "前天拍的片子今天出结果了，没事",
        "前天买的牛奶坏了",
        "昨天借的书还没看",
        "上周三约的瓦匠没来",
        "昨天说好的评审取消了",
        "上周五借的书今天还了",
        "Yesterday I got the results and called Ana today",
        "两天前下单的书到了",
        "前天买的橙子坏了两个",
        "昨天买的苹果烂了一半",
        "昨天下单的书到了三本",
        "上周五的会议纪要还没发",
        "上周五的会议纪要还没发，先整理",
        "昨天的菜还剩一半",
    ],
)
def test_a_note_that_plans_or_tells_no_time_belongs_to_today(text: str) -> None:
    assert leading_day(text, MONDAY) is None


@check_rows(
    ("text", "written"),
    [
        ("一周后还书", "一周后（2026-10-19）还书"),
        ("下个月 5 号交房租", "下个月 5 号（2026-11-05）交房租"),
        ("半个月后还书", "半个月后（2026-10-27）还书"),
        ("下周三之前交表", "下周三（2026-10-21）之前交表"),
        ("周五前交报告", "周五（2026-10-16）前交报告"),
        ("截至下周三", "截至下周三（2026-10-21）"),
        ("明天之前回复", "明天（2026-10-13）之前回复"),
        ("月底之前要还信用卡", "月底（2026-10-31）之前要还信用卡"),
        ("下周之前给答复", "下周（2026-10-19）之前给答复"),
        ("下月3号体检", "下月3号（2026-11-03）体检"),
        ("这个月15号还款", "这个月15号（2026-10-15）还款"),
        ("明年3月5号到期", "明年3月5号（2027-03-05）到期"),
        ("下周五", "下周五（2026-10-23）"),
        ("停车月卡下个月起420", "停车月卡下个月（2026-11-01）起420"),
        ("从下周起晚班改到十点", "从下周（2026-10-19）起晚班改到十点"),
        ("明年起，房租涨5%", "明年（2027-01-01）起，房租涨5%"),
        ("from next month parking is 420", "from next month (2026-11-01) parking is 420"),
        ("parking is 420 starting next week", "parking is 420 starting next week (2026-10-19)"),
        ("看牙改到周四", "看牙改到周四（2026-10-15）"),
        ("会议往后推到周四", "会议往后推到周四（2026-10-15）"),
        ("这周例会改到周四", "这周例会改到周四（2026-10-15）"),
        ("试听课定在周三", "试听课定在周三（2026-10-14）"),
        ("tmrw dentist at 9", "tmrw (2026-10-13) dentist at 9"),
        ("dentist half 3 on Thurs week", "dentist half 3 on Thurs week (2026-10-22)"),
        ("AGM tomorrow fortnight at 11", "AGM tomorrow fortnight (2026-10-27) at 11"),
        ("last wk I moved", "last wk (2026-10-05 to 2026-10-11) I moved"),
        ("rotate the key in a week", "rotate the key in a week (2026-10-19)"),
        ("hand it in by Friday", "hand it in by Friday (2026-10-16)"),
        ("before the end of the month", "before the end of the month (2026-10-31)"),
        ("by the end of next week, please", "by the end of next week (2026-10-25), please"),
        ("on the 5th of next month", "on the 5th of next month (2026-11-05)"),
        ("we decided to review it in a week", "we decided to review it in a week (2026-10-19)"),
        ("20:53 call the yard in a week", "20:53 call the yard in a week (2026-10-19)"),
        ("met Ana on 3 August. In a week we talk", "met Ana on 3 August. In a week (2026-10-19) we talk"),
        ("We drove home the day before yesterday", "We drove home the day before yesterday (2026-10-10)"),
        ("I moved last week", "I moved last week (2026-10-05 to 2026-10-11)"),
        ("two weeks ago I moved", "two weeks ago (about 2026-09-28) I moved"),
        ("last weekend we hiked", "last weekend (2026-10-10 to 2026-10-11) we hiked"),
        ("上周搬到大房间", "上周（2026-10-05 到 2026-10-11）搬到大房间"),
        ("两周前换的轮胎", "两周前（约 2026-09-28）换的轮胎"),
        ("三个星期前搬的家", "三个星期前（约 2026-09-21）搬的家"),
        ("别忘了周五给小费送资料", "别忘了周五（2026-10-16）给小费送资料"),
        ("星期天拜访老蔡", "星期天（2026-10-18）拜访老蔡"),
        ("周三下午三点半给宏运送发票", "周三（2026-10-14）下午三点半给宏运送发票"),
        ("20号晚上请师傅吃饭", "20号（2026-10-20）晚上请师傅吃饭"),
        ("don't forget to call the bank on Friday", "don't forget to call the bank on Friday (2026-10-16)"),
        ("[ ] ring the bank on the 14th", "[ ] ring the bank on the 14th (2026-10-14)"),
        ("[ ] deliver the crates Fri 16th", "[ ] deliver the crates Fri 16th (2026-10-16)"),
        ("[ ] book the MOT before the 20th", "[ ] book the MOT before the 20th (2026-10-20)"),
        ("remember to send the quote by the 5th", "remember to send the quote by the 5th (2026-11-05)"),
        ("[ ] 5号之前交电费", "[ ] 5号（2026-11-05）之前交电费"),
        ("saw Ana last Friday", "saw Ana last Friday (2026-10-09)"),
        ("下周五20号家长会", "下周五（2026-10-23）20号家长会"),
        ("明天去买10月20号的票", "明天（2026-10-13）去买10月20号的票"),
    ],
)
def test_a_day_relative_to_today_is_written_out(text: str, written: str) -> None:
    assert resolve_days(text, MONDAY) == written


@check_rows(
    "text",
    [
        "今晚吃火锅",
        "下周三四去县里开会",
        "下周起床早一点",
        "从下周到下个月都在外面",
        "本月起涨价",
        "9月起涨价",
        "下周开始健身",
        "I am away next week",
        "last month we painted the hall",
        "the other day we met",
        "the notes from next week's call",
        "下周五10月23号家长会，带水杯",
        "后天（10月14号）体检",
        "10月23号下周五家长会",
        "昨天10月11号买了菜",
        "tomorrow, 13 October, dentist",
        "yesterday (11 Oct) I met Ana",
        "next Friday 23 October parents' evening",
        "明天（2026-10-20）的事",
        "周三下午三点开会",
        "周四开会，周五 8 点交报告",
        "周末去爬山",
        "Friday's call with Ana",
        "tidy up at the weekend",
        "周六去爬山了",
        "周六爬山很累",
        "周日跟老同学聊得很开心",
        "周五限行",
        "周五给孩子送饭",
        "每周五给老妈寄钱",
        "remember to water the plants every Friday",
        "两周前（约 2026-09-28）换的轮胎",
        "每周五健身",
        "下周要出差",
        "月底交房租",
        "15号去保养",
        "10月20号前把报税弄完",
        "2026-10-20 周二开会",
        "周二（2026-10-20）开会",
        "周四（2026-10-15）开会",
        "夜班换到周五了",
        "陶艺课改到周六上午了",
        "往后日语挪到周四晚上九点",
        "王总改规矩了，周报提前到周四中午",
        "新规矩：卫生改到周四打扫",
        "例会定到周四",
        "周报改到周四",
        "组会挪到周三下午",
        "瑜伽课定在周三",
        "dentist on Thursday 26 November",
        "一个月后复查，就是 12 月 19 号",
        "夜骑从周三改到周四",
        "把例会从周一挪到周五",
        "the standup moved from Tuesday to Friday",
        "my shift is now earlies Mon to Wed, 7.30 start",
        "on call Mon to Wed this week",
        "这周晚上都满房",
        "这周早上都在130上下",
        "这周天气好",
        "下周二楼要刷漆",
        "换了4节五号的",
        "科三约到11月6号",
        "tonight at eight",
        "on Thursday I met Ana",
        "Called Ana on Thursday",
        "no meetings on Friday",
        "the shop opens on Thursday",
        "every Friday yoga",
        "by 3 December",
        "moved to 3 December",
        "within ten days",
        "3 August ferritin at 11, retest in three months",
        "on 15 July we agreed to meet in two weeks",
        "three dead trees in two years",
        "以后周四 9 班的小测改到周二",
        "每周五下午第三节班会，改到周四",
        "from now on the quiz is due by Tuesday",
        "payday's the last Friday",
        "the barley order moved to the second Monday of the month",
        "we lost three matches in two weeks",
        "the best harvest in five years",
        "they want payment in 30 days instead of 45",
        "Robertson pays in 60 days",
        "Concrete cures in 28 days",
        "Galvo turn things round in 6 days usually",
        "Mats grew 7 cm in six months",
        "7月15日说好两周后再看",
        "/scratch 上超过 30 天没动的文件会被清掉",
        "小鼠 5 天后死了两只",
        "潜伏期 5 天后发病",
        "每隔 3 天后换一次水",
        "存储 180 天后自动归档",
        "before Christmas",
        "[ ] pay the rent on the 1st of every month",
        "[ ] every month send the figures before the 20th",
        "[ ] 每月5号之前交电费",
        "[ ] move the desk to the 14th floor",
        "the parcel left the depot on the 14th",
    ],
)
def test_a_day_that_is_the_same_later_or_today_is_not_written_out(text: str) -> None:
    assert resolve_days(text, MONDAY) == text


@check_rows(
    ("text", "written", "day"),
    [
        ("meet Zoe this Friday", "meet Zoe this Friday", None),
        ("this Tuesday dentist at ten", "this Tuesday dentist at ten", None),
        ("this Tuesday I saw the dentist", "this Tuesday (2026-10-13) I saw the dentist", date(2026, 10, 13)),
    ],
)
def test_this_friday_on_a_sunday_may_be_the_next_one(text: str, written: str, day: date | None) -> None:
    sunday = date(2026, 10, 18)
    assert (resolve_days(text, sunday), leading_day(text, sunday)) == (written, day)


@check_rows(
    "text",
    [
        "上周日语课讲敬语，没听懂",
        "下周日本客户来",
        "往后日语都在周四上",
        "往后天热了再装空调",
        "毕业后日语全忘了",
        "上周日子不好过",
        "上周日用品花了300",
        "下午后天台漏水",
        "搬家后天天堵车",
        "上周六家店一起盘点",
        "上周五件衣服送洗",
        "下周二维码要换",
        "上周三轮车坏了",
        "上周五金店关门",
        "下周一模考试",
    ],
)
def test_no_day_is_cut_out_of_another_word(text: str) -> None:
    assert (resolve_days(text, MONDAY), leading_day(text, MONDAY)) == (text, None)


@check_rows(
    ("text", "written"),
    [
        ("下周日语音会议", "下周日（2026-10-25）语音会议"),
        ("下周日记得带水", "下周日（2026-10-25）记得带水"),
        ("下周六家里聚餐", "下周六（2026-10-24）家里聚餐"),
        ("下周五台风登陆", "下周五（2026-10-23）台风登陆"),
        ("下周一模拟面试", "下周一（2026-10-19）模拟面试"),
        ("后天天气转凉", "后天（2026-10-14）天气转凉"),
        ("后天台风登陆", "后天（2026-10-14）台风登陆"),
        ("我后天热水器到货", "我后天（2026-10-14）热水器到货"),
    ],
)
def test_a_day_before_a_word_that_begins_alike_stays_one(text: str, written: str) -> None:
    assert resolve_days(text, MONDAY) == written


@check_rows(
    "text",
    [
        "上周日和前天的照片都传了", "昨天和前天都没睡好", "昨天、前天都下雨", "昨天下午和周六的票都退了",
        "Yesterday and Friday I swam", "Yesterday and the day before it rained",
    ],
)  # fmt: skip
def test_of_two_days_joined_neither_is_that_of_the_note(text: str) -> None:
    written = resolve_days(text, MONDAY)
    assert not written.startswith("20")
    assert (leading_day(text, MONDAY), leading_day(written, MONDAY)) == (None, None)
