"""What is plain is kept unasked; what may be somebody else's, over, or no field of a profile is asked about."""

from __future__ import annotations

import pytest

from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import OTHER, USER, Utterance
from memcli.remember.atoms import Atom
from memcli.remember.proposals import why_not
from tests.rows import check_rows


def found(*said: str) -> list[Atom]:
    """The memories of a talk; what another says begins with a dash."""
    return find_atoms(
        [Utterance(OTHER if text[0] == "-" else USER, text.lstrip("- "), at) for at, text in enumerate(said, 1)]
    )


def kept(*said: str) -> list[tuple[str, str]]:
    return [(atom.type, atom.text) for atom in found(*said) if not why_not(atom)]


@check_rows(
    "said",
    [
        "My daughter Isla is allergic to peanuts",
        "My husband can't eat gluten",
        "My wife doesn't eat gluten",
        "My kids can't have dairy or eggs",
        "我儿子不能吃鸡蛋",
        "我老婆不吃香菜",
        "我爱人不能喝牛奶",
        "我女儿对花生过敏",
        "My brother Sam lives in Leeds",
        "I have two cats, Miso and Tofu",
        "My car is insured with Allianz",
        "我老公不能吃麸质",
        "我开一辆灰色的斯柯达",
        "我的车险是平安的",
    ],
)
def test_a_plain_statement_of_ones_own_is_kept(said: str) -> None:
    assert ("fact", said) in kept(said)


@pytest.mark.parametrize(
    "said",
    ["I have a dentist appointment on Friday at 3", "Dentist on 12 December at 9:30", "We meet at 6:30 on Saturday"],
)
def test_an_appointment_with_a_day_is_kept(said: str) -> None:
    assert ("event", said) in kept(said)


@pytest.mark.parametrize(
    "said",
    [
        "Maybe my husband can't eat gluten",
        "If my car is insured with Allianz, I call them",
        "Is my car insured with Allianz?",
        "I wish my brother lived in Leeds",
        "也许我老公不能吃麸质",
        "要是我有一辆斯柯达就好了",
    ],
)
def test_what_is_doubted_supposed_or_asked_is_not_plain(said: str) -> None:
    assert kept(said) == []


@check_rows(
    ("said", "fields"),
    [
        (("我在张江高科上班",), {}),
        (("我在国贸上班",), {}),
        (("I work in Antwerp",), {}),
        (("-你闺女叫啥", "大名顾念慈"), {}),
        (("以前我在深圳住过三年",), {}),
        (("我在深圳住过三年",), {}),
        (("我在腾讯上班",), {"employer": "腾讯"}),
        (("我在上海上班",), {}),
        (("我在徐汇工作",), {}),
        (("我在上海银行上班",), {"employer": "上海银行"}),
        (("我搬到上海了",), {"city": "上海"}),
        (("我下个月搬到上海",), {}),
        (("I'm moving to Ghent in March",), {}),
        (("I work at Barco",), {"employer": "Barco"}),
    ],
)
def test_only_what_is_a_field_of_the_profile_becomes_one_unasked(said: tuple[str, ...], fields: dict[str, str]) -> None:
    told = {atom.key: atom.value for atom in found(*said) if atom.type == "profile" and not why_not(atom)}
    assert told == fields


@check_rows("said", ["我在张江高科上班", "我在上海上班", "我在苏州工业园区上班", "I work in Antwerp"])
def test_where_somebody_works_is_neither_their_city_nor_their_employer(said: str) -> None:
    assert [(atom.type, atom.text) for atom in found(said)] == [("fact", said)]


@pytest.mark.parametrize(
    "said",
    [
        ("Olga's email is olga@example.com", "Olga's phone is +32 470 12 34 56"),
        ("奥尔加的邮箱是olga@example.com", "奥尔加的电话是13812345678"),
    ],
)
def test_the_email_and_the_phone_of_a_friend_are_kept_alike(said: tuple[str, ...]) -> None:
    assert [text for _, text in kept(*said)] == list(said)


def test_an_answer_about_a_daughter_is_asked_about_as_one() -> None:
    (atom,) = found("-你闺女叫啥", "大名顾念慈")
    assert (atom.type, atom.text, bool(why_not(atom))) == ("fact", "我闺女叫啥: 大名顾念慈", True)


@pytest.mark.parametrize("said", [("-我帮你记一下，我明天三点面试", "好"), ("我帮你记一下，我明天三点面试", "好")])
def test_what_the_other_has_before_them_is_not_the_users(said: tuple[str, ...]) -> None:
    assert found(*said) == []


@pytest.mark.parametrize(
    "said",
    [
        "他对海鲜过敏", "他下周三来北京", "She works at Barco", "He is allergic to nuts",
        "My brother Karl lives there too", "我弟弟也住那里",
    ],
)  # fmt: skip
def test_somebody_or_a_place_without_a_name_is_kept_by_nobody(said: str) -> None:
    assert kept(said) == []


@check_rows(
    ("said", "whole"),
    [
        ("We meet at the station on Friday, 5:45 sharp", "We meet at the station on Friday, 5:45 sharp"),
        ("I play the piano, the violin, and the drums", "I play the piano, the violin, and the drums"),
        ("I have three sisters: Ana, Bea and Cleo", "I have three sisters: Ana, Bea and Cleo"),
        ("My brother Sam lives in Leeds, and I love jazz", "My brother Sam lives in Leeds"),
        ("我女儿每周六坐地铁从静安去徐汇上课，回来要一个小时", "我女儿每周六坐地铁从静安去徐汇上课，回来要一个小时"),
        ("我们房子的合同签到2027年底", "我们房子的合同签到2027年底"),
        ("地址是长河路475号，和瑞科技园", "地址是长河路475号，和瑞科技园"),
        ("我家在长河路475号，和瑞科技园", "长河路475号，和瑞科技园"),
        ("周六早上六点半集合，七点出发", "周六早上六点半集合，七点出发"),
        ("My office is at 12 Mill Lane, Unit 4, Leeds", "12 Mill Lane, Unit 4, Leeds"),
    ],
)
def test_the_end_of_a_clause_is_not_lost(said: str, whole: str) -> None:
    assert whole in [atom.value or atom.text for atom in found(said)]


@check_rows("said", ["周五下午三点看牙医", "我下周二上午十点面试", "Dentist on Friday at 3pm"])
def test_an_appointment_with_its_day_is_kept(said: str) -> None:
    assert kept(said) == [("event", said)]
