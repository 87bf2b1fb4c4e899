"""The door: what a question gets, and what it gets when there is nothing to get."""

from __future__ import annotations

import os
from datetime import date, timedelta
from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.recall.asked_for import LEAST_SHARE
from memcli.recall.block import NOTHING
from memcli.recall.engine import MOST_LATEST
from memcli.vault.create import Answers
from memcli.vault.create import create_vault as lay_new
from tests.conftest import NOW
from tests.recall.vaults import TODAY, ask, ask_sample, lay, log, places, texts

PROFILE = "---\nname: Lin\noccupation: engineer\n---\n"


def ago(days: int) -> date:
    return TODAY - timedelta(days)


@pytest.mark.parametrize(
    "question",
    [
        "summarise this week", "summary of this week", "recap this week", "notes from this week",
        "what have I noted this week", "standup for this week", "总结一下这周", "帮我总结一下这周", "这周的小结",
        "这周都记了些什么",
    ],
)  # fmt: skip
def test_a_summary_of_a_time_has_all_of_that_time(folder: Path, question: str) -> None:
    lay(folder, {log(ago(0)): "- the kiln is hot\n", log(ago(1)): "- Ana called\n", log(ago(40)): "- snow\n"})
    assert sorted(texts(ask(folder, question))) == ["Ana called", "the kiln is hot"]


# -- nothing found -------------------------------------------------------------------------------------------------


def test_when_nothing_matches_it_says_so_and_who_the_user_is_and_no_more(folder: Path) -> None:
    lay(folder, {
        "USER.md": PROFILE,
        log(ago(0)): "- 09:00 first today\n- 10:00 second today\n",
        log(ago(1)): "- yesterday\n",
        log(ago(50)): "- long ago\n" * 20,
    })  # fmt: skip
    block = ask(folder, "xyzzy plugh")
    assert not block.matched
    assert block.text.splitlines()[2:] == [NOTHING, "", "user: name: Lin; occupation: engineer", "", "---"]
    assert block.chosen == ()
    filled = ask(folder, "xyzzy plugh", fill=True)
    assert not filled.matched
    assert NOTHING in filled.text
    assert texts(filled)[:3] == ["10:00 second today", "09:00 first today", "yesterday"]


@pytest.mark.parametrize(
    "question", ["what did I do lately", "what did I do today", "最近怎么样", "what is left to do", "还有什么没做"]
)
def test_a_question_for_what_is_new_gets_it_as_an_answer(folder: Path, question: str) -> None:
    lay(folder, {log(ago(1)): "- yesterday\n", log(ago(50)): "- long ago\n"})
    block = ask(folder, question)
    assert block.matched
    assert NOTHING not in block.text
    assert texts(block)[0] == "yesterday"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what happened in 2024", "Nothing was noted in 2024."),
        ("what did I do on 3 May 2026", "Nothing was noted on 2026-05-03."),
        ("2024年发生了什么", "Nothing was noted in 2024."),
    ],
)
def test_of_a_time_without_notes_it_says_that_nothing_was_noted(folder: Path, question: str, said: str) -> None:
    lay(folder, {log(ago(1)): "- yesterday\n", log(ago(50)): "- long ago\n"})
    block = ask(folder, question)
    assert not block.matched
    assert said in block.text.splitlines()
    assert block.chosen == ()


@pytest.mark.parametrize(
    "question",
    ["what is my blood type", "the date of the fire drill", "which tags", "what is my id", "who is confident"],
)
def test_names_of_fields_are_no_words(folder: Path, question: str) -> None:
    note = "---\ndate: 2026-11-01\ntags: [x]\nid: 7\n---\n- the kettle is new [type:: fact] [date:: 2026-11-01] [id:: x] (confidence:: 1)\n"
    lay(folder, {"MEMORY.md": note, "logs/2026-11-20.md": "- lunch [type:: fact]\n"})
    assert not ask(folder, question).matched
    assert not ask(folder, question).chosen
    assert ask(folder, "which fact").matched  # what a field holds is


