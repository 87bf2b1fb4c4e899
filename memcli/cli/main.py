"""The way in: global options, the table of commands, and what a failure looks like. Commands are loaded when called."""

from __future__ import annotations

import os
import sys
from errno import ENOSPC
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memcli import __version__, extras
from memcli.argv import hoisted
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, UsageError

if TYPE_CHECKING:
    from memcli.watch.client import FastClient

# name → (module, one line of help). Listing and completing commands must not import them: `mem --help` has 120 ms.
COMMANDS = {
    "init": ("init", "Make a vault: a folder of memories, in git."),
    "add": ("write", "Remember something."),
    "recall": ("recall", "Put the right memories in front of a model."),
    "prompt": ("prompt", "Put a whole prompt together: role, state, memory, last turns."),
    "ask": ("ask", "Answer from notes, documents and other sources."),
    "cite": ("recall", "Note which memories an answer used."),
    "learn": ("learn", "Read a conversation and keep what is worth remembering."),
    "session": ("session", "Keep a talk: its messages, and what was done in it."),
    "knowledge": ("knowledge", "Keep documents of the world: papers, manuals, pages."),
    "show": ("show", "Show a memory, a file or a day."),
    "list": ("show", "List memories, newest first."),
    "edit": ("write", "Change a memory or a file in your editor."),
    "forget": ("write", "Move a memory to the archive."),
    "profile": ("about", "Show and change what is known of you."),
    "prefer": ("prefer", "Keep what you like, and see which preference counts."),
    "label": ("about", "Names for places and people."),
    "state": ("about", "How an assistant should talk with you now."),
    "chat": ("chat", "Talk with the language model, with memory."),
    "role": ("role", "Who an assistant is to be."),
    "log": ("history", "Show how the memory changed."),
    "diff": ("history", "Show what changed since the last commit or a day."),
    "undo": ("history", "Take back the last write."),
    "sync": ("history", "Pull, merge and push the vault."),
    "watch": ("watch", "Keep the vault in memory: recall answers at once."),
    "status": ("health", "Show the vault on one screen."),
    "doctor": ("health", "Check what works, and how to mend what does not."),
    "audit": ("upkeep", "Show who wrote, changed or archived what, and when."),
    "review": ("review", "Settle what disagrees, repeats or is unsure."),
    "tidy": ("upkeep", "Archive what has had its time."),
    "work": ("upkeep", "Do the work that waits in the queue."),
    "eval": ("evaluate", "Measure recall on your own questions."),
    "index": ("index", "Bring the index in line with the files."),
    "model": ("model", "Choose the model that finds by meaning."),
    "llm": ("llm", "Ask the language model whether it is there."),
    "config": ("config", "Show and change settings."),
    "trust": ("config", "Let this vault run the commands its settings name."),
}

EXAMPLES = """\b
Examples:
  mem init                                      make this folder a vault
  mem add "Redis replaces the local cache" -t cache
  mem recall "what did we decide about the cache"
  git diff | mem recall "have we seen this before"
"""


class Root(TyperGroup):
    """The `mem` command: lists its commands from the table, imports the one that is called."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = {
            name: TyperCommand(name, help=line, rich_markup_mode=None) for name, (_, line) in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(str(name)), rest


@cache
def load(name: str) -> Any:
    """The real command called `name`."""
    command = typer.main.get_command(import_module(f"memcli.cli.{COMMANDS[name][0]}").app)
    command = getattr(command, "commands", {}).get(name, command)
    command.params = [each for each in command.params if not str(each.name).endswith("_completion")]  # the root's alone
    return command


def _show_version(ctx: typer.Context, asked: bool) -> None:
    if asked:
        ctx.obj.out(f"mem {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Root, rich_markup_mode=None, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback(epilog=EXAMPLES)
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
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """A local-first memory: a folder of text you own, and the right thousand tokens of it for any model."""
    if color not in ("auto", "always", "never"):
        raise UsageError(f"--color {color}: one of auto, always, never")
    ctx.obj.vault_dir, ctx.obj.color, ctx.obj.no_input = vault or None, color, no_input
    ctx.obj.quiet, ctx.obj.verbose = quiet, verbose


def main(argv: list[str] | None = None, client: FastClient | None = None) -> None:
    """Run `mem`; always ends the process with an exit code. `client` has tried before to let a watcher answer."""
    front, rest = hoisted(list(sys.argv[1:] if argv is None else argv))
    args = front + rest
    _open_streams()
    if args[:1] == ["--show-completion"] and args[1:] in (["bash"], ["zsh"], ["fish"]):
        os.environ["_MEM_COMPLETE"] = f"source_{args[1]}"  # typer itself only knows the shell it finds around it
    terminal = Terminal.from_process(client.read_stdin if client else None)
    try:
        code = _run(args, terminal)
        terminal.tell_notices()
        if client and client.note and terminal.verbose:
            terminal.tell(f"{client.note}; answered without it")
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError as error:
        code = unprinted(error, terminal)
    sys.exit(code)


def unprinted(error: OSError, terminal: Terminal | None = None) -> int:
    """The exit code when the output can't be written: nobody wants it any more, or the disk behind `> file` is full."""
    if isinstance(error, BrokenPipeError):  # `| head -1`: the reader has what it wanted
        _silence(sys.stdout, sys.stderr)
        return 0
    _silence(sys.stdout)
    (terminal or Terminal.from_process()).fail(f"the output can't be written: {error.strerror}")
    return 1


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
            return 1
        if hasattr(error, "show"):  # a mistyped command: typer knows what to say
            from io import StringIO

            error.show(said := StringIO())
            terminal.stderr.write(said.getvalue())
            return 2
        terminal.fail(f"unexpected: {type(error).__name__}: {error}", "mem --debug … shows where; please report it")
        return 1


def run(args: list[str], terminal: Terminal) -> int:
    """The exit code of a command that does what it can; what has nothing to do with memory is raised."""
    try:
        with extras.wanted():  # a command of an extra that is not there says so
            code = _whole().main(args, prog_name="mem", obj=terminal, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except MemError as error:
        if "--debug" in args:
            raise
        terminal.fail(error.message, error.hint)
        return error.code


@cache
def _whole() -> Any:
    return typer.main.get_command(app)


def _open_streams() -> None:
    """Memory text is any text, whatever the terminal's locale says; and a closed stream swallows what it is given."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(encoding="utf-8", errors="replace")
