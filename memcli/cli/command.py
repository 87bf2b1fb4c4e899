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

import inspect
import re
from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Any, NamedTuple, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from memcli import bounds
from memcli.cli.options import FILTERS, Agent, Filters
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, UsageError


class Result(NamedTuple):
    """Holds what a command answers."""

    data: Any  # for --json: an object, or a function that returns one; a list only where another program defines it so
    text: Any = ""  # a line, a list of lines, a Table, or a function that prints
    note: Any = ""  # one line for stderr, not printed with a JSON object; or a function that prints more
    failure: MemError | None = None  # raised after everything is printed


class Table(NamedTuple):
    rows: Sequence[Sequence[str]]
    styles: Sequence[str] = ()
    clip: bool = False
    words: Sequence[str] = ()  # words to highlight in the last column


class Command(NamedTuple):
    name: str
    run: Callable[..., Result | None]
    examples: tuple[str, ...]
    json: str  # the help of `--json`; "" means that the command has no `--json`
    text: bool  # whether its arguments are text, see TextCommand
    filters: tuple[str, ...]
    agents: bool  # whether agents may use it; it then sees only what `Vault.sees` allows

    @property
    def help(self) -> str:
        return inspect.cleandoc(self.run.__doc__ or "")


DEFINED: dict[str, Command] = {}  # the keys are full names, such as `profile set`


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
        DEFINED[name] = Command(name, run, examples, json, text, tuple(filters.split()), agents)
        return run

    return define


def build(spec: Command, line: str = "") -> Any:
    """Return the typer command for a definition; `line` is put before its help."""
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    words = [one.name for one in inspect.signature(spec.run).parameters.values() if one.kind is one.POSITIONAL_ONLY][1:]

    def run(ctx: typer.Context, **given: Any) -> None:
        terminal: Terminal = ctx.obj
        terminal.as_json = bool(spec.json and given.pop("as_json"))
        _check_lengths(given, words if spec.text else ())
        terminal.agent = (given.pop("agent") or "") if spec.agents else ""
        if spec.filters:
            given["filters"] = Filters(**{name: given.pop(name) for name in spec.filters})
        result = spec.run(terminal, *(given.pop(name) for name in words), **given)
        if result is not None:
            show(terminal, result)

    signature = inspect.Signature([context, *_parameters(spec)])
    run.__signature__ = signature  # type: ignore[attr-defined]  # typer reads the options from it
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    said = "\n\n".join(filter(None, (line, spec.help)))
    cls = TextCommand if spec.text else SpokenCommand
    app.command(spec.name.split()[-1], cls=cls, help=said, epilog=epilog(spec.examples))(run)
    return typer.main.get_command(app)


def _check_lengths(given: dict[str, Any], texts: Collection[str]) -> None:
    """Raise UsageError if a value is too long. `texts` names the arguments that hold whole texts and may be longer."""
    for name, value in given.items():
        most = bounds.TEXT if name in texts else bounds.VALUE
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and len(each) > most:
                raise UsageError(
                    f"{name} has {len(each)} characters; {most} are taken",
                    "- takes a long text from a pipe" if name in texts else "",
                )