def test_what_is_newest_comes_first_and_what_lies_ahead_last(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- day {n}\n" for n in (-9, 0, 1, 2, 30, 400)} | {"notes/a.md": "- undated\n"})
    assert texts(ask(folder, "xyzzy", fill=True)) == [
        "day 0",
        "day 1",
        "day 2",
        "day 30",
        "day 400",
        "day -9",
        "undated",
    ]


def test_the_latest_are_a_few(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- day {n}\n" for n in range(40)})
    assert len(texts(ask(folder, "xyzzy", fill=True))) == len(texts(ask(folder, ""))) == MOST_LATEST
    assert len(texts(ask(folder, "", most=30))) == 30
    assert len(texts(ask(folder, "", most=2))) == 2


def test_a_vault_without_days_shows_what_it_has(folder: Path) -> None:
    assert texts(ask(lay(folder, {"notes/a.md": "- undated\n"}), "xyzzy", fill=True)) == ["undated"]


@pytest.mark.parametrize("question", ["", "   ", "what is the", "是什么", "???", "\n", "🎉"])
def test_no_question_shows_what_is_new_and_does_not_complain(folder: Path, question: str) -> None:
    lay(folder, {log(ago(0)): "- today\n", log(ago(90)): "- long ago\n"})
    block = ask(folder, question)
    assert block.matched
    assert NOTHING not in block.text
    assert texts(block) == ["today", "long ago"]


def test_an_empty_vault_has_nothing_and_says_so(folder: Path) -> None:
    for question in ("", "cache"):
        block = ask(folder, question)
        assert not block.matched
        assert NOTHING in block.text


def test_a_new_vault_knows_who_it_belongs_to(folder: Path) -> None:
    lay_new(
        folder,
        Answers("Lin", "engineer", ("tea",), "zh", home="12 Example Road"),
        NOW,
        dict(os.environ),
        repository=False,
    )
    assert "name: Lin; occupation: engineer" in ask(folder, "what did we decide about the cache").text
    assert "12 Example Road" in ask(folder, "回家").text
    assert "engineer" in ask(folder, "who am I").text
    assert "Example" not in "".join(texts(ask(folder, "cache")))  # an example in a template is not a memory


def test_a_named_day_on_which_nothing_happened_is_not_made_up(folder: Path) -> None:
    lay(folder, {log(date(2026, 11, 2)): "- the second\n", log(date(2026, 9, 1)): "- September\n"})
    block = ask(folder, "what happened on 2026-10-10")
    assert not block.matched
    assert "Nothing was noted on 2026-10-10." in block.text


def test_what_was_told_in_the_days_after_is_no_answer_by_itself(folder: Path) -> None:
    lay(folder, {log(date(2026, 10, 12)): "- two days later\n- the cache broke\n"})
    assert not ask(folder, "what happened on 2026-10-10").matched
    assert texts(ask(folder, "what happened to the cache on 2026-10-10"))[0] == "the cache broke"


def test_single_signs_of_a_chinese_word_are_no_match(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- 分量很足，计划不变，算了，机会还有\n"})
    assert not ask(folder, "量子计算机").matched
    assert ask(folder, "计划怎么样").matched
    assert ask(folder, "猫和机", fill=True).matched  # a sign that stands alone is a word, but a weak one


@pytest.mark.parametrize("question", ["when does my passport expire", "who drew a fish", "上个周末", "房租多少钱"])
def test_what_is_faint_and_has_no_word_of_the_question_is_left_out(question: str) -> None:
    found = [each.scored for each in ask_sample(question, budget=5000).chosen if each.scored.paths != ("direct",)]
    best = max(each.score for each in found)
    assert [each for each in found if not each.matched and each.score < LEAST_SHARE * best] == []
    assert len(found) < 60  # of 400


# -- what is asked for ---------------------------------------------------------------------------------------------


def test_the_best_memory_is_there_with_its_place(folder: Path) -> None:
    lay(folder, {log(ago(9)): "- lunch\n- Decided: the cache is redis\n- dinner\n", log(ago(0)): "- today\n"})
    block = ask(folder, "what did we decide about the cache")
    assert places(block)[0] == f"{log(ago(9))}:2"
    assert f"## {log(ago(9))}\n" in block.text
    assert ":2 Decided: the cache is redis\n" in block.text


def test_each_memory_tells_which_words_led_to_it(folder: Path) -> None:
    lay(folder, {"a.md": "- the cache is redis\n"})
    assert set(ask(folder, "is redis a cache").chosen[0].scored.matched) == {"redis", "cache"}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"since": ago(3)}, ["cache today"]),
        ({"until": ago(3)}, ["cache then #work/api"]),
        ({"since": ago(60), "until": ago(10)}, ["cache then #work/api"]),
        ({"tags": ("work",)}, ["cache then #work/api"]),
        ({"tags": ("work", "other")}, []),
        ({"path": "notes"}, ["cache undated [type:: fact]"]),
        ({"path": "notes/a.md"}, ["cache undated [type:: fact]"]),
        ({"path": "notes/a"}, ["cache undated [type:: fact]"]),
        ({"path": "logs/*"}, ["cache today", "cache then #work/api"]),
        ({"path": "nowhere"}, []),
        ({"most": 1}, ["cache today"]),
    ],
)
@pytest.mark.parametrize("question", ["cache", ""])
def test_filters_hold_with_and_without_a_question(
    folder: Path, question: str, flags: dict[str, object], expected: list[str]
) -> None:
    lay(
        folder,
        {
            log(ago(0)): "- cache today\n",
            log(ago(30)): "- cache then #work/api\n",
            "notes/a.md": "- cache undated [type:: fact]\n",
        },
    )
    block = ask(folder, question, **flags)
    assert {each.scored.entry.body for each in block.chosen} == set(expected)
    assert block.matched == bool(expected)


