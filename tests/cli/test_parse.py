"""`parse` reads every way to write an option, and says what is wrong with words that mean nothing."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

import pytest

from memcli.argv import GLOBAL
from memcli.cli.command import DEFINED, CommandDefinition
from memcli.cli.commands import COMMANDS, ITSELF, find_command, import_command
from memcli.cli.parse import INSTEAD, parse
from memcli.cli.signature import ParameterSpec, read_declared
from memcli.cli.typer_app import root_command
from memcli.errors import UsageError
from tests.rows import check_rows
from tests.test_house import loaded_by

for name in COMMANDS:
    import_command(name)
SOME: dict[Any, list[str]] = {
    int: ["7", "-5"],
    float: ["0.5", "-2"],
    str: ["x", "", "two words", "-", "--", "-zz", "茶"],
}
TEXTS = ["x", "", "two words", "-", "2026-11-01", "茶"]


def given_by(line: str) -> dict[str, Any] | None:
    """What the command of a line gets, without what it gets anyway."""
    _, spec, rest = find_command(line.split("|"))
    assert spec
    usual = {one.name: one.default for one in read_declared(spec)}
    found = parse(spec, rest)
    return None if found is None else {key: value for key, value in found.items() if value != usual[key]}


def written(one: ParameterSpec, dice: Random) -> tuple[list[str], Any]:
    """One way to write an option, and the value that this gives it."""
    on, _, off = dice.choice(one.names).partition("/")
    kind = next((kind for kind in (bool, int, float) if kind.__name__ in str(one.kind)), str)
    if kind is bool:
        return ([off], False) if off and dice.random() < 0.5 else ([on], True)
    word = dice.choice(SOME[kind])
    glued = f"{on}={word}" if on.startswith("--") else f"{on}{word}"
    is_glued = dice.random() < 0.5 and len(glued) > 2 and (on.startswith("--") or " " not in word)
    return [glued] if is_glued else [on, word], [word] if "list" in str(one.kind) else kind(word)


@check_rows("name", DEFINED)
def test_every_way_to_write_an_option_gives_its_value(name: str) -> None:
    spec, dice = DEFINED[name], Random(name)
    declared = read_declared(spec)
    for _ in range(20):
        arguments = [one.name for one in declared if one.is_argument]
        options = [one for one in declared if not one.is_argument and dice.random() < 0.6]
        ways = {one.name: written(one, dice) for one in dice.sample(options, len(options))}
        texts = [dice.choice(TEXTS) for _ in arguments]
        words = [*texts[:1], *(word for written, _ in ways.values() for word in written), *texts[1:]]
        found = parse(spec, words)
        assert found is not None, words
        taken = [each for one in arguments for each in (found[one] if isinstance(found[one], list) else [found[one]])]
        assert taken == texts, words
        usual = {one.name: one.default for one in declared if not one.is_argument}
        expected = usual | {key: value for key, (_, value) in ways.items()}
        assert {key: found[key] for key in usual} == expected, words


READ: dict[str, dict[str, Any]] = {
    "recall|which cache|-b|400": {"query": ["which cache"], "budget": 400},
    "recall|茶|--semantic|-k|3|--tag=a|-t|b|--json": {
        "query": ["茶"], "semantic": True, "most": 3, "tag": ["a", "b"], "as_json": True,
    },
    "recall|-k|3|and then?|--no-semantic|-k|4": {"query": ["and then?"], "most": 4, "semantic": False},
    "recall|--budget=400|-k3|-ta=b": {"budget": 400, "most": 3, "tag": ["a=b"]},
    "add|- a note|--|--semantic|-5": {"text": ["- a note", "--semantic", "-5"]},
    "add|-5 degrees|-t|- x|-茶": {"text": ["-5 degrees", "-茶"], "tag": ["- x"]},
    "list|redis|-n|0": {"words": ["redis"], "limit": 0},
    "list|-n 5": {"limit": 5},
    "forget|a1|b2|-y": {"what": ["a1", "b2"], "yes": True},
    "log|x|-n3": {"path": "x", "limit": 3},
    "profile": {},
    "profile|--json": {"as_json": True},
    "profile|set|name|Lin|Wu": {"key": "name", "value": ["Lin", "Wu"]},
    "prefer|I like tea": {"text": ["I like tea"]},
    "prefer|喜欢茶": {"text": ["喜欢茶"]},
    "prefer|keep|tea|and|boats": {"text": ["tea", "and", "boats"]},
}  # fmt: skip


@check_rows("line", READ)
def test_what_people_type(line: str) -> None:
    assert given_by(line) == READ[line]


@check_rows(
    "line", ["recall|--help", "recall|x|-k|3|-h", "add|-h", "profile|set|--help", "tidy|-yh", "list|--help|--nosuch"]
)
def test_help_may_be_asked_for_anywhere(line: str) -> None:
    assert given_by(line) is None


WRONG = {
    "recall|--nosuch": "no such option: --nosuch",
    "recall|x|--bugdet|3": "no such option: --bugdet. Did you mean --budget?",
    "add|tea|-tag|x": "no such option: -tag. Did you mean --tag?",
    "recall|-json": "no such option: -json. Did you mean --json?",
    "recall|--hlep": "no such option: --hlep. Did you mean --help?",
    "tidy|-yz": "no such option: -z",
    "undo|-5": "no such option: -5",
    "list|--open=3": "no such option: --open",
    "recall|-k": "option -k requires an argument",
    "recall|x|--tag": "option --tag requires an argument",
    "recall|--semantic=yes": "option --semantic does not take a value",
    "tidy|-y=no": "option -y does not take a value",
    "recall|--most|many": "invalid value for --most / -k / -n: 'many' is not a whole number",
    "recall|-k=3": "invalid value for --most / -k / -n: '=3' is not a whole number",
    "add|tea|--importance=high": "invalid value for --importance: 'high' is not a number",
    "profile|set|name": "missing argument 'VALUE...'",
    "supersede": "missing argument 'OLD'",
    "supersede|a|b|c|d": "not understood: c d",
    "undo|now": "not understood: now",
}


@check_rows("line", WRONG)
def test_what_is_wrong_with_words_is_said_with_the_command_to_ask(line: str) -> None:
    name = " ".join(line.split("|")[: 2 if line.startswith("profile") else 1])
    with pytest.raises(UsageError) as caught:
        given_by(line)
    assert (caught.value.message, caught.value.hint) == (WRONG[line], f"mem {name} --help shows what it takes")


def test_a_word_that_is_no_command_is_answered_by_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no such command 'gte'\. Did you mean 'get'\?") as caught:
        find_command(["profile", "gte"])
    assert caught.value.hint == "mem profile --help lists the commands"
    with pytest.raises(UsageError, match=r"no such command 'serch'\. Did you mean 'recall'\?") as caught:
        find_command(["serch"])  # search is recall
    assert caught.value.hint == "mem --help lists the commands"
    with pytest.raises(UsageError, match=r"no such command 'nosuch'$"):
        find_command(["nosuch"])


def test_a_type_of_a_command_from_elsewhere_is_called_with_the_word() -> None:
    def run(terminal: Any, *, size: Any = None, shade: str) -> None: ...

    def sized(word: str) -> int:
        if not word.endswith("px"):
            raise ValueError(word)
        return int(word[:-2])

    run.__annotations__ = {"size": Annotated[sized, "How large."], "shade": Annotated[str, "The colour."]}
    spec = CommandDefinition("paint", run, (), json="", text=False, filters=(), agents=False)
    assert parse(spec, ["--size", "4px", "--shade", "red"]) == {"size": 4, "shade": "red"}
    with pytest.raises(UsageError, match="invalid value for --size: 4"):
        parse(spec, ["--size=4"])
    with pytest.raises(UsageError, match="missing argument '--shade'"):
        parse(spec, [])


def test_the_options_of_mem_itself() -> None:
    words = ["--vault", "a", "--quiet", "--vault=b", "--color=never", "--no-input"]
    given = {"vault": "", "color": "auto", "quiet": False, "verbose": False, "debug": False, "no_input": False}
    given["no_pager"] = False
    assert parse(ITSELF, []) == given
    assert parse(ITSELF, words) == given | {"vault": "b", "quiet": True, "color": "never", "no_input": True}
    with pytest.raises(UsageError, match="option --vault requires an argument"):
        parse(ITSELF, ["--vault"])
    with pytest.raises(UsageError, match="option --quiet does not take a value"):
        parse(ITSELF, ["--quiet=yes"])
    with pytest.raises(UsageError, match="Did you mean --version"):
        parse(ITSELF, ["--versoin"])
    assert {name for one in read_declared(ITSELF) for name in one.names} == {*GLOBAL}


def test_completion_offers_what_is_understood() -> None:
    assert {name for each in root_command().params for name in each.opts} == {*GLOBAL, *", ".join(INSTEAD).split(", ")}


@pytest.mark.slow
@pytest.mark.parametrize("words", [["list", "--nosuch"], ["recal"], ["add", "-5 degrees", "-tweather"]])
def test_what_people_type_needs_no_typer(words: list[str]) -> None:
    assert not loaded_by(f"from memcli.cli.main import main; main({words!r})") & {"typer", "rich", "click"}
