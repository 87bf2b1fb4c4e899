"""Rules find what is worth keeping in what people say, in English and Chinese, and leave the rest."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from memcli.features.learn.clauses import sentences
from memcli.features.learn.find import find_atoms
from memcli.features.learn.language import FOLDER, normalized
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import SURE, TYPES, Atom
from memcli.text import words
from tests.rows import check_rows

LINES = (Path(__file__).parent / "utterances.tsv").read_text(encoding="utf-8").splitlines()
SAID = [line.split("\t") for line in LINES if not line.startswith("#")]
HELD_OUT = [line.split("\t") for line in LINES[1 + LINES.index("# part 8, held out: no rule was made for it") :]]
F1 = {"English": 0.85, "Chinese": 0.8}


def atoms(text: str) -> list[Atom]:
    return find_atoms(read_transcript(text))


def kinds(text: str) -> list[str]:
    return [atom.type + ("+" if atom.lasting else "-") for atom in atoms(text)]


def f1(said: list[list[str]]) -> float:
    """Over all memories: the right type, and rightly held to last or not."""
    right = named = there = 0
    for labels, text in said:
        want = Counter(label for label in labels.split() if label != "-")
        got = Counter(kinds(text))
        right, named, there = right + (want & got).total(), named + got.total(), there + want.total()
    return 2 * right / (named + there)


HALVES = {
    "English": [row for row in SAID if not words.CJK_RUN.search(row[1])],
    "Chinese": [row for row in SAID if words.CJK_RUN.search(row[1])],
}


@pytest.mark.parametrize("language", HALVES)
def test_what_people_say_is_understood(language: str) -> None:
    assert len(HALVES[language]) >= 150
    assert {label[:-1] for labels, _ in HALVES[language] for label in labels.split()} >= set(TYPES)
    assert f1(HALVES[language]) >= F1[language]


def test_so_is_what_no_rule_was_made_for() -> None:
    assert len(HELD_OUT) == 90
    assert f1(HELD_OUT) >= 0.83


def test_the_examples_are_in_no_rule() -> None:
    rules = "".join(path.read_text(encoding="utf-8").lower() for path in FOLDER.glob("*/learn.txt"))
    assert rules
    assert not [text for _, text in SAID if text.lower().strip(" .。!！?？") in rules]


@check_rows(
    ("text", "type", "key", "value"),
    [
        ("I'm a carpenter.", "profile", "occupation", "carpenter"),
        ("My name is Ada Byron.", "profile", "name", "Ada Byron"),
        ("I live in Ghent nowadays.", "profile", "city", "Ghent"),
        ("My hobbies are chess and sailing.", "profile", "interests", "chess and sailing"),
        ("我是建筑师。", "profile", "occupation", "建筑师"),
        ("我叫何小雨。", "profile", "name", "何小雨"),
        ("我住在昆明。", "profile", "city", "昆明"),
        ("My husband is called Olaf.", "label", "husband", "Olaf"),
        ("Our office is at 3 Quay Lane.", "label", "office", "3 Quay Lane"),
        ("我爸叫何大山。", "label", "爸", "何大山"),
        ("我家在人民路 5 号。", "label", "家", "人民路 5 号"),
        ("My favourite fruit is mango.", "preference", "favourite_fruit", "mango"),
        ("Call me Lu.", "preference", "call_me", "Lu"),
        ("From now on answer in French.", "preference", "reply_language", "French"),
        ("以后都用法语回答我。", "preference", "reply_language", "法语"),
        ("我最喜欢的水果是芒果。", "preference", "水果", "芒果"),
        ("I'm at Northern Tides, in the rope team.", "profile", "employer", "Northern Tides"),
        ("I live in Ghent, right by the canal.", "profile", "city", "Ghent"),
    ],
)
def test_what_has_a_key_is_found_with_its_value(text: str, type: str, key: str, value: str) -> None:
    (atom,) = atoms(text)
    assert (atom.type, atom.key, atom.value) == (type, key, value)


@pytest.mark.parametrize(
    ("lasting", "once"),
    [
        ("Never use the old bridge again.", "Not the old bridge today."),
        ("From now on always skip the intro.", "Skip the intro this time."),
        ("I don't eat fish.", "No fish for me tonight."),
        ("以后别走老桥。", "今天别走老桥。"),
        ("我不吃鱼。", "今晚我不想吃鱼。"),
        ("下次别走老桥。", "这次先别走老桥。"),
    ],
)
def test_what_lasts_is_told_from_what_holds_once(lasting: str, once: str) -> None:
    assert kinds(lasting) == ["preference+"]
    assert kinds(once) == ["preference-"]


def test_how_long_it_holds_may_be_said_at_length_behind_it() -> None:
    said = "Call me Captain Custard, just for the fair this afternoon, we all wear silly name tags."
    assert not [atom for atom in atoms(said) if atom.lasting and atom.confidence >= SURE]


def test_a_sentence_in_two_languages_is_heard_in_each() -> None:
    home, habit = atoms("I live in Leipzig now，每天骑车上班")
    assert (home.key, home.value) == ("city", "Leipzig")
    assert "骑车" in habit.text
    assert [said for said, _ in sentences("我每天用VS Code，React也写")] == ["我每天用VS Code，React也写"]


def test_a_space_between_chinese_words_is_a_pause() -> None:
    (atom,) = atoms("我不吃香菜 给个凉拌牛肉的做法")
    assert atom.text == "我不吃香菜"
    assert normalized("最后选了postgres 不上mongo 建表语句") == "最后选了postgres，不上mongo，建表语句"
    for whole in ("我用 Python 写代码", "我用VS Code写", "今年8 月去", "买了iPhone 15手机"):
        assert normalized(whole) == whole


def test_a_question_that_runs_on_is_no_part_of_what_was_told() -> None:
    (atom,) = atoms("im a self employed plasterer do i need to be vat registered")
    assert "plasterer" in atom.text and "vat" not in atom.text


def test_a_plan_for_one_day_is_an_event_and_no_preference() -> None:
    assert kinds("Tomorrow I fly to Rome at seven.") == kinds("明天我飞罗马，七点出发。") == ["event-"]


@pytest.mark.parametrize("text", ["I usually take the stairs.", "我一般走楼梯。"])
def test_a_habit_is_only_inferred(text: str) -> None:
    (atom,) = atoms(text)
    assert (atom.type, atom.stated) == ("preference", False)


def test_the_same_said_twice_is_one_memory_and_the_later_of_two_values_stands() -> None:
    assert len(atoms("I never eat fish.\nWhat else?\nI never eat fish!")) == 1
    assert [atom.value for atom in atoms("I live in Ghent.\nNo, wait.\nI live in Bruges.")] == ["Bruges"]
    assert len(atoms("Our rent ends on 3 May.\nOur rent ends on 4 May.")) == 2


def test_a_sentence_may_hold_several_memories_each_with_its_own_words() -> None:
    found = atoms("We chose the blue tiles, and I have to call the tiler.")
    assert [(atom.type, atom.text) for atom in found] == [
        ("decision", "We chose the blue tiles"),
        ("task", "I have to call the tiler"),
    ]
    assert {atom.quote for atom in found} == {"We chose the blue tiles, and I have to call the tiler."}


def test_what_is_said_of_somebody_keeps_who_that_is() -> None:
    said = "Our plumber is Mr. Rossi, he only comes on Mondays."
    assert [(atom.type, atom.text) for atom in atoms(said)][1:] == [("fact", said.rstrip("."))]


def test_where_somebody_else_lives_is_not_the_users_home() -> None:
    assert [(atom.key, atom.value) for atom in atoms("我对象家在和平路 5 号。")] == [("对象家", "和平路 5 号")]
    assert [(atom.key, atom.value) for atom in atoms("My friend Ole Berg lives at 5 Quay Road.")] == [
        ("Ole Berg", "5 Quay Road")
    ]


def test_each_names_the_line_it_was_found_in() -> None:
    assert [
        atom.line
        for atom in atoms("User: hello\nsome words\n\nI live in Ghent.\nAssistant: ok\nUser: I never eat fish")
    ] == [4, 6]


@check_rows(
    ("asked", "answer", "expected"),
    [
        ("So you live in Ghent, right?", "Yes.", ("profile", "city", "Ghent")),
        ("Shall I remember that you never eat fish?", "yes please do", ("preference", "fish", "I never eat fish")),
        ("要不要我记住您不吃鱼？", "好啊", ("preference", "鱼", "我不吃鱼")),
        ("你住在昆明，对吗？", "对的", ("profile", "city", "昆明")),
        ("Do you live in Ghent?", "yes", ("profile", "city", "Ghent")),
        ("Are you a carpenter?", "Yes!", ("profile", "occupation", "carpenter")),
        ("Shall we go with oak?", "sure", ("decision", "", "")),
        ("Do you want me to always use tabs?", "Yes.", ("preference", "tabs", "always use tabs")),
        ("Should I delete the branch?", "Yes.", None),
        ("So you live in Ghent, right?", "No, in Bruges", None),
        ("So you live in Ghent, right?", "yes but only in summer", None),
        ("You live in Ghent.", "Tell me a joke", None),
        ("Do you live in Ghent?", "What a question", None),
        ("I never eat fish myself.", "Yes.", None),
    ],
)
def test_what_an_assistant_says_counts_when_the_user_agrees(
    asked: str, answer: str, expected: tuple[str, str, str] | None
) -> None:
    found = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    got = [(atom.type, atom.key, atom.value) for atom in found if "confirmed" in atom.why]
    assert got == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("talk", "type", "key", "value"),
    [
        ("User: 这条老桥太堵了\nAssistant: 下次别走了？\nUser: 好啊", "preference", "这条老桥太堵", "这条老桥太堵了: 下次别走"),
        ("User: The old bridge is jammed\nAssistant: Shall I avoid it from now on?\nUser: yes",
         "preference", "old_bridge_jammed", "The old bridge is jammed: avoid it"),
        ("User: 邮件太官方\nAssistant: 我可以以后邮件都写得像聊天一样。要不要记作默认？\nUser: 嗯，记一下吧", "preference",
         "邮件_写得像聊天一样", "以后邮件都写得像聊天一样"),
        ("User: 导航\nAssistant: 您家住哪儿？\nUser: 人民路 5 号", "label", "家", "人民路 5 号"),
        ("User: hi\nAssistant: Where is your office?\nUser: 3 Quay Lane", "label", "work", "3 Quay Lane"),
        ("User: hi\nAssistant: 你家在哪？\nUser: 昆明", "profile", "city", "昆明"),
    ],
)  # fmt: skip
def test_an_answer_holds_what_the_question_and_the_words_before_it_were_about(
    talk: str, type: str, key: str, value: str
) -> None:
    (atom,) = [atom for atom in atoms(talk) if "you" in atom.why]
    assert (atom.type, atom.key, atom.value) == (type, key, value)


@pytest.mark.parametrize(
    ("talk", "value"),
    [
        ("User: 空调打到24度\nAssistant: 好的，已调到24度\nUser: 那个以后都这样", "空调打到24度"),
        ("User: 空调开到22度吧，以后都这样", "空调开到22度吧"),
        ("User: 空调22度。以后就保持这样。", "空调22度"),
        ("User: Set the AC to 22\nAssistant: Done.\nUser: Always do it like that", "Set the AC to 22"),
        ("User: Set the AC to 22, and do that every time from now on", "Set the AC to 22"),
        ("User: 空调还是22度吧，以后都22度", "22度"),
        ("User: Set the AC to 22 please, always 22", "22"),
    ],
)
def test_what_was_done_once_is_a_wish_where_it_is_to_stay_so(talk: str, value: str) -> None:
    wishes = [atom for atom in atoms(talk) if atom.type == "preference"]
    assert [(atom.key, atom.value) for atom in wishes] == [("空调" if "空调" in talk else "ac", value)]


@pytest.mark.parametrize("talk", [
    "User: 我朋友张三住长阳路1900弄\nAssistant: 要记住张三的地址吗？\nUser: 是",
    "User: My friend Zoe is at 3 Quay Lane\nAssistant: Shall I remember Zoe's address?\nUser: yes",
])  # fmt: skip
def test_a_yes_to_keeping_what_was_said_adds_no_wish(talk: str) -> None:
    assert not [atom for atom in atoms(talk) if atom.type == "preference"]


@pytest.mark.parametrize(
    "talk",
    [
        "User: 空调打到24度\nUser: 以后再说",
        "User: 空调开着吗？以后都这样",
        "User: 好的，以后都这样",
        "User: I'm tired, always tired",
    ],
)
def test_nothing_becomes_a_standing_wish_that_was_not_asked_for(talk: str) -> None:
    assert [atom for atom in atoms(talk) if atom.type == "preference"] == []


def test_what_an_assistant_says_by_itself_is_not_learnt() -> None:
    assert (
        atoms("User: hello\nAssistant: I never eat fish. You live in Ghent. Remember that your wife is called Eva.")
        == []
    )


@pytest.mark.parametrize(
    "said", ["环城高架堵死了", "3号线又停运了", "The ring road is completely jammed", "我是棋院的会员"]
)
def test_how_the_road_is_right_now_is_no_fact_and_a_member_no_trade(said: str) -> None:
    assert not [atom for atom in atoms(said) if atom.type == "profile" or "堵" in atom.text or "jam" in atom.text]


def test_a_sentence_that_cites_a_memory_is_known_already() -> None:
    assert atoms("As logs/2026-11-13.md:5 has it, I never eat fish.") == []


def seconds(text: str) -> float:
    """The time of this process that a text takes."""
    begun = time.process_time()
    atoms(text)
    return time.process_time() - begun


def test_hostile_text_takes_no_longer_than_its_length() -> None:
    atoms("what is read once")
    for piece in ("I have been ", "我", "a", "my ", "((((", "User: ", "From: a\n", "because, "):
        short, long = (seconds(piece * (size // len(piece)) + " is.") for size in (2000, 16_000))
        assert long < 30 * max(short, 0.003), piece  # eight times the text, not sixty-four times the work


def test_the_colon_of_a_clock_ends_nothing() -> None:
    (atom,) = atoms("User: I've got an appointment with Dr Lomax on 8 December at 10:40.")
    assert atom.text.endswith("at 10:40")