def test_a_tag_within_another_is_not_asked_for_by_the_outer_one(folder: Path) -> None:
    lay(folder, {log(ago(0)): "- Mila called #work/billing\n- hosting #work/infra\n- a party at work\n"})
    assert [each.scored.entry.words for each in ask(folder, "#work/billing").chosen] == ["Mila called #work/billing"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [("path:notes", {"note"}), ("type:fact", {"fact [type:: fact]"}), ("path:notes type:fact", set()), ("path:*.txt", set())],
)  # fmt: skip
def test_filters_in_the_question_are_a_question(folder: Path, question: str, expected: set[str]) -> None:
    lay(
        folder,
        {log(ago(40)): "- fact [type:: fact]\n- work #work\n", "notes/a.md": "- note\n", log(ago(0)): "- today\n"},
    )
    block = ask(folder, question)
    assert {each.scored.entry.body for each in block.chosen} == expected
    assert block.matched == bool(expected)


@pytest.mark.parametrize("question", ["#work", "tag:work", "what about #work"])
def test_a_tag_in_the_question_comes_first(folder: Path, question: str) -> None:
    lay(folder, {log(ago(40)): "- work all day\n- away #work\n- work\n"})
    assert places(ask(folder, question))[0] == f"{log(ago(40))}:2"


def test_an_unknown_format_is_refused_with_the_known_ones(folder: Path) -> None:
    with pytest.raises(UsageError, match="md, xml, json, plain"):
        ask(folder, "cache", format="html")


def test_a_question_of_ten_thousand_characters_is_answered(folder: Path) -> None:
    lay(folder, {"a.md": "- the cache is redis\n"})
    assert texts(ask(folder, "redis " * 2000)) == ["the cache is redis"]
    assert texts(ask(folder, "缓存" * 5000 + " redis")) is not None


def test_questions_in_both_languages_find_notes_in_both() -> None:
    assert any("two-level cache" in text for text in texts(ask_sample("what did we decide about the cache")))
    assert any("延安高架" in text or "Yan'an" in text for text in texts(ask_sample("去虹桥不要走哪条路")))
    assert any("Redis" in text for text in texts(ask_sample("redis为什么会满")))


@pytest.mark.parametrize("place", ["../x", "notes/../../x", ".."])
def test_a_place_outside_the_vault_is_said_to_be_one(folder: Path, place: str) -> None:
    with pytest.raises(UsageError, match="leads out of the vault"):
        ask(folder, "tea", path=place)


YEAR = {  # TODAY is 21 November 2026
    "logs/2026-05-07.md": "- the carpenter can only start in September, or in November\n",
    "logs/2026-09-15.md": "- 国庆机票买好了\n- bought the tickets for the ferry\n",
    "logs/2026-10-03.md": "- 兵马俑人山人海\n- Larder: moved to a new server\n",
    "logs/2026-10-20.md": "- Larder: labels print upside down\n- the piano was tuned\n",
    "logs/2026-11-10.md": "- Larder: backups run every night\n- the dishwasher leaks\n",
    "logs/2026-11-17.md": "- the school play was a success\n- 阿May搬家了，阿Ken帮的忙\n",
}


