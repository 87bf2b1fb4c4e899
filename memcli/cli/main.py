"""The way in: global options, the table of commands, and what a failure looks like. Commands are loaded when called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memcli import __version__
from memcli.cli.face import Face
from memcli.errors import MemError, UsageError

# name → (module, one line of help). Listing and completing commands must not import them: `mem --help` has 120 ms.
COMMANDS = {
    "init": ("init", "Make a vault: a folder of memories, in git."),
    "add": ("write", "Remember something."),
    "recall": ("recall", "Put the right memories in front of a model."),
    "show": ("look", "Show a memory, a file or a day."),
    "list": ("look", "List memories, newest first."),
    "edit": ("write", "Change a memory or a file in your editor."),
    "forget": ("write", "Move a memory to the archive."),
    "log": ("history", "Show how the memory changed."),
    "diff": ("history", "Show what changed since the last commit or a day."),
    "undo": ("history", "Take back the last write."),
    "sync": ("history", "Pull, merge and push the vault."),
    "status": ("health", "Show the vault on one screen."),
    "doctor": ("health", "Check what works, and how to mend what does not."),
    "eval": ("evaluate", "Measure recall on your own questions."),
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

_GLOBAL = {
    "--vault": True,
    "--color": True,
    "--quiet": False,
    "--verbose": False,
    "--debug": False,
    "--no-input": False,
}


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

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:  # `| head -1`: the reader has what it wanted
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None


def load(name: str) -> Any:
    """The real command called `name`."""
    command = typer.main.get_command(import_module(f"memcli.cli.{COMMANDS[name][0]}").app)
    return getattr(command, "commands", {}).get(name, command)


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
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """A local-first memory: a folder of text you own, and the right thousand tokens of it for any model."""
    if color not in ("auto", "always", "never"):
        raise UsageError(f"--color {color}: one of auto, always, never")
    ctx.obj.vault_dir, ctx.obj.color, ctx.obj.no_input = vault or None, color, no_input
    ctx.obj.quiet, ctx.obj.verbose = quiet, verbose


def main(argv: list[str] | None = None) -> None:
    """Run `mem`; always ends the process with an exit code."""
    args = _hoisted(list(sys.argv[1:] if argv is None else argv))
    debug = "--debug" in args
    face = Face.from_process()
    for stream in (sys.stdout, sys.stderr):  # memory text is any text, whatever the terminal's locale says
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if args == ["--version"]:
        face.out(f"mem {__version__}")
        sys.exit(0)
    try:
        typer.main.get_command(app).main(args, prog_name="mem", obj=face)
    except MemError as error:
        if debug:
            raise
        face.fail(error.message, error.hint)
        sys.exit(error.code)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        face.fail(f"unexpected: {type(error).__name__}: {error}", "mem --debug … shows where; please report it")
        sys.exit(1)
    finally:
        face.tell_notices()


def _hoisted(args: list[str]) -> list[str]:
    """Global options may stand anywhere: `mem list --vault DIR` means what it says."""
    front, rest = [], []
    at = 0
    while at < len(args):
        word = args[at]
        name = word.partition("=")[0]
        if word == "--":
            rest.extend(args[at:])
            break
        if name in _GLOBAL:
            front.append(word)
            if _GLOBAL[name] and "=" not in word and at + 1 < len(args):
                at += 1
                front.append(args[at])
        else:
            rest.append(word)
        at += 1
    return front + rest
