"""Start `mem`: read the global options, load the command that is called, and report failures."""

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
    """Implements the `mem` command: its help fits on one screen, and it understands older names of commands."""

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
        """Write the options that every command takes."""
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write nothing: the help page already lists the commands in groups."""


@cache
def load(name: str) -> Any:
    """Return the command or group called `name`, after importing its module."""
    module, line = COMMANDS[name]
    import_module(module if "." in module else f"memcli.cli.{module}")  # a feature gives the full name of its module
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
    """Run `mem` and end the process with an exit code. `client` is the fast client that tried a watcher before."""
    front, rest = hoisted(list(sys.argv[1:] if argv is None else argv))
    args = front + spelled_out(rest)
    _open_streams()
    if args[:1] == ["--show-completion"] and args[1:] in (["bash"], ["zsh"], ["fish"]):
        os.environ["_MEM_COMPLETE"] = f"source_{args[1]}"  # typer alone would only complete for the shell it runs in
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
    """Return the exit code when the output can't be written: the command's own if the reader has gone, UNWRITTEN if the
    disk behind `> file` is full."""
    if isinstance(error, BrokenPipeError):  # `| head -1`: the reader has what it wanted
        _silence(sys.stdout, sys.stderr)
        return code
    _silence(sys.stdout)
    (terminal or Terminal.from_process()).fail(f"the output can't be written: {error.strerror}")
    return code or UNWRITTEN


def _silence(*streams: Any) -> None:
    """Point streams at the null device, because Python would complain at exit about output it can't write."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(args: list[str], terminal: Terminal) -> int:
    """Run the command and return its exit code; print failures that `run` does not handle."""
    try:
        return run(args, terminal)
    except SystemExit as end:  # completion raises this itself; typer raises it with 1 for a closed pipe
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
    """Report typer's message about words it did not understand, or its help if no command was given."""
    message, context = error.format_message(), error.ctx
    if type(error).__name__ == "NoArgsIsHelpError":
        terminal.stderr.write(f"{message}\n")
    else:
        words = context.command_path if context else "mem"
        terminal.fail(f"{message[:1].lower()}{message[1:]}".rstrip("."), f"{words} --help shows what it takes", 2)


def run(args: list[str], terminal: Terminal) -> int:
    """Run a command, report any MemError, and return the exit code. Other exceptions are raised."""
    terminal.as_json = "--json" in args  # a guess until the command has parsed its options
    try:
        return called(args, terminal)
    except MemError as error:
        if "--debug" in args:
            raise
        terminal.fail(error.message, error.hint, error.code)
        return error.code


def called(args: list[str], terminal: Terminal) -> int:
    """Run a command and return its exit code. All failures are raised, for the caller to handle."""
    with extras.wanted():  # reports when the extra that a command needs is missing
        code = root_command().main(args, prog_name="mem", obj=terminal, standalone_mode=False)
    return code if isinstance(code, int) else 0


@cache
def root_command() -> Any:
    return typer.main.get_command(app)


def _open_streams() -> None:
    """Make stdout and stderr write any text as UTF-8, whatever the locale, and replace a closed stream by the null
    device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(encoding="utf-8", errors="replace", newline="\n")
