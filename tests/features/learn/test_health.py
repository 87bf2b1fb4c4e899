"""The user's own plain words about their health and what they don't eat are kept unasked; whatever is doubted, played,
somebody else's or of one evening is not."""

from __future__ import annotations

from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import Atom
from memcli.remember.proposals import why_not
from tests.rows import check_rows


def atoms(text: str) -> list[Atom]:
    return find_atoms(read_transcript(text))


@check_rows(
    "said",
    [
        "I'm allergic to walnuts",
        "We moved last year. I'm allergic to walnuts.",
        "User: My wife is called Ingrid\nI'm allergic to bee stings",
        "I'm allergic to walnuts, so which pesto can I have?",
        "I am severely allergic to prawns and mussels.",
        "I've got epilepsy.",
        "I'm lactose intolerant",
        "I don't eat lamb",
        "We never eat pork",
        "I can't eat wheat",
        "我对核桃过敏",
        "我對蝦過敏",
        "我青霉素过敏，这个药能吃吗",
        "我有痛风",
        "我乳糖不耐受",
        "我不吃羊肉",
        "我从小不吃葱，点外卖帮我备注",
        "我吃素",
    ],
)
def test_what_the_user_says_of_their_health_and_food_is_kept_unasked(said: str) -> None:
    kept = [atom.why for atom in atoms(said) if not why_not(atom)]
    assert {"about their health", "says what they don't eat"} & set(kept)


@check_rows(
    "said",
    [
        "I'm allergic to Mondays",
        "I'm allergic to walnuts lol",
        "I might be allergic to walnuts",
        "Am I allergic to walnuts?",
        "If I'm allergic to walnuts, can I eat pesto?",
        "Translate: I'm allergic to walnuts",
        "How do you say “I'm allergic to walnuts” in Thai?",
        "Pretend I'm a vampire. I'm allergic to garlic.",
        "He says I'm allergic to walnuts",
        "Imagine I'm allergic to walnuts. I don't eat pork. What can I cook?",
        "Fill in the form: name Bob. I have asthma.",
        "I don't eat pork. Just kidding!",
        "I don't eat pork tonight",
        "No pork for me today",
        "I'm no longer allergic to walnuts",
        "我对核桃过敏哈哈",
        "我好像对核桃过敏",
        "我对核桃过敏吗？",
        "假如我对核桃过敏，这个能吃吗",
        "翻译一下：我对核桃过敏",
        "我同事对核桃过敏",
        "假设我在海边。我不吃海鲜。推荐餐厅",
        "我不吃羊肉，骗你的",
        "英语怎么说：我不吃羊肉",
        "今晚我不吃肉",
    ],
)
def test_what_is_not_plainly_so_is_not_kept_unasked(said: str) -> None:
    assert not [atom for atom in atoms(said) if not why_not(atom)]
