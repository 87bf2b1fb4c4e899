"""What people say of themselves is told from what they quote, ask, suppose, act or take back; and a value ends where it ends."""

from __future__ import annotations

import json

import pytest

from memcli.features.learn.find import find_atoms
from memcli.features.learn.hits import slug
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import Atom
from memcli.remember.proposals import why_not
from tests.rows import check_rows


def atoms(*turns: str) -> list[Atom]:
    """What is proposed and lasts, of `user: …` and `assistant: …`."""
    lines = [turn.partition(": ") for turn in turns]
    return [
        atom
        for atom in find_atoms(
            read_transcript("\n".join(json.dumps({"role": who, "content": said}) for who, _, said in lines))
        )
        if atom.lasting or atom.type == "task"
    ]


@check_rows(
    ("said", "key", "value"),
    [
        ("I live in Leipzig now", "city", "Leipzig"),
        ("I work at Kestrel Labs on billing", "employer", "Kestrel Labs"),
        ("I'm a Kiwi living in Bergen, the rain is fine", "city", "Bergen"),
        ("我搬到苏州了", "city", "苏州"),
        ("我叫陈默啦", "name", "陈默"),
        ("我是1981年出生的", "born", "1981年"),
        ("小名晓晓", "nickname", "晓晓"),
        ("我現在住台中西屯，騎車上班", "city", "台中西屯"),
        ("我姓欧阳", "name", "欧阳"),
    ],
)
def test_a_value_ends_where_it_ends(said: str, key: str, value: str) -> None:
    assert (key, value) in [(atom.key, atom.value) for atom in atoms(f"user: {said}")]


@check_rows(
    "said",
    [
        "My name is on the list", "I live in fear", "I turned left", "我叫了车", "我表姐叫我回家", "我把桌子搬到门口了", "我会说的",
        "I used to live in Berlin", "We nearly bought a boat", "I might move to Oslo",
        "Translate this: I love apples", "翻译一下：我喜欢苹果", "who sang \"I left my heart in Riga\"", "谁说我吃素了",
        "If I were rich, I'd live in Nice", "要是我有船，我就去航海", "I never said that I like cats", "差点就买了那艘船",
        "oh great, I love waiting in line 🙄", "呵呵，我可太喜欢加班了", "My flatmate works at the zoo", "do I like coffee?",
        "write a bio for my sister: I am a dancer", "帮我表弟改简历：我毕业于海事学院", "I love rain. Just kidding!",
    ],
)  # fmt: skip
def test_what_is_not_meant_of_oneself_is_not_learnt(said: str) -> None:
    assert atoms(f"user: {said}") == []


def test_a_part_is_played_until_it_is_over() -> None:
    talk = ["user: pretend I'm a pirate named Flint", "assistant: Arr!", "user: I live on a ship in Tortuga"]
    assert atoms(*talk) == []
    assert [atom.value for atom in atoms(*talk, "user: ok, end of role play", "user: I live in Leipzig")] == ["Leipzig"]


def test_a_name_for_today_only_does_not_last() -> None:
    assert atoms("user: My name is Bob today only") == []


@check_rows(
    ("asked", "answer", "expected"),
    [
        ("要我记住你不吃辣吗？", "好啊", "不吃辣"),
        ("下次别走延安高架了？", "好啊", "延安高架"),
        ("You've picked the aisle three times. Make it your default?", "sure", "aisle"),
        ("Want a reminder every Monday to put the bins out?", "god yes", "bins"),
        ("请问怎么称呼您？", "周以宁", "周以宁"),
        ("Which editor do you use?", "helix", "helix"),
        ("How old are you?", "41", "41"),
        ("You live in Bonn, right?", "no, in Cologne", "Cologne"),
        ("要我记住你喜欢川菜吗？", "不用", ""),
        ("Shall I remember you love ramen?", "nah don't bother", ""),
        ("Shall I delete the file?", "yes", ""),
    ],
)
def test_what_was_asked_tells_what_an_answer_says(asked: str, answer: str, expected: str) -> None:
    found = atoms(f"assistant: {asked}", f"user: {answer}")
    assert any(expected in (atom.value or atom.text) for atom in found) if expected else found == []


