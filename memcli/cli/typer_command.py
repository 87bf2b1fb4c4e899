"""Build typer commands from the declared ones, for help, completion and error messages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memcli.cli.command import DEFINED, CommandDefinition, call
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.message import Message
from memcli.text.later import compile_later

CLOSE = 0.65  # likeness from which a mistyped word is taken for another


def build(spec: CommandDefinition, line: str = "") -> Any:
    """Return the typer command for a definition; `line` is put before its help."""

    def run(ctx: typer.Context, **given: Any) -> None:
        call(spec, ctx.obj, given)

    run.__signature__ = signature_of(spec)  # type: ignore[attr-defined]  # typer reads the options from it
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    help_text = "\n\n".join(filter(None, (line, spec.help)))
    cls = TextCommand if spec.text else SpokenCommand
    app.command(spec.name.split()[-1], cls=cls, help=help_text, epilog=epilog(spec.examples))(run)
    return typer.main.get_command(app)


def signature_of(spec: CommandDefinition, *more: inspect.Parameter) -> inspect.Signature:
    """Return the context, the parameters of a command, and `more` of them, as typer reads them."""
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    return inspect.Signature([context, *map(_as_typer, read_declared(spec)), *more])


def _as_typer(parameter: ParameterSpec) -> inspect.Parameter:
    shown: dict[str, Any] = {
        "metavar": parameter.metavar,
        "help": parameter.help,
        "autocompletion": parameter.completion,
    }
    info = typer.Argument(**shown) if parameter.is_argument else typer.Option(*parameter.names, **shown)
    kind, default = parameter.kind, inspect.Parameter.empty if parameter.default is REQUIRED else parameter.default
    annotation = Annotated[kind, info]  # type: ignore[valid-type]
    return inspect.Parameter(parameter.name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def epilog(examples: Sequence[str]) -> str:
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in examples)


def in_language(command: Any, ctx: Any, plain: Callable[[Any, Any], str]) -> str:
    """Return the help of a command in the language of the terminal."""
    language = ctx.obj.speech.spoken() if isinstance(ctx.obj, Terminal) else ""
    if not language:
        return plain(command, ctx)
    from memcli.cli import help_translation

    return help_translation.get_help(command, ctx, language, plain)


def wrapped_help(ctx: Any, text: str) -> str:
    """Return the help of a command with its lines broken between words for a terminal."""
    return ctx.obj.wrapped(text, ctx.obj.stdout) if isinstance(ctx.obj, Terminal) else text


def find_close(word: str, names: dict[str, str]) -> str:
    """Return what the name nearest to a word stands for, or "" when none is near."""
    from difflib import get_close_matches  # needed only for errors

    near = get_close_matches(word, names, 1, CLOSE)
    return names[near[0]] if near else ""


class SpokenCommand(TyperCommand):
    """Prints its help in the user's language."""

    def get_help(self, ctx: Any) -> str:
        return wrapped_help(ctx, in_language(self, ctx, TyperCommand.get_help))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return list(super().parse_args(ctx, args))
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:  # typer names no command when an option has no value
                error.ctx = ctx  # type: ignore[attr-defined]
            raise


class LazyGroup(TyperGroup):
    """Lists commands by their one-line descriptions, and loads a command only when it is called."""

    def __init__(self, lines: dict[str, str], load: Callable[[str], Any], **attrs: Any) -> None:
        super().__init__(**{"rich_markup_mode": None, **attrs})
        self.load = load
        self.commands = {name: TyperCommand(name, help=line, rich_markup_mode=None) for name, line in lines.items()}

    def get_help(self, ctx: Any) -> str:
        return wrapped_help(ctx, in_language(self, ctx, TyperGroup.get_help))

    def known_words(self) -> dict[str, str]:
        """Return the command that each word means."""
        return {name: name for name in self.commands}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = find_close(args[0], self.known_words())
            message = "no such command '{command}'. Did you mean '{name}'?" if near else "no such command '{command}'"
            hint = Message("{command} --help lists the commands", command=ctx.command_path)
            raise UsageError(message, hint, command=args[0], name=near)
        name, _, rest = super().resolve_command(ctx, args)
        return name, self.load(name) if name else None, rest


class ListingGroup(LazyGroup):
    """Runs `list` when no command is given, like `mem profile`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        bare = not args or (args[0].startswith("-") and not set(args) & {"-h", "--help"})
        if bare and "list" in self.commands and not ctx.resilient_parsing:
            args = ["list", *args]
        text = " ".join(args).strip()
        is_sentence = (" " in text or not text.isascii()) and not text.startswith("-")  # else a mistyped command
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


_TEXT = compile_later(r"-(?:[\d\s]|[^\x00-\x7f]|[^\s=]*\s)")
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
