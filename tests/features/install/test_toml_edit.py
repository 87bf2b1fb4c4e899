"""One table of somebody else's TOML is changed, and every other byte stays."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from memcli.errors import Refused
from memcli.features.install.toml_edit import drop_table, put_table, table_at, values_at
from tests.rows import check_rows

NAME = ("mcp_servers", "mem")
OURS = {"command": "/a b/mem", "args": ["mcp", "--scope", "both"]}

FILES = {
    "empty": "",
    "root keys": '# mine\nmodel = "o5" # best\n\n[tools]\nweb = true\n',
    "no line feed at the end": '[mcp_servers.other]\ncommand = "x"',
    "Windows": '[mcp_servers.other]\r\ncommand = "x"\r\n',
    "text that looks like tables": 'note = """\n[mcp_servers.mem]\ncommand = "no"\n"""\nlist = [\n  [1, 2],\n  ["#", "]"], # ]\n]\n',
    "others around": '[mcp_servers.a]\ncommand = "a"\n\n# about b\n[mcp_servers.b]\ncommand = "b"\n\n[[things]]\nx = 1\n',
    "a literal": "path = 'C:\\[x]'\nmore = '''\n[y]\n'''\n",
}


def loaded(text: str) -> dict[str, Any]:
    if sys.version_info < (3, 11):
        pytest.skip("Python reads no TOML itself")
    import tomllib

    return tomllib.loads(text)


@pytest.mark.parametrize("name", FILES)
def test_the_table_is_there_and_all_else_is_as_it_was(name: str) -> None:
    after = put_table(FILES[name], NAME, OURS)
    assert after.startswith(FILES[name])
    there = loaded(after)
    assert there["mcp_servers"].pop("mem") == OURS
    before = loaded(FILES[name])
    assert there == {"mcp_servers": {}, **before}


@pytest.mark.parametrize("name", FILES)
def test_put_in_twice_it_is_the_same_and_taken_out_every_byte_is_as_before(name: str) -> None:
    once = put_table(FILES[name], NAME, OURS)
    assert put_table(once, NAME, OURS) == once
    assert drop_table(once, NAME).rstrip() == FILES[name].rstrip()


def test_keys_of_the_user_in_our_table_stay() -> None:
    text = '[mcp_servers.mem] # mine\ncommand = "old" # why\nenabled = false\nargs = [\n  "x",\n]\n\n[mcp_servers.mem.env]\nA = "1"\n\n[other]\n'
    after = put_table(text, NAME, OURS)
    assert "enabled = false\n" in after and '[mcp_servers.mem.env]\nA = "1"\n' in after and "[other]\n" in after
    table = loaded(after)["mcp_servers"]["mem"]
    assert table == {**OURS, "enabled": False, "env": {"A": "1"}}
    assert drop_table(after, NAME) == "[other]\n"


def test_a_quoted_name_is_the_same_table() -> None:
    text = '[mcp_servers."mem"]\ncommand = "x"\n'
    assert put_table(text, NAME, OURS).count("[mcp_servers") == 1
    assert drop_table(text, NAME) == ""


def test_comments_above_the_next_table_stay() -> None:
    text = '[mcp_servers.mem]\ncommand = "x"\n\n# about tools\n[tools]\nweb = true\n'
    assert drop_table(text, NAME) == "# about tools\n[tools]\nweb = true\n"


@pytest.mark.parametrize(
    "text",
    ["mcp_servers = { a = {} }\n", 'mcp_servers.mem.command = "x"\n', '[mcp_servers]\nmem = { command = "x" }\n'],
)
def test_a_table_that_is_written_inline_is_left_to_the_person(text: str) -> None:
    with pytest.raises(Refused, match=r"config\.toml:\d: .* is written inline"):
        put_table(text, NAME, OURS, "config.toml")


def test_what_a_table_holds_is_told_as_it_is_written() -> None:
    assert table_at(put_table("", NAME, OURS), NAME) == {"command": '"/a b/mem"', "args": '["mcp", "--scope", "both"]'}
    assert table_at("", NAME) is None


@check_rows(
    ("written", "value"),
    [
        ('"mem"  # my memory', "mem"), ("'C:\\tools\\mem.exe'", "C:\\tools\\mem.exe"), ('"a # b"', "a # b"),
        ('[ "a", # x\n  \'b\',\n]', ["a", "b"]), ('"""x"""', "x"), ("5", 5), ("true", True),
    ],
)  # fmt: skip
def test_values_are_read_as_toml_writes_them(written: str, value: object) -> None:
    text = f"[mcp_servers.mem]\nenv = {{ A = 1 }}\ncommand = {written}\n"
    assert values_at(text, ("mcp_servers", "mem"), ("command",)) == {"command": value}


def test_a_value_that_can_t_be_read_names_its_file() -> None:
    with pytest.raises(Refused, match=r"config\.toml"):
        values_at("[a]\ncommand = { x = 1 }\n", ("a",), ("command",), "config.toml")
