"""Make the typer application: the help of `mem`, completion, mistakes, and words that `parse` leaves to typer."""

from __future__ import annotations

import re
from functools import cache
from inspect import Parameter
from typing import Annotated, Any

import typer

from memcli import __version__, registry
from memcli.cli.commands import ALIASES, COMMANDS, ITSELF, MEANT, import_command, spelled_out
from memcli.cli.terminal import Terminal
from memcli.cli.typer_command import LazyGroup, build, build_group, find_close, signature_of
from memcli.errors import MissingPart, UsageError
from memcli.message import Message
from memcli.text.later import compile_later


class Root(LazyGroup):
    """Implement the `mem` command: its help fits on one screen, and it understands older names of commands."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__({name: line for name, (_, line) in COMMANDS.items()}, load, **attrs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        args = spelled_out(args)
        if args and args[0] not in self.commands and (feature := registry.owner_of(args[0])):
            why = registry.failures().get(feature)
            how = Message("can't be loaded: {why}", why=why) if why else "is switched off"
            raise MissingPart(
                "{command} belongs to the feature {name}, which {HOW}",
                f"mem features {'off' if why else 'on'} {feature}",
                command=args[0],
                name=feature,
                HOW=how,
            )
        if hint := MEANT.get(args[0]):
            raise UsageError("there is no command '{name}'", hint, name=args[0])
        return super().resolve_command(ctx, args)

    def known_words(self) -> dict[str, str]:
        aliases = {old[0]: new[0] for old, new in ALIASES.items() if len(old) == 1 and new[0] in self.commands}
        return super().known_words() | aliases

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from memcli.cli.help import help_page

        formatter.write(help_page(ctx.obj.speech.spoken() if ctx.obj else ""))

    def format_global_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options that every command takes."""
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write nothing: the help page already lists the commands in groups."""


@cache
def load(name: str) -> Any:
    """Return the command or group called `name`, after importing its module."""
    spec, (_, line) = import_command(name), COMMANDS[name]
    return build(spec, line) if spec else build_group(name, line)


def _show_version(ctx: typer.Context, asked: bool) -> None:
    if asked:
        ctx.obj.out(f"mem {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Root, rich_markup_mode=None, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
)


_version = typer.Option("--version", "-V", help="Show the version.", is_eager=True, callback=_show_version)
_VERSION = Parameter("version", Parameter.KEYWORD_ONLY, annotation=Annotated[bool, _version], default=False)


def root(ctx: typer.Context, version: bool, **given: Any) -> None:
    """A local-first memory: a folder of text you own, and the right thousand tokens of it for any model."""
    ctx.obj.set_options(**given)


root.__signature__ = signature_of(ITSELF, _VERSION)  # type: ignore[attr-defined]
app.callback()(root)


@cache
def root_command() -> Any:
    return typer.main.get_command(app)


def run_with_typer(args: list[str], terminal: Terminal) -> Any:
    """Run the command that the words mean, or print its help. Return an exit code, if there is one."""
    try:
        return root_command().main(args, prog_name="mem", obj=terminal, standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None


_INT, _FLOAT = "not a whole number", "not a number"  # typer names the type of Python
# Typer returns whole sentences, so these templates extract the values. A longer template comes before a shorter one.
_SENTENCES = (
    "no such option: {option} (Possible options: {options})",
    "no such option: {option} (Possible option: {options})",
    "no such option: {option} Did you mean {options}?",
    "no such option: {option}",
    "invalid value for {option}: '{value}' is not a whole number",
    "invalid value for {option}: '{value}' is not a number",
    "invalid value for {option}: {value}",
    "missing argument '{argument}'",
    "option {option} requires an argument",
)
_EXTRA = compile_later(r"Got unexpected extra argument\S* \((.*)\)", re.S)  # one word or several


def translate_typer(text: str) -> str:
    """Return an error message of typer as a message of `mem`, so that it can be translated."""
    if extra := _EXTRA.fullmatch(text):
        return Message("not understood: {argument}", argument=extra[1])
    text = f"{text[:1].lower()}{text[1:]}".rstrip(".")
    text = text.replace(" is not a valid int", f" is {_INT}").replace(" is not a valid float", f" is {_FLOAT}")
    for sentence in _SENTENCES:
        if match := re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(sentence)), text, re.S):
            values = match.groupdict()
            if "option" in values:
                values["option"] = values["option"].replace("'", "")
            return _unknown_option(**values) if "options" in values else Message(sentence, **values)
    return text


def _unknown_option(option: str, options: str) -> str:
    """Return the message about an option that does not exist. Typer takes the dashes for a likeness, too."""
    near = find_close(option.lstrip("-"), {name.lstrip("-"): name for name in re.findall(r"-[\w-]+", options)})
    message = "no such option: {option}. Did you mean {name}?" if near else "no such option: {option}"
    return Message(message, option=option, name=near)
