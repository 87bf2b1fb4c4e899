"""`mem session`, as a shell, a hook and a person use it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.cli.commands import import_command, members
from tests.conftest import Ran

Mem = Callable[..., Ran]
KEY = "sk-" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"


def test_every_command_teaches_by_example() -> None:
    import_command("session")
    for name, spec in members("session").items():
        assert f"mem session {name}" in "\n".join(spec.examples)


def test_a_talk_from_its_start_to_its_end(mem: Mem, folder: Path) -> None:
    started = mem("session", "start", "trip", "to", "Lisbon")
    assert (started.code, started.err) == (0, "") and started.out == started.out.strip() + "\n"
    here = {"MEM_SESSION": started.out.strip()}
    said = mem("session", "say", "Which trains go to 里斯本?", **here)
    assert (said.code, said.out, said.err) == (0, "", "")
    assert (
        mem("session", "say", "--role", "assistant", "--tool", "timetable", stdin="Three.\nAll slow.\n", **here).out
        == ""
    )
    shown = mem("session", "show", **here).out
    assert "trip to Lisbon" in shown and "Which trains go to 里斯本?" in shown
    assert "assistant  14:30  [timetable]  Three.\n    All slow.\n" in shown
    ended = mem("session", "end", **here)
    assert (folder / ended.out.strip()).is_file() and ended.err == ""
    late = mem("session", "say", "hello?", **here)
    assert (late.code, late.out) == (2, "") and "mem session resume" in late.err
    assert mem("session", "resume", **here).out.strip() == here["MEM_SESSION"]
    assert mem("session", "say", "hello?", **here).code == 0


def test_several_are_open_and_each_is_called_by_a_part_of_its_name(mem: Mem) -> None:
    one, two = (mem("session", "start", name).out.strip() for name in ("one", "two"))
    newest = mem("session", "show")
    assert newest.code == 0 and f"2 sessions are open, {two} is the newest" in newest.err
    mem("session", "say", "--session", one[-4:], "hello one")
    assert "hello one" in mem("session", "show", one).out and "hello" not in mem("session", "show", two).out
    listed = mem("session", "list")
    assert [line.split()[0] for line in listed.lines] == sorted((one, two), reverse=True)
    assert {each["title"]: each["rounds"] for each in json.loads(mem("session", "list", "--json").out)["sessions"]} == {
        "one": 1,
        "two": 0,
    }
    assert len(mem("session", "list", "-n", "1").lines) == 1


def test_what_was_blacked_out_is_told_and_in_json(mem: Mem) -> None:
    mem("session", "start")
    told = mem("session", "say", f"my key is {KEY}")
    assert told.out == "" and "blacked out before it was kept: api key" in told.err and KEY not in told.err
    said = json.loads(mem("session", "say", f"my key is {KEY}", "--json").out)
    assert said["schema"] == 1 and said["said"][0]["redacted"] == ["api_key"] and said["notices"]
    assert KEY not in mem("session", "show", "--json").out


def test_a_hook_pipes_messages_as_json_lines(mem: Mem) -> None:
    mem("session", "start")
    messages = [
        {"role": "user", "content": f"第 {n} 次"} if n % 2 else {"role": "tool", "content": "", "tools": ["x"]}
        for n in range(24)
    ]
    assert mem("session", "say", "--jsonl", stdin="\n\n".join(map(json.dumps, messages))).code == 0
    shown = json.loads(mem("session", "show", "--json").out)
    assert len(shown["messages"]) == 24 and len(shown["summaries"]) == 1 and shown["tools"] == ["x"]
    assert len(json.loads(mem("session", "show", "--window", "--json").out)["messages"]) == 12
    assert mem("session", "show", "--window").out.count("\n") == 1 + 1 + 12
    broken = mem(
        "session", "say", "--jsonl", stdin='{"role": "user", "content": "x"}\n{"role": "boss", "content": "x"}\n'
    )
    assert broken.code == 2 and "line 2 is not a message" in broken.err
    assert len(json.loads(mem("session", "show", "--json").out)["messages"]) == 24


@pytest.mark.parametrize("text", ["- a list item", "-5 degrees", "[bold]x[/bold]", "--", "#tag"])
def test_text_is_text_whatever_it_begins_with(mem: Mem, text: str) -> None:
    mem("session", "start")
    assert mem("session", "say", *(["--", text] if text == "--" else [text])).code == 0
    assert text in mem("session", "show").out


def test_nothing_said_and_nobody_there(mem: Mem) -> None:
    assert "mem session start" in mem("session", "say", "hello").err
    assert "no sessions yet" in mem("session", "list").err
    assert json.loads(mem("session", "list", "--json").out)["sessions"] == []
    mem("session", "start")
    assert mem("session", "say", stdin="").code == 2
    ended = mem("session", "end", "--json")
    assert json.loads(ended.out)["why_not"] == "nothing was said in it"
    assert "no session is called 'zzz'" in mem("session", "show", "zzz").err


def test_a_role_that_is_not_there_is_refused_at_once(mem: Mem) -> None:
    assert mem("session", "start", "--role", "nosuch").code == 2
    mem("session", "start")
    done = mem("session", "resume", "--role", "nosuch")
    assert done.code == 2 and "no role 'nosuch'" in done.err


def test_a_shell_completes_ids(mem: Mem) -> None:
    id = mem("session", "start").out.strip()
    for begun in ("2026", id[-4:-1]):
        done = mem(_MEM_COMPLETE="complete_bash", COMP_WORDS=f"mem session show {begun}", COMP_CWORD="3")
        assert done.lines == [id if begun == "2026" else id[-4:]]
