"""A text as the eye takes it, and the way back from it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memcli.text.plain import join_across_gaps, plain
from tests.rows import check_rows


@check_rows(
    ("text", "eyed"),
    [
        ("plain", "plain"), ("中文，也一样。", "中文,也一样。"), ("Ｆｕｌｌ　１２３", "Full 123"), ("раураl", "paypal"),
        ("a\u200bb\u00adc\u202ed", "abcd"), ("٣٤", "34"), ("a\u00a0b–c", "a b-c"), ("naïve é", "naïve é"), ("ﬁne", "fine"), ("a\x00\x1bb", "ab"),
    ],
)  # fmt: skip
def test_what_the_eye_takes_it_for(text: str, eyed: str) -> None:
    assert plain(text).text == eyed


@given(st.text())
def test_every_place_leads_back(text: str) -> None:
    seen = plain(text)
    assert len(seen.text) <= 4 * len(text)
    for at in range(len(seen.text)):
        start, stop = seen.span(at, at + 1)
        assert 0 <= start < stop <= len(text)
        if text[start] == seen.text[at]:
            assert stop == start + 1


def test_a_stretch_takes_along_what_is_hidden_in_it_and_nothing_beside_it() -> None:
    text = "x \u200bse\u200bc\u200b y"
    assert text[slice(*plain(text).span(2, 5))] == "se\u200bc"


def test_gaps_can_be_cut_out_and_still_lead_back() -> None:
    text = "ａｂ\u200b\ncd\nef"
    whole = join_across_gaps(plain(text), re.compile("\n"), lambda gap: gap.start() < 4)
    assert whole.text == "abcd\nef"
    assert text[slice(*whole.span(1, 4))] == "ｂ\u200b\ncd"
