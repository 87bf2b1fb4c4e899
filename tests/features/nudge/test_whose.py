"""What is nobody's promise, has another day by now, or is of one kind alone is not brought up; what is near is."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from memcli.features.nudge import outcomes, propose
from tests.features.nudge.test_proposals import found, lay, log, on, texts


@pytest.mark.parametrize("line", ["老褚没答应帮忙搬家", "我还没有答应老周帮他看合同", "他不肯答应借车"])
def test_what_nobody_promised_is_no_duty(folder: Path, line: str) -> None:
    log(folder, "2026-11-02", line)
    assert texts(folder, date(2026, 11, 17)) == []


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("记得11月20号给奶盖打针", date(2026, 11, 19)),
        ("科三约到11月6号", date(2026, 11, 5)),
        ("年检约了11月20号", date(2026, 11, 19)),
        ("11.20 交年检费", date(2026, 11, 19)),
        ("周五晚上 7 点约阿坤取镜头", date(2026, 11, 6)),
        ("双十二前把报价单发了", date(2026, 12, 11)),
        ("remember to get Biscuit his jab on 20 November", date(2026, 11, 19)),
    ],
)
def test_what_has_a_day_comes_before_it(folder: Path, line: str, day: date) -> None:
    log(folder, "2026-11-01", line)
    assert texts(folder, day) == [line]


@pytest.mark.parametrize(
    ("line", "is_ours"),
    [
        ("Contract for the panto, I'm programmer. Plot starts 16 November, runs till 3 January", True),
        ("Term is starting on 16 November", True),
        ("Simone starts her new job on 16 November", False),
    ],
)
def test_what_starts_is_not_taken_for_a_person(folder: Path, line: str, is_ours: bool) -> None:
    log(folder, "2026-10-28", line)
    assert bool(texts(folder, date(2026, 11, 10))) == is_ours


@pytest.mark.parametrize(
    ("line", "is_waited_for"),
    [
        ("Simone likes: labels in CAPS, no effects engine, chases as cue lists. Wants mine set up alike", False),
        ("the rainbow chase on channel 5 looks cheap", False),
        ("chased the agent about the deposit", True),
        ("chase Dave for the deposit", True),
    ],
)
def test_a_chase_of_lights_is_not_waited_for(folder: Path, line: str, is_waited_for: bool) -> None:
    log(folder, "2026-10-28", line)
    assert bool(texts(folder, date(2026, 11, 12))) == is_waited_for


LONG = "allotment rent due, 62 a year for the half plot, pay by 23 November to the association (Glenys, the treasurer)"


@pytest.mark.parametrize(
    ("duty", "later", "is_over"),
    [
        (LONG, "Paid Glenys the allotment rent", True),
        (LONG, "Paid the allotment rent, 62 by bank transfer, got a receipt in the post", True),
        (LONG, "still haven't paid Glenys the allotment rent", False),
        (LONG, "Paid Glenys for the seed potatoes", False),
        (LONG, "the allotment rent has to be paid to Glenys", False),
        ("11月23号前要把今年的物业费和车位费交给3号楼一层前台的小周，带上门禁卡和去年的收据", "物业费、车位费交了", True),
        ("11月23号前要把物业费交给小周", "物业费还没交完", False),
    ],
)  # fmt: skip
def test_what_a_later_line_says_was_done_is_over(folder: Path, duty: str, later: str, is_over: bool) -> None:
    log(folder, "2026-11-02", duty)
    log(folder, "2026-11-12", later)
    assert (duty not in texts(folder, date(2026, 11, 22))) == is_over


@pytest.mark.parametrize(
    ("first", "later", "now"),
    [
        ("dentist on 26 November at nine", "the dentist moved to 3 December", "the dentist moved to 3 December"),
        ("11月26日上午九点看牙", "看牙改到12月3日上午", "看牙改到12月3日上午"),
        ("[ ] pay the roofer by 26 November", "paying the roofer is postponed until 10 December", None),
        (
            "they moved the switch of our client records to 26 November, the RxWorks licence lasts a while, no panic",
            "RxWorks says the records have dupes, won't go on the 26th like this. New date is 11 January",
            None,
        ),
        (
            "诊所装修的师傅约了11月26日来量尺寸，电梯要提前跟物业报备，备好门禁卡和图纸",
            "师傅26号有事，量尺寸推迟到1月11号",
            None,
        ),
    ],
)
def test_a_day_that_moved_is_not_nagged_about(folder: Path, first: str, later: str, now: str | None) -> None:
    log(folder, "2026-11-02", first)
    log(folder, "2026-11-10", later)
    assert first.removeprefix("[ ] ") not in texts(folder, date(2026, 11, 25))
    if now:
        assert texts(folder, date(2026, 12, 2)) == [now]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("the dentist moved to 26 November", "the standup moved to 24 November"),
        ("汇报改到11月26日上午十点", "牙医改到11月24日"),
        ("school play on 26 November, Ana sings solo", "the dentist can't do the 26th, moved to 4 January"),
    ],
)
def test_what_was_moved_is_brought_up_when_something_else_was_moved_later(folder: Path, first: str, later: str) -> None:
    log(folder, "2026-11-18", first)
    log(folder, "2026-11-20", later)
    assert first in texts(folder, date(2026, 11, 25))


def test_a_birthday_in_the_memory_comes_near(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "# Memory\n\n- Aoife's birthday is 25 November\n- 小鱼的生日是11月25日\n"})
    assert sorted(texts(folder, date(2026, 11, 21))) == ["Aoife's birthday is 25 November", "小鱼的生日是11月25日"]


def test_no_kind_takes_the_whole_day(folder: Path) -> None:
    log(
        folder,
        "2026-11-02",
        *(f"[ ] pay {name} by 22 November" for name in ("Ana", "Ben", "Cleo")),
        "train to Porto on 23 November",
    )
    assert sorted(each.kind for each in found(folder, date(2026, 11, 21))) == ["day", "task", "task"]


@pytest.mark.parametrize(
    ("line", "days", "why"),
    [
        ("flight home changed, Aer Lingus cancelled the 19th, going 21 December 17:35 instead", (16, 21), "trip"),
        ("19号的航班取消了，改成12月21号的高铁", (16, 21), "trip"),
        ("xmas flight on 21 December cancelled, staying here", (), ""),
        ("12月21号的航班取消了，在家过年", (), ""),
        ("Chalkbook is 3 euro a month from 15 December", (8, 15), "comes"),
        ("senior review talk with Tobias is 15 December at 14:00", (13, 15), "appointment"),
        ("code review session on 15 December, 15:00", (13, 15), "appointment"),
        ("12月15号 14:00 年度复盘会", (13, 15), "appointment"),
        ("keep the heating at 18, review on 15 December", (14, 31), "to be looked at again"),
    ],
)
def test_a_plan_comes_in_its_days_alone(folder: Path, line: str, days: tuple[int, ...], why: str) -> None:
    log(folder, "2026-11-12", line)
    shown = [day for day in range(1, 32) if texts(folder, date(2026, 12, day))]
    assert (shown[:1] + shown[-1:]) == list(days)
    assert all(found(folder, date(2026, 12, day))[0].why.startswith(why) for day in days)
    assert not found(folder, date(2027, 1, 25))


def test_what_an_airline_cancelled_is_not_brought_up_and_what_came_in_its_place_is(folder: Path) -> None:
    log(folder, "2026-11-02", "xmas flight with Aer Lingus on 19 December")
    assert texts(folder, date(2026, 12, 17))
    new = "xmas flight changed, Aer Lingus cancelled the 19th, going 21 December 17:35 instead"
    log(folder, "2026-11-12", new)
    assert texts(folder, date(2026, 12, 17)) == [new]


@pytest.mark.parametrize(
    "line", ["[ ] passport expires 22 January 2027, renew before Christmas", "[ ] 护照2027年1月22日到期，圣诞前换好"]
)
def test_what_expires_is_a_task_weeks_before(folder: Path, line: str) -> None:
    log(folder, "2026-11-02", line)
    shown = []
    for day in range(60):
        vault = on(folder, date(2026, 11, 10) + timedelta(days=day))
        outcomes.note_brought(vault, here := propose.proposals(vault))
        shown += [(vault.today - date(2026, 12, 24)).days] * bool(here)
    assert shown[0] == -28 and shown[1] in (-7, -6) and shown[2] in (-1, 0)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("周凯在绵阳上班，周五晚上的高铁回成都", 19),
        ("Tom takes the train to Leeds on Fridays, back on Sunday", 21),
        ("dentist Friday at nine", 19),
    ],
)
def test_a_weekday_in_a_lasting_note_is_every_week(folder: Path, line: str, day: int) -> None:
    lay(folder, {"MEMORY.md": f"- {line}\n"})
    assert not found(folder, date(2026, 11, day))
    lay(folder, {"MEMORY.md": f"- {line}, 2026-11-{day + 1} 14:00\n"})
    assert found(folder, date(2026, 11, day))


def test_a_rule_somebodys_journey_and_a_day_beside_a_promise_are_no_plans(folder: Path) -> None:
    log(folder, "2026-11-02", "装修噪音只准工作日 9点到12点，周末不许动电锤")
    assert not found(folder, date(2026, 11, 6))
    log(folder, "2026-11-02", "硬装推到11月20号，贴砖的老郭回老家收谷子了")
    assert [each.why for each in found(folder, date(2026, 11, 19))] == ["comes tomorrow"]
    log(folder, "2026-11-02", "11月20号高铁回老家")
    assert [each.why for each in found(folder, date(2026, 11, 19))] == ["trip tomorrow"]
    log(folder, "2026-11-02", "施工围挡要到11月20号才拆，我答应给他把目标降一成", "11月20号前要给老周报价，我答应他了")
    assert {str(each.due) for each in found(folder, date(2026, 11, 21))} == {"None", "2026-11-20"}