def test_one_thing_has_one_key_whatever_its_value_is() -> None:
    assert {
        atom.key for atom in atoms("user: no meetings before ten, ever", "user: no meetings before nine, ever")
    } == {"meetings"}
    (first,) = atoms("user: 空调温度我喜欢22度")
    (later,) = atoms("user: 空调温度我喜欢22度", "assistant: 好", "user: 空调温度我喜欢24度")
    assert first.key == later.key == "空调温度"
    assert (first.value, later.value) == ("22度", "24度")


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("以后水温40度", "水温", "40度"),
        ("以后空调打到24度吧", "空调", "24度"),
        ("From now on set the oven to 180 degrees", "oven", "180 degrees"),
        ("Set the bath to 38 from now on", "bath", "38"),
    ],
)
def test_what_is_set_for_good_is_kept_with_its_value(said: str, key: str, value: str) -> None:
    (atom,) = atoms(f"user: {said}")
    assert (atom.type, atom.key, atom.value, why_not(atom)) == ("preference", key, value, "")


@pytest.mark.parametrize(
    "said", ["水温调到40度", "三天以后气温40度", "以后水温40度行吗？", "Set the oven to 180 degrees"]
)
def test_what_is_set_once_asked_or_foretold_is_no_wish(said: str) -> None:
    assert not [atom for atom in atoms(f"user: {said}") if atom.type == "preference" and not why_not(atom)]


@pytest.mark.parametrize("said", ["I'm a night owl", "I'm a dog person", "I'm a member of the rowing club"])
def test_what_somebody_is_like_is_asked(said: str) -> None:
    assert [(atom.type, bool(why_not(atom))) for atom in atoms(f"user: {said}")] == [("fact", True)]


@check_rows(
    ("said", "key"),
    [
        ("慢动作一条片子不超过三处", "慢动作一条片子_不超过三处"),
        ("我回客户消息喜欢短句，不要“亲”", "回客户消息_短句_不要亲"),
        ("我现在喜欢叠化转场，不反感了", "叠化转场_不反感"),
        ("今天先不吃辣", "今天先_不吃辣"),
        ("晚上不喝咖啡", "晚上_不喝咖啡"),
        ("I like tea, no sugar", "tea_not_sugar"),
        ("window seat, never aisle", "window_seat_not_aisle"),
        ("I like my steak rare, don't overcook it", "steak_rare_not_overcook"),
        ("Use tabs, not spaces", "tabs_not_spaces"),
        ("quotes on one page as PDF, price with and without VAT", "quotes_page_pdf"),
        ("meetings not before ten", "meetings"),  # the thing alone, where nothing more is said of it
        ("named exports only, no default exports", "named_exports"),
        ("我不吃香菜", "香菜"),
        ("我不喜欢吃香菜", "香菜"),
        ("报价单上别写配件进价", "报价单上_别写配件进价"),
        ("以后回客户消息别用表情", "回客户消息_别用表情"),
        ("合同里不要写年份", "合同里_不要写年份"),
        ("咖啡下午不喝，胃受不了", "咖啡下午"),
        ("咖啡胃受不了下午改喝茶", "咖啡_下午改_茶"),
        ("最多抹零，三天内算数", "最多抹零"),
        ("我最喜欢爵士", "爵士"),
        ("不辣的火锅", "不辣_火锅"),
        ("我喜欢咖啡，不过也喝茶", "咖啡_不过_茶"),
        ("特别喜欢爵士", "爵士"),
        ("I never drink coffee", "coffee"),
        ("I would rather not fly", "fly"),
    ],
)  # fmt: skip
def test_a_key_does_not_say_the_opposite(said: str, key: str) -> None:
    assert slug(said) == key


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("From now on set the oven to 180 degrees", "oven"),
        ("Always put the totals first", "totals_first"),
        ("以后汇报先讲重点", "reply_order"),
        ("以后回复简短些", "reply_length"),
        ("合并必须三个人批准", "合并_批准"),
        ("我平时用 Helix 和 Zed", "helix"),
    ],
)
def test_a_key_is_the_thing_and_not_the_whole_wish(said: str, key: str) -> None:
    assert [atom.key for atom in atoms(f"user: {said}") if atom.type == "preference"] == [key]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I always take the ferry because the bridge is closed half the time", "I always take the ferry"),
        ("Never book the early flight, since it's always late", "Never book the early flight"),
        ("Because of my back I never sit in the middle row", "I never sit in the middle row"),
        ("以后别走老桥，因为太窄", "以后别走老桥"),
        ("因为堵车所以别走高架", "别走高架"),
        ("因为我胃不好所以别给我推荐辣的", "别给我推荐辣的"),
    ],
)
def test_why_somebody_wishes_something_is_no_part_of_it_and_its_not_is(said: str, value: str) -> None:
    assert [atom.value for atom in atoms(f"user: {said}") if atom.type == "preference"] == [value]


