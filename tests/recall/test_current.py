"""What holds now: what superseded a memory stands beside it, whatever its words are."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.recall import Request, seek
from tests.conftest import opened
from tests.recall.vaults import TODAY, ask, lay, log, texts

MAY, JUNE = "logs/2026-05-01.md", "logs/2026-06-01.md"
OLD = "the standup is at nine"
OTHERS = {log(TODAY): "- bought tyres for the bike\n- the party was fun\n"}


def found(folder: Path) -> list[str]:
    """The memories of the block, without their marks."""
    return [text.partition(" (superseded by")[0] for text in texts(ask(folder, "when is the standup"))]


@pytest.mark.parametrize("place", [JUNE, "MEMORY.md", MAY])
def test_what_superseded_a_memory_comes_with_it_though_they_share_no_word(folder: Path, place: str) -> None:
    files = {MAY: "- the standup is at nine [superseded:: ^sync]\n", **OTHERS}
    files[place] = files.get(place, "") + "- daily sync moved to 10:15 ^sync\n"
    lay(folder, files)
    assert sorted(found(folder)) == ["daily sync moved to 10:15", OLD]


def test_what_superseded_a_memory_is_sure_to_come_though_its_words_alone_might_not_do(folder: Path) -> None:
    old, new = "保洁换成陈阿姨，一间60，退房当天来", "她又涨到80了，下月起"
    lay(folder, {MAY: f"- {old} [superseded:: ^new]\n", JUNE: f"- {new} ^new\n", **OTHERS})
    newer = seek(opened(folder), Request("陈阿姨保洁一间多少钱")).newer
    assert [(each.words, one.entry.words) for each, one in newer.items()] == [(old, new)]


def test_a_superseded_memory_far_down_in_a_block_has_its_successor_too(folder: Path) -> None:
    likelier = "".join(f"- the standup {what}\n" for what in ("is short", "is in English", "has a chair", "is a call"))
    old = "at first the standup was to be at nine with the whole of the office"
    lay(folder, {MAY: f"- {old} [superseded:: ^sync]\n", JUNE: "- daily sync moved to 10:15 ^sync\n", **OTHERS,
                 "MEMORY.md": likelier})  # fmt: skip
    assert {old, "daily sync moved to 10:15"} <= set(found(folder))


def test_the_last_of_a_chain_comes_and_a_circle_ends(folder: Path) -> None:
    chain = "- the standup is at nine [superseded:: ^a]\n- daily sync at ten [superseded:: ^b] ^a\n- meet at noon ^b\n"
    lay(folder, {MAY: chain, **OTHERS})
    assert found(folder) == [OLD, "meet at noon"]
    lay(folder, {MAY: chain.replace("meet at noon ^b", "meet at noon [superseded:: ^a] ^b")})
    assert OLD in found(folder)


def test_what_can_not_be_found_costs_nothing(folder: Path) -> None:
    lay(folder, {MAY: "- the standup is at nine [superseded:: 1234567]\n", **OTHERS})
    assert found(folder) == [OLD]


def test_a_weekday_in_a_question_about_what_holds_keeps_the_newer_value(folder: Path) -> None:
    lay(folder, {MAY: "- backups run on Sundays at 3\n", JUNE: "- backups run on Fridays at 22 now\n", **OTHERS})
    assert texts(ask(folder, "do backups run on Sunday")) == [
        "backups run on Sundays at 3", "backups run on Fridays at 22 now"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [("where do we live", "we live in Ann Street 3", "we moved to Elm Road 8"),
     ("我们现在住哪里", "我们住在安南街3号", "搬到了伦德路8号"), ("我们住在哪条街", "我们住在安南街3号", "搬到了伦德路8号")],
)  # fmt: skip
def test_who_asks_where_somebody_lives_finds_where_they_moved(folder: Path, question: str, old: str, new: str) -> None:
    lay(folder, {MAY: f"- {old}\n", JUNE: f"- {new}\n", **OTHERS})
    assert sorted(texts(ask(folder, question))) == sorted([old, new])


def test_a_note_of_a_change_comes_with_what_it_changes_though_they_share_few_words(folder: Path) -> None:
    old, new = "登录节点上的 Jupyter 固定跑在 8899 端口，本地转发过来", "Jupyter 的 8899 被隔壁组占了，以后改用 8866"
    lay(folder, {MAY: f"- {old}\n", JUNE: f"- {new}\n- Jupyter 的笔记本在 8899 里\n", **OTHERS})
    newer = seek(opened(folder), Request("登录节点上 Jupyter 跑在哪个端口")).newer
    assert [(each.words, one.entry.words) for each, one in newer.items()] == [(old, new)]


def test_so_many_memories_as_are_asked_for_come_with_their_successors(folder: Path) -> None:
    lay(folder, {
        MAY: "- the port of the mill moved to 5455 [superseded:: now]\n",
        JUNE: "- since then it is 5460 ^now\n- rain\n",
    })  # fmt: skip
    assert "5460" in ask(folder, "which port did the mill move to", most=2).text


FIRST, LATER = "logs/2026-10-05.md", "logs/2026-10-24.md"


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        (
            "which frame did the organist choose",
            "Mrs Wooldridge (the retired organist) settled on the Luca frame in burgundy",
            "Mrs Wooldridge came back, changed her mind about burgundy, having the Ostrava in tortoise",
        ),
        (
            "when does our daughter come home",
            "Maisie rang: our daughter comes home on the 12th",
            "Maisie now has a resit, so we fetch her on the 18th",
        ),
        (
            "which days does the farmer take the grain",
            "the farmer for the grain is Roddy Barraclough, Mondays and Thursdays, bins by the gate",
            "Roddy Barraclough rang: Thursdays only till further notice",
        ),
        (
            "零件卖给客户加几成",
            "baojia.py 里零件加价 MARKUP = 1.30，也就是卖给客户加三成",
            "同行打价格战，上浮压到两成半，baojia.py 也改成 MARKUP = 1.25 了",
        ),
    ],
)
def test_a_later_note_with_the_rare_words_of_the_best_one_comes_with_it(
    folder: Path, question: str, old: str, new: str
) -> None:
    lay(folder, {FIRST: f"- {old}\n", LATER: f"- {new}\n", **OTHERS})
    assert texts(ask(folder, question)) == [old, new]


@pytest.mark.parametrize(
    "other",
    [
        "Mrs Ferris changed her mind about varifocals",
        "Maisie did the dishes, retired to her room and settled down",
        "the retired vet settled his bill",
    ],
)
def test_a_later_note_with_a_few_usual_words_of_the_best_one_does_not(folder: Path, other: str) -> None:
    old = "Mrs Wooldridge (the retired organist) settled on the Luca frame in burgundy"
    lay(folder, {FIRST: f"- {old}\n", LATER: f"- {other}\n", **OTHERS})
    assert texts(ask(folder, "which frame did the organist choose")) == [old]


def test_an_earlier_note_with_the_same_rare_words_is_no_change(folder: Path) -> None:
    old, new = "Mrs Wooldridge brought burgundy tulips", "Mrs Wooldridge, the organist, settled on the burgundy frame"
    lay(folder, {FIRST: f"- {old}\n", LATER: f"- {new}\n", **OTHERS})
    assert texts(ask(folder, "which frame did the organist choose")) == [new]
