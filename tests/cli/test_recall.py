"""`mem recall` as a process: what is printed where, flags, stdin, exit codes, and how it ends when it is not wanted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.recall.block import NOTHING, TITLE
from tests import cl100k
from tests.cli.terminal import at_terminal
from tests.conftest import Ran, inside
from tests.recall.vaults import lay

Mem = Callable[..., Ran]
mem = inside  # in this process: what is tested here is what the commands do
ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def house(folder: Path) -> Path:
    return lay(folder, {
        "USER.md": "---\nname: Lin\n---\n",
        "labels.yaml": "- {name: 家, aliases: [home], address: 12 Example Road}\n",
        "logs/2026-11-20.md": "- 09:30 Stand-up moved to ten\n- 11:00 Decided: the cache is Redis. #cache [type:: decision]\n",
        "logs/2026-10-05.md": "- the cache is Caffeine #cache/old\n- 午饭吃了羊肉面\n",
        "notes/zebra.md": "- a zebra at the zoo\n",
        "agents/ada/logs/2026-11-20.md": "- ada saw another zebra\n",
    })  # fmt: skip


# -- what is printed -----------------------------------------------------------------------------------------------


def test_the_block_is_the_whole_of_stdout(mem: Mem) -> None:
    ran = mem("recall", "what did we decide about the cache")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == f"# {TITLE}" and ran.lines[-1] == "---"
    assert ":2 11:00 Decided: the cache is Redis. #cache" in ran.lines
    assert ESCAPE not in ran.out


def test_words_need_no_quotes_and_may_be_chinese(mem: Mem) -> None:
    assert mem("recall", "what", "about", "the", "zebra").out == mem("recall", "what about the zebra").out
    assert "羊肉面" in mem("recall", "午饭", "吃了什么").out


def test_the_same_question_gives_the_same_bytes(mem: Mem) -> None:
    assert len({mem("recall", "cache", PYTHONHASHSEED=str(seed)).out for seed in (0, 1, 2)}) == 1


def test_formats(mem: Mem) -> None:
    assert ElementTree.fromstring(mem("recall", "cache", "--format", "xml").out).tag == "memory"
    plain = mem("recall", "cache", "-f", "plain").lines
    assert all(re.match(r"[\w/.-]+(:\d+)?: ", line) for line in plain)
    said = json.loads(mem("recall", "cache", "--json").out)
    assert (said["schema"], said["matched"]) == (1, True)
    assert mem("recall", "cache", "--format", "json").out == mem("recall", "cache", "--json").out
    ran = mem("recall", "cache", "--format", "html")
    assert (ran.code, ran.out) == (2, "")
    assert "md, xml, json, plain" in ran.err


def test_json_is_an_object_even_when_nothing_matches(mem: Mem) -> None:
    said = json.loads(mem("recall", "xyzzy", "--json").out)
    assert said["matched"] is False
    assert said["memories"] == []
    filled = json.loads(mem("recall", "xyzzy", "--json", "--fill").out)
    assert filled["matched"] is False
    assert [memory["path"] for memory in filled["memories"]][:1] == ["logs/2026-11-20.md"]


@pytest.mark.parametrize("budget", [0, 1, 20, 50, 120])
def test_the_budget_holds_for_what_is_printed(mem: Mem, budget: int) -> None:
    for format in ("md", "xml"):
        ran = mem("recall", "cache", "--budget", str(budget), "--format", format)
        assert ran.code == 0
        assert cl100k.count(ran.out) <= budget
        assert bool(ran.out) or "too small for a block" in ran.err


def test_flags_choose_what_may_be_there(mem: Mem) -> None:
    def found(*flags: str) -> list[str]:
        return [memory["path"] for memory in json.loads(mem("recall", "cache zebra", "--json", *flags).out)["memories"]]

    assert set(found()) == {"logs/2026-11-20.md", "logs/2026-10-05.md", "notes/zebra.md"}
    assert len(found("-k", "1")) == len(found("--most", "1")) == 1
    assert set(found("--since", "2026-11-01")) == set(found("--since", "last week")) == {"logs/2026-11-20.md"}
    assert set(found("--until", "2026-11-01")) == {"logs/2026-10-05.md"}
    assert set(found("--tag", "cache")) == {"logs/2026-11-20.md", "logs/2026-10-05.md"}
    assert found("-t", "cache", "-t", "cache/old") == ["logs/2026-10-05.md"]
    assert found("--path", "notes") == ["notes/zebra.md"]
    assert "agents/ada/logs/2026-11-20.md" in found("--agent", "ada")


@pytest.mark.parametrize("name", ["agents/ada/logs/2026-11-20.md", "agents/ada/logs/2026-11-20.md:1"])
def test_an_agents_file_is_not_there_for_another_agent_who_knows_its_path(mem: Mem, name: str) -> None:
    refused = mem("show", name, "--agent", "bob")
    assert (refused.code, refused.out) == (2, "")
    assert mem("show", name, "--agent", "ada").out == mem("show", name).out != ""


@pytest.mark.parametrize(
    "flags",
    [
        ("--since", "no day at all"),
        ("--budget", "-1"),
        ("--budget", "many"),
        ("-k", "-2"),
        ("--preset", "best"),
        ("--nonsense",),
    ],
)
def test_a_flag_that_makes_no_sense_is_refused(mem: Mem, flags: tuple[str, ...]) -> None:
    ran = mem("recall", "cache", *flags)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_the_preset_is_a_flag_and_a_setting(mem: Mem) -> None:
    weights = json.loads(mem("recall", "cache", "--json", "--preset", "classic").out)["weights"]
    assert {name: weight for name, weight in weights.items() if weight} == {"time": 0.3, "tag": 0.4, "file": 0.3}
    assert json.loads(mem("recall", "cache", "--json", MEM_RECALL_PRESET="classic").out)["weights"] == weights


# -- why -----------------------------------------------------------------------------------------------------------


def test_explain_is_a_table_beside_an_unchanged_block(mem: Mem) -> None:
    plain, ran = mem("recall", "decided cache"), mem("recall", "decided cache", "--explain")
    assert ran.out == plain.out
    head, *rows = ran.err.splitlines()
    assert head.split()[:2] == ["score", "time"]
    first = next(row for row in rows if "logs/2026-11-20.md:2" in row)
    assert {"decided", "cache"} <= set(first.split())
    assert re.match(r"\d\.\d{3} ", first)
    assert rows[-2].startswith("score = sum of parts × weights")
    assert rows[-1].startswith("the block ends here: 1 left out as unlikely to help")
    assert ESCAPE not in ran.err


def test_explain_changes_nothing_in_json(mem: Mem) -> None:
    ran = mem("recall", "cache", "--json", "--explain")
    assert ran == mem("recall", "cache", "--json")
    assert json.loads(ran.out)["memories"][0]["parts"]["text"] == 1.0


def test_verbose_says_how_much_and_quiet_says_nothing(mem: Mem, folder: Path) -> None:
    assert re.search(r"\d+ of \d+ memories, \d+ tokens", mem("recall", "cache", "--verbose").err)
    (folder / "MEMORY.md").write_bytes(b"- cache \xe9\n")
    assert "MEMORY.md" in mem("recall", "cache").err
    assert mem("recall", "cache", "--quiet").err == ""


# -- nothing found -------------------------------------------------------------------------------------------------


def test_nothing_found_is_said_and_is_no_failure_unless_strict(mem: Mem) -> None:
    ran = mem("recall", "xyzzy")
    assert ran.code == 0
    assert NOTHING in ran.lines and "user: name: Lin" in ran.lines
    assert "Stand-up" not in ran.out
    assert "Stand-up" in mem("recall", "xyzzy", "--fill").out
    strict = mem("recall", "xyzzy", "--strict")
    assert (strict.code, strict.out) == (1, ran.out)
    assert mem("recall", "cache", "--strict").code == 0
    assert mem("recall", "navigate home", "--strict").code == 0  # a label may be the answer


@pytest.mark.parametrize(("ask", "says"), [(True, "; mem ask looks into documents"), (False, " this question\n")])
def test_deep_search_is_named_where_it_has_something(
    mem: Mem, house: Path, monkeypatch: pytest.MonkeyPatch, ask: bool, says: str
) -> None:
    monkeypatch.setattr("memcli.cli.recall.COMMANDS", {"ask": ("memcli.features.ask.cli", "")} if ask else {})
    assert "nothing in memory matches this question\n" in mem("recall", "xyzzy").err
    (house / "knowledge").mkdir()
    assert f"nothing in memory matches{says}" in mem("recall", "xyzzy").err


@pytest.mark.parametrize("command", ["recall", "list"])
def test_a_filter_that_admits_nothing_is_told(mem: Mem, command: str) -> None:
    assert "--path nowhere: there is no such note or folder" in mem(command, "cache", "--path", "nowhere").err
    assert "no such" not in mem(command, "xyzzy", "--path", "notes/zebra.md").err
    assert "--tag nosuch: no memory has it" in mem(command, "cache", "--tag", "nosuch").err
    assert "has it" not in mem(command, "xyzzy", "--tag", "cache").err


def test_a_mistyped_type_is_told(mem: Mem) -> None:
    assert "did you mean 'decision'?" in mem("list", "--type", "decison").err


def test_who_one_is_brings_what_the_profile_says_in_prose(mem: Mem, house: Path) -> None:
    profile = house / "USER.md"
    profile.write_text(profile.read_text("utf-8").rstrip() + "\n\nTwo kids, Otis and Wren.\n", encoding="utf-8")
    assert "Two kids" in mem("recall", "who am I?").out
    assert "Two kids" not in mem("recall", "who is the dentist?").out


def test_that_no_memory_was_asked_for_is_told(mem: Mem) -> None:
    assert mem("recall", "cache", "-k", "0").err == "-k 0 asks for no memory\n"


def test_no_question_at_all_shows_what_is_new(mem: Mem) -> None:
    for words in ((), ("",), ("what is the",)):
        ran = mem("recall", *words)
        assert (ran.code, NOTHING in ran.out) == (0, False)
        assert "Stand-up" in ran.out


def test_a_new_vault_answers(mem: Mem, tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert mem("init", str(new), "--no-input", MEM_VAULT="").code == 0
    ran = mem("recall", "what did we decide", MEM_VAULT=str(new))
    assert (ran.code, NOTHING in ran.out) == (0, True)


def test_no_vault_is_said_with_the_way_to_make_one(mem: Mem, tmp_path: Path) -> None:
    ran = mem("recall", "cache", MEM_VAULT=str(tmp_path / "nowhere"))
    assert (ran.code, ran.out) == (3, "")
    assert "mem init" in ran.err


# -- stdin ---------------------------------------------------------------------------------------------------------


def test_stdin_is_the_question_or_joins_it(mem: Mem) -> None:
    assert "zebra" in mem("recall", stdin="what about the zebra").out
    assert "zebra" in mem("recall", "-", stdin="what about the zebra").out
    assert "zebra" in mem("recall", "seen before?", stdin="+ zebra\n").out
    assert "zebra" in mem("recall", "seen before?", "-", stdin="+ zebra\n").out


def test_nothing_on_stdin_is_no_question(mem: Mem) -> None:
    assert mem("recall", "zebra", stdin="").out == mem("recall", "zebra").out  # without stdin it is /dev/null
    assert "Stand-up" in mem("recall", "-", stdin="").out


def test_a_large_diff_on_stdin_is_answered(mem: Mem) -> None:
    ran = mem("recall", "the zebra", stdin="+ some line of a diff\n" * 100_000)
    assert "a zebra at the zoo" in ran.out


def test_stdin_that_is_no_text_is_refused_or_read_as_far_as_it_goes(mem: Mem) -> None:
    assert mem("recall", "zebra", stdin=b"\0\0\0").code == 2
    assert "zebra" in mem("recall", "zebra", stdin=b"caf\xe9").out


# -- how it ends ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reader_that_has_enough_is_no_failure(folder: Path) -> None:
    (folder / "list.md").write_text("".join(f"- cache {n} {'word ' * n}\n" for n in range(500)), encoding="utf-8")
    line = f"'{sys.executable}' -m memcli recall cache --budget 100000 | head -1; echo ${{PIPESTATUS[0]}}"
    environ = {**os.environ, "MEM_VAULT": str(folder)}
    done = subprocess.run(
        ["bash", "-c", line], stdin=subprocess.DEVNULL, env=environ, capture_output=True, text=True, timeout=300
    )
    assert (done.stdout, done.stderr) == (f"# {TITLE}\n0\n", "")


@pytest.mark.slow
def test_control_c_ends_with_130_and_nothing_said(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "recall", "-"], env={**os.environ, "MEM_VAULT": str(folder)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 10
    while not waits_for_input(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (130, b"", b"")


def waits_for_input(pid: int) -> bool:
    """Whether the process sleeps in a read of its stdin, where the system tells: system call `read` (0, on ARM 63) of file 0."""
    try:
        return Path(f"/proc/{pid}/syscall").read_text().startswith(("0 0x0 ", "63 0x0 "))
    except OSError:
        time.sleep(3)
        return True


# -- on a terminal -------------------------------------------------------------------------------------------------


def test_on_a_terminal_there_is_colour_and_a_bar_and_the_same_words(mem: Mem, folder: Path) -> None:
    shown = at_terminal("--vault", str(folder), "recall", "cache", cwd=folder)
    assert shown.code == 0
    assert ESCAPE in shown.out and re.search("[▁▂▃▄▅▆▇█]", shown.out)
    bare = re.sub(r"\x1b\[[\d;]*m|[▁▂▃▄▅▆▇█] (?=\x1b|:)", "", shown.out)
    assert re.sub(r"^[▁▂▃▄▅▆▇█] ", "", bare, flags=re.M) == mem("recall", "cache").out
    plain = at_terminal("--vault", str(folder), "recall", "cache", cwd=folder, NO_COLOR="1")
    assert plain.out == mem("recall", "cache").out


def test_what_a_memory_says_can_not_act_on_the_terminal(mem: Mem, folder: Path) -> None:
    (folder / "notes" / "nasty.md").write_text(
        "- [bold]zebra[/bold] \x1b[31m[/foo]\x1b]0;t\x07 \u202ex\u202c\n", encoding="utf-8"
    )
    for words in (("--format", "md"), ("--format", "xml"), ("--format", "plain"), ("--json",), ("--explain",)):
        ran = mem("recall", "bold zebra", *words)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e\u202c"), words
        assert "[bold]zebra[/bold]" in ran.out
