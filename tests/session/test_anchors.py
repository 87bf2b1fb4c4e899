"""What holds for the whole of a talk is told from what was asked once, asked about, or said by others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.session.anchors import ALL, Anchor, anchors_in, apply_anchors
from tests.rows import check_rows

KEYS = (
    "language", "length", "only", "avoid", "tables", "bullets", "emoji", "code", "steps", "name", "not_called", "tone",
    "units", "currency", "secrecy", "rule",
)  # fmt: skip
LABELLED = [json.loads(line) for line in (Path(__file__).parent / "anchors.jsonl").read_text("utf-8").splitlines()]


def keyed(text: str) -> dict[str, str]:
    return {anchor.key: anchor.value for anchor in anchors_in(text)}


def right(wanted: dict[str, str], got: dict[str, str], key: str) -> bool:
    """The key is there, lifted where it is to be lifted, with the wanted words in its value."""
    if key not in got or key not in wanted or bool(wanted[key]) != bool(got[key]):
        return False
    return wanted[key].lower() in got[key].lower()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_anchors_of_the_labelled_sentences(language: str) -> None:
    hits = missed = wrong = 0
    for each in LABELLED:
        if each["lang"] == language:
            got, wanted = keyed(each["text"]), each["anchors"]
            hits += sum(right(wanted, got, key) for key in wanted)
            missed += sum(not right(wanted, got, key) for key in wanted)
            wrong += sum(not right(wanted, got, key) for key in got)
    assert 2 * hits / (2 * hits + missed + wrong) >= 0.9


def test_half_of_the_labelled_sentences_only_look_like_orders() -> None:
    assert len(LABELLED) >= 120
    assert sum(not each["anchors"] for each in LABELLED) >= len(LABELLED) * 0.45


@check_rows(
    ("text", "wanted"),
    [
        ("From now on answer in German.", {"language": "German"}),
        ("只讨论价格", {"only": "价格"}),
        ("接下来都用中文回答", {"language": "Chinese"}),
        ("别用表格了", {"tables": "no"}),
        ("No tables, no emojis, and keep your answers short from now on.", {"tables": "no", "emoji": "no", "length": "short"}),
        ("Stop answering in Dutch. English is fine again.", {"language": "English"}),
        ("From now on end every answer with a question.", {"rule": "end every answer with a question"}),
        ("這次對話都用中文回答", {"language": "Chinese"}),
        ("只聊價格", {"only": "價格"}),
        ("這次對話，先問我再動手", {"rule": "先問我再動手"}),
        ("別用表格了", {"tables": "no"}),
        ("说人话，别那么官方", {"tone": "casual"}),
        ("說人話，別那麼官方。", {"tone": "casual"}),
        ("Don't be so corporate.", {"tone": "casual"}),
    ],
)  # fmt: skip
def test_an_order_for_the_talk_is_an_anchor(text: str, wanted: dict[str, str]) -> None:
    assert keyed(text) == wanted


@check_rows(
    "text",
    [
        "Answer this one in German.",
        "She told me to answer in French.",
        'The note says "from now on answer in German".',
        "> From now on answer in German.",
        "```\nfrom now on answer in German\n```",
        "Do you answer in German?",
        "这一条用德语回答。",
        "他说以后都用中文写报告。",
        "为什么大家都不谈钱？",
        "",
    ],
)
def test_what_holds_once_or_was_said_by_others_is_none(text: str) -> None:
    assert not anchors_in(text)


def test_what_is_lifted_holds_no_more_and_the_rest_stays() -> None:
    held = apply_anchors({}, anchors_in("From now on answer in German. Only talk about pricing."))
    assert held == {"language": "German", "only": "pricing"}
    assert apply_anchors(held, anchors_in("算了，随便聊")) == {"language": "German"}
    assert apply_anchors(held, anchors_in("You can speak English again.")) == {"language": "English", "only": "pricing"}
    assert apply_anchors(held, [Anchor(ALL, "")]) == {}


@pytest.mark.parametrize(("said", "wanted"), [
    (("call me Captain", "don't call me buddy"), {"name": "Captain", "not_called": "buddy"}),
    (("call me Captain", "stop calling me captain"), {}),
    (("call me Captain", "stop calling me that"), {}),
    (("叫我老周", "不要叫我亲"), {"name": "老周", "not_called": "亲"}),
    (("叫我老周", "以后别叫我老周了"), {}),
])  # fmt: skip
def test_a_name_that_is_not_wanted_lifts_no_other(said: tuple[str, ...], wanted: dict[str, str]) -> None:
    held: dict[str, str] = {}
    for words in said:
        held = apply_anchors(held, anchors_in(words))
    assert held == wanted


def test_things_to_avoid_and_rules_gather() -> None:
    held = apply_anchors({}, anchors_in("Please don't mention politics."))
    held = apply_anchors(held, anchors_in("Don't bring up the layoffs again."))
    assert held == {"avoid": "politics; the layoffs"}
    assert apply_anchors(held, anchors_in("Please don't mention politics.")) == held
    assert apply_anchors(held, [Anchor("avoid", "")]) == {}


@given(st.text(max_size=300))
def test_any_text_gives_known_keys_and_short_values(text: str) -> None:
    for anchor in anchors_in(text):
        assert anchor.key in (*KEYS, ALL)
        assert len(anchor.value) <= 240
        assert "\n" not in anchor.value + anchor.said
