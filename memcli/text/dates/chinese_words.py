"""The Chinese vocabulary of time, and the neighbours that make a word something else. No grammar here."""

from __future__ import annotations

from . import feasts
from .feasts import Feast, on
from .periods import EARLY, LATE, MID


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FIGURES = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0}
DAYS = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3,
    "前晚": -2, "昨早": -1, "昨晚": -1, "昨夜": -1, "今早": 0, "今晨": 0, "今晚": 0, "今夜": 0, "明早": 1, "明晚": 1,
}  # fmt: skip
DAYPARTS = _set("早上 上午 中午 下午 晚上 夜里 夜晚 凌晨 早晨 清晨 傍晚 半夜 深夜 一早 晚间")
YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "下一年": 1, "后年": 2,
}  # fmt: skip
SHIFTS = {
    "上上个": -2, "上上": -2, "上一个": -1, "上一": -1, "上个": -1, "上": -1,
    "这一个": 0, "这个": 0, "这一": 0, "这": 0, "本": 0,
    "下一个": 1, "下一": 1, "下个": 1, "下": 1, "下下个": 2, "下下": 2,
}  # fmt: skip
UNITS = {"周末": "weekend", "星期": "week", "礼拜": "week", "周": "week", "月": "month", "季度": "quarter"}
WEEKS = ("星期", "礼拜", "周")
WEEKDAYS = {c: n for n, c in enumerate("一二三四五六日")} | {"天": 6}
COUNTED_UNITS = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "个星期": "week", "礼拜": "week", "个礼拜": "week",
    "个月": "month", "季度": "quarter", "个季度": "quarter", "年": "year",
}  # fmt: skip
# 最近 is the days before today, 前段时间 the time before those: how many days back they begin and end.
LATELY = {
    "最近": (7, 0), "近来": (7, 0), "近日": (7, 0), "近期": (30, 0), "这阵子": (30, 0), "这段时间": (30, 0),
    "这些天": (7, 0), "前些天": (7, 1), "前些日子": (60, 7), "前阵子": (60, 7), "前段时间": (60, 7),
    "前一阵子": (60, 7), "前一段时间": (60, 7),
}  # fmt: skip
ROLLING = {"最近": -1, "过去": -1, "近": -1, "这": -1, "未来": 1, "接下来": 1, "今后": 1}
SEASONS = {c + s: n for n, c in enumerate("春夏秋冬", start=1) for s in "天季"}
MONTH_PARTS = {
    "初": EARLY, "上旬": EARLY, "月初": EARLY, "中旬": MID, "中": MID, "月中": MID,
    "底": LATE, "末": LATE, "下旬": LATE, "月底": LATE, "月末": LATE,
}  # fmt: skip
YEAR_PARTS = {"年初": EARLY, "年中": MID, "年底": LATE, "年末": LATE}
HALF_YEARS = {"上半年": 1, "下半年": 2}
HALF_MONTHS = {"上半月": 0, "下半月": 1}
# 5月1号那周, 国庆那个月: the week, weekend or month around it.
THAT = {
    "那周": "week", "那一周": "week", "那个星期": "week", "那星期": "week", "当周": "week",
    "那个周末": "weekend", "那周末": "weekend", "那个月": "month", "当月": "month",
}  # fmt: skip

TO = ("一直到", "直到", "到", "至", "-")
FROM = ("自从", "从", "自", "由")
WITH = ("和", "与", "跟")
UNTIL = ("截止到", "截至到", "截至", "截止", "直到", "到")
NOW = ("现在", "目前", "如今", "今")
BEFORE = ("之前", "以前", "前")
AFTER = ("之后", "以后", "后")
SINCE = ("以来", "至今", "开始", "起")
HABITS = ("每", "每个", "每年", "每年的", "每月", "每个月", "每周", "逢")