def _parameters(spec: Command) -> list[inspect.Parameter]:
    """Return the parameters that typer gets: the command's own, its filters in their place, then `--agent` and
    `--json`."""
    parameters = []
    for parameter in list(inspect.signature(spec.run, eval_str=True).parameters.values())[1:]:
        if parameter.annotation is Filters:
            parameters += [_as_typer(_option(name, *FILTERS[name])) for name in spec.filters]
        else:
            parameters.append(_as_typer(parameter))
    if spec.agents:
        parameters.append(_as_typer(_option("agent", Agent, None)))
    if spec.json:
        parameters.append(_as_typer(_option("as_json", Annotated[bool, "--json", spec.json], False)))
    return parameters


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _as_typer(parameter: inspect.Parameter) -> inspect.Parameter:
    kind, *told = get_args(parameter.annotation)
    names = [word for word in told if isinstance(word, str) and word.startswith("-")]
    *metavar, help = [word for word in told if isinstance(word, str) and word not in names]
    shown: dict[str, Any] = {"metavar": metavar[0] if metavar else None, "help": help}
    shown["autocompletion"] = told[-1] if callable(told[-1]) else None
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return _option(parameter.name, Annotated[kind, typer.Argument(**shown)], parameter.default)
    has_off = kind in (bool, bool | None) and parameter.default is not False
    if not has_off and not any(name.startswith("--") for name in names):
        names = [f"--{parameter.name.replace('_', '-')}", *names]
    return _option(parameter.name, Annotated[kind, typer.Option(*names, **shown)], parameter.default)


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


def epilog(examples: Sequence[str]) -> str:
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in examples)


def in_language(command: Any, ctx: Any, plain: Callable[[Any, Any], str]) -> str:
    """Return the help of a command in the language of the terminal."""
    language = ctx.obj.speech.spoken() if isinstance(ctx.obj, Terminal) else ""
    if not language:
        return plain(command, ctx)
    from memcli.cli import spoken_help

    return spoken_help.get_help(command, ctx, language, plain)


class SpokenCommand(TyperCommand):
    """Prints its help in the user's language."""

    def get_help(self, ctx: Any) -> str:
        return in_language(self, ctx, TyperCommand.get_help)


class LazyGroup(TyperGroup):
    """Lists commands by their one-line descriptions, and loads a command only when it is called."""

    def __init__(self, lines: dict[str, str], load: Callable[[str], Any], **attrs: Any) -> None:
        super().__init__(**{"rich_markup_mode": None, **attrs})
        self.load = load
        self.commands = {name: TyperCommand(name, help=line, rich_markup_mode=None) for name, line in lines.items()}

    def get_help(self, ctx: Any) -> str:
        return in_language(self, ctx, TyperGroup.get_help)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, self.load(name) if name else None, rest


class ListingGroup(LazyGroup):
    """Runs `list` when no command is given, like `mem profile`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        bare = not args or (args[0].startswith("-") and not set(args) & {"-h", "--help"})
        if bare and "list" in self.commands and not ctx.resilient_parsing:
            args = ["list", *args]
        said = " ".join(args).strip()
        is_sentence = (" " in said or not said.isascii()) and not said.startswith("-")  # else a mistyped command
        if "keep" in self.commands and is_sentence and args[0] not in self.commands:
            args = ["keep", *args]
        return super().parse_args(ctx, args)


def build_group(name: str, line: str) -> Any:
    """Return the group of all commands defined as `name …`. Its help shows the first example of each."""
    members = {full.split()[-1]: spec for full, spec in DEFINED.items() if full.startswith(f"{name} ")}
    return ListingGroup(
        {word: spec.help for word, spec in members.items()},
        lambda word: build(members[word]),
        name=name, help=line, epilog=epilog([spec.examples[0] for spec in members.values()]),
    )  # fmt: skip


_TEXT = re.compile(r"-(?:[\d\s]|[^\x00-\x7f]|[^\s=]*\s)")
_MARK = "\0"  # can't be typed


class TextCommand(SpokenCommand):
    """Reads its arguments as text: words that only look like an option, such as `- a list item` or `-5 degrees`, are
    text.

    It hides these words from the parser and restores them afterwards.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        before = ["", *args]
        hidden = [
            _MARK + word if _TEXT.match(word) and last not in valued and "--" not in before[: at + 1] else word
            for at, (last, word) in enumerate(zip(before, args, strict=False))
        ]
        left = super().parse_args(ctx, hidden)
        for name, value in ctx.params.items():
            if isinstance(value, (list, tuple)):
                ctx.params[name] = [str(word).removeprefix(_MARK) for word in value]
        return list(left)
