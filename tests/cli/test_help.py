"""The help of a command is made from what its function declares, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable

from memcli.cli.command import DEFINED
from memcli.cli.commands import COMMANDS, import_command
from memcli.cli.looks import cells
from memcli.cli.signature import read_declared
from tests.conftest import Ran
from tests.rows import check_rows

Mem = Callable[..., Ran]
for name in COMMANDS:
    import_command(name)

LOG = """\
Usage: mem log [OPTIONS] [FILE]

  Show how the memory changed, latest first.

Arguments:
  [FILE]  Only changes of this file.

Options:
  -n, --limit <int>  At most this many; 0 for all.  [default: 20]
  --json             As JSON.
  -h, --help         Show this message and exit.

  Examples:
    mem log
    mem log MEMORY.md -n 5
"""
UNSET = """\
用法：mem config unset [选项] {名字}

  从记忆库的 mem.yaml 或你自己的文件里去掉一个设置：别处设的算数，否则是默认
  值。

参数：
  名字  一个设置，例如 recall.budget。  [必填]

选项：
  --user      为你所有的记忆库，不只是这一个。
  --json      以 JSON 给出。
  -h, --help  显示这段说明。

  例子：
    mem config unset recall.budget
    mem config unset write.commit --user
"""


def test_a_whole_page_in_both_languages(inside: Mem) -> None:
    assert inside("log", "--help").out == inside("help", "log").out == LOG
    assert inside("config", "unset", "-h", LC_ALL="zh_CN.UTF-8").out == UNSET


@check_rows("name", DEFINED)
def test_a_page_names_all_that_a_command_takes_and_fits_a_narrow_terminal(inside: Mem, name: str) -> None:
    spec = DEFINED[name]
    for language in ("C.UTF-8", "zh_CN.UTF-8"):
        page = inside(*name.split(), "--help", LC_ALL=language, COLUMNS="60").out
        options = page.partition("Examples:" if language == "C.UTF-8" else "例子：")[0]
        assert max(map(cells, options.splitlines())) <= 60
        words = options.replace(",", " ").split()
        assert {each for one in read_declared(spec) for names in one.names for each in names.split("/")} <= {*words}


def test_a_group_shows_what_its_commands_do_and_an_example_of_each(inside: Mem) -> None:
    page = inside("config", "--help").out
    assert (
        "  set    Change a setting in the vault's mem.yaml, or in your own file;\n         comments in it stay.\n"
        in page
    )
    assert all(f"    {DEFINED[f'config {word}'].examples[0]}\n" in page for word in ("list", "get", "set", "unset"))


def test_a_word_that_is_no_command_has_no_page(inside: Mem) -> None:
    for words in (["config", "sett"], ["prefer", "lst"], ["recall", "x"], ["nosuch"]):
        ran = inside("help", *words)
        assert (ran.code, f"no command or group '{' '.join(words)}'" in ran.err) == (2, True)
    assert "did you mean 'set'?" in inside("help", "config", "sett").err
