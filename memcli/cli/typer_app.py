"""Make the typer application, which completes words."""

from __future__ import annotations

from functools import cache
from inspect import Parameter
from typing import Annotated, Any

import typer

from memcli.cli.commands import COMMANDS, ITSELF, import_command, spelled_out
from memcli.cli.parse import HELP, INSTEAD
from memcli.cli.typer_command import LazyGroup, build, build_group, signature_of


class Root(LazyGroup):
    """Implement the `mem` command, which understands older names of commands."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__({name: line for name, (_, line) in COMMANDS.items()}, load, **attrs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, spelled_out(args))


@cache
def load(name: str) -> Any:
    """Return the command or group called `name`, after importing its module."""
    spec, (_, line) = import_command(name), COMMANDS[name]
    return build(spec, line) if spec else build_group(name, line)


app = typer.Typer(cls=Root, rich_markup_mode=None, context_settings={"help_option_names": [*HELP]})
_version = typer.Option("--version", "-V", help=INSTEAD["-V, --version"])
_VERSION = Parameter("version", Parameter.KEYWORD_ONLY, annotation=Annotated[bool, _version], default=False)


def root(ctx: typer.Context, **given: Any) -> None:
    """A local-first memory: a folder of text you own, and the right thousand tokens of it for any model."""


root.__signature__ = signature_of(ITSELF, _VERSION)  # type: ignore[attr-defined]
app.callback()(root)


@cache
def root_command() -> Any:
    return typer.main.get_command(app)
