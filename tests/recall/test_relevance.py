"""Whether memories bear on a prompt that gives a task: by what the task is about, not by what is to be made."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from memcli.recall import Request, engine
from memcli.recall.relevance import find_relevant
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.recall.vaults import TODAY, lay, log

LINES = (
    "Keiran sent us a crate of pears from his orchard",
    "the plot next door has a new fence",
    "郭凯寄来一箱洛川苹果",
    "阳台的灯泡换了新的",
)


@pytest.fixture
def vault(folder: Path) -> Vault:
    return opened(lay(folder, {log(TODAY - timedelta(days=n)): f"- {line}\n" for n, line in enumerate(LINES)}))


def brought(vault: Vault, prompt: str) -> list[str]:
    return [memory.entry.raw for memory in find_relevant(engine.seek(vault, Request(prompt, 1000, fill=True)), prompt)]


@pytest.mark.parametrize(
    ("prompt", "about"),
    [
        ("Write a short thank-you letter to Keiran", "Keiran"),
        ("could you draft me a polite message for Keiran", "Keiran"),
        ("写一封给郭凯的感谢信", "郭凯"),
        ("帮我给郭凯写条微信", "郭凯"),
    ],
)
def test_who_a_letter_is_for_brings_what_is_noted_of_them(vault: Vault, prompt: str, about: str) -> None:
    found = brought(vault, prompt)
    assert found
    assert about in found[0]


@pytest.mark.parametrize(
    "prompt",
    ["what did I do yesterday", "我昨天干嘛了", "昨天我都干了啥，帮我写日报", "write my daily report for yesterday"],
)
def test_a_prompt_that_asks_for_a_past_day_as_a_whole_brings_it(vault: Vault, prompt: str) -> None:
    assert brought(vault, prompt) == [f"- {LINES[1]}"]


def test_a_question_for_days_to_come_brings_what_is_planned(folder: Path) -> None:
    vault = opened(lay(folder, {log(TODAY): "- demo for the board on Tuesday 24 November\n- the fence is new\n"}))
    asked = ("what do I have on Tuesday", "what's happening next week", "我下周有什么安排", "帮我列一下下周要做的事")
    for prompt in asked:
        assert brought(vault, prompt) == ["- demo for the board on Tuesday 24 November"], prompt
    for prompt in ("plan my Tuesday", "周二送孩子的路线安排", "安排我下周的工作，24号去进货"):
        assert brought(vault, prompt) == ["- demo for the board on Tuesday 24 November"], prompt
    for prompt in ("what's the weather on Tuesday", "can we do this on Tuesday?", "remind them on Tuesday"):
        assert brought(vault, prompt) == [], prompt


def test_a_name_in_what_the_user_says_of_themselves_is_enough(folder: Path) -> None:
    vault = opened(lay(folder, {log(TODAY): "- Anna likes oil paints\n"}))
    assert brought(vault, "what should I get Anna")


@pytest.mark.parametrize(
    "prompt", ["same as yesterday", "what did you do yesterday", "我昨天跟你说过了", "昨天还好好的"]
)
def test_a_prompt_that_only_mentions_a_day_brings_nothing(vault: Vault, prompt: str) -> None:
    assert brought(vault, prompt) == []


@pytest.mark.parametrize(
    "prompt", ["write a short letter to a landlord", "写一封给客户的道歉信", "列一个去北京的行李清单"]
)
def test_a_letter_about_nothing_that_is_noted_brings_nothing(vault: Vault, prompt: str) -> None:
    assert brought(vault, prompt) == []


@pytest.mark.parametrize(
    ("chore", "noted"),
    [
        ("run the tests and fix what fails", "run the failing tests with --exclude hardware"),
        ("commit and push", "commit and push before the weekly call"),
        ("好的，改成第二种", "医保卡放在第二种文件夹里，改成红色的"),
        ("Good morning!", "Good morning walks with the choir are on Sundays"),
        ("make it shorter", "make the fence shorter by a board"),
        ("再短一点", "窗帘再短一点才好看"),
    ],
)
def test_an_order_that_every_project_gets_needs_no_memory(folder: Path, chore: str, noted: str) -> None:
    vault = opened(lay(folder, {log(TODAY): f"- {noted}\n"}))
    assert brought(vault, chore) == []
    assert brought(vault, f"{noted}?")


@pytest.mark.parametrize(
    ("prompt", "noted"),
    [
        ("build it", "insurance of the building is split by floor area"),
        ("it still fails", "Kezia's van fails its MOT"),
        ("how do I run this", "the spawn run takes 18 days"),
        ("孩子不爱吃青菜怎么办", "开面包车拉六个孩子去二中操场"),
        ("怎么做客户满意度问卷", "客户邱姐的车后门漏风"),
        ("email our landlord w/ the final details", "run the vans w/ the winter tyres"),
    ],
)
def test_one_common_word_is_not_enough(folder: Path, prompt: str, noted: str) -> None:
    vault = opened(lay(folder, {log(TODAY): f"- {noted}\n"}))
    assert brought(vault, prompt) == []
    assert brought(vault, f"{noted}?")


def test_who_speaks_is_no_sign_for_a_prompt(folder: Path) -> None:
    said = (
        "用户: 我去看了一部动作片。",
        "AI: 拍得怎么样？",
        "用户: 照片拍了两百张，下次一起去看。",
        "AI: 好的，我很期待。",
    )
    turns = "".join(f"- {line}\n" for line in said)
    vault = opened(lay(folder, {log(TODAY - timedelta(days=n)): f"## 09:00 talk\n\n{turns}" for n in range(12)}))
    assert brought(vault, "把这个文件夹里的照片按日期批量改名，给我个 Python 脚本。") == []
    assert brought(vault, "我拍了两百张照片")


@pytest.mark.parametrize(
    ("prompt", "noted"),
    [
        ("y-sort 不生效，帮我看看", "换 TileMapLayer 之后 y-sort 要在每层单独开"),
        ("在 _Process 里拿一下节点", "不要在 _Process 里 GetNode，缓存到 _Ready"),
        ("给码头加几十盏灯，用 PointLight2D", "夜晚掉到 38fps，元凶是 200 多个 PointLight2D"),
        ("why does test_hold_expiry fail only sometimes", "Flaky test test_hold_expiry: it sleeps"),
        ("draft the offer letter to Ruairí", "Ruairí starts on 1 March at 46k"),
        ("想请老韩吃饭，推荐个馆子定菜单", "老韩不吃羊肉"),
        ("给林姐写条提车微信", "林姐的车后备箱进水"),
    ],
)
def test_a_name_of_code_or_of_somebody_brings_what_is_noted_of_it(folder: Path, prompt: str, noted: str) -> None:
    others = "".join(f"- {line}\n" for line in LINES * 20)
    vault = opened(lay(folder, {log(TODAY): f"- {noted}\n", log(TODAY - timedelta(days=9)): others}))
    assert brought(vault, prompt) == [f"- {noted}"]


@pytest.mark.parametrize(
    "prompt",
    ["who is Keiran?", "Suggest a bottle for Keiran."],
)
def test_a_rare_word_is_a_name(vault: Vault, prompt: str) -> None:
    assert brought(vault, prompt) == ["- Keiran sent us a crate of pears from his orchard"]


@pytest.mark.parametrize("prompt", ["who was Marie Curie?", "now the same in Pears"])
def test_a_prompt_of_the_world_or_of_the_work_at_hand_brings_nothing(vault: Vault, prompt: str) -> None:
    assert brought(vault, prompt) == []


def test_a_month_in_an_order_is_said_in_passing(folder: Path) -> None:
    day = log(TODAY - timedelta(3))
    lay(folder, {day: "- the choir sings on 12 December\n- my day rate is 340 front of house\n", "x.md": "- tea\n" * 9})
    assert brought(opened(folder), "Draft an invoice for two days of front of house in December.") == [
        "- my day rate is 340 front of house"
    ]


def test_a_bare_question_whose_words_one_memory_has_is_answered(folder: Path) -> None:
    noted = "Nia started at Sefton Park, the class is called Hedgehogs, teacher Mrs Okonjo"
    others = "".join(f"- {line}\n" for line in LINES)
    vault = opened(lay(folder, {log(TODAY): f"- {noted}\n", log(TODAY - timedelta(days=9)): others}))
    assert brought(vault, "who is Nia's teacher?") == [f"- {noted}"]
    assert brought(vault, "who is the best teacher in Go?") == []


@pytest.mark.parametrize("prompt", ["Plan a dinner for Beatriz on {day}.", "can you send Beatriz something by {day}?"])
def test_a_day_that_a_prompt_mentions_brings_nothing_by_itself(folder: Path, prompt: str) -> None:
    coming = TODAY + timedelta(days=3)
    noted = f"Orla's birthday is {coming.day} {coming:%B}"
    notes = {"MEMORY.md": f"- {noted}\n- Beatriz is coeliac\n", "x.md": "- tea\n" * 9}
    assert brought(opened(lay(folder, notes)), prompt.format(day=f"{coming:%A}")) == ["- Beatriz is coeliac"]


def test_a_weekday_in_an_order_is_said_in_passing(folder: Path) -> None:
    noted = "Dinner at Ioana and Mark's, she is vegan and he can't have nuts"
    last = TODAY - timedelta(days=6)
    vault = opened(
        lay(folder, {log(last): "- Mark rang\n- rain all day\n", log(TODAY - timedelta(days=9)): f"- {noted}\n"})
    )
    assert f"- {noted}" in brought(vault, f"Make me a menu for having Ioana and Mark round on {last:%A}.")
    assert "- rain all day" not in brought(vault, f"Make me a menu for having Ioana and Mark round on {last:%A}.")
