"""What was proposed to the user and how they agree: all of it is kept, in their own words, and a no keeps nothing."""

from __future__ import annotations

import pytest

from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import read_transcript
from memcli.remember.atoms import Atom
from memcli.remember.proposals import why_not
from tests.rows import check_rows


def agreed(*turns: str) -> list[Atom]:
    """What is learnt of a talk because it was proposed; the user begins."""
    names = ("User", "Assistant")
    talk = "\n".join(f"{names[at % 2]}: {turn}" for at, turn in enumerate(turns))
    return [atom for atom in find_atoms(read_transcript(talk)) if atom.why.startswith("you confirmed")]


def test_the_reason_names_the_yes_without_its_comma() -> None:
    (atom,) = agreed("hm", "要我记住你不吃香菜吗？", "嗯，记一下，晚上吃鱼")
    assert atom.why == "you confirmed it: 嗯"


@pytest.mark.parametrize(
    ("offer", "kept"),
    [
        ("以后别走旧码头了，改走石桥？", "以后别走旧码头了，改走石桥"),
        ("以后上午别走石桥了，绕山脚怎么样？", "以后上午别走石桥了，绕山脚"),
        ("以后回信省掉客套，先说日子，可以吗？", "以后回信省掉客套，先说日子"),
        ("您每次都订两张票，要不要我以后直接给您订两张？", "我每次都订两张票，以后直接给我订两张"),
        ("Next time avoid the old pier and go over Stone Bridge?", "Next time avoid the old pier and go over Stone Bridge"),
        ("Should I always give you the ferry times first, and the fares after?", "always give me the ferry times first, and the fares after"),
        ("Shall I keep replies under four lines unless you ask for more?", "keep replies under four lines unless I ask for more"),
    ],
)  # fmt: skip
def test_a_proposal_is_kept_whole(offer: str, kept: str) -> None:
    assert [atom.text for atom in agreed("hm", offer, "yes" if offer.isascii() else "好啊")] == [kept]


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        ("Shall I remember that the Kestrel drop is before noon?", "yes, and actually Imke said eleven is better."),
        ("Shall I note that the standup is at ten?", "Yes, at eleven actually."),
        ("Shall I note that the standup is at ten?", "yes, I mean eleven"),
        ("要我记下周会在十点吗？", "记吧，不过其实是十一点。"),
        ("要我记下周会在十点吗？", "记吧，改成十一点"),
    ],
)
def test_a_yes_that_puts_something_right_is_asked_about(offer: str, answer: str) -> None:
    assert [bool(why_not(atom)) for atom in agreed("hm", offer, answer)] == [True]
    assert [why_not(atom) for atom in agreed("hm", offer, "yes" if offer.isascii() else "记吧")] == [""]


@check_rows(
    ("offer", "kind", "kept"),
    [
        ("Your appointment is on Friday at 3. Should I remind you?", "event", "my appointment is on Friday at 3"),
        ("You're flying to Lisbon on Friday. Shall I note that down?", "event", "I'm flying to Lisbon on Friday"),
        ("Shall I note the rehearsal on Thursday at 7?", "event", "the rehearsal on Thursday at 7"),
        ("Noted. Shall I remind you on Friday?", "task", "remind me on Friday"),
        ("你周五下午三点看牙医。要我提醒你吗？", "event", "我周五下午三点看牙医"),
        ("要我记下周六的排练吗？", "event", "周六的排练"),
    ],
)
def test_what_has_a_day_is_no_preference_by_a_yes(offer: str, kind: str, kept: str) -> None:
    found = agreed("hm", offer, "Yes please" if offer.isascii() else "好的")
    assert [(atom.type, atom.text) for atom in found] == [(kind, kept)]


@pytest.mark.parametrize(
    ("offer", "kept"),
    [
        ("以后我只给你列三条，其它的省掉，行吗？", "以后你只给我列三条，其它的省掉"),
        ("那以后的票我都帮您订靠窗？", "以后的票你都帮我订靠窗"),
        ("Shall I note that loud music gives you headaches?", "loud music gives me headaches"),
        ("Shall I avoid nicknames in all letters I write for you in future?", "avoid nicknames in all letters you write for me in future"),
        ("Should I keep my answers under 80 words from now on?", "keep your answers under 80 words"),
        ("Shall I route you along the quay from now on?", "route me along the quay"),
        ("Do you want distances in miles by default?", "I want distances in miles by default"),
    ],
)  # fmt: skip
def test_the_others_i_is_you_and_their_you_is_i(offer: str, kept: str) -> None:
    (atom,) = agreed("hm", offer, "yes" if offer.isascii() else "好的")
    assert atom.text == kept


