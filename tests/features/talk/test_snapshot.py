"""A snapshot keeps what must survive of a talk, in its size, and never a word that says nothing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.features.talk.snapshot import snapshot, summarise
from memcli.session.anchors import anchors_in, apply_anchors
from memcli.session.fold import SessionMessage
from tests.features.talk.test_summary import HOME, MESSAGES, SAYINGS, TRIP, numbers

SPEAKERS = {"u": "user", "a": "assistant", "t": "assistant"}
TOLD = 0.9  # of what must survive


def _talks(language: str) -> list[tuple[list[SessionMessage], list[list[str]]]]:
    """The talks of a language, and of each what must survive, with other ways of saying it."""
    talks: list[tuple[list[SessionMessage], list[list[str]]]] = []
    now = ""
    for line in (Path(__file__).parent / "snapshots.txt").read_text("utf-8").splitlines():
        sign, _, said = line.partition(" ")
        if sign == "#":
            continue
        if not said:
            now = sign
            talks += [([], [])] * (now == language)
        elif now == language and sign == "m":
            talks[-1] = (talks[-1][0], [each.split("|") for each in said.split(";")])
        elif now == language:
            message = SessionMessage(SPEAKERS[sign], said, tools=("tool",) * (sign == "t"))
            talks[-1] = ([*talks[-1][0], message], [])
    return talks


def _kept(messages: list[SessionMessage]) -> str:
    orders = [anchor for message in messages if message.role == "user" for anchor in anchors_in(message.content)]
    return snapshot(messages, apply_anchors({}, orders))


def _size(text: str, language: str) -> int:
    return len(text) if language == "zh" else len(text.split())


DAY = datetime(2026, 11, 21, 14, 1)


@pytest.mark.parametrize(
    ("asked", "answer", "outcome"),
    [
        ("查下天气", "晴，18度", "晴，18度"),
        ("明天上海天气怎么样", "明天上海晴，18度，适合出门。", "晴，18度"),
        ("明天要不要带伞？我早上七点出门，骑车去公司", "查到了：晴，18度，东风三级。不用带伞。", "晴，18度"),
        ("订周五八点四个人的位子", "订好了：周五20:00，四位，尾号8812。", "8812"),
        ("rename the file", "done", "done"),
        ("what's the weather in Lisbon tomorrow", "Sunny, 18 degrees.", "Sunny, 18 degrees"),
        ("Book a table for four at Luigi's on Friday at 8", "Booked: Friday 20:00, four people, number 8812.", "8812"),
    ],
)
def test_a_short_talk_has_its_outcome_and_its_size(asked: str, answer: str, outcome: str) -> None:
    text = _kept([
        SessionMessage("user", asked, at=DAY), SessionMessage("assistant", answer, tools=("search",), at=DAY)
    ])  # fmt: skip
    assert outcome in text
    chinese = any(sign > "\u2fff" for sign in asked)
    assert 50 <= len(text) <= 100 if chinese else 15 <= len(text.split()) <= 45


@pytest.mark.parametrize(("language", "most"), [("en", 45), ("zh", 100)])
def test_nine_tenths_of_what_must_survive_is_told_in_its_size(language: str, most: int) -> None:
    told = there = 0
    talks = _talks(language)
    assert len(talks) > 20
    for messages, must in talks:
        text = _kept(messages)
        assert 0 < _size(text, language) <= most
        told += sum(any(way.lower() in text.lower() for way in ways) for ways in must)
        there += len(must)
    assert told >= TOLD * there


@given(MESSAGES, st.dictionaries(st.sampled_from(["language", "avoid", "rule"]), SAYINGS, max_size=3))
def test_a_snapshot_has_its_size_and_no_number_of_its_own(
    messages: list[SessionMessage], anchors: dict[str, str]
) -> None:
    text = snapshot(messages, anchors)
    assert len(text.splitlines()) <= 1
    assert _size(text, "zh" if text.startswith(("想要", "限制", "结果")) else "en") <= (
        100 if text[:1] in "想限结" else 45
    )
    said = " ".join([*(message.content for message in messages), *anchors.values()])
    assert set(numbers(text)) <= set(numbers(said))


@pytest.mark.parametrize("said", [[], ["ok"], ["Thanks!", "You're very welcome."], ["好的，谢谢", "不客气"]])
def test_where_nothing_was_said_it_says_nothing(said: list[str]) -> None:
    messages = [SessionMessage(("user", "assistant")[at % 2], text, tools=("x",)) for at, text in enumerate(said)]
    assert snapshot(messages, {}) == ""


def test_it_tells_what_was_wanted_what_limits_there_were_and_what_came_of_it() -> None:
    text = snapshot(TRIP, {"currency": "euros"})
    assert text.startswith("Wanted: plan a weekend in Lisbon for 4 people from 12 to 14 March")
    assert "Limits: At most 900 euros" in text and "LX-20931" in text.partition("Outcome: ")[2]
    assert (
        snapshot(HOME, {})
        == "想要：导航回家；上海市浦东新区世纪大道100号。限制：别走延安高架。结果：重新规划；已规划途径内环的路线，预计25分钟。"
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "navigate home and avoid the Yan'an elevated road",
            "Wanted: navigate home and avoid the Yan'an elevated road.",
        ),
        ("1200 euros, no hostels", "1200 euros, no hostels"),
    ],
)
def test_a_short_wish_with_its_limit_is_told_whole(said: str, kept: str) -> None:
    messages = [SessionMessage("user", said), SessionMessage("assistant", "Understood.", tools=("x",))]
    assert kept in _kept(messages) and "Understood" not in _kept(messages)


def test_an_order_for_the_whole_talk_is_a_limit_and_not_what_was_wanted() -> None:
    train = [
        SessionMessage("user", "接下来都用中文回答。周五下午有去绍兴的火车吗？"),
        SessionMessage("assistant", "有，虹桥 17:42 发车，19:05 到绍兴北。", tools=("timetable",)),
        SessionMessage("user", "两张票，挨着坐"),
    ]
    text = snapshot(train, {"language": "Chinese"})
    assert text.startswith("想要：周五下午有去绍兴的火车吗") and "限制：接下来都用中文回答" in text
    assert "language" not in text and "两张票，挨着坐" in text
    assert "language: Chinese" in snapshot(train[1:], {"language": "Chinese"})  # said in a stage before
    german = [SessionMessage("user", "From now on answer in German. How do I renew my passport?"), TRIP[-1]]
    assert snapshot(german, {"language": "German"}).startswith("Wanted: How do I renew my passport?")


def test_what_came_of_it_is_whole_and_is_what_was_done() -> None:
    dentist = [
        SessionMessage(
            "user", "I need a dentist for my son Tim next week, mornings only. And please no reminders by phone."
        ),
        SessionMessage("assistant", "Booked: Thursday 26 November, 8:15, Dr. Keller.", tools=("calendar",)),
    ]
    assert all("8:15, Dr. Keller" in told for told in (snapshot(dentist, {}), summarise(dentist)))
    code = [
        SessionMessage("user", "Can you refactor the retry loop in sync.py? Don't touch the public API."),
        SessionMessage(
            "assistant", "Done: five attempts, tests pass. I did not change the public API.", tools=("edit",)
        ),
    ]
    assert "Outcome: Done: five attempts, tests pass" in snapshot(code, {})
