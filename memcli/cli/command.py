"""What a command is: a function whose parameters are its options, with the examples of its help.

The function gets the `Terminal` and returns a `Result`: the data that `--json` prints, and the same as text. `--json`,
`--agent`, the filters and the printing are added here, once for all commands.

A parameter before the `/` is a word of the command, one behind it is an option. Its annotation tells the rest:

    tag: Annotated[list[str] | None, "-t", "TAG", "A tag; may be repeated.", words("a", "b")] = None

A short name, or another long one than the parameter's; what stands for the value; the help; what a shell may complete.
All but the help may be missing. A switch that is not off by default can be turned off: `--git/--no-git`.
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
    """What a command answers."""

    data: Any  # for --json: an object, or a function that makes one; a list only where others say what it is
    text: Any = ""  # a line, a list of lines, a Table, or a function that prints
    note: Any = ""  # one line on stderr after it, not beside a JSON object; or a function that tells more
    failure: MemError | None = None  # raised after all is printed


class Table(NamedTuple):
    rows: Sequence[Sequence[str]]
    styles: Sequence[str] = ()
    clip: bool = False
    words: Sequence[str] = ()  # that stand out in the last column


class Command(NamedTuple):
    name: str
    run: Callable[..., Result | None]
    examples: tuple[str, ...]
    json: str  # the help of `--json`; empty for a command without it
    text: bool  # its words are text
    filters: tuple[str, ...]
    agents: bool  # whether agents have it, too: it sees no more than `Vault.sees`

    @property
    def help(self) -> str:
        return inspect.cleandoc(self.run.__doc__ or "")


DEFINED: dict[str, Command] = {}  # by all words of the name, as `profile set`


def command(
    name: str,
    *examples: str,
    json: str = "As JSON.",
    text: bool = False,
    filters: str = "",
    agents: bool = False,
) -> Callable[[Callable[..., Result | None]], Callable[..., Result | None]]:
    """Make a function the command `name`. Its docstring is the help; the first line of a command without a group stands
    in the table. `filters` are names of `FILTERS`, which the function gets together as `Filters`. What `agents` may do
    takes `--agent`, and finds in its vault what that agent sees."""

    def define(run: Callable[..., Result | None]) -> Callable[..., Result | None]:
        DEFINED[name] = Command(name, run, examples, json, text, tuple(filters.split()), agents)
        return run

    return define


def build(spec: Command, line: str = "") -> Any:
    """The command as typer has it."""
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
    """Raise UsageError for a value that is longer than any can be; `texts` names those that are the matter itself."""
    for name, value in given.items():
        most = bounds.TEXT if name in texts else bounds.VALUE
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and len(each) > most:
                raise UsageError(
                    f"{name} has {len(each)} characters; {most} are taken",
                    "- takes a long text from a pipe" if name in texts else "",
                )


def _parameters(spec: Command) -> list[inspect.Parameter]:
    """The parameters of a command as typer has them, with its filters in place, `--agent` and `--json` at the end."""
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
    """Print a result: as JSON, which says which schema it follows, or as text."""
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
    """A command whose help speaks the user's language."""

    def get_help(self, ctx: Any) -> str:
        return in_language(self, ctx, TyperCommand.get_help)


class LazyGroup(TyperGroup):
    """Lists commands by their lines and makes the one that is called."""

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
    """A group like `mem profile`: without a command it lists what there is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        bare = not args or (args[0].startswith("-") and not set(args) & {"-h", "--help"})
        if bare and "list" in self.commands and not ctx.resilient_parsing:
            args = ["list", *args]
        said = " ".join(args).strip()
        is_sentence = (" " in said or not said.isascii()) and not said.startswith("-")  # else a command mistyped
        if "keep" in self.commands and is_sentence and args[0] not in self.commands:
            args = ["keep", *args]
        return super().parse_args(ctx, args)


def build_group(name: str, line: str) -> Any:
    """A group of all the commands that are defined as `name …`; its examples are the first of each."""
    members = {full.split()[-1]: spec for full, spec in DEFINED.items() if full.startswith(f"{name} ")}
    return ListingGroup(
        {word: spec.help for word, spec in members.items()},
        lambda word: build(members[word]),
        name=name, help=line, epilog=epilog([spec.examples[0] for spec in members.values()]),
    )  # fmt: skip


_TEXT = re.compile(r"-(?:[\d\s]|[^\x00-\x7f]|[^\s=]*\s)")
_MARK = "\0"  # can't be typed


class TextCommand(SpokenCommand):
    """A command whose words are text: what only looks like an option, as `- a list item` or `-5 degrees`, is text.

    Such words are hidden from the parser and handed on as they were."""

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
