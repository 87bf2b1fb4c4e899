"""What is brought up: when, how often, with why and from where; and what is never."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from memcli.features.nudge import choose, outcomes, propose
from memcli.features.nudge.propose import TimelyNudge
from memcli.text import phrases
from memcli.text.dates import find_coming_dates
from memcli.text.tables import rows
from memcli.vault.vault import Vault
from tests.conftest import opened

TABLES = Path(choose.__file__).parent / "language"
TODAY = date(2026, 11, 21)  # a Saturday


def lay(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def on(folder: Path, day: date, **settings: object) -> Vault:
    return opened(folder, datetime(day.year, day.month, day.day, 8, 30), **settings)


def found(folder: Path, day: date = TODAY, **settings: object) -> list[TimelyNudge]:
    return propose.proposals(on(folder, day, **settings))


def texts(folder: Path, day: date = TODAY, **settings: object) -> list[str]:
    return [each.text for each in found(folder, day, **settings)]


def log(folder: Path, day: str, *lines: str) -> None:
    lay(folder, {f"logs/{day}.md": "".join(f"- {line}\n" for line in lines)})


def test_an_appointment_of_a_whole_week_is_not_said_to_be_on_its_monday(folder: Path) -> None:
    log(folder, "2026-11-18", "the dentist moves to Wednesdays, starting next week")
    assert [each.why for each in found(folder, date(2026, 11, 22))] == ["appointment between 2026-11-23 and 2026-11-29"]


@pytest.mark.parametrize(
    ("line", "day", "why"),
    [
        ("from 1 December the phones divert to Limerick at 6 pm", date(2026, 11, 30), "comes tomorrow"),
        ("the pups are arriving 2 December", date(2026, 12, 1), "comes tomorrow"),
        ("arriving in Porto on 2 December", date(2026, 12, 1), "trip tomorrow"),
        ("Christmas: shut 25, 26, 27 December", date(2026, 12, 23), "comes in 2 days, on 2026-12-25"),
    ],
)
def test_what_comes_is_called_what_it_is(folder: Path, line: str, day: date, why: str) -> None:
    log(folder, "2026-11-18", line)
    assert [each.why for each in found(folder, day)] == [why]


@pytest.mark.parametrize(
    ("written", "line", "first", "kind"),
    [
        ("2026-11-02", "[ ] send the tax form by 30 November", "2026-11-23", "task"),
        ("2026-11-20", "[ ] call the bank by Monday", "2026-11-21", "task"),
        ("2026-11-02", "[ ] 11月30日之前交材料", "2026-11-22", "task"),
        ("2026-11-02", "promised Ana the recipe for the rye bread", "2026-11-16", "task"),
        ("2026-11-02", "答应老周帮他看合同", "2026-11-16", "task"),
        ("2026-11-02", "asked the landlord about the boiler, waiting for his reply", "2026-11-16", "task"),
        ("2026-11-02", "dentist on Thursday the 26th at nine", "2026-11-24", "day"),
        ("2026-11-02", "11月26日上午九点看牙", "2026-11-24", "day"),
        ("2026-11-21", "10:15 周四看牙", "2026-11-24", "day"),
        ("2026-11-20", "meeting with Karim tomorrow at ten", "2026-11-20", "day"),
        ("2026-11-20", "明天上午十点和小李开会", "2026-11-20", "day"),
        ("2026-11-07", "pay the rent on the 5th of every month", "2026-11-28", "task"),
        ("2026-11-07", "每个月 5 号给顾阿姨转房租", "2026-11-28", "task"),
        ("2026-11-07", "妈妈的生日是 11 月 30 日", "2026-11-25", "day"),
        ("2026-11-07", "妈 11 月 30 生日，别忘", "2026-11-25", "day"),
        ("2026-11-07", "周会说月底区里飞检，30 号前自查完", "2026-11-22", "task"),
        ("2026-11-07", "our wedding anniversary is on 28 November", "2026-11-23", "day"),
        ("2026-11-07", "2026-11-24 dentist at 10", "2026-11-22", "day"),
        ("2026-11-07", "My passport expires on 14 December 2026", "2026-11-16", "day"),
        ("2026-11-07", "护照2026年12月14日到期", "2026-11-16", "day"),
        ("2026-11-07", "choir fee, 5th of each month", "2026-11-28", "task"),
        ("2026-11-07", "每月五号交房租", "2026-11-28", "task"),
        ("2026-11-02", "train to Porto on 28 November", "2026-11-23", "day"),
        ("2026-11-02", "the piano goes on 28 November", "2026-11-21", "day"),
        ("2026-11-21", "[ ] check the lifejackets by the 22nd", "2026-11-21", "task"),
        ("2026-11-02", "[ ] 粽子带给老冉，三天内", "2026-11-03", "task"),
        ("2026-11-02", "[ ] answer the council within four weeks", "2026-11-23", "task"),
        ("2026-11-02", "[ ] ask Jonty for the warranty on the wash", "2026-11-16", "task"),
        ("2026-11-02", "[ ] 给赵可回报价，附两条样片", "2026-11-16", "task"),
        ("2026-11-02", "[ ] return Fr Liam's ladder, borrowed ages ago", "2026-11-16", "task"),
        ("2026-11-02", "asked the clinic for the papers, they'll send them on", "2026-11-16", "task"),
    ],
)
def test_a_duty_comes_in_its_time_and_not_before(folder: Path, written: str, line: str, first: str, kind: str) -> None:
    log(folder, written, line)
    day = date.fromisoformat(first)
    assert not found(folder, day - timedelta(days=1))
    (only,) = found(folder, day)
    assert (only.kind, only.citation, str(only.since)) == (kind, f"logs/{written}.md:1", written)
    assert only.why


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("排班表每月 30 号前要出", "2026-11-22"),
        ("Rosa's and my gym contract ends on 31 December 2026", "2026-12-03"),
        ("The flat: lease runs out on 31 March 2027, three months' notice", "2026-12-03"),
        ("The gym contract ends on 2027-02-20, seven weeks' notice", "2026-12-05"),
        ("健身房合同 2027-03-25 到期，提前十二周通知", "2026-12-03"),
        ("仓库租约 2027-01-30 到期，提前三十天通知", "2026-12-03"),
        ("The storage lease runs out on 30 January 2027, thirty days' notice", "2026-12-03"),
        ("护照2026-12-31到期", "2026-12-03"),
        ("mum's birthday is on 4 December", "2026-11-29"),
        ("妈妈生日是12月4日", "2026-11-29"),
        ("Decided on 2026-06-02 to keep the old car; look at it again in December", "2026-11-30"),
        ("2026-06-02 决定先不换车，十二月再看", "2026-11-30"),
        ("Liferaft has to be serviced again by the end of December 2026", "2026-12-03"),
        ("Decided on 2026-06-02 to lend the back room; talk about it again at the start of December", "2026-11-30"),
        ("Decided on 2026-06-02 to try the cheaper paint, check the hull on 10 December", "2026-12-09"),
        ("2026-06-02定的：老棚子先不拆，等到12月5日看漏不漏", "2026-11-30"),
        ("2026-06-02定的：只签半年，12月底再考虑要不要长签", "2026-12-25"),
        ("亲家母12月4日过生，爱吃桃片", "2026-11-29"),
        ("我跟老秦是1988年12月12日扯的证", "2026-12-07"),
        ("Orla and the boys land at Shannon on 2 December 2026", "2026-11-27"),
    ],
)
def test_what_lasts_has_its_days_too(folder: Path, line: str, first: str) -> None:
    lay(folder, {"MEMORY.md": f"# Memory\n\n- {line}\n"})
    day = date.fromisoformat(first)
    assert not found(folder, day - timedelta(days=1))
    assert [each.citation for each in found(folder, day)] == ["MEMORY.md:3"]


def test_a_date_that_does_not_exist_is_no_birthday(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- Clara's birthday: 1990-13-02\n- mum's birthday is on 4 December\n"})
    assert [each.citation for each in found(folder, date(2026, 11, 30))] == ["MEMORY.md:2"]


@pytest.mark.parametrize(
    ("line", "paid"),
    [
        ("房租每月5号交", "交了房租"),
        ("rent is due on the 5th of every month", "paid the rent"),
        ("rent of #home, flat #7 is due on the 5th of every month", "paid the rent of the home"),
    ],
)
def test_a_monthly_duty_comes_every_month_until_it_is_done(folder: Path, line: str, paid: str) -> None:
    log(folder, "2026-11-02", line)
    for day in (date(2026, 11, 4), date(2027, 1, 4)):
        (only,) = found(folder, day)
        assert (only.text, only.kind) == (line, "task")
    assert texts(folder, date(2027, 1, 20)) == []
    log(folder, "2027-02-03", paid)
    assert texts(folder, date(2027, 2, 4)) == []
    assert texts(folder, date(2027, 3, 4)) == [line]


@pytest.mark.parametrize("line", ["Ana wants monthly figures by the 5th", "the rent is due on the 5th monthly"])
def test_what_is_wanted_monthly_is_due_on_the_coming_day(folder: Path, line: str) -> None:
    log(folder, "2026-10-20", line)
    (only,) = found(folder, date(2026, 11, 30))
    assert only.due == date(2026, 12, 5)


def test_a_birthday_in_a_file_about_somebody_is_told_with_the_name(folder: Path) -> None:
    lay(folder, {"people/rosa.md": "---\nname: Rosa\nbirthday: 1988-11-24\n---\n\nA friend.\n"})
    (only,) = found(folder)
    assert only.text.startswith("Rosa: ") and only.citation == "people/rosa.md:3"
    assert "in 3 days" in only.why


@pytest.mark.parametrize(
    "line",
    [
        "[x] send the tax form by 23 November", "[-] send the tax form by 23 November", "some day learn the cello",
        "Ben has to hand in his thesis by 23 November", "the trip to Porto on 23 November is cancelled",
        "saw the dentist on Thursday", "would love to fly to Japan on 23 November", "Mozart's birthday is on 23 November",
        "隔壁刘家娃儿11月23号要去科技馆", "the hearing on 23 November, glad it's not me",
        "we were to go to Dublin on 23 November but that's off", "有空学大提琴", "她得在11月23日前交论文", "23号的饭局取消了", "[ ] buy milk",
    ],
)  # fmt: skip
def test_what_is_done_cancelled_dreamt_of_or_somebody_elses_is_left_alone(folder: Path, line: str) -> None:
    log(folder, "2026-11-02", line)
    # Whose birthday stands in the memory itself is somebody in the user's life.
    lay(folder, {} if line.startswith(("[", "Mozart")) else {"MEMORY.md": f"- {line}\n"})
    assert texts(folder) == []


def test_a_promise_that_a_later_line_keeps_is_over(folder: Path) -> None:
    log(folder, "2026-11-02", "promised Ana the recipe for the rye bread")
    log(folder, "2026-11-12", "sent Ana the rye recipe at last")
    assert texts(folder) == []


def test_a_decision_whose_reason_is_gone_is_brought_with_what_took_it_away(folder: Path) -> None:
    lay(
        folder,
        {"MEMORY.md": "- Decided on 2026-03-02 to keep the flat because the drawing school is round the corner\n"},
    )
    assert texts(folder) == []
    log(folder, "2026-11-19", "the drawing school is moving to the harbour")
    (only,) = found(folder)
    assert only.kind == "decision" and "moving to the harbour" in only.why and only.others == ("logs/2026-11-19.md:1",)


def test_a_topic_that_returns_without_an_end_is_brought_until_it_has_one(folder: Path) -> None:
    for day in ("2026-10-20", "2026-11-02", "2026-11-15"):
        log(folder, day, "should we keep the allotment?", "walked round the lake")
    (only,) = found(folder)
    assert only.kind == "topic" and len(only.others) == 2
    log(folder, "2026-11-20", "decided: the allotment goes to Ben")
    assert texts(folder) == []


def test_who_was_often_written_about_is_missed_after_two_months(folder: Path) -> None:
    lay(folder, {"people/ana.md": "---\nname: Ana\n---\n\nFrom school.\n"})
    for day in ("2026-08-20", "2026-08-27", "2026-09-05", "2026-09-12"):
        log(folder, day, "chess with Ana")
    assert texts(folder, date(2026, 11, 10)) == []
    assert [each.kind for each in found(folder, date(2026, 11, 13))] == ["person"]


def test_facts_that_disagree_are_brought_together(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- The office's address is Mill Lane 4\n- The office's address is Station Road 9\n"})
    assert [each.kind for each in found(folder)] == ["disagree"]


def test_what_three_days_teach_is_an_insight_unless_one_says_it(folder: Path) -> None:
    for day in ("2026-10-20", "2026-11-02", "2026-11-15"):
        log(folder, day, "slept badly after the late espresso")
    assert [each.kind for each in found(folder)] == ["insight"]
    lay(folder, {"insights.md": "- A late espresso and I sleep badly\n"})
    assert texts(folder) == []


def due(folder: Path, number: int = 5) -> None:
    log(folder, "2026-11-10", *(f"[ ] pay bill {'abcde'[at]} by {22 + at} November" for at in range(number)))


def test_at_most_three_a_day_the_nearest_first_and_the_same_all_day(folder: Path) -> None:
    due(folder)
    vault = on(folder, TODAY)
    first = propose.proposals(vault)
    assert [str(each.due) for each in first] == ["2026-11-22", "2026-11-23", "2026-11-24"]
    outcomes.note_brought(vault, first)
    assert [each.id for each in propose.proposals(vault)] == [each.id for each in first]
    outcomes.record_answer(vault, first[0].id, "accepted")
    assert len(propose.proposals(vault)) == 2  # the day has had its three
    assert texts(folder, nudge__most=1) != [] and texts(folder, nudge__most=0) == []


def test_the_overdue_task_and_the_one_due_first_come_before_a_note_that_names_a_day(folder: Path) -> None:
    log(folder, "2026-11-01", "[ ] send the receipt to the fire office by 12 November")
    log(folder, "2026-11-10", *(f"[ ] pay bill {'abc'[at]} by {23 + at} November" for at in range(3)))
    log(folder, "2026-11-11", "new tyres 22 November", "the jazz band 22 November")
    assert [str(each.due) for each in found(folder)] == ["2026-11-12", "2026-11-23", "2026-11-22"]


def test_a_box_for_what_the_user_waits_for_comes_before_its_day(folder: Path) -> None:
    log(folder, "2026-11-17", "[ ] chase Severnside about the bill on 23 November")
    assert [str(each.due) for each in found(folder)] == ["2026-11-23"]


def test_a_duty_without_a_box_is_overdue_for_two_weeks(folder: Path) -> None:
    log(folder, "2026-10-12", "Prentice wants the invoices by the end of the month")
    assert [str(each.due) for each in found(folder, date(2026, 11, 14))] == ["2026-10-31"]
    assert found(folder, date(2026, 11, 15)) == []


def test_what_was_brought_rests_until_its_day_is_near(folder: Path) -> None:
    log(folder, "2026-11-10", "[ ] pay the bill by 27 November")
    days = [TODAY + timedelta(days=ahead) for ahead in range(9)]
    shown = []
    for day in days:
        vault = on(folder, day)
        if here := propose.proposals(vault):
            outcomes.note_brought(vault, here)
            shown.append((day - TODAY).days)
    assert shown == [0, 5, 6, 7]  # six days ahead, the day before, the day, and overdue


def test_what_was_declined_never_comes_again(folder: Path) -> None:
    log(folder, "2026-11-10", "[ ] pay the bill by 27 November")
    vault = on(folder, TODAY)
    (only,) = propose.proposals(vault)
    outcomes.note_brought(vault, [only])
    outcomes.record_answer(vault, only.id[:5], "declined")
    assert not any(texts(folder, TODAY + timedelta(days=ahead)) for ahead in range(30))


def test_a_declined_memory_does_not_come_for_another_reason(folder: Path) -> None:
    log(folder, "2026-11-10", "let me know by 27 November", "dinner with Karim on 28 November, must pay by 25 November")
    vault = on(folder, TODAY)
    shown = propose.proposals(vault)
    outcomes.note_brought(vault, shown)
    for each in shown:
        outcomes.record_answer(vault, each.memory, "declined")
    for ahead in range(9):
        assert not {each.memory for each in shown} & {each.memory for each in found(folder, TODAY + timedelta(ahead))}


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("12 月 1 号之前答复沈岚，别忘", date(2026, 12, 1)),
        ("must answer Sunniva before 1 December", date(2026, 11, 30)),
        ("基金申请书截止 12 月 1 号", date(2026, 12, 1)),
        ("Bea moved the Saltmarsh deadline to 26 November", date(2026, 11, 26)),
        ("交稿时间改到11月26号", date(2026, 11, 26)),
        ("Ewan suggests the workshop in June, abstract by 26 November", date(2026, 11, 26)),
        ("We must hand in the chapter by 26 November. Priya is on leave until 20 November", date(2026, 11, 26)),
    ],
)
def test_a_deadline_is_told_by_the_day_that_it_names(folder: Path, line: str, due: date) -> None:
    log(folder, "2026-11-10", line)
    assert [each.due for each in found(folder, due - timedelta(days=2))] == [due]


@pytest.mark.parametrize(
    "line",
    [
        "Pauline's birthday supper at the Crab & Lobster, table for six on 26 November",
        "11月26号14:30 在文创办见裘老师，带预算表",
        "带爸去抽血，11月26号",
    ],
)
def test_an_appointment_is_told_on_its_day(folder: Path, line: str) -> None:
    log(folder, "2026-11-10", line)
    assert [each.due for each in found(folder, date(2026, 11, 26))] == [date(2026, 11, 26)]


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("糯米下周三（2026-11-18）亲子运动会，我和老周都要去", (17, 18)),
        ("Nia's sports day is on 18 November", (17, 18)),
        ("这周末（2026-11-14 到 2026-11-15）交水电费", (13, 14, 15)),
        ("the kids are with us from 14 to 16 November", (13, 14, 15, 16)),
        ("the dentist moves to Wednesdays, starting next week", (15, 16, 18, 22)),
        ("train to Porto on 14 November, home on 18 November", (13, 14, 17, 18)),
    ],
)
def test_the_morning_tells_what_is_today_until_it_is_over(folder: Path, line: str, days: tuple[int, ...]) -> None:
    log(folder, "2026-11-12", line)
    told = (propose.brief(on(folder, date(2026, 11, day))).text for day in days)
    assert all("logs/2026-11-12.md:1)" in text for text in told)
    assert "logs/" not in propose.brief(on(folder, date(2026, 11, max(days) + 1))).text


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("防水要做两遍，加 2600，我答应了", date(2026, 11, 26)),
        ("跟阿宁说好了，主卧刷鼠尾草绿", date(2026, 11, 26)),
        ("原来说元旦前要交钥匙，现在改了", date(2026, 12, 30)),
        ("助研津贴这个月起 3800，每月 10 号发", date(2026, 12, 9)),
        ("hearing test in December 2nd week", date(2026, 12, 1)),
    ],
)
def test_no_duty_is_made_up(folder: Path, line: str, day: date) -> None:
    log(folder, "2026-11-10", line)
    assert not found(folder, day)


def test_the_day_on_which_something_begins_is_not_its_end(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- 房租 12 月起涨到 3200，房东说搬走提前一个月说就行 [date:: 2026-11-10]\n"})
    assert not found(folder, date(2026, 11, 30))


def test_a_kind_that_is_always_declined_comes_less_often(folder: Path) -> None:
    due(folder)
    for each in (vault := on(folder, TODAY)) and propose.proposals(vault):
        outcomes.note_brought(vault, [each])
        outcomes.record_answer(vault, each.id, "declined")
    rate = outcomes.Outcomes(vault).rates()["task"]
    assert (rate.brought, rate.declined, rate.accepted) == (3, 3, 0)
    assert rate.wanted < 0.5 and rate.gap > 0
    assert outcomes.Outcomes(vault).rates()["day"].gap == 0
    assert texts(folder, TODAY + timedelta(days=1)) == []
    assert texts(folder, TODAY + timedelta(days=rate.gap)) != []


def test_each_line_of_a_long_memory_is_looked_at(folder: Path) -> None:
    log(
        folder,
        "2026-11-13",
        "陪妈妈复查，排到 47 号，等了快两个小时。\n  药减了。下次复查是 11 月 23 号。\n  停车绕了四圈。",
    )
    assert texts(folder) == ["药减了。下次复查是 11 月 23 号。"]


def test_each_sentence_of_a_long_line_is_looked_at(folder: Path) -> None:
    log(
        folder,
        "2026-11-08",
        "Mam had soup and a long talk. " * 20 + "X-ray in Merlin Park on 23 November at half two, I'll drive her.",
    )
    assert texts(folder) == ["X-ray in Merlin Park on 23 November at half two, I'll drive her."]


def test_a_birthday_of_whom_labels_or_several_days_name_is_brought_up(folder: Path) -> None:
    lay(folder, {"labels.yaml": "- name: Donal\n  value: Donal, at home\n"})
    log(folder, "2026-11-01", "Donal's birthday is 23 November", "Mozart's birthday is 24 November", "和老谢钓鱼")
    log(folder, "2026-11-02", "老谢 11 月 25 号生日")
    assert {each[:5] for each in texts(folder)} == {"Donal", "老谢 11"}


def test_the_day_that_a_plan_misses_is_no_day_of_it(folder: Path) -> None:
    log(folder, "2026-11-07", "Mrs Lally's piano won't be ready for the 22nd, new date is the 6th of December")
    log(folder, "2026-11-08", "周末给晓彤订拍立得，别等到 23 号")
    assert texts(folder) == []
    assert len(texts(folder, date(2026, 12, 5))) == 1


def test_what_was_shifted_is_brought_up_on_its_new_day_alone(folder: Path) -> None:
    log(folder, "2026-11-01", "Concert is Sunday 22 November in St Nicholas', Fauré plus the Rutter")
    log(folder, "2026-11-04", "Concert's been shifted, St Nicholas' double booked: it's the 5th of December now, 8 pm")
    assert texts(folder) == []
    assert len(texts(folder, date(2026, 12, 4))) == 1


def test_what_was_moved_is_known_by_its_name(folder: Path) -> None:
    log(folder, "2026-11-12", "教研会定了：公开课 11 月 23 号上午第二节，我讲《单摆》，用摆摆现场采数据，地点录播室")
    assert texts(folder)
    log(folder, "2026-11-19", "公开课改到 12 月 8 号周二，下午第一节，因为录播室的投影坏了")
    assert not texts(folder)


def test_what_is_due_each_month_is_brought_up_each_month(folder: Path) -> None:
    log(folder, "2026-11-04", "房贷利率调整，月供从 7216 降到 6883，每月 15 号扣")
    for day in (date(2026, 12, 8), date(2026, 12, 14), date(2026, 12, 15), date(2027, 1, 14), date(2027, 2, 15)):
        vault = on(folder, day)
        brought = propose.proposals(vault)
        assert [each.due for each in brought] == [day.replace(day=15)], day
        outcomes.note_brought(vault, brought)


def test_a_number_of_a_thing_is_no_day(folder: Path) -> None:
    log(folder, "2026-11-19", "测试机 22 号的 IP 固定成 192.168.31.66", "队服换成22号，绿的", "23号守门员手套")
    assert not texts(folder)


def test_an_amount_is_no_reason(folder: Path) -> None:
    log(folder, "2026-10-29", "瓷砖选了富亚的奶灰哑光，一片 86，定金交了 1000")
    log(folder, "2026-11-19", "橱柜重新谈了，拉篮换成调味架，交了 5000 定金")
    assert not texts(folder)


def test_an_open_box_is_not_forgotten_and_a_promise_is(folder: Path) -> None:
    log(folder, "2026-09-04", "[ ] 给陈薇发合同，定金 30%", "promised Ana the recipe", "[ ] 给手机换电池")
    assert texts(folder) == ["给陈薇发合同，定金 30%"]


def test_each_kind_can_be_switched_off(folder: Path) -> None:
    due(folder, 1)
    assert texts(folder) and not texts(folder, nudge__task=False)


def test_many_notes_are_left_for_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    due(folder, 1)
    monkeypatch.setattr(propose, "LITTLE", 20)
    vault = on(folder, TODAY)
    assert propose.unsaid_nudges(vault) == []  # nobody has looked; it is left for `mem work`
    propose.proposals(vault)
    assert len(propose.unsaid_nudges(vault)) == 1


def test_by_itself_nothing_is_said_in_quiet_hours(folder: Path) -> None:
    due(folder, 1)
    vault = on(folder, TODAY)
    assert len(propose.unsaid_nudges(vault)) == 1
    assert propose.unsaid_nudges(opened(folder, datetime(2026, 11, 21, 23, 0))) == []
    assert len(propose.unsaid_nudges(opened(folder, datetime(2026, 11, 21, 23, 0), nudge__quiet=""))) == 1
    log(folder, "2026-11-10", "[x] pay bill a by 22 November")
    assert propose.unsaid_nudges(vault) == []  # done meanwhile


def test_the_morning_fits_into_its_tokens(folder: Path) -> None:
    due(folder)
    log(folder, "2026-11-12", "dentist on Sunday the 22nd at nine, " + "bring the old x-rays, " * 8)
    told = propose.brief(on(folder, TODAY))
    assert told.text.startswith("2026-11-21") and told.tokens <= 200
    assert told.nudges


def test_of_several_days_the_one_named_as_the_deadline_counts_and_a_line_comes_once(folder: Path) -> None:
    log(folder, "2026-11-20", "VAT quarter ends 22 Nov, return due 7 Jan. Karen wants receipts by 10 Dec")
    morning = propose.brief(on(folder, TODAY))
    assert morning.text.count("VAT quarter") == 1
    found = propose.proposals(on(folder, date(2026, 12, 9)))
    assert [each.due for each in found] == [date(2026, 12, 10)]


def test_questions_are_not_disturbed_by_what_was_brought(folder: Path) -> None:
    due(folder)
    vault = on(folder, TODAY)
    outcomes.note_brought(vault, propose.proposals(vault), "s1")
    assert len(choose.questions(vault, "s1")) == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_takes_and_leaves_what_it_says(language: str) -> None:
    for row in rows(TABLES / language / "nudge.txt", examples=True):
        sign = row["sign"][0]
        pattern = phrases.pattern("nudge/nudge", sign, (language,))
        assert all(pattern.search(text) for text in row["takes"]), sign
        assert not any(pattern.search(text) for text in row["leaves"]), sign


def test_both_tables_say_the_same() -> None:
    signs = [[row["sign"][0] for row in rows(TABLES / name / "nudge.txt")] for name in ("en", "zh")]
    assert sorted(signs[0]) == sorted(signs[1])


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("by Friday", "2026-11-21", "2026-11-27"), ("on 3 March", "2027-03-03", "2027-03-03"),
 ("五一之后", "2027-05-01", "2027-05-05"),
        ("3月14日之前", "2026-11-21", "2027-03-13"), ("last Friday", "2026-11-20", "2026-11-20"),
    ],
)  # fmt: skip
def test_a_plan_names_days_to_come(text: str, first: str, last: str) -> None:
    assert [(str(span.first), str(span.last)) for span in find_coming_dates(text, TODAY)] == [(first, last)]


def test_what_has_a_day_is_not_crowded_out_by_what_has_none(folder: Path) -> None:
    for day in ("2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"):
        log(
            folder,
            day,
            f"promised Ana the recipe no. {day[-1]}",
            *(["[ ] pay the tax by 22 November"] * (day[-1] == "1")),
        )
    assert "pay the tax by 22 November" in texts(folder, nudge__most=1)


def test_what_was_not_shown_for_want_of_room_is_shown_the_next_day(folder: Path) -> None:
    log(folder, "2026-11-02", "[ ] pay the tax by 26 November", "[ ] send the form by 27 November")
    shown = []
    for day in (20, 21):
        vault = on(folder, date(2026, 11, day), nudge__most=1)
        fresh = propose.proposals(vault)
        outcomes.note_brought(vault, fresh)
        shown += [each.text for each in fresh]
    assert shown == ["pay the tax by 26 November", "send the form by 27 November"]


def test_two_decisions_do_not_disagree_because_both_were_decided(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- 2026-11-01定的：小敏先拿两千八\n- 2026-11-05定的：续租只签半年\n"})
    assert not [each for each in found(folder) if each.kind == "disagree"]


def test_a_yearly_day_in_logs_is_brought_up_once_and_a_feast_of_today_never(folder: Path) -> None:
    log(folder, "2026-11-18", "Mum's birthday is on 23 November", "ordered the cake for Mum's birthday on 23 November")
    log(folder, "2026-11-19", "今天是我们结婚纪念日，去吃了火锅", "Mozart's birthday is on 22 November")
    assert texts(folder) == ["Mum's birthday is on 23 November"]
