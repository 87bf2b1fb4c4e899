"""The manners of the command line: help, pipes, colours, foreign text, signals, completion."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.cli.command import DEFINED
from memcli.cli.commands import ALIASES, COMMANDS, GROUPS
from memcli.cli.looks import cells, clipped
from memcli.cli.options import FILTERS
from memcli.cli.typer_app import load
from tests.cli.terminal import at_terminal
from tests.conftest import Ran
from tests.features import needs
from tests.rows import check_rows

Mem = Callable[..., Ran]
ESCAPE = "\x1b["
MEM = f"{shlex.quote(sys.executable)} -m memcli"


def shell(line: str, folder: Path) -> Ran:
    """A line for the shell, in which `$mem` is the program."""
    environ = {**os.environ, "mem": MEM, "MEM_VAULT": str(folder)}
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environ, capture_output=True, text=True, timeout=300)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def many(folder: Path) -> Path:
    (folder / "list.md").write_text("".join(f"- memory {n} 记忆\n" for n in range(5000)), encoding="utf-8")
    return folder


# -- help ------------------------------------------------------------------------------------------------------------


@check_rows("name", COMMANDS)
def test_a_command_of_the_table_is_whole(name: str) -> None:
    module, line = COMMANDS[name]
    load(name)
    members = {full: spec for full, spec in DEFINED.items() if full.split()[0] == name}
    assert members, f"no function in memcli/cli/{module}.py is decorated with @command({name!r}, …)"
    assert line.endswith(".") and len(line) <= 68, f"the line of mem {name} in commands.py must fit the help"
    for full, spec in members.items():
        assert spec.help or full == name, f"mem {full} needs a docstring: it is its help"
        assert any(f"mem {name}" in example for example in spec.examples), f"mem {full} needs an example"
        assert not spec.help.startswith(line), f"the help of mem {full} says the line of the table twice"


def test_no_command_is_missing_from_the_table() -> None:
    for name in COMMANDS:
        load(name)
    assert {full.split()[0] for full in DEFINED} == set(COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, "config list", "config get", "config set", "config path"])
def test_every_help_teaches_by_example(inside: Mem, command: str) -> None:
    ran = inside(*command.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    _, _, examples = ran.out.partition("Examples:")
    assert f"mem {command.split()[0]}" in examples
    assert "completion" not in ran.out


def test_help_fits_a_screen_and_begins_with_what_a_newcomer_needs(mem: Mem) -> None:
    ran = mem("--help")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.lines)) <= 80
    assert len(ran.lines) <= 24, "a group of commands takes one line more: put the new one into another group"
    for name, (_, line) in GROUPS["every day"].items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", ran.out, re.M)
    for group, names in GROUPS.items():
        assert group.capitalize() in ran.out
        assert all(re.search(rf"  {name}\b", ran.out) for name in names)
    assert mem("-h").out == mem("help").out == ran.out


def test_help_explains_a_command_a_group_or_all(mem: Mem) -> None:
    assert mem("help", "today").out.startswith("Usage: mem show today")
    assert mem("help", "config", "set").out == mem("config", "set", "--help").out
    assert "  doctor" in mem("help", "upkeep").out and "  recall" not in mem("help", "upkeep").out
    everything = mem("help", "--all").out
    assert all(f"  {name:<10}{line}" in everything for name, (_, line) in COMMANDS.items())
    assert "--no-input" in everything
    unknown = mem("help", "recal")
    assert (unknown.code, "did you mean 'recall'" in unknown.err) == (2, True)


@pytest.mark.parametrize(("old", "new"), ALIASES.items())
def test_an_older_word_still_works_and_is_not_listed(inside: Mem, old: tuple[str, ...], new: tuple[str, ...]) -> None:
    assert inside(*old, "--help").out == inside(*new, "--help").out
    assert not re.search(rf"  {' '.join(old)}\b", inside("help", "--all").out)


@pytest.mark.parametrize("group", ["profile", "prefer", "state", "label", "role", "session", "config", "model"])
def test_a_group_without_a_command_shows_what_there_is(inside: Mem, group: str) -> None:
    assert inside(group) == inside(group, "list")
    assert inside(group, "--json") == inside(group, "list", "--json")


def test_a_filter_is_the_same_option_everywhere() -> None:
    for name in COMMANDS:
        load(name)
    for full, spec in DEFINED.items():
        assert set(spec.filters) <= set(FILTERS), f"mem {full} names a filter that options.py does not have"


def test_what_is_not_understood_is_said_plainly(mem: Mem) -> None:
    assert mem("list", "--nosuch").err == "mem: no such option: --nosuch\n     mem list --help shows what it takes\n"
    assert "mem --help lists the commands" in mem("recal").err
    assert "did you mean 'recall'" in mem("recal").err.lower()
    assert "Did you mean 'recall'" in mem("serch").err  # search is recall
    assert mem("list", "--open").err.startswith("mem: no such option: --open\n")  # only its dashes are like --type
    assert "no such option: --tags. Did you mean --tag?" in mem("list", "--tags", "x").err
    assert "mem done" in mem("tasks").err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("profile get zodiac", "mem profile list shows"),
        ("state why x", "mem state list shows"),
        ("recall x --budget", "mem recall --help"),
        ("profile gte", "mem profile --help"),
    ],
)
def test_a_hint_names_the_whole_command(mem: Mem, words: str, hint: str) -> None:
    assert hint in mem(*words.split()).err


def test_the_version_and_the_module_are_the_program(mem: Mem) -> None:
    assert mem("--version").out.startswith("mem ")
    assert mem("--quiet", "--version").code == 0


def test_a_missing_command_shows_the_help_and_is_a_mistake(mem: Mem) -> None:
    ran = mem()
    assert (ran.code, ran.out) == (2, "")
    assert "Every day:" in ran.err


# -- pipes and streams -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["$mem list -n 0 | head -1", "$mem list -n 0 --json | head -1", "$mem --help | true", "$mem list -n 1 2>&1 >/dev/null | true", "$mem show list.md | head -c 1"]
)  # fmt: skip
def test_a_reader_that_has_enough_is_no_failure(many: Path, line: str) -> None:
    ran = shell(f"{line}; echo ${{PIPESTATUS[0]}}", many)
    assert ran.lines[-1].endswith("0")
    assert ran.err == ""


@pytest.mark.slow
def test_closed_streams_are_no_failure(many: Path) -> None:
    assert shell("$mem list <&-", many).code == 0
    assert shell("$mem list >&-", many) == Ran(0, "", "there are more; -n 0 shows all\n")
    assert shell("$mem list -n 1 2>&-", many).code == 0
    ran = shell("$mem add <&-", many)
    assert (ran.code, "nothing to remember" in ran.err) == (2, True)


def test_piped_text_is_whole_and_plain_and_the_same_in_any_locale(mem: Mem, folder: Path) -> None:
    long = "字" * 500
    (folder / "list.md").write_text(f"- {long}\n", encoding="utf-8")
    ran = mem("list", LC_ALL="C", PYTHONIOENCODING="ascii", COLUMNS="40")
    assert long in ran.out
    assert ESCAPE not in ran.out + ran.err


# -- colour ----------------------------------------------------------------------------------------------------------


def test_colour_is_for_terminals_that_want_it(mem: Mem, folder: Path) -> None:
    (folder / "list.md").write_text("- tea\n", encoding="utf-8")
    assert ESCAPE not in mem("list").out
    assert ESCAPE in mem("list", "--color", "always").out
    assert ESCAPE in at_terminal("--vault", str(folder), "list", cwd=folder).out
    assert ESCAPE not in at_terminal("--vault", str(folder), "list", "--color", "never", cwd=folder).out
    assert ESCAPE not in at_terminal("--vault", str(folder), "list", cwd=folder, NO_COLOR="1").out
    assert ESCAPE not in at_terminal("--vault", str(folder), "list", cwd=folder, TERM="dumb").out
    assert ESCAPE in mem("show", "nothing", "--color", "always").err


@pytest.mark.slow
def test_on_a_terminal_a_row_fits_its_width_in_any_script(folder: Path) -> None:
    (folder / "list.md").write_text("- " + "很长的记忆" * 40 + "\n- " + "long " * 100 + "\n", encoding="utf-8")
    ran = at_terminal("--vault", str(folder), "list", "--color", "never", cwd=folder, COLUMNS="70")
    assert [cells(line) <= 70 for line in ran.lines] == [True, True]
    assert all(line.endswith("…") for line in ran.lines)


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("中文字", 6, "中文字"),
        ("中文字", 5, "中文…"),
        ("中文字", 4, "中…"),
        ("", 3, ""),
    ],
)
def test_text_is_cut_by_the_cells_it_takes(text: str, width: int, shown: str) -> None:
    assert clipped(text, width) == shown
    assert cells(clipped(text, width)) <= width


# -- foreign text ----------------------------------------------------------------------------------------------------

NASTY = "- [bold]not bold[/bold] [/foo] \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J bell\x07 back\x08 \u202eevil\u202c z\u200bw\n"


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("show", "list.md"), ("show", "list.md:1"), ("show", "list.md", "--json")])  # fmt: skip
def test_what_a_memory_says_can_not_act_on_the_terminal(inside: Mem, folder: Path, words: tuple[str, ...]) -> None:
    (folder / "list.md").write_text(NASTY, encoding="utf-8")
    ran = inside(*words)
    assert ran.code == 0
    assert not set(ran.out) & set("\x1b\x07\x08\x9b\u202e\u202c\u200b")
    assert "[bold]not bold[/bold] [/foo] red" in ran.out


def test_what_a_file_is_called_can_not_act_on_the_terminal(mem: Mem, folder: Path) -> None:
    (folder / "a\x1b[31mb.md").write_bytes(b"caf\xe9\n")
    (folder / "c\x1b[31md.md").write_text("- tea\n", encoding="utf-8")
    for words in (("list",), ("status",), ("doctor",), ("list", "--json"), ("show", "c\x1b[31md.md:1")):
        ran = mem(*words)
        assert "\x1b" not in ran.out + ran.err, words


def test_a_diff_can_not_act_on_the_terminal(mem: Mem, repository: Path) -> None:
    (repository / "list.md").write_text(NASTY, encoding="utf-8")
    assert "\x1b" not in mem("diff").out


# -- signals ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_control_c_ends_with_130_and_no_traceback(folder: Path, tmp_path: Path) -> None:
    started = tmp_path / "started"
    environ = {
        **os.environ,
        "MEM_VAULT": str(folder),
        "EDITOR": f"sh -c 'touch {shlex.quote(str(started))}; exec sleep 60'",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "edit"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ
    )
    until = time.monotonic() + 30
    while not started.exists() and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, b"Traceback" in err) == (130, b"", False)


@pytest.mark.parametrize(
    ("words", "code"),
    [(("show", "0000000"), 2), (("list", "--since", "xyzzy"), 2), (("recall", "--nosuch"), 2), (("add", "ok"), 4),
     (("prefer", "get", "nothing"), 2), (("index", "--try", "tea"), 1)],
)  # fmt: skip
def test_a_failure_under_json_is_one_object(inside: Mem, words: tuple[str, ...], code: int) -> None:
    plain, ran = inside(*words), inside(*words, "--json")
    assert (ran.code, plain.code, plain.out) == (code, code, "")
    told = json.loads(ran.out)
    assert told["schema"] == 1
    if "error" in told:  # else it answered before it failed
        assert told["error"]["code"] == code
        assert told["error"]["message"].splitlines()[0] in ran.err


# -- completion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sign"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --command mem")]
)
def test_completion_for_each_shell(mem: Mem, name: str, sign: str) -> None:
    ran = mem("--show-completion", name)
    assert (ran.code, ran.err) == (0, "")
    assert sign in ran.out
    assert "_MEM_COMPLETE" in ran.out


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("mem lo", ["log"]),
        ("mem config s", ["set"]),
        ("mem --vault x d", ["done", "doctor", "diff"]),
        ("mem list --si", ["--since"]),
    ],
)
def test_completion_offers_what_fits(mem: Mem, words: str, offers: list[str]) -> None:
    ran = mem(_MEM_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert ran.out.split() == offers


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("mem recall --format x", ["xml"]),
        ("mem recall cache --preset cl", ["classic"]),
        ("mem recall --path logs/2026-11-2", ["logs/2026-11-20.md", "logs/2026-11-21.md"]),
        ("mem add --type d", ["decision"]),
        ("mem add --to M", ["MEMORY.md"]),
        ("mem show logs/2026-11-21", ["logs/2026-11-21.md"]),
        ("mem log nowhere", []),
    ],
)
def test_completion_offers_values_and_files(mem: Mem, folder: Path, words: str, offers: list[str]) -> None:
    for name in ("logs/2026-11-20.md", "logs/2026-11-21.md", "MEMORY.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("- a\n", encoding="utf-8")
    ran = mem(_MEM_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert (ran.out.split(), ran.err) == (offers, "")


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("mem show d9e", ["d9ef7ff"]),
        ("mem recall --tag wo", ["work/api"]),
        ("mem profile get oc", ["occupation"]),
        ("mem state set response", ["response_length"]),
        ("mem prefer why dr", ["drink"]),
        ("mem label get off", ["office"]),
        ("mem config unset recall.b", ["recall.budget"]),
        ("mem label get nowhere", []),
    ],
)
def test_completion_offers_what_stands_in_the_vault(mem: Mem, folder: Path, words: str, offers: list[str]) -> None:
    for name, text in {
        "logs.md": "- tea #work/api\n",
        "preferences.yaml": "- {key: drink, value: tea, source: explicit}\n",
        "labels.yaml": "- {name: office, address: Dock 3}\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    ran = mem(_MEM_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert (ran.out.split(), ran.err) == (offers, "")


def test_completion_without_a_vault_offers_nothing(mem: Mem) -> None:
    ran = mem(
        _MEM_COMPLETE="complete_bash", COMP_WORDS="mem show M", COMP_CWORD="2", MEM_VAULT="", XDG_DATA_HOME="/nowhere"
    )
    assert (ran.out.split(), ran.err) == ([], "")


@pytest.mark.slow
def test_completion_works_in_a_real_shell(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mem").write_text(f'#!/bin/sh\nexec {MEM} "$@"\n', encoding="utf-8")
    (tmp_path / "mem").chmod(0o755)
    line = 'PATH="$DIR:$PATH"; eval "$(mem --show-completion bash)"; COMP_WORDS=(mem lo); COMP_CWORD=1; _mem_completion mem; echo "${COMPREPLY[@]}"'
    assert shell(f"DIR={shlex.quote(str(tmp_path))}; {line}", folder).out == "log\n"


# -- options anywhere ------------------------------------------------------------------------------------------------


def test_general_options_may_stand_anywhere_but_not_after_two_dashes(mem: Mem, folder: Path) -> None:
    assert mem("list", "--quiet", "--color=never").err == ""
    assert json.loads(mem("add", "--json", "--", "--quiet").out)["text"] == "14:30 --quiet"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("list", "memories"), ("show 2026-11-21", "memories"), ("prefer list", "preferences"), ("label list", "labels"),
        ("knowledge list", "documents"), ("log", "changes"), ("config list", "settings"), ("model list", "models"),
        ("audit", "writes"), ("install", "agents"), ("agent list", "agents"), ("session list", "sessions"),
        ("role list", "roles"), ("review", "doubts"), ("nudge list", "nudges"),
        ("mirror list", "mirrors"), ("token list", "tokens"),
    ],
)  # fmt: skip
def test_a_list_stands_under_its_name_in_an_object_that_tells_its_schema(inside: Mem, words: str, name: str) -> None:
    if words.split()[0] not in COMMANDS:
        pytest.skip("the feature is missing")
    told = json.loads(inside(*words.split(), "--json").out)
    assert told["schema"] == 1 and isinstance(told[name], list)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59", "0001-01-01T00:00+14:00"])
@pytest.mark.parametrize("words", [("add", "tea"), ("recall", "last week"), ("prompt", "tea"), ("review",)])
def test_a_clock_that_no_day_can_be_counted_from_is_named(inside: Mem, moment: str, words: tuple[str, ...]) -> None:
    if words[0] not in COMMANDS:
        pytest.skip("the feature is missing")
    ran = inside(*words, MEM_NOW=moment)
    assert ran.code == 2 or words[0] == "prompt", ran
    assert "unexpected" not in ran.err and "Overflow" not in ran.err
    assert "mem counts days from the year 1000 to 9000" in ran.err


def test_at_the_bounds_of_the_clock_everything_works(inside: Mem) -> None:
    for moment in ("1000-01-01T00:00", "9000-12-31T23:59"):
        lines = ("add", f"tea in {moment[:4]}"), ("recall", "last week"), ("prompt", "tea"), ("list",), ("undo",)
        for words in (words for words in lines if words[0] in COMMANDS):  # a feature may be missing
            ran = inside(*words, MEM_NOW=moment)
            assert ran.code in (0, 1) and "unexpected" not in ran.err, ran


@pytest.mark.parametrize(
    "words",
    [
        ("--vault", "TEXT", "list"),
        ("show", "TEXT.md"),
        ("edit", "TEXT.md"),
        ("add", "tea is green", "--to", "TEXT"),
        pytest.param(("learn", "TEXT"), marks=needs("learn")),
        pytest.param(("import", "TEXT"), marks=needs("move")),
        pytest.param(("eval", "TEXT"), marks=needs("evaluation")),
        pytest.param(("mirror", "TEXT"), marks=needs("mirror")),
        pytest.param(("knowledge", "add", "TEXT"), marks=needs("knowledge")),
    ],
)
def test_a_text_that_is_too_long_for_a_name_is_no_such_file(inside: Callable[..., Ran], words: list[str]) -> None:
    ran = inside(*(word.replace("TEXT", "User: I live in Leipzig. " + "It rains. " * 30) for word in words))
    assert ran.code == 2 and "no such file" in ran.err and len(ran.err) < 500