# What stands right before a word and makes it part of another: 晚上|周, 基本|周期, 之前|年龄.
NOT_AFTER = {
    "上": frozenset("上晚早马网线路身楼车手世际本加算赶遇碰爱床桌墙脸船天以"),
    "下": frozenset("下一以当地乡楼手天私底如之"),
    "本": frozenset("日基根资样课书脚版文剧原成"),
    "前": frozenset("之以目先从生饭睡提跟面门眼空当"),
    "后": frozenset("以之然最午雨饭课会"),
    "明": frozenset("说证声表聪发光文"),
    "今": frozenset("如而至当"),
    "去": frozenset("过下上出回进"),
    "近": frozenset("附最将接靠远"),
}
# What stands right after one: 这|周围, 今日|头条, 五月|天, 上月|亮.
NOT_BEFORE = {
    "周": ("围", "边", "期间", "刊", "岁", "杰伦", "星驰", "润发", "恩来", "树人", "年庆"),
    "月": ("亮", "饼", "光", "球", "经", "嫂", "老", "怀胎", "一次", "两次", "三次"),
    "年": ("龄", "纪", "级", "轻", "代", "头"),
    "今日": ("头条",),
    "明日": ("方舟", "香"),
    "后天": ("性",),
    "最近": ("的地铁", "的医院", "的餐", "的咖啡", "的超市", "的加油", "的机场", "的车站", "的药", "的酒店", "的停车",
           "的银行", "的厕所", "的路", "的站", "的店", "的出口", "一次", "的一次"),
    "清明": ("上河",),
    "过年": ("龄",),
    "年三十": tuple("万千百个多天岁块元"),
    "前": (*"端台面任期提景辈后半者几往去天", "女友", "男友"),
    "后": tuple("来面台端续院卫勤期备悔果门边半天者几"),
}  # fmt: skip
# 周三|个人, 周一|起, 周日|程, 周五|百块: the figure belongs to what follows it.
NOT_WEEKDAY = (*"个次十百千万", "点钟")
NOT_WEEKDAY_BY_FIGURE = {
    "一": tuple("起直共些样同定"),
    "日": tuple("程报志记常历均本"),
    "天": tuple("气天津数空"),
}
# 5号线, 3号楼, 12号桌: a number on a thing.
NUMBERED = (
    *"线楼门院机店桌馆房厅车位球床码台队柜箱仓库井站铺卡油牌服屏栋座层室铁坑板舰令字键员病公文选",
    "路", "街", "单元", "出口", "航站", "高速", "工单", "问题", "实验", "方案", "模型", "选手", "会议室",
)  # fmt: skip
NOT_NUMBERED_AFTER = (*"第编宫问娥舟征星网国式头型账帐挂信记符称外代", "编号")
# What may follow a day without 号, or the 中 of 5月中, and leave it a date: 5月7我们…
PLAIN_TAILS = frozenset("我你他她咱的那去在和到至与跟是有早晚上下")
# 5日元, 7日游, 3日内: not a day of a month.
NOT_A_DAY = (*"元圆本币内游间均报志程期前后常子", "以内", "之内", "线")

_spring = feasts.lunar(feasts.SPRING, 0, 1, 6)
_national = on(10, 1, 0, 6)
_labour = on(5, 1, 0, 4)
FEASTS: dict[str, Feast] = {
    "元旦": on(1, 1), "春节": _spring, "过年": _spring, "除夕": feasts.lunar(feasts.SPRING, -1),
    "大年三十": feasts.lunar(feasts.SPRING, -1), "年三十": feasts.lunar(feasts.SPRING, -1),
    "元宵节": feasts.lunar(feasts.SPRING, 14), "正月十五": feasts.lunar(feasts.SPRING, 14),
    "情人节": on(2, 14), "妇女节": on(3, 8), "清明": Feast(feasts.qingming), "清明节": Feast(feasts.qingming),
    "五一": _labour, "五一节": _labour, "劳动节": _labour, "五一劳动节": _labour,
    "母亲节": feasts.nth(2, 6, 5), "六一": on(6, 1), "儿童节": on(6, 1), "六一儿童节": on(6, 1),
    "父亲节": feasts.nth(3, 6, 6),
    "端午": feasts.lunar(feasts.DRAGON_BOAT), "端午节": feasts.lunar(feasts.DRAGON_BOAT),
    "七夕": feasts.lunar(feasts.QIXI), "七夕节": feasts.lunar(feasts.QIXI), "教师节": on(9, 10),
    "中秋": feasts.lunar(feasts.MID_AUTUMN), "中秋节": feasts.lunar(feasts.MID_AUTUMN),
    "八月十五": feasts.lunar(feasts.MID_AUTUMN),
    "国庆": _national, "国庆节": _national, "十一国庆": _national, "十一国庆节": _national,
    "重阳": feasts.lunar(feasts.DOUBLE_NINTH), "重阳节": feasts.lunar(feasts.DOUBLE_NINTH),
    "万圣节": on(10, 31), "双十一": on(11, 11), "双11": on(11, 11), "光棍节": on(11, 11),
    "感恩节": feasts.nth(4, 3, 11), "双十二": on(12, 12), "双12": on(12, 12), "平安夜": on(12, 24),
    "圣诞": on(12, 25), "圣诞节": on(12, 25), "跨年": on(12, 31, 0, 1),
} | {
    f"{year}初{figure}": feasts.lunar(feasts.SPRING, n)
    for year in ("大年", "年", "正月")
    for n, figure in enumerate("一二三四五六七八")
}  # fmt: skip
# 十一 alone is a number; with one of these it is the National Day.
NATIONAL_TAILS = ("假期", "长假", "黄金周", "期间", "放假", "那几天")
FEAST_DAY = ("当天", "那天", "当晚")
FEAST_DAYS = ("小长假", "长假", "假期", "黄金周", "期间", "那几天", "那阵", "放假")
# 周五一起, 十五一个: figures around 五一 and 六一 belong to something else.
NUMBER_FEASTS = ("五一", "六一")
NOT_NUMBER_FEAST_AFTER = frozenset("周期拜零〇一二三四五六七八九十百")
NOT_NUMBER_FEAST_BEFORE = tuple("个起直共些样同点号月次分位十百千万二三四五六七八九")
