"""The way in: global options, and what a failure looks like. Commands are loaded when called."""

from __future__ import annotations

import os
import sys
from errno import ENOSPC
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli import __version__, extras, registry
from memcli.argv import hoisted
from memcli.cli.command import DEFINED, LazyGroup, build, build_group
from memcli.cli.commands import COMMANDS, MEANT, spelled_out
from memcli.cli.terminal import Terminal
from memcli.errors import CRASHED, UNWRITTEN, MemError, UsageError

if TYPE_CHECKING:
    from memcli.watch.client import FastClient


class Root(LazyGroup):
    """The `mem` command: help on one screen, older words understood."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__({name: line for name, (_, line) in COMMANDS.items()}, load, **attrs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        args = spelled_out(args)
        if args and args[0] not in self.commands and (feature := registry.owner_of(args[0])):
            why = registry.failures().get(feature)
            how = f"can't be loaded: {why}" if why else "is switched off"
            raise UsageError(f"{args[0]} belongs to the feature {feature}, which {how}", f"mem features on {feature}")
        if hint := MEANT.get(args[0]):
            raise UsageError(f"there is no command '{args[0]}'", hint)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from memcli.cli.help import page

        formatter.write(page(ctx.obj.speech.spoken() if ctx.obj else ""))

    def format_global_options(self, ctx: Any, formatter: Any) -> None:
        """The options that every command takes."""
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """They stand in groups."""


@cache
def load(name: str) -> Any:
    """The real command called `name`."""
    module, line = COMMANDS[name]
    import_module(module if "." in module else f"memcli.cli.{module}")  # a feature names its module whole
    return build(DEFINED[name], line) if name in DEFINED else build_group(name, line)


def _show_version(ctx: typer.Context, asked: bool) -> None:
    if asked:
        ctx.obj.out(f"mem {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Root, rich_markup_mode=None, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback()
def root(
    ctx: typer.Context,
    vault: Annotated[
        str,
        typer.Option(
            "--vault", metavar="DIR", help="The vault; else MEM_VAULT, the nearest one upwards, your default."
        ),
    ] = "",
    color: Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", help="No notices on stderr.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Say how the answer came about.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never ask anything.")] = False,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print long output at once.")] = False,
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Show the version.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """A local-first memory: a folder of text you own, and the right thousand tokens of it for any model."""
    if color not in ("auto", "always", "never"):
        raise UsageError(f"--color {color}: one of auto, always, never")
    ctx.obj.vault_dir, ctx.obj.color, ctx.obj.no_input = vault or None, color, no_input
    ctx.obj.quiet, ctx.obj.verbose, ctx.obj.pages = quiet, verbose, not (no_pager or no_input)


def main(argv: list[str] | None = None, client: FastClient | None = None) -> None:
    """Run `mem`; always ends the process with an exit code. `client` has tried before to let a watcher answer."""
    front, rest = hoisted(list(sys.argv[1:] if argv is None else argv))
    args = front + spelled_out(rest)
    _open_streams()
    if args[:1] == ["--show-completion"] and args[1:] in (["bash"], ["zsh"], ["fish"]):
        os.environ["_MEM_COMPLETE"] = f"source_{args[1]}"  # typer itself only knows the shell it finds around it
    terminal = Terminal.from_process(client.read_stdin if client else None)
    code = 0
    try:
        code = _run(args, terminal)
        terminal.tell_notices()
        if client and client.note and terminal.verbose:
            terminal.tell(f"{client.note}; answered without it")
        for stream in (terminal.stdout, terminal.stderr):
            stream.flush()
            stream.must_be_heard()
    except OSError as error:
        code = unprinted(error, terminal, code)
    sys.exit(code)


def unprinted(error: OSError, terminal: Terminal | None = None, code: int = 0) -> int:
    """Return the exit code when the output can't be written: that of the command when nobody wants it any more, another
    when the disk behind `> file` is full."""
    if isinstance(error, BrokenPipeError):  # `| head -1`: the reader has what it wanted
        _silence(sys.stdout, sys.stderr)
        return code
    _silence(sys.stdout)
    (terminal or Terminal.from_process()).fail(f"the output can't be written: {error.strerror}")
    return code or UNWRITTEN


def _silence(*streams: Any) -> None:
    """Python would complain while it ends about what it can't write any more."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(args: list[str], terminal: Terminal) -> int:
    """Run the command; its exit code."""
    try:
        return run(args, terminal)
    except SystemExit as end:  # completion ends by itself, a closed pipe with 1
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:
        raise
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENOSPC and not error.filename:
            raise  # the disk behind `> file` is full: the output, not the command, has failed
        if "--debug" in args:
            from traceback import format_exc

            terminal.stderr.write(format_exc())
            return error.code if isinstance(error, MemError) else CRASHED
        if hasattr(error, "format_message"):  # typer did not understand the command
            _misunderstood(error, terminal)
            return 2
        terminal.fail(
            f"unexpected: {type(error).__name__}: {error}", "mem --debug … shows where; please report it", CRASHED
        )
        return CRASHED


def _misunderstood(error: Any, terminal: Terminal) -> None:
    """What was not understood, in the words of typer; without any command its help."""
    message, context = error.format_message(), error.ctx
    if type(error).__name__ == "NoArgsIsHelpError":
        terminal.stderr.write(f"{message}\n")
    else:
        words = context.command_path if context else "mem"
        terminal.fail(f"{message[:1].lower()}{message[1:]}".rstrip("."), f"{words} --help shows what it takes", 2)


def run(args: list[str], terminal: Terminal) -> int:
    """The exit code of a command that does what it can; what has nothing to do with memory is raised."""
    terminal.as_json = "--json" in args  # until the command has read its options
    try:
        return called(args, terminal)
    except MemError as error:
        if "--debug" in args:
            raise
        terminal.fail(error.message, error.hint, error.code)
        return error.code


def called(args: list[str], terminal: Terminal) -> int:
    """The same, whose failures are the caller's."""
    with extras.wanted():  # a command of an extra that is not there says so
        code = root_command().main(args, prog_name="mem", obj=terminal, standalone_mode=False)
    return code if isinstance(code, int) else 0


@cache
def root_command() -> Any:
    return typer.main.get_command(app)


def _open_streams() -> None:
    """Memory text is any text, whatever the terminal's locale says; and a closed stream swallows what it is given."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(encoding="utf-8", errors="replace", newline="\n")
