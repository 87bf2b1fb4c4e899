"""Time as people mean it: plans for days to come, days without a year, what is told when it is over, how things stand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memcli.recall import query
from memcli.recall.paths.time import is_about
from memcli.recall.told_days import is_planned, is_told_later
from memcli.text.dates import DateSpan
from tests.recall.vaults import ask, ask_sample, entry, lay, places
from tests.rows import check_rows

NEXT_WEEK = DateSpan(date(2026, 11, 23), date(2026, 11, 29), 0, 0, "next week")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize(
    ("written", "text", "plan"),
    [
        ("2026-11-18", "dentist on Thursday the 26th", True),
        ("2026-11-18", "album arrives by the 25th, train on Friday the 27th", True),
        ("2026-11-22", "see mum on Saturday", True),
        ("2026-11-20", "see mum on Saturday", False),  # tomorrow
        ("2026-11-20", "the fair is next Thursday", True),
        ("2026-11-18", "明年装修", False),
        ("2026-11-20", "11月28日是妈妈的生日", True),
        ("2026-11-20", "26号拔牙", True),
        ("2026-11-20", "finished it on the 12th", False),
        ("2026-11-20", "yesterday was long", False),
        ("2026-10-05", "see mum on Saturday", False),
        ("2026-11-20", "version 2.6 is out", False),
    ],
)
def test_a_note_is_a_plan_when_it_speaks_of_the_coming_days(folder: Path, written: str, text: str, plan: bool) -> None:
    from tests.conftest import opened

    lay(folder, {f"logs/{written}.md": f"- {text}\n"})
    (entry,) = opened(folder).entries()
    assert is_planned(entry, NEXT_WEEK) is plan


@check_rows(
    ("question", "text"),
    [
        ("周五要交什么", "周五前交报告"),
        ("周四要交什么", "周五前交报告"),
        ("周五之前要完成什么", "周五之前交报告"),
        ("what do I have to do before Friday", "hand in the report on Friday"),
        ("周五要交什么", "周五之前交报告"),
        ("明天要回复谁", "明天之前回复老王"),
        ("月底要还什么", "月底之前要还信用卡"),
        ("10月20号要做什么", "10月20号前把报税弄完"),
        ("下周有什么安排", "10月20号前把报税弄完"),
        ("what is due on Friday", "hand in the report by Friday"),
        ("what is due on Friday", "hand in the report before Friday"),
        ("what is due next week", "file the taxes by 20 October"),
        ("what do I have to pay at the end of the month", "pay the card before the end of the month"),
    ],
)
def test_a_deadline_counts_on_its_day(question: str, text: str) -> None:
    today = date(2026, 10, 12)
    note = entry(f"- [ ] {text}", "logs/2026-10-12.md")
    assert any(is_planned(note, span) for span in query.parse(question, today).spans)


@check_rows(
    ("question", "text"),
    [
        ("周三要交什么", "周五前交报告"),
        ("周六要交什么", "周五前交报告"),
        ("下周有什么安排", "12月之前报税"),
        ("周日有什么安排", "这周很累"),
        ("what is on tomorrow", "hand in the report by Friday"),
        ("what is due on Saturday", "hand in the report by Friday"),
        ("what is on Sunday", "this week is long"),
    ],
)
def test_a_deadline_does_not_count_on_other_days(question: str, text: str) -> None:
    note = entry(f"- [ ] {text}", "logs/2026-10-12.md")
    assert not any(is_planned(note, span) for span in query.parse(question, date(2026, 10, 12)).spans)


@pytest.mark.parametrize("question", ["what is on next week", "下周有哪些安排"])
def test_what_is_planned_for_next_week_is_found_in_notes_of_this_week(question: str) -> None:
    assert "tooth out on Thursday the 26th" in ask_sample(question).text


@pytest.mark.parametrize(
    "question", ["what do I have to do on 3 December", "12月3号有什么事", "what is on 3rd of December"]
)
def test_a_day_without_its_year_is_also_the_coming_one(question: str) -> None:
    assert "12 月 3 日做右眼白内障" in ask_sample(question).text


def test_a_day_with_its_year_is_that_day_alone() -> None:
    spans = query.parse("what happened on 3 December 2025", date(2026, 11, 21)).spans
    assert [span.first for span in spans] == [date(2025, 12, 3)]


@check_rows("today", [date(2024, 3, 1), date(2026, 1, 31), date(2026, 12, 31)])
@check_rows("day", ["29 February", "the 31st", "31号", "2月29日"])
def test_a_day_that_its_next_turn_does_not_have_is_no_trouble(today: date, day: str) -> None:
    query.parse(f"what about {day}", today)


def test_what_was_told_soon_after_a_time_counts_but_less_than_the_time_itself(folder: Path) -> None:
    said = "- the trip cost 4,260 yuan\n"
    lay(folder, {f"logs/2026-10-{day}.md": said.replace("4,260", f"4,2{day}") for day in ("03", "12", "30")})
    found = ask(folder, "what did the trip on 国庆 cost").chosen
    times = {each.scored.entry.path[13:15]: each.scored.parts["time"] for each in found}
    assert times["03"] > times["12"] > times["30"] == 0.0


def test_asked_how_things_stand_the_newest_comes_first(folder: Path) -> None:
    lay(folder, {f"logs/2026-{day}.md": f"- the cat weighs {kilo} kg\n" for day, kilo in (("08-01", 6), ("11-17", 5))})
    said = ask(folder, "what does the cat weigh now")
    assert max(said.chosen, key=lambda each: each.scored.score).scored.entry.path == "logs/2026-11-17.md"
    assert places(said) == ["logs/2026-08-01.md:1", "logs/2026-11-17.md:1"]  # read in order of time
    assert "now" in ask(folder, "猫现在多重").kinds


def test_two_words_that_mean_one_tag_make_it_surer(folder: Path) -> None:
    meaning = {"妈妈六十": ["mum", "birthday"]}
    one = query.parse("mum", date(2026, 11, 21), meaning).hinted_tags
    two = query.parse("mum's birthday", date(2026, 11, 21), meaning).hinted_tags
    assert 0 < one["妈妈六十"] < two["妈妈六十"] < 1


def test_a_word_that_leads_one_line_by_chance_is_still_a_word(folder: Path) -> None:
    lay(
        folder,
        {
            "logs/2026-11-01.md": "- [ ] renew passport, it runs out in March\n",
            "logs/2026-11-02.md": "- Passport: the photo must show the ears\n- lunch\n",
        },
    )
    found = ask(folder, "passport").chosen
    assert {each.scored.entry.path for each in found} >= {"logs/2026-11-01.md", "logs/2026-11-02.md"}
    assert found[0].scored.parts["text"] > 0


@pytest.mark.parametrize("question", ["11月20号要打针吗", "11月20号有什么安排", "what is on on November 20"])
def test_a_day_that_is_just_over_is_not_also_that_of_next_year(question: str) -> None:
    spans = query.parse(question, date(2026, 11, 26)).spans
    assert [span.first for span in spans] == [date(2026, 11, 20)]


def test_a_plan_that_another_replaced_says_nothing_of_the_days_to_come(folder: Path) -> None:
    text = "- yoga next Wednesday [superseded:: moved]\n- yoga moved to next Friday ^moved\n"
    vault = lay(folder, {"logs/2026-11-19.md": text})
    assert "next Wednesday" not in ask(vault, "what is on next week").text
    assert "next Wednesday" in ask(vault, "when is yoga").text


def test_of_two_notes_of_one_day_the_later_has_a_place(folder: Path) -> None:
    notes = ["the spare key lies at Olga's house now", "the spare key lies at Tom's house now"]
    for first, second in (notes, reversed(notes)):
        vault = lay(folder, {"logs/2026-11-19.md": f"- 09:00 {first}\n- 18:00 {second}\n"})
        found = [each.scored.entry.words for each in ask(vault, "where does the spare key lie").chosen]
        assert found == [f"09:00 {first}", f"18:00 {second}"]


ASKED = DateSpan(date(2026, 11, 17), date(2026, 11, 17), 0, 0, "last Tuesday")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("logs/2026-11-18.md", "yesterday I saw the dentist", True),
        ("logs/2026-11-18.md", "昨天去看了牙医", True),
        ("logs/2026-11-20.md", "the dentist was on Tuesday", True),
        ("MEMORY.md", "the flat was inspected on 17 November 2026", True),
        ("logs/2026-11-18.md", "bought bread", False),
        ("logs/2026-11-20.md", "yesterday was long", False),
        ("MEMORY.md", "the flat is inspected every 17 November", False),  # of which year is not said
        ("MEMORY.md", "today is a good day", False),
    ],
)
def test_a_note_tells_later_of_a_day_when_it_says_which(folder: Path, file: str, text: str, told: bool) -> None:
    from tests.conftest import opened

    lay(folder, {file: f"- {text}\n"})
    (entry,) = opened(folder).entries()
    assert is_told_later(entry, ASKED) is told


@pytest.mark.parametrize(
    "question", ["what did I do on 17 November", "what happened on 2026-11-17", "11月17日我做了什么"]
)
def test_what_was_told_the_day_after_answers_for_the_day(folder: Path, question: str) -> None:
    later = {
        "logs/2026-11-18.md": "- yesterday I saw the dentist\n- bought bread\n",
        "logs/2026-11-20.md": "- a film\n",
    }
    lay(folder, {**later, "MEMORY.md": "- the flat was inspected on 17 November 2026\n- tea needs ninety degrees\n"})
    block = ask(folder, question)
    assert sorted(places(block)) == ["MEMORY.md:1", "logs/2026-11-18.md:1"]
    assert "Nothing was noted" not in block.text


@pytest.mark.parametrize("question", ["What happened with the van on 14 May?", "5月14号那天车怎么了"])
def test_a_day_that_is_named_by_its_date_is_told_though_no_word_matches(folder: Path, question: str) -> None:
    lay(folder, {"logs/2026-05-14.md": "- Caddy failed its MOT\n", "logs/2026-06-02.md": "- a film\n"})
    assert places(ask(folder, question)) == ["logs/2026-05-14.md:1"]
    assert places(ask(folder, question.replace("14 May", "15 May").replace("14号", "15号"))) == []
    assert not ask(folder, "what did the vet say last month").matched


def test_of_a_whole_month_only_what_was_written_in_it_is_told(folder: Path) -> None:
    lay(folder, {"logs/2026-11-02.md": "- last month I saw the dentist\n", "logs/2026-10-05.md": "- a film\n"})
    assert places(ask(folder, "what did I do in October")) == ["logs/2026-10-05.md:1"]


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("what is on 12 December", "Jonah's band plays on 12 December"),
        ("what happens on 12 January", "next meeting of the co-op 12th January 2027"),
        ("what was on 11 November", "the band plays in York on November 11"),
        ("12月12号有什么事", "社区晚会12月12号晚上7点"),
        ("what is on 3 December", "the lift is checked on 2026-12-03"),
        ("12月12号有什么安排", "约了12 月 12 号带芝麻去绝育"),
        ("what happens next week", "demo for the board on 25 November"),
        ("what is on in January", "go-live of the shop on 14 January"),
        ("what is on 18 December", "dentist 18/12 at 14:30"),
        ("what is on 5 December", "Zahnarzt am 05.12. um neun"),
        ("12月5日有什么事", "约了12.5去体检"),
        ("3月5日有什么事", "3月5日去北京开会"),
        ("what's on the 12th of December", "outing of the band on Sat 12 Dec, minibus at 9"),
        ("what's on 8 December", "Jago chose trombone in the end, first lesson 8 Dec"),
        ("12月5号有什么事", "12月5号装修的老施来补墙皮"),
        ("what is on 11/12", "sign off her sheet by 11/12"),
        ("what's on 05/12", "gate for Pickles 05/12 at 9"),
        ("what is on 12/11/2026", "next meeting of the co-op 11 December"),
        ("what's on 10 December", "haircut 10/12/2026"),
        ("12月9号有什么事", "妈说约了 12/9，协和医院，我陪"),
        ("12/4 有什么", "她生日 12/4"),
    ],
)
def test_an_appointment_is_found_by_its_date_however_long_ago_it_was_noted(
    folder: Path, question: str, noted: str
) -> None:
    lay(folder, {"logs/2026-08-24.md": f"- {noted}\n", "logs/2026-11-20.md": "- paid the electricity\n"})
    assert places(ask(folder, question)) == ["logs/2026-08-24.md:1"]


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("what is on 24 July", "support is there 24/7"),
        ("what is on 16 September", "bought a 16/9 screen"),
        ("what is on 3 December", "Python 3.12 is out"),
        ("3月12日有什么安排", "升级到 Python 3.12"),
        ("12月18日有什么事", "鸡蛋12.18元一盒"),
        ("12月18日有什么事", "脚本里加价 MARKUP = 12.18"),
        ("1月30日有什么事", "售价＝进价×1.30"),
        ("what is on 1 February", "half of the flour, or 1/2 cup"),
        ("4月3号有什么事", "屏幕比例 3/4"),
        ("12/10 有什么事", "10/12 去了动物园"),
    ],
)
def test_a_fraction_a_version_or_a_price_is_no_day(folder: Path, question: str, noted: str) -> None:
    lay(folder, {"logs/2026-08-24.md": f"- {noted}\n", "logs/2026-11-20.md": "- paid the electricity\n"})
    assert not places(ask(folder, question))


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("what is on 13 December", "Mum's birthday is 13 December"),
        ("12月13号有什么事", "车险12月13日到期"),
    ],
)
def test_a_day_that_lasting_memory_names_is_found(folder: Path, question: str, noted: str) -> None:
    lay(folder, {"MEMORY.md": f"- {noted}\n- the boiler is ten years old\n"})
    assert places(ask(folder, question)) == ["MEMORY.md:1"]


@pytest.mark.parametrize(
    "noted", ["约了11月28号带芝麻去绝育", "老板批了，11月28号休年假", "bought tickets for 28 November"]
)
def test_what_was_done_may_be_for_a_day_to_come(folder: Path, noted: str) -> None:
    lay(folder, {"logs/2026-11-20.md": f"- {noted}\n"})
    assert places(ask(folder, "what is on 28 November")) == ["logs/2026-11-20.md:1"]


def test_a_day_that_is_over_has_what_was_planned_for_it_by_its_weekday(folder: Path) -> None:
    lay(
        folder,
        {"logs/2026-11-18.md": "- 周五晚上跟居委会黄主任吃饭\n- bought milk\n", "logs/2026-11-21.md": "- a film\n"},
    )
    assert places(ask(folder, "11月20号有什么事")) == ["logs/2026-11-18.md:1"]


@pytest.mark.parametrize("question", ["appointments next week", "what's my schedule next week", "下周的行程"])
def test_who_asks_for_the_plans_of_a_time_means_all_of_it(folder: Path, question: str) -> None:
    lay(folder, {"logs/2026-11-18.md": "- the vet is on Tuesday 24 November\n- bought milk\n"})
    assert places(ask(folder, question)) == ["logs/2026-11-18.md:1"]
    assert places(ask(folder, "is a meeting with Zoe next week")) == []


@pytest.mark.parametrize("question", ["notes last week", "jobs last week", "上周的笔记"])
def test_who_asks_for_the_notes_or_jobs_of_a_time_gets_all_of_it(folder: Path, question: str) -> None:
    lay(
        folder,
        {"logs/2026-11-12.md": "- rehung a gate\n- fed the cat\n", "logs/2026-10-12.md": "- notes, jobs, 笔记\n"},
    )
    assert places(ask(folder, question)) == ["logs/2026-11-12.md:1", "logs/2026-11-12.md:2"]


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("冬至", "冬至煮汤圆"),
        ("halloween", "Halloween: keep the dogs in"),
        ("what happened over Christmas", "xmas hours: shut from noon"),
        ("bonfire night", "on bonfire night the cat hides"),
        ("what did I note about Mother's Day", "mother's day means lilies"),
    ],
)
def test_a_feast_alone_finds_what_names_it(folder: Path, question: str, note: str) -> None:
    lay(folder, {"MEMORY.md": f"- {note}\n- the boiler is ten years old\n"})
    assert places(ask(folder, question)) == ["MEMORY.md:1"]


def test_nothing_is_said_to_be_noted_only_where_all_notes_were_searched(folder: Path) -> None:
    lay(folder, {"logs/2026-11-18.md": "- a film\n", "MEMORY.md": "- the boiler is ten years old\n"})
    assert "Nothing was noted" in ask(folder, "what was on 17 November").text
    assert "Nothing was noted" not in ask(folder, "what was on 18 November", path="MEMORY.md").text


@pytest.mark.parametrize("question", ["what happens on 24 December", "12月30日有什么安排"])
def test_a_plan_from_a_day_to_another_holds_on_each_between(folder: Path, question: str) -> None:
    plans = "- farm holiday from 21 December to 4 January\n- off in December\n"
    lay(folder, {"logs/2026-11-19.md": plans})
    assert places(ask(folder, question)) == ["logs/2026-11-19.md:1"]


def test_the_days_of_a_long_time_are_not_looked_for_one_by_one(folder: Path) -> None:
    from tests.conftest import opened

    lay(folder, {"MEMORY.md": "- the lease runs to 13 December 2030\n"})
    (entry,) = opened(folder).entries()
    long, short = (DateSpan(date(2030, 12, 1), date(year, 12, 31), 0, 0, "") for year in (2050, 2030))
    asked = query.parse("when does the lease end", date(2026, 11, 21))
    assert (is_about(entry, long, asked), is_about(entry, short, asked)) == (False, True)


def test_a_question_for_a_feast_brings_its_other_name_and_no_single_characters(folder: Path) -> None:
    lay(folder, {
        "logs/2026-10-01.md": "- 今年双方过年，初一到初三在我妈家\n",
        "logs/2026-10-02.md": "- 看病先说过敏\n- 瑞鹏那家店投诉过\n",
        "MEMORY.md": "- 国庆和春节另加 15\n",
    })  # fmt: skip
    assert sorted(places(ask(folder, "春节先去谁家"))) == ["MEMORY.md:1", "logs/2026-10-01.md:1"]
