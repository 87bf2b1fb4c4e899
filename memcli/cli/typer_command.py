"""Build typer commands from the declared ones, for completion."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memcli.cli.command import CommandDefinition
from memcli.cli.commands import members
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared


def build(spec: CommandDefinition, line: str = "") -> Any:
    """Return the typer command for a definition; `line` is put before its help."""

    def run(ctx: typer.Context, **given: Any) -> None: ...

    run.__signature__ = signature_of(spec)  # type: ignore[attr-defined]  # typer reads the options from it
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    help_text = "\n\n".join(filter(None, (line, spec.help)))
    app.command(spec.name.split()[-1], help=help_text)(run)
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


class LazyGroup(TyperGroup):
    """Lists commands by their one-line descriptions, and loads a command only when it is called."""

    def __init__(self, lines: dict[str, str], load: Callable[[str], Any], **attrs: Any) -> None:
        super().__init__(**{"rich_markup_mode": None, **attrs})
        self.load = load
        self.commands = {name: TyperCommand(name, help=line, rich_markup_mode=None) for name, line in lines.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, self.load(name) if name else None, rest


def build_group(name: str, line: str) -> Any:
    """Return the group of all commands defined as `name …`."""
    known = members(name)
    lines = {word: spec.help for word, spec in known.items()}
    return LazyGroup(lines, lambda word: build(known[word]), name=name, help=line)
