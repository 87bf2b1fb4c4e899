"""The scenes that layered memory for assistants was thought out with, each from what is said to what a prompt then says."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from memcli import nudge, prompt, session
from memcli.errors import Refused
from memcli.recall import Request, recall
from memcli.remember import Memory, add, learn, prefer
from memcli.session import SessionMessage
from memcli.vault import preferences
from memcli.vault.vault import Vault
from tests.conftest import opened

YESTERDAY = datetime(2026, 11, 20, 18, 10)
ROLES = ("user", "assistant")


def learnt(vault: Vault, *turns: str) -> None:
    """A talk, the user's turn first; asked whether what lasts is to be remembered, the user says yes."""
    lines = [json.dumps({"role": ROLES[at % 2], "content": text}, ensure_ascii=False) for at, text in enumerate(turns)]
    for atom in learn.propose(vault, "\n".join(lines), rules=True).atoms:
        if atom.lasting or atom.type == "task":
            learn.keep(vault, atom, confirmed=True)


def held(vault: Vault, *turns: str, end: bool = True) -> session.Session:
    """A talk in a session of its own."""
    talk = session.start(vault)
    for at, text in enumerate(turns):
        tools = ("plan_route",) if text.startswith("好的，已") else ()
        talk = session.say(vault, talk, SessionMessage(ROLES[at % 2], text, tools=tools)).session
    if end:
        session.end(vault, talk)
    return talk


def block(vault: Vault, question: str) -> str:
    return recall(vault, Request(question)).text


def prompted(vault: Vault, words: str, talk: session.Session | None = None, budget: int | None = None) -> str:
    return prompt.build(vault, prompt.PromptRequest(words, session=talk.id if talk else "", budget=budget)).text


def test_navigate_home_the_address_is_asked_once(vault: Vault) -> None:
    learnt(vault, "导航回家", "好的，目的地是？", "上海市浦东新区张杨路188号")
    assert "张杨路188号" in prompted(vault, "导航回家")


def test_the_road_that_is_jammed_is_avoided_next_time(vault: Vault) -> None:
    learnt(
        vault, "这条延安路太堵了，下次别走了", "好的，下次避开延安路。要不要我永久记住您不喜欢走这条路？", "好啊",
    )  # fmt: skip
    assert "延安路" in block(vault, "导航去公司")


def test_a_trip_to_the_airport_is_no_lasting_wish(vault: Vault) -> None:
    learnt(vault, "明天要去机场，7点出发")
    assert not preferences.held(vault)


def test_the_same_way_as_yesterday(folder: Path) -> None:
    held(
        opened(folder, YESTERDAY), "导航回家", "好的，目的地是？", "上海市浦东新区张杨路188号", "为您规划路线",
        "别走延安高架", "好的，已为您规划途径内环的路线，预计25分钟",
    )  # fmt: skip
    found = block(opened(folder), "还是走昨天那条路")
    assert "内环" in found and "延安高架" in found


@pytest.mark.parametrize(("said", "asked", "wanted"), [
    ("我不吃香菜", "点什么菜好", "香菜"),
    ("我不吃辣", "晚饭吃什么", "辣"),
    ("每周五要去健身房", "周五晚上有空吗", "健身房"),
    ("以后空调温度都要24度", "车里有点热", "24"),
])  # fmt: skip
def test_what_no_list_of_rules_names_is_remembered(vault: Vault, said: str, asked: str, wanted: str) -> None:
    learnt(vault, said)
    assert wanted in block(vault, asked)


@pytest.mark.parametrize("said", ["明天不吃辣", "路过南京路看到张三了", "这家餐厅不错"])
def test_what_is_so_only_now_is_no_wish(vault: Vault, said: str) -> None:
    learnt(vault, said)
    assert not preferences.held(vault)


def test_where_a_friend_lives(vault: Vault) -> None:
    learnt(vault, "我朋友张三住徐汇区漕溪路50号")
    assert "漕溪路50号" in block(vault, "去张三家怎么走")


def test_whoever_says_who_they_are_is_known(vault: Vault) -> None:
    learnt(vault, "我叫李明，住在杭州")
    found = prompted(vault, "周末去哪里")
    assert "李明" in found and "杭州" in found


def test_the_decision_about_the_project_is_found_by_its_name(folder: Path) -> None:
    before = opened(folder, YESTERDAY)
    add(before, Memory("苍穹项目评审：会议决定采用 Redis 替代现有的本地缓存方案", type="decision"))
    add(before, Memory("阿泽提到目前的本地缓存存在锁竞争问题"))
    assert "Redis" in block(opened(folder), "我们上次关于苍穹项目的决策是什么？")


def test_a_standing_order_holds_when_the_topic_changes(vault: Vault) -> None:
    talk = held(vault, "接下来都用中文回答", "好的", "换个话题，聊聊潮汐", "潮汐是月亮引起的", end=False)
    assert "用中文回答" in prompted(vault, "what is a tide", talk)


def test_secrecy_is_a_standing_order(vault: Vault) -> None:
    talk = held(vault, "请注意，接下来的讨论，保密等级为绝密", "明白", end=False)
    assert "绝密" in prompted(vault, "下一步怎么做", talk)


def test_what_is_gathered_gives_way_to_what_was_said(vault: Vault) -> None:
    prefer(vault, "language_preference", "Go")
    with pytest.raises(Refused, match="explicitly"):
        prefer(vault, "language_preference", "Python", source="inferred")
    assert [each.value for each in preferences.held(vault)] == ["Go"]


def test_where_we_were_last_time(folder: Path) -> None:
    held(
        opened(folder, YESTERDAY),
        "我们来看苍穹项目的性能瓶颈",
        "瓶颈在本地缓存的锁竞争",
        "那下周压测",
        "好的，周三压测",
    )
    assert "苍穹" in prompted(opened(folder), "上次我们聊到哪了？")


def test_a_stable_person_whatever_is_missing(vault: Vault) -> None:
    """No index, no model, no documents, an endless question: the role, the wishes and an honest word remain."""
    learnt(vault, "以后回答都先说结论")
    assert "never make it up" in prompted(vault, "缓存" * 2000, budget=600)
    assert "结论" in prompted(vault, "怎么做缓存", budget=600)


def test_the_assistant_speaks_first(folder: Path) -> None:
    """A greeting is answered with what was promised; work is not interrupted; a no is a no, and heeded in future."""
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs/2026-11-02.md").write_text("- 答应老周帮他看看房租合同\n", encoding="utf-8")
    vault = opened(folder)
    (worth,) = nudge.proposals(vault)
    assert worth.kind == "task" and worth.citation == "logs/2026-11-02.md:1" and "19 days ago" in worth.why

    talk = session.start(vault)
    assert "房租合同" not in said_first(vault, talk.id, "缓存的锁竞争怎么解决？")
    assert "worth bringing up: 答应老周帮他看看房租合同" in said_first(vault, talk.id, "你好")
    assert "房租合同" not in said_first(vault, talk.id, "谢谢")  # once a day

    nudge.said(vault, worth.id, "declined", talk.id)
    assert nudge.proposals(opened(folder, datetime(2026, 11, 30, 9))) == []
    assert nudge.rates(vault)["task"].declined == 1


def said_first(vault: Vault, talk: str, words: str) -> str:
    """The prompt for what the user says, handed to a model."""
    built = prompt.build(vault, prompt.PromptRequest(words, session=talk))
    prompt.sent(vault, built)
    return built.layer("questions").text
