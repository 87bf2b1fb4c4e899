"""Changing one memory in a text leaves every other byte as it was."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memcli.errors import Refused
from memcli.vault import edit, entries
from memcli.vault.entries import Entry
from tests.rows import check_rows
from tests.vault import texts

PATH = "notes.md"


def read(text: str) -> tuple[Entry, ...]:
    return entries.parse_document(PATH, text).entries


def raws(text: str) -> Counter[str]:
    return Counter(entry.raw for entry in read(text))


# -- adding ----------------------------------------------------------------------------------------------------------


@given(texts.files, texts.anything)
def test_adding_only_inserts_and_makes_exactly_one_memory(text: str, said: str) -> None:
    new = edit.list_item("14:30", said)
    assume(len(read(new)) == 1)
    try:
        result = edit.append_item(PATH, text, new)
    except Refused:
        assert "```" in text + said or "~~~" in text + said or text.lstrip("\ufeff").startswith("---")
        return
    if text.strip():
        assert result.startswith(text)
    gained = raws(result) - raws(text)
    assert sum(gained.values()) == 1
    assert not raws(text) - raws(result)
    assert " ".join(next(iter(gained)).split()) == " ".join(new.split())


@given(texts.documents(), st.sampled_from(["People", "x", "Plan"]))
def test_adding_under_a_heading_inserts_in_one_place(text: str, heading: str) -> None:
    try:
        result = edit.append_item(PATH, text, "- new one here", heading=heading)
    except Refused:
        return
    if text.strip():
        head = next(n for n in range(len(text) + 1) if n == len(text) or text[n] != result[n])
        grown = len(result) - len(text)
        assert any(result[:at] + result[at + grown :] == text for at in range(head + 1))
    (new,) = [entry for entry in read(result) if entry.raw == "- new one here"]
    assert new.trail[-1].casefold() == heading.casefold()


@check_rows(
    ("before", "after"),
    [
        ("", "- new\n"),
        ("- a\n", "- a\n- new\n"),
        ("- a", "- a\n- new\n"),
        ("- a\r\n", "- a\r\n- new\r\n"),
        ("- a\n\n", "- a\n\n- new\n"),
        ("prose\n", "prose\n\n- new\n"),
        ("prose", "prose\n\n- new\n"),
        ("# H\n", "# H\n\n- new\n"),
        ("```\nx\n```\n", "```\nx\n```\n\n- new\n"),
        ("---\na: 1\n---\n", "---\na: 1\n---\n\n- new\n"),
    ],
)
def test_a_new_memory_joins_a_list_and_keeps_apart_from_all_else(before: str, after: str) -> None:
    assert edit.append_item(PATH, before, "- new") == after


def test_a_new_file_begins_with_its_header() -> None:
    assert edit.append_item(PATH, "", "- new", "# 2026-11-21\n") == "# 2026-11-21\n\n- new\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# M\n\n## A\n- a\n\n\n## B\n", "# M\n\n## A\n- a\n- new\n\n\n## B\n"),
        ("# M\n## a ##\n## B\n- b\n", "# M\n## a ##\n\n- new\n\n## B\n- b\n"),
        ("## A\n\n### Sub\n- s\n", "## A\n\n- new\n\n### Sub\n- s\n"),
        ("## B\n- b\n", "## B\n- b\n\n## A\n\n- new\n"),
        ("## A", "## A\n\n- new\n"),
        ("", "## A\n\n- new\n"),
        ("## A\r\n- a\r\n\r\n## B\r\n", "## A\r\n- a\r\n- new\r\n\r\n## B\r\n"),
    ],
)
def test_under_a_heading_it_stands_with_its_own_and_blank_lines_stay(before: str, after: str) -> None:
    assert edit.append_item(PATH, before, "- new", heading="A") == after


def test_a_file_left_open_is_refused_rather_than_grown_into() -> None:
    with pytest.raises(Refused, match="left open"):
        edit.append_item(PATH, "```\nnever closed\n", edit.list_item("", "run\n```\nmake\n```"))


@given(texts.anything)
def test_an_item_made_of_any_text_is_one_memory(said: str) -> None:
    new = edit.list_item("14:30", said)
    (entry,) = read(new)
    assert entry.start == 0
    assert " ".join(entry.raw.split()) == " ".join(new.split())


def test_code_in_a_memory_keeps_its_lines_and_is_closed() -> None:
    assert edit.list_item("14:30", "so:\n```py\nif x:\n\n    y\n") == "- 14:30 so:\n  ```py\n  if x:\n\n      y\n  ```"
    assert edit.list_item("", "steps\n1. ```\n   make") == "- steps\n  1. ```\n     make\n  ```"


# -- exchanging ------------------------------------------------------------------------------------------------------


@given(texts.files, st.data())
def test_exchanging_a_memory_changes_its_own_bytes_alone(text: str, data: st.DataObject) -> None:
    found = read(text)
    assume(found)
    entry = data.draw(st.sampled_from(found))
    try:
        result = edit.replace_entry(PATH, text, entry, "- said otherwise")
    except Refused:
        return
    here = edit.find_again(PATH, text, entry)
    assert result == text[: here.start] + "- said otherwise" + text[here.stop :]
    assert not Counter(e.raw for e in found if e.start != here.start) - raws(result)


@given(texts.files, st.data())
def test_a_memory_put_back_as_it_was_changes_nothing(text: str, data: st.DataObject) -> None:
    found = read(text)
    assume(found and "\r\n" not in text)
    entry = data.draw(st.sampled_from(found))
    assert edit.replace_entry(PATH, text, entry, entry.raw) == text


def test_a_memory_that_moved_is_found_again() -> None:
    (entry,) = read("- a\n")
    assert edit.replace_entry(PATH, "# new\n\n- other\n- a\n", entry, "- b") == "# new\n\n- other\n- b\n"


def test_of_two_equal_memories_the_one_meant_is_changed() -> None:
    first, _, second = read("- a\n- x\n- a\n")
    assert edit.replace_entry(PATH, "- a\n- x\n- a\n", second, "- b") == "- a\n- x\n- b\n"
    assert edit.replace_entry(PATH, "- a\n- x\n- a\n", first, "- b") == "- b\n- x\n- a\n"


def test_a_memory_changed_meanwhile_is_not_overwritten() -> None:
    (entry,) = read("- a\n")
    with pytest.raises(Refused, match=r"notes.md:1 was changed"):
        edit.replace_entry(PATH, "- a, and more\n", entry, "- b")


@pytest.mark.parametrize("raw", ["no bullet any more", "- ```\n  open", "- mine\n  ```"])
def test_a_text_that_would_swallow_its_neighbours_is_refused(raw: str) -> None:
    text = "- before\n- mine\n- after\n  ```\n  x\n  ```\n"
    with pytest.raises(Refused, match="beside it"):
        edit.replace_entry(PATH, text, read(text)[1], raw)


# -- taking out ------------------------------------------------------------------------------------------------------


@given(texts.files, st.data())
def test_taking_a_memory_out_leaves_all_others(text: str, data: st.DataObject) -> None:
    found = read(text)
    assume(found)
    entry = data.draw(st.sampled_from(found))
    here = edit.find_again(PATH, text, entry)
    result = edit.remove_entry(PATH, text, entry)
    assert result.startswith(text[: here.start])
    assert result.endswith(text[here.stop :].partition("\n")[2])
    left = " ".join(e.raw for e in found if e.start != here.start).split()
    assert " ".join(e.raw for e in read(result)).split() == left


def test_neighbours_that_would_run_together_are_kept_apart() -> None:
    text = "one\n\n- x\n\ntwo\n"
    assert edit.remove_entry(PATH, text, read(text)[1]) == "one\n\n<!-- archived -->\n\ntwo\n"
    text = "prose\n- x\n---\n"
    assert edit.remove_entry(PATH, text, read(text)[1]) == "prose\n<!-- archived -->\n---\n"


# -- fields ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        ("- a", "- a [k:: v]"),
        ("- a ^id", "- a [k:: v] ^id"),
        ("- a [K:: old] b", "- a [k:: v] b"),
        ("- a\n  more [k:: old]\n", "- a\n  more [k:: v]\n"),
        ("- a\r\n  more", "- a [k:: v]\r\n  more"),
    ],
)
def test_a_field_is_set_where_it_stands_else_at_the_end_of_the_first_line(raw: str, after: str) -> None:
    assert edit.with_fields(raw, k="v") == after
