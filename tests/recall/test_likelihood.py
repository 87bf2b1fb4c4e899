"""Short when short is enough: where a block ends, when it is silent, and which preferences come unasked."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml

from memcli.recall import Request, recall
from memcli.recall.likelihood import least_odds
from memcli.recall.query import parse
from memcli.text import tokens
from tests.conftest import opened
from tests.recall.vaults import TODAY, ask, ask_sample, lay, log, texts

NOTES = """
The boiler was serviced, the next service is due in October.
Hana lent me her green tent until Easter.
The wifi password of the cottage hangs behind the kitchen door.
Paid the deposit for the choir weekend, eighty euros.
The dentist wants to see the lower left molar again in spring.
New running shoes, size 43, half a size larger than usual.
Tomatoes went out too early, the frost took four plants.
Uncle Piet sold the caravan to a couple from Ghent.
The printer only works when the scanner lid is closed.
Borrowed the sewing machine from the library of things.
""".strip().splitlines()

ASKED = {
    "when is the boiler serviced next": 0,
    "who lent me the tent": 1,
    "where is the wifi password of the cottage": 2,
    "how much was the deposit for the choir weekend": 3,
    "which molar does the dentist want to see": 4,
    "what size are the running shoes": 5,
    "what happened to the tomatoes in the frost": 6,
    "who bought the caravan of uncle Piet": 7,
    "why does the printer not work": 8,
    "where is the sewing machine from": 9,
}


@pytest.fixture
def diary(folder: Path) -> Path:
    logs = {log(TODAY - timedelta(days=3 * n)): f"- {note}\n" for n, note in enumerate(NOTES)}
    return lay(folder, {"USER.md": "---\nname: Lin\noccupation: engineer\n---\n", **logs})


# -- where a block ends --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ASKED)
def test_one_note_that_answers_stands_first_in_a_short_block(diary: Path, question: str) -> None:
    said = ask(diary, question)
    assert texts(said)[0] == NOTES[ASKED[question]]
    assert said.tokens <= 150
    assert said.tokens == tokens.count(said.text)


def test_what_follows_is_left_out_when_it_is_unlikely_to_help_and_that_is_said() -> None:
    short, full = (ask_sample("what did we decide about the cache", fill=fill, budget=3000) for fill in (False, True))
    assert len(short.chosen) < len(full.chosen)
    assert short.ending.why == "unlikely"
    assert 0 < short.ending.likeliest < least_odds(short.tokens, parse("", TODAY))
    assert {each.scored.entry for each in short.chosen} <= {each.scored.entry for each in full.chosen}
    assert full.ending.why == "budget"
    assert short.as_json()["ended"]["why"] == "unlikely"
    assert "unlikely to help" in str(short.ending)


def test_the_setting_fills_every_block(diary: Path) -> None:
    logs = {
        log(TODAY - timedelta(days=n)): f"- the cache of pod {n} is cold\n- nothing else on day {n}\n"
        for n in range(40)
    }
    lay(diary, logs)
    question = "why was the cache of pod 7 cold, and what else was said of pods"
    filled = recall(opened(diary, recall__fill=True), Request(question))
    assert filled.text == ask(diary, question, fill=True).text
    assert len(ask(diary, question).chosen) < len(filled.chosen)
    assert recall(opened(diary, recall__fill=True), Request(question, fill=False)).text == ask(diary, question).text


def test_who_wants_so_many_gets_so_many(diary: Path) -> None:
    lay(diary, {log(TODAY - timedelta(days=n)): f"- the cache of pod {n} is cold\n" for n in range(40)})
    assert len(ask(diary, "is the cache of pod 7 cold", most=20).chosen) == 20


def test_a_day_a_tag_and_open_tasks_are_given_whole(folder: Path) -> None:
    many = "".join(f"- note number {n} of this day\n" for n in range(30))
    boxes = "".join(f"- [ ] paint room {n} #house\n" for n in range(30))
    lay(folder, {log(TODAY - timedelta(days=1)): many, "notes/house.md": boxes})
    for question in ("what happened yesterday", "#house", "what is left to do"):
        assert len(ask(folder, question).chosen) == 30, question


def test_a_block_grows_dearer_the_longer_it_is_and_the_more_there_is_and_less_so_in_a_talk() -> None:
    plain, talk = (parse(text, TODAY) for text in ("where is it?", "user: I moved\nuser: where is it"))
    assert least_odds(0, plain) < least_odds(300, plain) < least_odds(900, plain)
    assert (
        least_odds(900, talk)
        < least_odds(900, plain)
        == least_odds(900, plain, memories=900)
        < least_odds(900, plain, memories=9000)
    )
    assert least_odds(900, plain, talk=1.0) < least_odds(900, plain, talk=0.5) < least_odds(900, plain)
    assert least_odds(0, talk, talk=1.0) == least_odds(0, plain)
    assert least_odds(5000, plain, memories=10**6) < 1


def test_layered_blocks_have_ten_memories_at_most_fresh_snapshots_among_them(folder: Path) -> None:
    snapshots = {
        f"snapshots/2026-11-{day}-1200-aaaa.md": f"---\nexpires: 2026-11-30\n---\nThe cache, part {day}.\n"
        for day in (19, 20, 21)
    }
    logs = {log(TODAY - timedelta(days=n)): f"- the cache on day {n}\n- more of the cache {n}\n" for n in range(12)}
    lay(folder, snapshots | logs | {"MEMORY.md": "".join(f"- the cache is {n}\n" for n in range(9))})
    for question in ("the cache", "", "xyzzy"):
        for fill in (False, True):
            said = recall(opened(folder, recall__preset="layered"), Request(question, fill=fill))
            assert len(said.chosen) <= 10
    said = recall(opened(folder, recall__preset="layered"), Request("the cache"))
    assert all(f"({part}) " in said.text for part in ("recent", "semantic", "summary"))
    assert "(recent) " not in recall(opened(folder), Request("the cache")).text


def test_a_layered_block_may_leave_out_a_memory_and_what_superseded_it(folder: Path) -> None:
    days = {at: log(TODAY - timedelta(days=at)) for at in (*range(20), 300, 400)}
    notes = {path: f"- the cache, the cache of shard {at} is full again\n" for at, path in days.items()}
    lay(folder, notes | {days[400]: "- the cache [superseded:: ^new]\n", days[300]: "- all is in Redis ^new\n"})
    said = recall(opened(folder, recall__preset="layered"), Request("cache shard full"))
    assert len(said.chosen) == 8


def test_layered_blocks_keep_the_five_latest_memories_when_no_word_matches(folder: Path) -> None:
    lay(folder, {log(TODAY - timedelta(days=n)): f"- the cache on day {n}\n" for n in range(9)})
    said = recall(opened(folder, recall__preset="layered"), Request("xyzzy"))
    assert [each.scored.entry.words for each in said.chosen] == [f"the cache on day {n}" for n in range(5)]
    assert said.text.count("(recent) ") == 5


@pytest.mark.parametrize("question", ["继续上次的讨论", "continue our last discussion"])
def test_who_goes_on_with_the_last_talk_gets_the_latest_memories(folder: Path, question: str) -> None:
    lay(folder, {log(TODAY - timedelta(days=n)): f"- the cache on day {n}\n" for n in range(9)})
    assert "the cache on day 0" in ask(folder, question).text


# -- when it is silent ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "what is my blood type", "why do cats purr", "write a haiku about autumn", "hello",
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'", "什么是量子纠缠", "帮我写一个快速排序",
    ],
)  # fmt: skip
def test_what_no_note_answers_is_answered_by_no_note(diary: Path, question: str) -> None:
    said = ask(diary, question)
    assert not said.matched
    assert said.chosen == ()
    assert said.tokens < 50


def test_a_year_before_all_notes_has_nothing_and_words_of_other_years_are_not_taken_for_it(diary: Path) -> None:
    said = ask(diary, "what did we do in 2019")
    assert said.chosen == ()
    assert "Nothing was noted in 2019." in said.text
    named = ask(diary, "what did the dentist say of the molar in 2019")
    assert "Nothing was noted in 2019." in named.text
    assert named.matched


@pytest.mark.parametrize(
    ("question", "about", "value"),
    [
        ("what is Piet's phone number", "Piet sold the caravan, he called at 10:15", "Piet: 01539 722 104"),
        ("what's the email address of Hana", "Hana mailed about the green tent", "Hana: hana@example.org"),
        ("Piet phone number", "Piet sold the caravan, he called at 10:15", "Piet: 01539 722 104"),
        ("最近血压多少", "血压有点高，少吃腌菜", "量血压 138/88"),
        ("when is Hana's birthday", "Hana lent me her tent for 3 weeks", "Hana, 9 June 2009, collects tents"),
        ("how old is Piet", "gave Piet back 500", "Piet (61) sails"),
        ("what is the frame number of the Trek", "the Trek cost £1,900 in 2019", "Trek: frame WTU234K"),
        ("how much did the caravan cost", "the caravan smells of lilies", "the caravan cost two grand"),
        ("when is Hana's birthday", "send Hana the tent before 30 September", "Hana (9 June) collects tents"),
        ("when is Hana's birthday", "Hana lent me her tent\n- Piet, 9 June 2009, sails", "Hana, born in June"),
        ("how old is Piet", "out with Piet on the old boat, 2.2 km of rope", "Piet turned 61"),
        ("how much did the caravan cost", "the caravan left on 30 September 2026, at 18:15", "the caravan cost 2,400"),
        ("how many ewes did I sell", "the ewes left on 7 May 2026 at 18:15", "sold 14 ewes"),
        ("what colour is the shed", "the shed has a new roof", "painted the shed dark green"),
        ("how tall is Piet", "Piet is 61 and sails", "Piet has 1.87 m"),
        ("how heavy is the cat", "the cat got 3 new toys", "the cat has 4.2 kilos"),
        ("what is Piet's last name", "Uncle Piet sold the caravan", "Piet Bakker sold the caravan"),
        ("what is Piet's address", "Piet read the address to the council", "Piet has a new address, 8 Tenter Lane"),
        ("what time does the choir meet", "the choir will meet Hana", "the choir meets at half past seven"),
        ("what was the temperature of the pool", "swam 40 lengths of the pool", "pool: temperature 19 °C"),
        ("小苏的手机号是多少", "小苏八点来的", "小苏的手机号 13900001111"),
        ("小苏的邮箱是什么", "小苏想学木工", "小苏的邮箱 su@example.com"),
        ("小苏的生日是哪天", "小苏给我发了三次照片", "小苏，1999年3月8日生"),
        ("婆婆今年多大岁数了", "婆婆从自贡来了，住到月底", "婆婆，64岁"),
        ("电费户号是多少", "电费涨到了80", "电费的户号是 70316221"),
        ("上回理发花了多少钱", "理发的师傅姓王", "理发花了三十"),
        ("上回理发花了多少钱", "2026年11月3日理发，等了20分钟", "理发花了85块"),
        ("小苏的生日是哪天", "小苏九月中旬搬走", "小苏（3月8日）"),
        ("牙医预约在几点", "牙医预约好了，带上医保卡", "牙医预约在下午三点"),
        ("芝麻现在多重了", "芝麻今年三岁", "芝麻称了4.2公斤"),
        ("老贺全名叫什么", "老贺爱喝崂山绿茶", "老贺大名贺建军"),
        ("小苏的地址是什么", "小苏的地址还没给我", "小苏的地址换成玉林七巷"),
        ("小苏的车是什么颜色", "小苏的车送修了", "小苏的车是银灰的"),
    ],
)
def test_a_question_for_a_value_is_not_answered_by_notes_that_have_none(
    folder: Path, question: str, about: str, value: str
) -> None:
    lay(folder, {"MEMORY.md": f"- {about}\n"})
    assert not ask(folder, question).matched
    lay(folder, {"MEMORY.md": f"- {about}\n- {value}\n"})
    assert value in texts(ask(folder, question))


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("我的近视多少度", "近视左 475 右 500，有散光"),
        ("失眠了几次", "失眠，决定下午三点后不喝咖啡"),
        ("how many times did I go swimming", "went swimming, the water was cold"),
        ("为什么不签 35%", "合同初稿到了，他们要 35%，太狠"),
    ],
)
def test_what_can_be_counted_or_stands_without_its_unit_is_an_answer(folder: Path, question: str, noted: str) -> None:
    lay(folder, {"MEMORY.md": f"- {noted}\n- 周五签了房租，去了银行\n"})
    assert noted in texts(ask(folder, question))


@pytest.mark.parametrize("question", ["how tall is Piet", "what is Piet's phone number"])
def test_a_preference_is_no_answer_to_a_question_for_a_value(folder: Path, question: str) -> None:
    wishes = "- {key: phone_calls, value: calls before ten}\n- {key: metric, value: metric weights, category: sport}\n"
    lay(folder, {"MEMORY.md": "- Piet sold the caravan\n", "preferences.yaml": wishes})
    assert not ask(folder, question).matched


def test_in_a_conversation_the_value_may_stand_in_the_next_line(folder: Path) -> None:
    lines = ["Ana: What did the kiln cost you?", "Ben: More than the kiln is worth.", "Ana: And the wheel?"] * 3
    lay(folder, {"notes/talk.md": "".join(f"- {line}\n" for line in lines)})
    assert ask(folder, "how much did the kiln cost").matched


# -- preferences that apply ----------------------------------------------------------------------------------------

HELD = [
    {"key": "avoid_road", "value": "不走延安高架", "category": "navigation"},
    {"key": "spice", "value": "不吃辣", "category": "food"},
    {"key": "tea", "value": "green tea, no sugar", "category": "drinks"},
    {"key": "commit_messages", "value": "imperative, in English"},
    {"key": "client_mails", "value": 'signed "Kind regards"', "category": "writing"},
    {"key": "ac_temperature", "value": "22 °C"},
    {"key": "hotel_room", "value": "high floor", "category": "travel"},
    {"key": "meeting_hours", "value": "none before ten", "category": "schedule"},
    {"key": "database", "value": "PostgreSQL"},
]


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("导航回家", "avoid_road"),
        ("take me to the airport", "avoid_road"),
        ("晚饭吃什么", "spice"),
        ("order something for lunch", "spice"),
        ("来杯喝的", "tea"),
        ("how should I write the commit message", "commit_messages"),
        ("提交信息怎么写", "commit_messages"),
        ("draft a mail to the landlord", "client_mails"),
        ("有点热，调一下空调", "ac_temperature"),
        ("turn on the air conditioner", "ac_temperature"),
        ("find me somewhere to stay in Lisbon, a hotel", "hotel_room"),
        ("帮我约个时间开会", "meeting_hours"),
        ("which db", "database"),
    ],
)
def test_a_preference_that_applies_comes_without_having_been_named(folder: Path, question: str, key: str) -> None:
    lay(folder, {"preferences.yaml": yaml.safe_dump(HELD, allow_unicode=True)})
    said = ask(folder, question)
    assert key in {fact.preference for fact in said.facts}
    assert len(said.facts) <= 4
    assert said.matched


@pytest.mark.parametrize(
    "question",
    [
        "why do cats purr",
        "when is Anna's birthday",
        "法国的首都是哪里",
        "flip a coin",
        "谢谢",
        "what did we decide about the pods",
        "how much is the lunch at Otto's",
        "聚餐花多少钱",
    ],
)
def test_a_preference_that_does_not_apply_stays_away(folder: Path, question: str) -> None:
    lay(folder, {"preferences.yaml": yaml.safe_dump(HELD, allow_unicode=True)})
    assert ask(folder, question).facts == ()


def test_of_many_that_apply_the_nearest_few_come_first(folder: Path) -> None:
    held = [{"key": f"dish_{n}", "value": f"dish number {n}", "category": "food"} for n in range(20)]
    held.append({"key": "breakfast", "value": "savoury breakfast, before eight", "category": "food"})
    lay(folder, {"preferences.yaml": yaml.safe_dump(held)})
    said = ask(folder, "what shall we have for breakfast")
    assert said.facts[0].preference == "breakfast"
    assert len(said.facts) <= 5


def test_dates_of_questions_are_said_as_days() -> None:
    from memcli.recall.block import nothing_noted_line
    from memcli.text.dates import DateSpan

    def said(first: date, last: date) -> str:
        return nothing_noted_line([DateSpan(first, last, 0, 1, "x")])

    assert said(date(2024, 1, 1), date(2024, 12, 31)) == "Nothing was noted in 2024."
    assert said(date(2024, 5, 3), date(2024, 5, 3)) == "Nothing was noted on 2024-05-03."
    assert said(date(2024, 5, 3), date(2024, 5, 9)) == "Nothing was noted from 2024-05-03 to 2024-05-09."


def test_a_label_without_the_value_brings_no_memories_instead(folder: Path) -> None:
    lay(folder, {
        "labels.yaml": "- {name: 导师, aliases: [许老师], value: 许景明老师}\n",
        log(TODAY): "- 把结果发给许老师\n- 许老师说要补一张表\n",
    })  # fmt: skip
    block = ask(folder, "许老师的手机号")
    assert [fact.label for fact in block.facts] == ["导师"] and not block.chosen
    assert ask(folder, "许老师说要补什么").chosen