@pytest.mark.parametrize(
    ("asked", "advice", "answer", "says"),
    [
        ("which paint for the hull", "I'd take the red lead, it lasts.", "sold", "red lead"),
        ("which paint for the hull", "Red lead. It lasts longest.", "ok, let's go with that", "Red lead"),
        ("what should we call the boat", "Heron is short and easy to shout.", "heron it is", "Heron"),
        ("the crew is late every Monday", "I'd move the meeting to 10:45.", "works for me", "10:45"),
        ("船漆用哪种好", "建议用红丹漆，耐得久。", "就这么定了", "红丹漆"),
        ("船漆用红丹还是沥青", "红丹耐久，我会选红丹。", "红丹吧", "红丹"),
        ("例会老迟到", "我建议挪到十点四十五。", "赞成", "十点四十五"),
    ],
)
def test_who_takes_an_advice_has_decided_and_is_asked(asked: str, advice: str, answer: str, says: str) -> None:
    (atom,) = agreed(asked, advice, answer)
    assert atom.type in ("decision", "preference") and says in atom.text and why_not(atom)


@pytest.mark.parametrize(
    ("offer", "answer", "kept"),
    [
        ("Three names: A) Heron B) Tern C) Gull", "B", "which name for the boat: Tern"),
        ("Either 1) the quay at nine or 2) the pier at ten.", "2 please", "which name for the boat: the pier at ten"),
        ("三个：①白鹭号 ②海燕号 ③阿福号", "②吧", "海燕号"),
    ],
)
def test_of_several_things_the_one_that_is_picked(offer: str, answer: str, kept: str) -> None:
    asked = "which name for the boat?" if offer.isascii() else "船起个啥名字好"
    (atom,) = agreed(asked, offer, answer)
    assert kept.rstrip(".") in atom.text.rstrip(".") and atom.type == "decision" and why_not(atom)


def test_who_picks_one_in_a_sentence_of_their_own_keeps_their_i() -> None:
    (atom,) = agreed("where shall we sail", "I suggest either Porto or Vigo.", "Porto, my sister lives there")
    assert atom.text == "where shall we sail: Porto, my sister lives there"
    (atom,) = agreed("元旦去哪玩", "可以考虑青岛或者苏州。", "青岛吧，我姐姐在那边")
    assert atom.text == "元旦去哪玩: 青岛吧，我姐姐在那边"


@pytest.mark.parametrize(
    ("offer", "answer", "kept"),
    [
        ("Shall I remind you to feed the hens at 7 every morning?", "ok as long as it's not on Sundays", "as long as it's not on Sundays"),
        ("那挪到周三下午三点？以后都周三？", "好，不过周二吧", "周二"),
        ("建议以后每周五晚上一起过一遍账。", "可以，但要在九点前", "但要在九点前"),
    ],
)  # fmt: skip
def test_a_yes_with_a_condition_keeps_the_condition_and_is_asked(offer: str, answer: str, kept: str) -> None:
    found = agreed("我们例会定了吗" if not offer.isascii() else "the hens are hungry", offer, answer)
    assert any(kept in atom.text for atom in found) and all(map(why_not, found))


@pytest.mark.parametrize(
    ("offer", "answer", "kept"),
    [("So you have a goat, right?", "yes", "I have a goat"), ("您家养羊，对吧？", "对的", "我家养羊")],
)
def test_what_is_asked_about_the_user_is_so_if_they_say_yes(offer: str, answer: str, kept: str) -> None:
    (atom,) = agreed("hm", offer, answer)
    assert (atom.type, atom.text) == ("fact", kept) and why_not(atom)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("ok as long as it's not on Sundays", "remind me to feed the hens every Monday at 7, as long as it's not on Sundays"),
        ("ok but before 9", "remind me to feed the hens every Monday at 7, but before 9"),
        ("ok but Friday", "remind me to feed the hens every Friday at 7"),
        ("deal, 8 though", "remind me to feed the hens every Monday at 8"),
    ],
)  # fmt: skip
def test_a_condition_changes_no_value_and_another_value_is_no_condition(answer: str, kept: str) -> None:
    assert [atom.text for atom in agreed("hm", "Shall I remind you to feed the hens every Monday at 7?", answer)] == [
        kept
    ]


def test_who_asks_something_first_may_agree_after_that() -> None:
    turns = (
        "which paint for the hull",
        "I'd take the red lead, it lasts.",
        "does it smell?",
        "For a day or two.",
        "ok sold",
    )
    (atom,) = agreed(*turns)  # fmt: skip
    assert "red lead" in atom.text


