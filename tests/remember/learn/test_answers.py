"""What the user puts right of what was said to them, and what they answer to several questions at once."""

from __future__ import annotations

import pytest

from memcli.remember.learn import UNSURE, Atom, why_not
from memcli.remember.learn.find import find
from memcli.remember.learn.transcript import read


def atoms(text: str) -> list[Atom]:
    return find(read(text))


@pytest.mark.parametrize(
    ("asked", "answer", "value"),
    [
        ("你喜欢水温38度对吧", "不对，40度", "我喜欢水温40度"),
        ("以后浴室都开38度？", "不是38度，是40度", "以后浴室都开40度"),
        ("要记住您不吃羊肉吗？", "不是羊肉，是鱼", "我不吃鱼"),
        ("So you like the bath at 38 degrees, right?", "no, 40", "I like the bath at 40 degrees"),
        ("You like the bath at 38 degrees, right?", "No, 40 degrees.", "I like the bath at 40 degrees"),
        ("You always take the ferry, right?", "Not the ferry, the bridge", "I always take the bridge"),
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
        ("You like your eggs hard, right?", "nope, soft", "I like my eggs soft"),
    ],
)
def test_where_only_the_other_thing_is_named_the_wish_is_asked(asked: str, answer: str, value: str) -> None:
    (atom,) = atoms(f"User: hello\nAssistant: {asked}\nUser: {answer}")
    assert (atom.type, atom.value, why_not(atom)) == ("preference", value, UNSURE)


@pytest.mark.parametrize(
    "answer", ["no, never", "no, stop guessing please", "No, 8 minutes", "not now", "No. Is it late?", "no thanks"]
)
def test_a_no_that_names_no_other_value_changes_no_wish(answer: str) -> None:
    found = atoms(f"User: hello\nAssistant: You like the bath at 38 degrees, right?\nUser: {answer}")
    assert not [atom for atom in found if not why_not(atom) or "bath" in atom.text]
