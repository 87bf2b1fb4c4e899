"""The scenes that layered memory for assistants was thought out with, each from what is said to what a prompt then says."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from memcli import session
from memcli.errors import Refused
from memcli.features.talk import prompt
from memcli.features.talk.ending import end_session as end_session
from memcli.features.talk.saying import say
from memcli.recall import Request, recall
from memcli.remember import Memory, add, learning, prefer, proposals, state, weigh
from memcli.session import SessionMessage
from memcli.vault import preferences
from memcli.vault.vault import Vault
from tests.conftest import opened

pytestmark = pytest.mark.skipif(not learning.is_possible(), reason="nothing learns here")
YESTERDAY = datetime(2026, 11, 20, 18, 10)
ROLES = ("user", "assistant")


def learnt(vault: Vault, *turns: str) -> None:
    """A talk, the user's turn first; asked whether what lasts is to be remembered, the user says yes."""
    lines = [json.dumps({"role": ROLES[at % 2], "content": text}, ensure_ascii=False) for at, text in enumerate(turns)]
    for atom in learning.propose(vault, "\n".join(lines), rules=True).atoms:
        if atom.lasting or atom.type == "task":
            proposals.keep(vault, atom, confirmed=True)


def held(vault: Vault, *turns: str, end: bool = True) -> session.Session:
    """A talk in a session of its own."""
    talk = session.start(vault)
    for at, text in enumerate(turns):
        tools = ("plan_route",) if text.startswith("好的，已") else ()
        talk = say(vault, talk, SessionMessage(ROLES[at % 2], text, tools=tools)).session
    if end:
        end_session(vault, talk)
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
    assert not preferences.read_preferences(vault)


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
    assert not preferences.read_preferences(vault)


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
    assert [each.value for each in preferences.read_preferences(vault)] == ["Go"]


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


# -- the scenes of the other designs: what is asked for once, twice, never; what is settled, searched and left out ------


@pytest.mark.parametrize(("said", "wanted"), [
    (("我是程序员",), "程序员"),
    (("你好", "请问您的职业是？", "程序员"), "程序员"),
    (("我老婆叫林晓",), "林晓"),
    (("我叫张三，是程序员，喜欢篮球和阅读",), "张三"),
])  # fmt: skip
def test_who_the_user_is_is_heard_or_asked_for(vault: Vault, said: tuple[str, ...], wanted: str) -> None:
    learnt(vault, *said)
    assert wanted in prompted(vault, "我老婆叫什么" if "老婆" in said[0] else "周末做什么好")


@pytest.mark.parametrize(("said", "lasts"), [("我不喜欢走高架", True), ("今天不走高架", False)])
def test_the_elevated_road_today_and_ever(vault: Vault, said: str, lasts: bool) -> None:
    learnt(vault, said)
    assert ("高架" in block(vault, "导航去公司")) is lasts


def test_the_yes_to_an_address_keeps_it_once(vault: Vault) -> None:
    learnt(vault, "我朋友张三住长阳路1900弄", "要记住张三的地址吗？", "是")
    learnt(vault, "我朋友张三住长阳路1900弄")
    assert block(vault, "去张三家怎么走").count("长阳路1900弄") == 1
    assert not preferences.read_preferences(vault)


def test_who_declines_is_not_remembered(vault: Vault) -> None:
    learnt(vault, "这条延安路太堵了", "下次避开延安路。要不要我永久记住您不喜欢走这条路？", "不用了")
    assert not preferences.read_preferences(vault)


def test_one_thing_keeps_one_key_and_its_kind(vault: Vault) -> None:
    learnt(vault, "空调温度我喜欢22度")
    learnt(vault, "空调温度我喜欢24度")
    (kept,) = preferences.read_preferences(vault)
    assert (kept.key, kept.value, kept.category) == ("空调温度", "24度", "climate")
    assert "24度" in block(vault, "车里太热了") and "空调温度: 22度" not in block(vault, "车里太热了")


def test_small_talk_leaves_no_snapshot_and_an_errand_does(folder: Path) -> None:
    vault = opened(folder, YESTERDAY)
    held(vault, "你好", "你好呀", "今天真好", "是啊")
    assert not list(folder.glob("snapshots/*.md"))
    held(
        vault, "导航回家", "好的，目的地是？", "上海市浦东新区张杨路188号", "好的，已为您规划路线", "别走延安高架",
        "好的，已为您规划途径内环的路线，预计25分钟",
    )  # fmt: skip
    (left,) = folder.glob("snapshots/*.md")
    text = left.read_text(encoding="utf-8")
    assert "延安高架" in text and "内环" in text


@pytest.mark.parametrize(("said", "wanted"), [
    ("只讨论价格相关的问题", "价格"),
    ("接下来都用德语回答", "German"),
    ("说人话，别那么官方", "casual"),
])  # fmt: skip
def test_what_is_asked_for_the_talk_stands_in_each_prompt(vault: Vault, said: str, wanted: str) -> None:
    talk = held(vault, said, "好的", "换个话题，聊聊潮汐", "潮汐是月亮引起的", end=False)
    assert wanted in prompted(vault, "再讲讲", talk)


def test_the_language_that_is_used_more_and_more(vault: Vault) -> None:
    """Go was only concluded: Python stands beside it, Go is trusted less, and Python counts once it was accepted."""
    prefer(vault, "language_preference", "Go", source="inferred")
    weigh(vault, "language_preference", True)
    prefer(vault, "language_preference", "Python", source="inferred")
    went, came = sorted(preferences.read_preferences(vault), key=lambda each: str(each.value))
    assert (went.value, came.value) == ("Go", "Python") and went.confidence == pytest.approx(0.56)
    assert "Python" not in block(vault, "which programming language")
    weigh(vault, "language_preference", True)
    assert "language_preference: Python" in block(vault, "which programming language")


def test_the_plan_that_was_chosen_a_week_ago(folder: Path) -> None:
    before = opened(folder, datetime(2026, 11, 13, 18))
    learnt(before, "我们就这么定了，消息队列用 Kafka，不用 RabbitMQ")
    found = block(opened(folder), "上次我们选的消息队列方案是哪个？")
    assert "Kafka" in found


def test_whoever_likes_science_fiction_is_known_for_it(vault: Vault) -> None:
    learnt(vault, "我喜欢科幻电影")
    assert "科幻电影" in block(vault, "周末看什么电影好")


def test_what_to_talk_about_and_what_not_is_a_setting(vault: Vault) -> None:
    state(vault, "topics_of_interest", ["AI", "开源"])
    state(vault, "avoid_topics", ["加密货币"])
    found = prompted(vault, "聊点什么")
    assert "开源" in found and "加密货币" in found


def test_personal_numbers_are_blacked_out_before_they_are_kept(vault: Vault) -> None:
    learnt(vault, "我们定了，报名费用卡 4539 1488 0343 6467 付")
    kept = "".join(path.read_text(encoding="utf-8") for path in vault.root.rglob("*.md"))
    assert "报名费" in kept and "4539" not in kept
