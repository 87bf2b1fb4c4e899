"""Whatever value is written into a file that is edited in place, it reads back, and the next write works."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memcli.vault import yaml_edit, yaml_list, yaml_read
from tests.rows import check_rows

SIGNS = "?:-#&*!|>'\"%@`{}[],~=\\/ .\t\n茶é0aN\u0085\u2028\ufeff\U0001f375\x07"
ODD = (
    "why?not", "?", "? a", "a: b", "a:b", ":a", "- a", "-", "#a", "a #b", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a",
    "[a", "a]", "{a", "a}", "a,b", ",", "~", "null", "yes", "No", "on", "1", "1.0", "1e3", "0x1f", "0o17", "1_000", "12:30",
    "2026-11-21", "=", "<<", "", " ", " a", "a ", "a\tb", "\ta", "a\nb", "\n", "a\r\nb", "---", "...", "--- a", "'", '"', "''a",
    "\\", "é", "茶？", "：", "a\u0085b", "a\u2028b", "\ufeff", "\x07", "x" * 300, "\U0001f375", "key: [a, b]", "a: {b: c}",
)  # fmt: skip
words = st.sampled_from(ODD) | st.text(SIGNS, max_size=8)
values = words | st.lists(words, min_size=1, max_size=4)

MAPPINGS = (
    "",
    "# mine\nlanguage: en # why\n",
    "language: en\ntopics: [a, why?not]\n",
    "{language: en}\n",
    "a:\n  - b\n",
)
LISTS = (
    "", "# mine\n- key: tea\n  value: [chips, why?not]\n", "- key: tea\n  value:\n    - a\n", "tea: green\n", "[{key: tea, value: a}]\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", MAPPINGS)
@given(value=values, other=values)
@example(value=["chips", "why?not"], other="why?not")
def test_a_mapping_takes_any_value_twice(text: str, value: object, other: object) -> None:
    once = yaml_edit.with_value(text, "state.yaml", ["new"], value)
    twice = yaml_edit.with_value(once, "state.yaml", ["later"], other)
    again = yaml_edit.with_value(twice, "state.yaml", ["new"], other)
    before = yaml_read.mapping(text, "state.yaml")
    assert yaml_read.mapping(twice, "state.yaml") == {**before, "new": value, "later": other}
    assert yaml_read.mapping(again, "state.yaml") == {**before, "new": other, "later": other}
    assert yaml_read.mapping(yaml_edit.with_value(again, "state.yaml", ["new"], None), "s") == {
        **before,
        "later": other,
    }


@pytest.mark.slow
@pytest.mark.parametrize("text", LISTS)
@given(value=values, other=values)
@example(value=["chips", "why?not"], other="why?not")
def test_a_list_of_records_takes_any_value_twice(text: str, value: object, other: object) -> None:
    def edited(text: str, change: object) -> str:
        return yaml_list.edited(text, "preferences.yaml", "key", change)  # type: ignore[arg-type]

    before = yaml_list.records_in(text, "preferences.yaml", "key")
    once = edited(text, lambda held: [*held, {"key": "snacks", "value": value}])
    twice = edited(once, lambda held: [*held, {"key": other, "value": other}])
    changed = edited(twice, lambda held: [{**each, "value": other} for each in held])
    assert yaml_list.records_in(once, "p", "key") == [*before, {"key": "snacks", "value": value}]
    assert yaml_list.records_in(twice, "p", "key")[-1] == {"key": other, "value": other}
    assert [each["value"] for each in yaml_list.records_in(changed, "p", "key")] == [other] * (len(before) + 2)


@given(value=words)
def test_steps_of_a_way_may_be_anything(value: str) -> None:
    text = yaml_edit.change_pieces("patterns:\n- pattern: a\n  subtasks: [b, why?not]\n", "p", {0: lambda piece: piece["patterns"].append({"pattern": "c", "subtasks": yaml_edit.plain([value])})})  # fmt: skip
    assert [record.get("subtasks") for record in yaml_read.load(text, "p")["patterns"]] == [
        ["b", "why?not"],
        [value],
    ]


@check_rows("key", ["on", "No", "y", "true", "null", "012", "12:30", "2026-11-28", "1e3"])
def test_a_key_is_the_text_that_is_written(key: str) -> None:
    text = f"{key}: a\nlater: {{{key}: b}}\n"
    assert yaml_read.load(text, "s") == {key: "a", "later": {key: "b"}}
    assert yaml_read.mapping(yaml_edit.with_value(text, "s", [key], "c"), "s") == {key: "c", "later": {key: "b"}}
    assert yaml_read.mapping(yaml_edit.with_value(text, "s", [key], None), "s") == {"later": {key: "b"}}


def test_what_other_programs_read_as_a_switch_is_a_text_and_is_quoted() -> None:
    assert yaml_read.mapping("language: no\nreads: [yes, true]\n", "s") == {"language": "no", "reads": ["yes", True]}
    assert yaml_edit.with_value("", "s", ["language"], "No") == 'language: "No"\n'