@pytest.mark.parametrize(
    ("question", "found", "left_out"),
    [
        ("what changed since September", "the dishwasher leaks", "the carpenter can"),
        ("what happened since 20 October", "the piano was tuned", "the carpenter can"),
        ("what changed in November", "the dishwasher leaks", "the carpenter can"),
        ("what's new this week", "the school play", "the dishwasher leaks"),
        ("anything new this week?", "the school play", "the dishwasher leaks"),
        ("what did I change this week", "the school play", "the dishwasher leaks"),
        ("国庆节我们都干嘛了", "兵马俑人山人海", "国庆机票"),
        ("国庆发生了什么", "兵马俑人山人海", "国庆机票"),
        ("这周有什么变化", "the school play", "the dishwasher leaks"),
    ],
)
def test_a_time_alone_means_all_of_it_and_not_what_names_it(
    folder: Path, question: str, found: str, left_out: str
) -> None:
    lay(folder, YEAR)
    block = ask(folder, question)
    assert found in block.text and left_out not in block.text


def test_what_stands_before_the_colon_of_some_notes_is_a_word_like_others(folder: Path) -> None:
    others = {f"logs/2026-08-{day:02}.md": f"- walked round the lake\n- chapter {day}\n- tea\n" for day in range(1, 10)}
    for day, said in enumerate(("moved to a Hetzner VPS", "labels print upside down", "backups run every night"), 1):
        others[f"logs/2026-10-0{day}.md"] = f"- Larder: {said}\n"
    lay(folder, others)
    assert len(texts(ask(folder, "Which server is Larder on?"))) == 3


@pytest.mark.parametrize("question", ["阿May怎么样了", "May", "May 现在在干嘛"])
def test_a_name_that_is_a_stop_word_is_found_beside_chinese_and_alone(folder: Path, question: str) -> None:
    lay(folder, {**YEAR, "logs/2026-11-18.md": "- 阿Ken当爸爸了\n"})
    assert texts(ask(folder, question)) == ["阿May搬家了，阿Ken帮的忙"]


@pytest.mark.parametrize("question", ["cost", "price list", "what about the cost of the roof"])
def test_a_word_for_a_value_is_found_where_no_value_is_asked_for(folder: Path, question: str) -> None:
    lay(folder, {"a.md": "- the cost estimate for the roof is still missing\n- the price list hangs at the bar\n"})
    assert ask(folder, question).matched


MARKED = {
    "MEMORY.md": "- keep SQLite for the app [type:: decision] [date:: 2026-10-19]\n- 随机种子统一写 20261 [type:: decision] [date:: 2026-11-12]\n",
    log(ago(3)): "- Mouse guards on both hives #bees\n- the boiler man came\n- Decided: no seaborn\n",
    log(ago(40)): "- honey tally #bees\n- Gran rang\n",
}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what have we decided", ["Decided: no seaborn", "keep SQLite", "随机种子"]),
        ("有哪些决定", ["Decided: no seaborn", "keep SQLite", "随机种子"]),
        ("what did I decide in November", ["Decided: no seaborn", "随机种子"]),
        ("#bees in November", ["Mouse guards"]),
    ],
)
def test_decisions_and_a_tag_of_a_time_are_all_of_these_and_nothing_else(
    folder: Path, question: str, found: list[str]
) -> None:
    lay(folder, MARKED)
    shown = texts(ask(folder, question))
    assert len(shown) == len(found) and all(any(text in each for each in shown) for text in found)


def test_whoever_marks_no_decision_gets_what_speaks_of_them(folder: Path) -> None:
    lay(folder, {log(ago(3)): "- we decided on the train\n- the boiler man came\n"})
    assert texts(ask(folder, "what did we decide")) == ["we decided on the train"]


def test_what_is_coming_up_asks_for_all_of_a_time(folder: Path) -> None:
    lay(folder, {log(ago(2)): f"- fitting at the dentist on {ago(-2).day} November\n- the boiler man comes back\n"})
    assert texts(ask(folder, "what's coming up next week")) == [f"fitting at the dentist on {ago(-2).day} November"]