@pytest.mark.parametrize("said", ["I never eat prawns because I'm allergic to them", "我不吃虾，因为我过敏"])
def test_a_reason_of_health_stays_with_the_wish(said: str) -> None:
    assert any(word in atom.text for atom in atoms(f"user: {said}") for word in ("allergic", "过敏"))


def test_a_decision_keeps_its_object_and_its_not() -> None:
    assert [atom.text for atom in atoms("user: 就这么定了，国庆去大理")] == ["国庆去大理"]
    assert [atom.text for atom in atoms("user: 讨论下来，决定先不做国际化")] == ["先不做国际化"]
    assert "not" in atoms("user: We decided not to renew the lease")[0].text


@check_rows(
    ("said", "decision"),
    [
        ("We decided against the dog, because Tom is allergic.", "We decided against the dog, because Tom is allergic"),
        ("We're taking the blue tiles because they're cheap", "We're taking the blue tiles because they're cheap"),
        ("We chose the ferry, because it's quiet, and we sail", "We chose the ferry, because it's quiet"),
        ("We decided to do the window in eucalyptus.", "We decided to do the window in eucalyptus"),
        ("I decided to do it all in slices of orange.", "I decided to do it all in slices of orange"),
        ("决定了：不租那间，因为太吵", "不租那间，因为太吵"),
        ("我决定不租了，因为太吵", "不租了，因为太吵"),
        ("因为老桥要修，我们决定走隧道", "因为老桥要修，我们决定走隧道"),
    ],
)
def test_a_decision_keeps_its_reason(said: str, decision: str) -> None:
    assert [atom.text for atom in atoms(f"user: {said}") if atom.type == "decision"][:1] == [decision]


def test_what_is_said_of_a_project_holds_for_it() -> None:
    line = {"type": "user", "cwd": "/home/x/tern", "message": {"role": "user", "content": "In this repo we use uv"}}
    assert [atom.scope for atom in find_atoms(read_transcript(json.dumps(line)))] == ["project:tern"]
    assert [atom.scope for atom in atoms("user: I hate olives")] == [""]


def test_a_text_is_kept_as_it_was_written() -> None:
    assert [atom.value for atom in atoms("user: 我唔食牛肉")] == ["我唔食牛肉"]


@pytest.mark.parametrize("said", ["I am Groot", "I no longer work at Shell", "我家猫很乖", "I use Firefox"])
def test_what_is_not_sure_is_proposed_and_not_kept_unasked(said: str) -> None:
    found = atoms(f"user: {said}")
    assert found and all(why_not(atom) for atom in found)


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Whenever I paste a receipt, pull out the total.", "Whenever I paste a receipt, pull out the total"),
        ("凡是要转账付款的操作，先问我一遍再动", "凡是要转账付款的操作，先问我一遍再动"),
    ],
)
def test_what_a_wish_hangs_on_is_part_of_it(said: str, wish: str) -> None:
    assert [atom.text for atom in atoms(f"user: {said}")] == [wish]


@pytest.mark.parametrize("said", ["My favourite food is obviously airline chicken (not).", "我最喜欢加班（才怪）"])
def test_what_is_taken_back_in_brackets_is_not_meant(said: str) -> None:
    assert atoms(f"user: {said}") == []


def test_what_is_dictated_as_a_quotation_is_not_meant() -> None:
    assert (
        atoms("user: customer left me a card quote i am allergic to latex so no gloves unquote what should i do") == []
    )


