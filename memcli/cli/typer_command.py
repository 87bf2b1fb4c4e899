"""Build typer commands from the declared ones, for help and completion."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memcli.cli.command import CommandDefinition
from memcli.cli.commands import members
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared
from memcli.cli.terminal import Terminal


def build(spec: CommandDefinition, line: str = "") -> Any:
    """Return the typer command for a definition; `line` is put before its help."""

    def run(ctx: typer.Context, **given: Any) -> None: ...

    run.__signature__ = signature_of(spec)  # type: ignore[attr-defined]  # typer reads the options from it
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    help_text = "\n\n".join(filter(None, (line, spec.help)))
    app.command(spec.name.split()[-1], cls=SpokenCommand, help=help_text, epilog=epilog(spec.examples))(run)
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


def build_group(name: str, line: str) -> Any:
    """Return the group of all commands defined as `name …`. Its help shows the first example of each."""
    known = members(name)
    return LazyGroup(
        {word: spec.help for word, spec in known.items()},
        lambda word: build(known[word]),
        name=name, help=line, epilog=epilog([spec.examples[0] for spec in known.values()]),
    )  # fmt: skip
