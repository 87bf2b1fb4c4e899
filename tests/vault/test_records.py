"""A record changes, and every other byte of its file stays."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import VaultError
from memcli.vault import yaml_edit, yaml_list
from memcli.vault.yaml_list import Record

FILE = """\
# places  by   name
- name: home   # since 2021
  aliases:
    - 家
    - 'our flat'
  address: 12 Example Road

  # the one at the station
- name: office
  note: |
    # no comment
    two lines

# people
- {name: partner, value: Su Qing}   # short
# the end
"""


def change(text: str, name: str, **fields: Any) -> str:
    """One record changed; without fields it goes."""

    def each(record: Record) -> Record | None:
        return record if record["name"] != name else {**record, **fields} if fields else None

    return yaml_list.edited(text, "x.yaml", "name", lambda found: [each(record) for record in found])


def add(text: str, **fields: Any) -> str:
    return yaml_list.edited(text, "x.yaml", "name", lambda found: [*found, fields])


@pytest.mark.parametrize(
    ("name", "fields", "old", "new"),
    [
        ("home", {"address": "7 Side Street"}, "address: 12 Example Road", "address: 7 Side Street"),
        ("home", {"use_count": 2}, "Road\n", "Road\n  use_count: 2\n"),
        ("office", {"address": "x"}, "two lines\n\n", "two lines\n\n  address: x\n"),
        ("partner", {"value": "Ada Lin"}, "value: Su Qing}", "value: Ada Lin}"),
        ("partner", {}, "- {name: partner, value: Su Qing}   # short\n", ""),
        ("office", {}, FILE[FILE.index("- name: office") : FILE.index("# people")].rstrip() + "\n\n", ""),
    ],
)
def test_only_the_record_that_changes_is_written_anew(name: str, fields: Record, old: str, new: str) -> None:
    assert old in FILE
    assert change(FILE, name, **fields) == FILE.replace(old, new)


def test_a_new_record_stands_below_the_last_one() -> None:
    assert add(FILE, name="gym", value="no") == FILE.replace("# short\n", '# short\n- name: gym\n  value: "no"\n')
    assert add("# only a comment", name="gym") == "# only a comment\n- name: gym\n"
    assert add("", name="gym") == "- name: gym\n"
    assert add("  - name: a\r\n", name="b") == "  - name: a\r\n  - name: b\r\n"
    assert add("\ufeff- name: a\n", name="b") == "\ufeff- name: a\n- name: b\n"


def test_nothing_changed_is_not_a_byte_changed() -> None:
    assert yaml_list.edited(FILE, "x.yaml", "name", lambda found: found) == FILE


def test_the_short_form_becomes_a_list_and_its_comments_stay() -> None:
    text = "# a\nhome: 12 Example Road\n# b\nwork: {address: x}\n# c\n"
    after = '# a\n- name: home\n  value: 12 Example Road\n# b\n- name: work\n  address: x\n  phone: "5"\n# c\n'
    assert change(text, "work", phone="5") == after
    assert change(text.replace("\n", "\r\n"), "work", phone="5") == after.replace("\n", "\r\n")


def test_records_in_brackets_get_lines_of_their_own() -> None:
    after = change("# c\n[{name: a, x: 1}, {name: b}]\n", "a", x=2)
    assert after == "# c\n- name: a\n  x: 2\n- name: b\n"
    assert add("{home: x, work: {address: y}}", name="gym").count("- name: ") == 3
    assert add("[]\n", name="gym") == "- name: gym\n"


def test_what_can_not_be_changed_without_harm_is_left_alone() -> None:
    text = "- name: a\n  at: &here [1]\n- name: b\n  at: *here\n"
    with pytest.raises(VaultError, match=r"x\.yaml"):
        change(text, "a")


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(
    ["yes", "null", "12:30", "0x1f", "2026-11-21", "- a", "a: b", "#x", " x ", "'", '"', "家", "{a", "é\n\nb", "~"]
)  # fmt: skip
values = scalars | st.lists(scalars, max_size=3)
some = st.dictionaries(st.sampled_from(["aliases", "value", "note", "key"]), values, max_size=3)


@given(st.lists(some, max_size=4), st.integers(0, 4), some, st.booleans(), st.booleans())
def test_whatever_is_written_reads_as_it_was_meant(
    held: list[Record], at: int, fields: Record, goes: bool, flow: bool
) -> None:
    held = [{"name": str(number), **each} for number, each in enumerate(held)]
    text = yaml.safe_dump(held, allow_unicode=True, sort_keys=False, default_flow_style=flow)

    def edit(found: list[Record]) -> list[Record | None]:
        done: list[Record | None] = [*found, {"name": "new", **fields}]
        if at < len(found):
            done[at] = None if goes else {**found[at], **fields}
        return done

    assert yaml_list.records_in(yaml_list.edited(text, "x", "name", edit), "x", "name") == [
        each for each in edit(held) if each
    ]


def test_keys_come_and_go_in_a_mapping() -> None:
    text = "a: 1 # one\n# two\nb:\n    - x\n    - y\n"
    assert yaml_edit.with_value(text, "x", ["a"], 5) == text.replace("1", "5")
    assert yaml_edit.with_value(text, "x", ["a"], None) == text.partition("\n")[2]
    assert yaml_edit.with_value(text, "x", ["c"], ["p", "no"]) == text + 'c: [p, "no"]\n'
    assert yaml_edit.with_value(text, "x", ["c"], None) == text
    assert yaml_edit.with_value("{a: 1, b: [2]}", "x", ["a"], 5) == "a: 5\nb: [2]\n"
    assert yaml_edit.with_value("{a: 1}", "x", ["b", "c"], 5) == "a: 1\nb:\n  c: 5\n"
    assert yaml_edit.with_value("{}", "x", ["b"], "x") == "b: x\n"


def test_a_group_goes_with_its_last_key_so_that_it_does_not_hide_one_written_above() -> None:
    text = "# recall:\n#   budget: 1\ngates:\n  email: allow\n"
    assert yaml_edit.with_value(f"{text}recall:\n  budget: 300\n", "x", ["recall", "budget"], None) == text
    both = f"{text}recall:\n  budget: 300\n  fill: true\n"
    assert yaml_edit.with_value(both, "x", ["recall", "budget"], None) == both.replace("  budget: 300\n", "")
    with pytest.raises(VaultError, match="expected"):
        yaml_edit.with_value("- a\n", "x", ["a"], 1)