def test_a_name_that_nobody_owns_is_asked() -> None:
    found = atoms("user: 宝宝名字终于定了！大名顾时安，小名团团")
    named = [why_not(atom) for atom in found if atom.value in ("顾时安", "团团")]
    assert named and all(named)


@pytest.mark.parametrize(
    "said",
    [
        ("user: 我工资两万八，这个别记",),
        ("user: 记一下，停车在B2层C区，不用记了我拍照了",),
        ("user: My salary is 28000 a month, do not keep that.",),
        ("user: I'm allergic to nuts. Don't save that.",),
        ("user: Remember that the gate opens at 7.", "assistant: Noted.", "user: scratch that, the gate opens at 8."),
        ("user: 记住我不吃辣", "assistant: 记住了", "user: 忘掉刚才那条"),
        ("user: 我住在杭州", "user: 刚才说的住址忘掉吧"),
        ("user: I live in Bonn.", "assistant: Noted!", "user: Please forget what I said about my address."),
        ("user: We decided to use Ecto.", "assistant: Done.", "user: I take that back."),
        ("user: We decided to use Ecto.", "assistant: Done.", "user: Changed my mind, no Ecto."),
        ("user: I live in Bonn.", "assistant: Noted!", "user: just kidding!"),
        ("user: 我对海鲜过敏", "assistant: 好的", "user: 骗你的，哈哈"),
        ("user: 我每天吃一粒阿司匹林", "assistant: 好。", "user: 别记这个"),
    ],
)
def test_what_the_user_does_not_want_kept_is_not_kept(said: tuple[str, ...]) -> None:
    assert atoms(*said) == []
    assert atoms(
        said[0].replace("，这个别记", "").replace("，不用记了我拍照了", "").split(", do not")[0].split(" Don't")[0]
    )


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("我爱人叫李蔓，在三院当护士", {"李蔓"}),
        ("我爸属猴，1956年生的", set()),
        ("My wife is called Ingrid, born in 1988.", {"Ingrid"}),
        ("我叫李蔓，在三院当护士", {"李蔓", "三院当护士"}),
    ],
)
def test_what_follows_on_a_relative_is_not_of_the_user(said: str, values: set[str]) -> None:
    assert {atom.value for atom in atoms(f"user: {said}") if atom.type in ("profile", "label")} == values


@pytest.mark.parametrize(
    "said",
    ["My cat is called Ram. No wait, Ros.", "I live in Bonn. Sorry, no, in Köln.", "我住在杭州。不对，绍兴。"],
)
def test_what_the_next_sentence_puts_right_is_not_kept_unasked(said: str) -> None:
    assert all(why_not(atom) for atom in atoms(f"user: {said}"))
    assert not all(why_not(atom) for atom in atoms(f"user: {said.replace('。', '. ').partition('. ')[0]}"))


@pytest.mark.parametrize("said", ["我海鲜过敏，坚果也过敏", "我不吃香菜，也不吃内脏"])
def test_what_also_holds_is_part_of_it(said: str) -> None:
    assert [atom.text for atom in atoms(f"user: {said}")] == [said]


def test_an_offer_that_is_declined_takes_nothing_back() -> None:
    said = ("user: I live in Bonn.", "assistant: Nice! Shall I look for a flat there?", "user: never mind")
    assert [atom.value for atom in atoms(*said)] == ["Bonn"]


def test_a_decision_is_kept_with_what_was_decided() -> None:
    assert [atom.text for atom in atoms("user: I decided to keep it in the repo.")] == [
        "I decided to keep it in the repo"
    ]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("I live in Leeds, no wait, I live in York.", ["York"]),
        ("我住在衢州，不对，我搬回江山了", []),
    ],
)
def test_a_second_thought_in_the_same_sentence_takes_back_the_first(said: str, values: list[str]) -> None:
    assert [atom.value for atom in atoms(f"user: {said}")] == values


def test_what_somebody_suspects_of_the_user_is_no_fact() -> None:
    assert atoms("user: 丽芳怀疑我有糖尿病，查了没有") == []
