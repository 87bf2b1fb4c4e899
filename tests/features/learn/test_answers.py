"""What the user puts right of what was said to them, and what they answer to several questions at once."""

from __future__ import annotations

import pytest

from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import Atom
from memcli.remember.proposals import UNSURE, why_not
from tests.rows import check_rows


def atoms(text: str) -> list[Atom]:
    return find_atoms(read_transcript(text))


@check_rows(
    ("asked", "answer", "value"),
    [
        ("你喜欢水温38度对吧", "不对，40度", "我喜欢水温40度"),
        ("以后浴室都开38度？", "不是38度，是40度", "40度"),
        ("要记住您不吃羊肉吗？", "不是羊肉，是鱼", "我不吃鱼"),
        ("So you like the bath at 38 degrees, right?", "no, 40", "I like the bath at 40 degrees"),
        ("You like the bath at 38 degrees, right?", "No, 40 degrees.", "I like the bath at 40 degrees"),
        ("You always take the ferry, right?", "Not the ferry, the bridge", "I always take the bridge"),
        ("好的，以后不走老桥。", "不是老桥，是新桥", "以后不走新桥"),
        ("你喜欢水温38度对吧", "不是，我喜欢40度", "我喜欢水温40度"),
        ("你喜欢水温38度对吧", "不对，是40度，以后都40度", "我喜欢水温40度"),
        ("You prefer wool socks?", "not wool, cotton socks", "I prefer cotton socks"),
    ],
)
def test_a_wish_that_was_told_wrongly_is_learnt_with_the_value_that_is_right(
    asked: str, answer: str, value: str
) -> None:
    (atom,) = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    assert (atom.type, atom.value, why_not(atom)) == ("preference", value, "")


@pytest.mark.parametrize(
    ("asked", "answer", "value"),
    [
        ("要记住你喜欢靠窗吗？", "不，靠过道", "我喜欢靠过道"),
        ("Noted, you drink cocoa in the evening.", "No, lemonade", "I drink lemonade in the evening"),
        ("I'll remember that you take the ferry.", "no, the bridge", "I take the bridge"),
        ("You like your eggs hard, right?", "nope, soft", "I like my eggs soft"),
    ],
)
def test_where_only_the_other_thing_is_named_the_wish_is_asked(asked: str, answer: str, value: str) -> None:
    (atom,) = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    assert (atom.type, atom.value, why_not(atom)) == ("preference", value, UNSURE)


@pytest.mark.parametrize(
    ("asked", "answer", "key", "value"),
    [
        ("Your dog is called Rex, right?", "not Rex, Max", "dog", "Max"),
        ("Your wife is called Ingrid, right?", "No, Eva", "wife", "Eva"),
        ("So you work as a baker, right?", "not a baker, a cook", "occupation", "cook"),
        ("您老婆叫林舟，对吗？", "不是林舟，是林川", "老婆", "林川"),
    ],
)
def test_of_what_was_told_only_what_is_wrong_is_put_right(asked: str, answer: str, key: str, value: str) -> None:
    found = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    assert [(atom.key, atom.value) for atom in found if atom.key] == [(key, value)]


def test_what_was_not_told_is_not_put_right() -> None:
    found = atoms("User: hello\nAssistant: You live in Ghent, right?\nUser: Not a baker, a cook")
    assert not [atom for atom in found if atom.type == "profile" or not why_not(atom)]


@pytest.mark.parametrize(
    "answer", ["no, never", "no, stop guessing please", "No, 8 minutes", "not now", "No. Is it late?", "no thanks"]
)
def test_a_no_that_names_no_other_value_changes_no_wish(answer: str) -> None:
    found = atoms(f"User: hello\nAssistant: You like the bath at 38 degrees, right?\nUser: {answer}")
    assert not [atom for atom in found if not why_not(atom) or "bath" in atom.text]


@check_rows(
    ("asked", "answer", "expected"),
    [
        ("What's your name, and where do you live?", "Ola, Bergen", {"name": "Ola", "city": "Bergen"}),
        ("Where do you live and what's your name?", "Bergen, Ola", {"name": "Ola", "city": "Bergen"}),
        ("What's your name? And where do you live?", "Ola. Bergen.", {"name": "Ola", "city": "Bergen"}),
        ("What do you do, and how old are you?", "52, roofer", {"occupation": "roofer", "age": "52"}),
        ("What do you do, and how old are you?", "I'm a roofer, 52", {"occupation": "roofer", "age": "52"}),
        ("怎么称呼您，多大年纪？", "罗知夏，52", {"name": "罗知夏", "age": "52"}),
        ("您住哪个城市？做什么工作？", "泉州，钟表师", {"city": "泉州", "occupation": "钟表师"}),
        ("What's your name, and where do you live?", "I'd rather not say", {}),
    ],
)
def test_each_of_several_questions_has_its_answer(asked: str, answer: str, expected: dict[str, str]) -> None:
    found = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    assert {atom.key: atom.value for atom in found if atom.type == "profile"} == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I'm Ola, 52, a roofer in Bergen", {"name": "Ola", "age": "52", "occupation": "roofer", "city": "Bergen"}),
        ("My name is Ola, originally from Tromsø", {"name": "Ola", "origin": "Tromsø"}),
        ("I work as a roofer in Bergen", {"occupation": "roofer in Bergen"}),
        ("我叫罗知夏，是钟表师，喜欢击剑和木刻", {"name": "罗知夏", "occupation": "钟表师", "interests": "击剑和木刻"}),
        ("我是罗知夏，52岁，住在泉州", {"name": "罗知夏", "age": "52", "city": "泉州"}),
        ("小名团团，大名罗知夏", {"nickname": "团团", "name": "罗知夏"}),
        ("他叫罗知夏，是钟表师", {}),
    ],
)
def test_several_things_of_oneself_in_a_row_are_each_learnt(said: str, expected: dict[str, str]) -> None:
    found = atoms(said)
    assert {atom.key: atom.value for atom in found} == expected
    assert all(atom.type == "profile" for atom in found)
