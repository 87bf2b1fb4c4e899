"""One key of somebody else's JSON is changed, and every other byte stays."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import Refused
from memcli.features.install.json_edit import drop_items, drop_value, parse, put_item, put_value, value_at
from tests.rows import check_rows

KEYS = ("mcpServers", "mem")
OURS = {"command": "mem", "args": ["mcp"]}

FILES = {
    "empty": "",
    "an empty object": "{}\n",
    "one line": '{"a": 1, "mcpServers": {"other": {"command": "x"}}}',
    "plain": '{\n  "mcpServers": {\n    "other": {\n      "command": "x"\n    }\n  },\n  "z": [1, 2]\n}\n',
    "four spaces": '{\n    "a": {\n        "b": 1\n    },\n    "mcpServers": {\n        "other": {}\n    }\n}\n',
    "tabs": '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n',
    "Windows": '{\r\n  "mcpServers": {\r\n    "other": {}\r\n  }\r\n}\r\n',
    "comments": (
        '// mine\n{\n  // servers\n  "mcpServers": {\n    "other": {"command": "x"} // keep, me\n    /* and me */\n  },\n'
        '  "url": "http://x//y", // no comment\n  "t": "a\\"b{,}"\n}\n// end\n'
    ),
    "trailing commas": '{\n  "mcpServers": {\n    "other": [1, 2,],\n  },\n}\n',
    "bare keys": "{\n  mcpServers: {\n    other: {command: 'it''s', n: +1, h: 0xff,},\n  },\n}\n".replace("''", "\\'"),
    "only a comment inside": '{\n  "mcpServers": {\n    // nothing yet\n  }\n}\n',
    "no servers yet": '{\n  "theme": "dark"\n}\n',
    "a mark at the start": '\ufeff{\n  "theme": "dark"\n}\n',
    "ours first": '{\n  "mcpServers": {\n    "before": {}, "between": {},\n    // last\n    "after": {}\n  }\n}\n',
}


@check_rows("name", FILES)
def test_what_is_put_in_is_there_and_all_else_is_as_it_was(name: str) -> None:
    text = FILES[name]
    after = put_value(text, KEYS, OURS)
    assert value_at(after, KEYS) == OURS
    before = parse(text).value
    there = parse(after).value
    del there["mcpServers"]["mem"]
    assert {**before, "mcpServers": before.get("mcpServers", {})} == there
    assert _is_subsequence(text.replace("{}", "{").replace("{\n}", "{"), after), "nothing was taken away"


@check_rows("name", FILES)
def test_put_in_twice_it_is_the_same(name: str) -> None:
    once = put_value(FILES[name], KEYS, OURS)
    assert put_value(once, KEYS, OURS) == once


@check_rows("name", [name for name in FILES if name not in ("empty", "an empty object", "no servers yet")])
def test_taken_out_again_every_byte_is_as_before(name: str) -> None:
    assert drop_value(put_value(FILES[name], KEYS, OURS), KEYS) == FILES[name]


def test_objects_that_were_made_for_it_go_with_it() -> None:
    for name in ("no servers yet", "a mark at the start"):
        assert drop_value(put_value(FILES[name], KEYS, OURS), KEYS) == FILES[name]
    assert parse(drop_value(put_value("", KEYS, OURS), KEYS)).value == {}


@pytest.mark.parametrize("at", [0, 1, 2])
def test_any_member_can_be_taken_out(at: int) -> None:
    members = ['  "a": 1, // one', '  "b": {"x": []},', '  /* three */ "c": "3"']
    text = "{\n" + "\n".join(members) + "\n}\n"
    after = drop_value(text, ("abc"[at],))
    assert parse(after).value == {key: value for key, value in parse(text).value.items() if key != "abc"[at]}
    assert "/* three */" in after and "// one" in after


def test_a_value_of_its_own_is_exchanged_and_keeps_its_place() -> None:
    text = '{"mcpServers": {"mem": {"command": "old"}, "other": 1}}'
    after = put_value(text, KEYS, OURS)
    assert re.sub(r"\s+", "", after) == '{"mcpServers":{"mem":{"command":"mem","args":["mcp"]},"other":1}}'


def test_of_a_key_that_stands_twice_the_one_that_counts_is_changed() -> None:
    assert value_at(put_value('{"a": {"b": 1}, "a": {"c": 2}}', ("a", "d"), 3), ("a",)) == {"c": 2, "d": 3}


@check_rows("broken", ["{", '{"a" 1}', '{"a": }', "[1", "{} {}", '{"a": "x}', "}", '{"a": 1 "b": 2}', "{" * 5000])
def test_what_can_not_be_read_is_not_touched_and_its_line_is_named(broken: str) -> None:
    with pytest.raises(Refused, match=r"settings\.json:2: can't be read as JSON"):
        put_value("\n" + broken.replace("\n", ""), KEYS, OURS, "settings.json")


def test_a_value_where_an_object_should_be_is_not_overwritten() -> None:
    with pytest.raises(Refused, match="mcpServers is not an object"):
        put_value('{"mcpServers": [1]}', KEYS, OURS, "settings.json")


# -- lists -------------------------------------------------------------------------------------------------------------

HOOKS = ("hooks", "Stop")
ITEM = {"command": "mem hook stop --for x", "timeout": 3}


def ours(item: Any) -> bool:
    return "mem hook" in str(item)


LISTS = {
    "nothing": "{}",
    "of others": '{\n  "hooks": {\n    "Stop": [\n      {"command": "beep"} // loud\n    ]\n  }\n}\n',
    "on one line": '{"hooks": {"Stop": [{"command": "beep"}]}}',
    "trailing comma": '{\n  "hooks": {\n    "Stop": [\n      {"command": "beep"},\n    ],\n  }\n}\n',
}


@pytest.mark.parametrize("name", LISTS)
def test_an_item_joins_those_of_others_and_leaves_them_again(name: str) -> None:
    text = LISTS[name]
    after = put_item(text, HOOKS, ITEM, ours)
    assert value_at(after, HOOKS) == [*(value_at(text, HOOKS) or []), ITEM]
    assert put_item(after, HOOKS, ITEM, ours) == after
    assert drop_items(after, HOOKS, ours) == text


def test_an_older_item_of_ours_is_replaced() -> None:
    text = put_item(LISTS["of others"], HOOKS, {"command": "mem hook stop", "timeout": 99}, ours)
    assert value_at(put_item(text, HOOKS, ITEM, ours), HOOKS) == [{"command": "beep"}, ITEM]


# -- anything ----------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), st.sampled_from([None, 2, 4, "\t"]))
def test_any_object_keeps_what_it_held(held: dict[str, Any], indent: Any) -> None:
    text = json.dumps(held, indent=indent, ensure_ascii=False)
    after = put_value(text, ("our own key", "mem"), OURS)
    assert json.loads(after) == {**held, "our own key": {"mem": OURS}}
    assert json.loads(drop_value(after, ("our own key", "mem"))) == held
    assert not held or drop_value(after, ("our own key", "mem")) == text


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4, unique=True), st.data())
def test_members_come_and_go_in_any_order(keys: list[str], data: Any) -> None:
    text = '{\n  "own": 1, // mine\n  // the end\n}\n'
    for key in keys:
        text = put_value(text, (key,), {"of": key})
    for key in data.draw(st.permutations(keys)):
        text = drop_value(text, (key,))
    assert parse(text).value == {"own": 1} and "// mine" in text and "// the end" in text


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(sign in rest for sign in short if not sign.isspace())
