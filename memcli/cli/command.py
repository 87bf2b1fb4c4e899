"""Define what a command is: a function whose parameters are its options, with the examples of its help.

The function gets the `Terminal` and returns a `Result`: the data that `--json` prints, and the same as text. This
module adds `--json`, `--agent`, the filters and the printing, once for all commands.

A parameter before the `/` is an argument, one after it is an option. Its annotation describes the rest:

    tag: Annotated[list[str] | None, "-t", "TAG", "A tag; may be repeated.", words("a", "b")] = None

The annotation holds, in this order: a short name, or a long name other than the parameter's; the placeholder for the
value; the help; the shell completion. Only the help is required. A switch that is on by default gets a form that turns
it off: `--git/--no-git`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from memcli import bounds
from memcli.cli.options import Filters
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, UsageError


class Result(NamedTuple):
    """Hold the result of a command."""

    data: Any  # for --json: an object, or a function that returns one; a list only where another program defines it so
    text: Any = ""  # a line, a list of lines, a Table, or a function that prints
    note: Any = ""  # one line for stderr, not printed with a JSON object; or a function that prints more
    failure: MemError | None = None  # raised after everything is printed


class Table(NamedTuple):
    rows: Sequence[Sequence[str]]
    styles: Sequence[str] = ()
    clip: bool = False
    words: Sequence[str] = ()  # words to highlight in the last column


class CommandDefinition(NamedTuple):
    name: str
    run: Callable[..., Result | None]
    examples: tuple[str, ...]
    json: str  # the help of `--json`; "" means that the command has no `--json`
    text: bool  # whether its arguments are text, see `parse`
    filters: tuple[str, ...]
    agents: bool  # whether agents may use it; it then sees only what `Vault.sees` allows

    @property
    def help(self) -> str:
        from inspect import cleandoc  # importing it takes a twentieth of a recall, which shows no help

        return cleandoc(self.run.__doc__ or "")

    @property
    def arguments(self) -> list[str]:
        """Return the parameters before the `/`, except the terminal."""
        code = self.run.__code__
        return [*code.co_varnames[1 : code.co_posonlyargcount]]


DEFINED: dict[str, CommandDefinition] = {}  # the keys are full names, such as `profile set`


def command(
    name: str,
    *examples: str,
    json: str = "As JSON.",
    text: bool = False,
    filters: str = "",
    agents: bool = False,
) -> Callable[[Callable[..., Result | None]], Callable[..., Result | None]]:
    """Register a function as the command `name`. Its docstring is the help; the table of commands has the first line
    for a command outside a group. The function gets the options that `filters` names (keys of `FILTERS`) as one
    `Filters`. With `agents` the command takes `--agent`, and its vault shows what that agent may see."""

    def define(run: Callable[..., Result | None]) -> Callable[..., Result | None]:
        DEFINED[name] = CommandDefinition(name, run, examples, json, text, tuple(filters.split()), agents)
        return run

    return define


def call(spec: CommandDefinition, terminal: Terminal, given: dict[str, Any]) -> None:
    """Run a command with the values of its parameters, and print its result."""
    words = spec.arguments
    terminal.as_json = bool(spec.json and given.pop("as_json"))
    _check_bounds(given, words if spec.text else ())
    terminal.agent = (given.pop("agent") or "") if spec.agents else ""
    if spec.filters:
        given["filters"] = Filters(**{name: given.pop(name) for name in spec.filters})
    result = spec.run(terminal, *(given.pop(name) for name in words), **given)
    if result is not None:
        show(terminal, result)


def _check_bounds(given: dict[str, Any], texts: Collection[str]) -> None:
    """Raise UsageError if a value is too long, or a whole number below 0. `texts` names the arguments that hold whole
    texts and may be longer."""
    for name, value in given.items():
        if isinstance(value, int) and value < 0:
            raise UsageError("--{id} can't be negative: {n}", id=name.replace("_", "-"), n=value)
        most = bounds.TEXT if name in texts else bounds.VALUE
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and len(each) > most:
                raise UsageError(
                    "{id} has {n} characters; {m} are taken",
                    "- takes a long text from a pipe" if name in texts else "",
                    id=name,
                    n=len(each),
                    m=most,
                )


def show(terminal: Terminal, result: Result) -> None:
    """Print a result as text, or as JSON with the number of its schema."""
    if terminal.as_json:
        data = result.data() if callable(result.data) else result.data
        terminal.json({"schema": 1, **data} if isinstance(data, dict) else data)
    else:
        with terminal.paged():
            _print(terminal, result.text)
    if callable(result.note):
        result.note()
    elif result.note and (not terminal.as_json or isinstance(result.data, list)):  # a list has no room for notices
        terminal.tell(result.note)
    if result.failure:
        raise result.failure


def _print(terminal: Terminal, text: Any) -> None:
    if isinstance(text, Table):
        terminal.table(*text)
    elif isinstance(text, str):
        terminal.lines(filter(None, [text]))
    elif callable(text):
        text()
    else:
        terminal.lines(text)
