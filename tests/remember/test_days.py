"""Which day a note belongs to, and which of its days are written out."""

from __future__ import annotations

from datetime import date

from memcli.remember.days import leading_day
from tests.rows import check_rows

MONDAY = date(2026, 10, 12)


@check_rows(
    ("text", "day"),
    [
        ("10号交了电费", "2026-10-10"),
        ("十号交了电费", "2026-10-10"),
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
        ("yesterday the boiler broke", "2026-10-11"),
    ],
)
def test_a_note_that_tells_of_a_past_day_belongs_to_it(text: str, day: str) -> None:
    assert str(leading_day(text, MONDAY)) == day


@check_rows(
    "text",
    [
        "15号去给车做保养",
        "十五号去给车做保养",
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
        "9 October we will move",
        "20 Sep shared flat, viewing at ten",
    ],
)
def test_a_note_that_plans_or_tells_no_time_belongs_to_today(text: str) -> None:
    assert leading_day(text, MONDAY) is None
