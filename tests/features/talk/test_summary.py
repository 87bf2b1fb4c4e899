"""Summaries keep what counts, in a hundred characters."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import MissingPart
from memcli.features.talk import model_rewrite
from memcli.features.talk.snapshot import summarise
from memcli.session.fold import SessionMessage
from memcli.text.clean import harmless
from tests.conftest import opened

TRIP = [
    SessionMessage("user", "Hi, can you plan a weekend in Lisbon for 4 people from 12 to 14 March?"),
    SessionMessage("assistant", "Sure! What's the budget?"),
    SessionMessage("user", "At most 900 euros, and we don't want to rent a car."),
    SessionMessage("assistant", "I found a flat in Campo de Ourique for 320 euros."),
    SessionMessage("user", "Great, book it. Also Ella is allergic to nuts."),
    SessionMessage("assistant", "Booked: confirmation LX-20931.", tools=("book_flat",)),
]
HOME = [
    SessionMessage("user", "导航回家"),
    SessionMessage("assistant", "好的，目的地是？"),
    SessionMessage("user", "上海市浦东新区世纪大道100号"),
    SessionMessage("user", "别走延安高架"),
    SessionMessage(
        "assistant", "好的，重新规划。已为您规划途径内环的路线，预计25分钟", tools=("com_sgm_navi_hmi_plan_route",)
    ),
]
SAYINGS = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        ["ok", "好的", "thanks!", "我想订一张去杭州的票，不要靠窗", "不吃辣，三个人，周五晚上7点", "Book a table for 6, not outside.",
         "https://example.org/" + "a" * 300, "9" * 150, "我们决定用 PostgreSQL 16，下周三之前迁移完，预算三万元以内。" * 8,
         "We decided to move the release to 14 May, Noor will not be there, the budget is 3,200 euros. " * 8, "```\nx = 1\n```", "  "]
    ),
)  # fmt: skip
MESSAGES = st.lists(
    st.builds(SessionMessage, st.sampled_from(["user", "assistant", "tool", "system"]), SAYINGS), max_size=25
)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,:-]\d+)*", text)


def test_a_summary_keeps_names_numbers_limits_and_what_was_decided() -> None:
    line = summarise(TRIP)
    assert all(each in line for each in ("Lisbon", "900 euros", "LX-20931"))
    assert summarise(HOME) == summarise(list(HOME))
    assert all(each in summarise(HOME) for each in ("导航回家", "世纪大道100号", "别走延安高架", "25分钟"))


def test_who_said_it_shows_and_small_talk_is_left_out() -> None:
    talk = [SessionMessage("user", "Thanks!"), SessionMessage("assistant", "You're welcome."), *TRIP[-1:]]
    assert summarise(talk) == "→ Booked: confirmation LX-20931"
    assert summarise(talk[:2]) == "(small talk)"
    assert summarise([SessionMessage("user", "好的，谢谢")]) == "（寒暄）"
    assert summarise([]) == ""


@pytest.mark.parametrize(
    "said",
    [
        "The team that looked after the archive for all these years, from the very first box in the cellar on, should not be moved.",
        "请大家注意一下这次从上海出发去杭州开会的所有同事以及他们的家属和朋友们还有客户那边的代表各位还有上次一起去过苏州和无锡的那几位老同学以及他们介绍来的摄影师和司机师傅们这次的行程安排里面我们这边不去西湖景区了",
    ],
)
def test_a_sentence_that_is_cut_keeps_its_not(said: str) -> None:
    line = summarise([SessionMessage("user", said)])
    assert len(line) <= 100 < len(said)
    assert "not be moved" in line or "不去" in line


@given(MESSAGES)
def test_a_summary_is_one_short_line_of_whole_words_and_numbers(messages: Sequence[SessionMessage]) -> None:
    line = summarise(messages)
    assert len(line) <= 100
    assert len(line.splitlines()) <= 1
    assert line == summarise(list(messages))
    said = harmless(" ".join(each.content for each in messages))
    assert set(numbers(line)) <= set(numbers(said))
    for word in re.findall(r"[A-Za-z]+", line.replace("(small talk)", "")):
        assert re.search(rf"(?<![A-Za-z]){word}(?![A-Za-z])", said)


def test_a_short_talk_is_told_whole() -> None:
    talk = [
        SessionMessage("user", "why is the sky blue??"),
        SessionMessage("assistant", "Rayleigh scattering: shorter wavelengths scatter more."),
    ]
    assert summarise(talk) == "why is the sky blue??; → Rayleigh scattering: shorter wavelengths scatter more"


@pytest.mark.slow
def test_by_model_is_held_to_the_same_limits(folder, monkeypatch) -> None:
    script = folder.parent / "llm.py"
    said = {"summary": "Lisbon for 4, at most 900 euros, no car; flat booked"}
    script.write_text(f"print({json.dumps(json.dumps(said))})", encoding="utf-8")
    vault = opened(folder, llm__command=f"{sys.executable} {script}")
    assert model_rewrite.better_summary(vault, TRIP) == said["summary"]
    script.write_text(f"print({json.dumps(json.dumps({'summary': 'x ' * 90}))})", encoding="utf-8")
    with pytest.raises(MissingPart):
        model_rewrite.better_summary(vault, TRIP)
    with pytest.raises(MissingPart):
        model_rewrite.better_summary(opened(folder), TRIP)
