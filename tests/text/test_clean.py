"""Foreign text made harmless and short."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.text.clean import harmless, one_line, tame
from tests.rows import check_rows

awkward = st.sampled_from(
    ["\x1b[31m", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1bP", "\x1b[", "\x9b2J", "\x07", "\x08", "\0", "\r\n", "\r",
     "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2060", "\ue000", "\U000e0041", "\ufffe", "\uffff", "\ud800"]
)  # fmt: skip
anything = st.lists(awkward | st.text(max_size=8), max_size=12).map("".join)


@check_rows(
    ("said", "left"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[1;38;5;196mbright\x1b[m", "bright"),
        ("\x1b]0;owned\x07rest", "rest"),
        ("\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone", "gone"),
        ("back\x08space bell\x07 nul\0", "backspace bell nul"),
        ("\x1b(0line drawing", "line drawing"),
        ("\u202eevil\u202c txt", "evil txt"),
        ("\u2066isolated\u2069", "isolated"),
        ("zero\u200bwidth\u2060joined\ufeff", "zerowidthjoined"),
        ("tag\U000e0068\U000e0069", "tag"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\u2028b\u2029c", "a\nb\nc"),
        ("tab\tand\nfeed", "tab\tand\nfeed"),
        ("lone \udce9 byte", "lone \ufffd byte"),
        ("no\ufffecharacter\uffff", "nocharacter"),
    ],
)
def test_what_moves_the_cursor_hides_or_reorders_is_gone(said: str, left: str) -> None:
    assert harmless(said) == left


@check_rows("said", ["👩‍👩‍👧‍👦", "🏳️‍🌈", "می‌خواهم", "क्‍ष", "مرحبا", "e\u0301", "全角　空白", "ﬁ ligature", "\ue000"])
def test_scripts_and_emoji_keep_the_marks_they_need(said: str) -> None:
    assert harmless(said) == said


@pytest.mark.parametrize("opened", ["\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1b]0;title"])
def test_an_escape_that_never_ends_hides_nothing_of_what_follows(opened: str) -> None:
    assert "the rest\nof the note" in harmless(f"{opened} the rest\nof the note")


@given(anything)
def test_no_control_character_survives(said: str) -> None:
    left = harmless(said)
    assert not [sign for sign in left if unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t"]
    assert not set(left) & set(
        "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff\ufffe\uffff"
    )


@given(anything)
def test_harmless_text_is_left_as_it_is(said: str) -> None:
    assert harmless(harmless(said)) == harmless(said)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "M", "Zs")), max_size=60))
def test_readable_text_is_left_as_it_is(said: str) -> None:
    assert harmless(said) == said


@given(anything, st.integers(0, 30))
def test_one_line_is_one_line_of_at_most_its_width(said: str, width: int) -> None:
    line = one_line(said, width)
    assert len(line.splitlines()) <= 1
    assert not width or len(line) <= width


def test_a_line_cut_short_says_so() -> None:
    assert one_line("a line that is\ntoo long", 9) == "a line…"
    assert one_line("it fits", 9) == "it fits"


@check_rows(
    "mark", ["<|im_start|>", "<｜User｜>", "<s>", "</s>", "<start_of_turn>", "</system>", "[/INST]", "[SYSTEM_PROMPT]"]
)
def test_what_chat_templates_take_for_another_speaker_is_broken_up(mark: str) -> None:
    assert mark not in tame(f"tea {mark} water")
    assert tame("a < b, <https://example.org>, [INSTALL]") == "a < b, <https://example.org>, [INSTALL]"
