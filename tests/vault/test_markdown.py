"""Cutting text into blocks: nothing is lost, and each block is what a person would call it."""

from __future__ import annotations

import pytest
from hypothesis import given

from memcli.vault import markdown
from memcli.vault.markdown import BLANK, COMMENT, FENCE, FRONT, HEADING, ITEM, PARAGRAPH, RULE, TABLE
from tests.vault import texts


def kinds(text: str) -> list[str]:
    return [block.kind for block in markdown.blocks(text) if block.kind != BLANK]


def pieces(text: str) -> list[str]:
    return [block.text for block in markdown.blocks(text) if block.kind != BLANK]


@given(texts.files)
def test_the_blocks_of_any_text_joined_are_the_text(text: str) -> None:
    assert "".join(block.text for block in markdown.blocks(text)) == text


@given(texts.files)
def test_every_block_stands_where_it_says(text: str) -> None:
    at = 0
    for block in markdown.blocks(text):
        assert (block.start, text[block.start : block.stop]) == (at, block.text)
        assert block.line == text.count("\n", 0, block.start) + 1
        assert block.last_line == text.count("\n", 0, max(block.start, block.stop - 1)) + 1
        assert block.text
        at = block.stop
    assert at == len(text)


@given(texts.files)
def test_blocks_begin_and_end_with_lines(text: str) -> None:
    for block in markdown.blocks(text):
        assert block.start == 0 or text[block.start - 1] in "\n\ufeff"
        assert block.stop == len(text) or block.text[-1] in "\n\ufeff"


def test_each_kind_is_seen() -> None:
    text = "---\na: 1\n---\n# H\n\npara\ngoes on\n\n- item\n  more\n* other\n\n```py\n# no heading\n```\n|a|b|\n|-|-|\n\n***\n<!-- c\n-->\n"
    assert kinds(text) == [FRONT, HEADING, PARAGRAPH, ITEM, ITEM, FENCE, TABLE, RULE, COMMENT]


@pytest.mark.parametrize("text", ["# T", "# T\r\n", "## T ##\n", "   ### T\n", "T\n===\n", "T\n---\r\n", "#\tT\n"])
def test_headings_have_titles(text: str) -> None:
    (block,) = markdown.blocks(text)
    assert (block.kind, block.title) == (HEADING, "T")


@pytest.mark.parametrize("text", ["#T", "####### T", "    # T", "\\# T"])
def test_what_only_looks_like_a_heading_is_text(text: str) -> None:
    assert kinds(text) == [PARAGRAPH]


def test_a_hash_inside_a_fence_is_no_heading_and_a_dash_no_item() -> None:
    assert kinds("```\n# a\n- b\n---\n```\n") == [FENCE]


def test_a_bullet_with_nested_code_is_one_item() -> None:
    text = "- deploy with\n\n  ```sh\n  # careful\n\n- rm -rf build\n  ```\n  and tell Lin\n- next\n"
    assert pieces(text) == [text.removesuffix("- next\n"), "- next\n"]


def test_a_fence_opened_in_the_bullet_itself_is_not_split() -> None:
    assert kinds("- ```\n  # a\n- b\n  ```\n") == [ITEM]


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert kinds("````\n```\n# a\n```\n````\n") == [FENCE]


def test_an_unclosed_fence_swallows_nothing() -> None:
    assert kinds("- a\n\n```\nforgotten\n\n- b\n- c\n") == [ITEM, PARAGRAPH, ITEM, ITEM]


def test_nested_bullets_belong_to_their_bullet() -> None:
    assert pieces("- a\n  - b\n\n    c\n\t- d\n- e\n") == ["- a\n  - b\n\n    c\n\t- d\n", "- e\n"]


def test_a_line_run_on_without_indent_belongs_to_its_bullet() -> None:
    assert kinds("- a long line that an editor\nwrapped\n\nprose\n") == [ITEM, PARAGRAPH]


def test_a_table_stays_whole_and_apart_from_the_line_above() -> None:
    assert pieces("costs:\n| a | b |\n|---|---|\n| 1 | 2 |\nafter\n")[1] == "| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_windows_line_ends_change_no_kind() -> None:
    text = "---\na: 1\n---\n# H\n\npara\n\n- item\n  more\n\n```\nx\n```\n|a|\n***\n"
    assert kinds(text.replace("\n", "\r\n")) == kinds(text)


def test_a_byte_order_mark_hides_neither_front_matter_nor_heading_nor_item() -> None:
    for text in ("---\na: 1\n---\n", "# H\n", "- i\n"):
        assert kinds("\ufeff" + text) == kinds(text)


def test_front_matter_only_at_the_very_beginning_and_only_when_closed() -> None:
    assert kinds("---\na: 1\n") == [RULE, PARAGRAPH]
    assert FRONT not in kinds("\n---\na: 1\n---\n")


def test_thousands_of_unclosed_fences_take_no_longer_than_their_lines() -> None:
    text = "".join(f"{'`' * (3 + n % 5)}x\n" for n in range(20_000))
    assert "".join(block.text for block in markdown.blocks(text)) == text