@check_rows(
    ("offer", "answer"),
    [
        ("Shall I keep replies under four lines from now on?", "god no"),
        ("Shall I keep replies under four lines from now on?", "nah"),
        ("I'd take the red lead, it lasts.", "thanks, I'll think about it"),
        ("I'd take the red lead, it lasts.", "ok thanks"),
        ("Shall I translate the next page?", "yes please"),
        ("I play in a band now.", "great"),
        ("以后都只列三条？", "不要，这次就够了"),
        ("Shall I always answer in French or in English?", "English"),
        ("以后回信用中文还是英文？", "中文"),
        ("建议用红丹漆。", "好的谢谢"),
        ("之前记录您住在青屿，要更新吗？", "更新吧"),
    ],
)
def test_a_no_a_nod_and_what_is_for_once_keep_nothing(offer: str, answer: str) -> None:
    assert not agreed("hello", offer, answer)


@pytest.mark.parametrize(
    ("said", "answer", "now"),
    [
        ("The meeting is on Thursday at nine.", "no wait, Friday", "Friday"),
        ("I keep the stove at 19 degrees.", "hang on, make it 21 degrees", "21"),
        ("我每周三十点有例会", "改一下，周四十点", "周四"),
        ("我喜欢水温38度", "嗯…还是40度吧，38度太凉", "40"),
    ],
)
def test_who_thinks_better_of_it_has_said_the_other_thing(said: str, answer: str, now: str) -> None:
    talk = f"User: {said}\nAssistant: ok\nUser: {answer}"
    (atom,) = (atom for atom in find_atoms(read_transcript(talk)) if not atom.guessed or now in atom.text)
    assert now in atom.text and why_not(atom)


@pytest.mark.parametrize(
    ("said", "answer"), [("I live in Bergen", "wait that's my old place"), ("我对虾过敏", "说错了，那是我弟弟")]
)
def test_what_may_not_be_so_any_more_is_asked(said: str, answer: str) -> None:
    before = find_atoms(read_transcript(f"User: {said}"))
    after = find_atoms(read_transcript(f"User: {said}\nAssistant: ok\nUser: {answer}"))
    assert before and not any(map(why_not, before))
    again = [atom for atom in after if atom.text in {each.text for each in before}]
    assert again and all(map(why_not, again))


@pytest.mark.parametrize(
    ("question", "answer", "kept"),
    [
        ("What size are your boots?", "43", "size boots: 43"),
        ("Which linter do you use?", "ruff", "linter: ruff"),
        ("您平时穿多大码？", "42", "穿多大码: 42"),
    ],
)
def test_an_answer_that_says_nothing_by_itself_is_kept_with_what_was_asked(
    question: str, answer: str, kept: str
) -> None:
    (atom,) = find_atoms(read_transcript(f"User: help me choose\nAssistant: {question}\nUser: {answer}"))
    assert (atom.type, atom.text) == ("fact", kept)


NOES = [
    "absolutely not", "of course not", "certainly not", "no way", "nope, not needed", "I'd rather not", "please don't", "ok no",
    "sure, but no", "god no", "nah you're fine", "don't bother", "not a chance", "yes... no wait, don't", "sure sure... no", "I doubt it",
    "当然不用", "不用了", "不行", "算了", "先不用", "没必要", "还是不要吧", "再说吧", "不对", "才不要", "千万别", "免了", "我想想",
    "嗯……不用", "好像不用", "好吧，还是不要了", "哈哈不用", "谢谢不用", "可别",
]  # fmt: skip
HOLLOW = [
    "yeah right", "right, and I'm the Queen", "sure, in my dreams", "yes, until last year", "yes, when I was a child", "true once",
    "fine for now", "ok this time", "yes, today only", "ok, but for today only", "yes but that's over", "yes?",
    "可以，就这回", "行，今天先这样", "对，不过那是以前", "小时候是", "是才怪", "这次可以", "是吗？",
]  # fmt: skip
YESES = [
    "yess", "y", "mhm", "aye", "why not", "that works", "certainly", "by all means", "if you would", "oh yes please, that would help", "👍", "100%",
    "好呀", "可以可以", "麻烦了", "谢谢，好的", "得嘞", "没毛病", "必须的", "就这么定", "听你的", "得啦", "恩恩", "收到，可以",
]  # fmt: skip


def offers(answer: str) -> list[str]:
    if answer.isascii() or answer == "👍":
        return ["Shall I always use metric from now on?", "Should I note that you're vegan?"]
    return ["以后都用表格，可以吗？", "要我记住您不吃辣吗？"]


@check_rows("answer", NOES + HOLLOW)
def test_no_way_of_saying_no_is_a_yes(answer: str) -> None:
    for offer in offers(answer):
        assert not [
            atom
            for atom in find_atoms(read_transcript(f"User: hm\nAssistant: {offer}\nUser: {answer}"))
            if not why_not(atom)
        ]
        assert not agreed("hm", offer, answer)


@check_rows("answer", YESES)
def test_a_yes_is_heard_however_it_is_said(answer: str) -> None:
    assert all(agreed("hm", offer, answer) for offer in offers(answer))
