"""Start `mem`: read the global options, load the command that is called, and report failures."""

from __future__ import annotations

import os
import sys
from errno import ENAMETOOLONG, ENOSPC
from typing import TYPE_CHECKING, Any

from memcli import __version__, extras, registry
from memcli.argv import split_options
from memcli.cli.command import call
from memcli.cli.commands import ITSELF, find_command, spelled_out
from memcli.cli.parse import MISSING, parse
from memcli.cli.terminal import Terminal
from memcli.errors import CRASHED, UNWRITTEN, MemError, UsageError
from memcli.message import Message

if TYPE_CHECKING:
    from memcli.watch.client import FastClient


def main(argv: list[str] | None = None, client: FastClient | None = None) -> None:
    """Run `mem` and end the process with an exit code. `client` is the fast client that tried a watcher before."""
    front, rest = split_options(list(sys.argv[1:] if argv is None else argv))
    args = front + spelled_out(rest)
    _open_streams()
    if args[:1] == ["--show-completion"] and args[1:] in (["bash"], ["zsh"], ["fish"]):
        os.environ["_MEM_COMPLETE"] = f"source_{args[1]}"  # typer alone would only complete for the shell it runs in
    terminal = Terminal.from_process(client.read_stdin if client else None)
    code = 0
    try:
        code = _run_and_report(args, terminal)
        terminal.tell_notices()
        if client and client.note and terminal.verbose:
            terminal.tell("{WHY}; answered without it", WHY=client.note)
        for stream in (terminal.stdout, terminal.stderr):
            stream.flush()
            stream.must_be_heard()
        if client and client.is_alone:
            terminal.start_watching()
    except OSError as error:
        code = report_unprinted(error, terminal, code)
    sys.exit(code)


def report_unprinted(error: OSError, terminal: Terminal | None = None, code: int = 0) -> int:
    """Report output that can't be written, and return the exit code.

    It is the command's own `code` if the reader has gone, UNWRITTEN if the disk behind `> file` is full.
    """
    if isinstance(error, BrokenPipeError):  # `| head -1`: the reader has what it wanted
        _silence(sys.stdout, sys.stderr)
        return code
    _silence(sys.stdout)
    (terminal or Terminal.from_process()).fail(Message("the output can't be written: {WHY}", WHY=error.strerror))
    return code or UNWRITTEN


def _silence(*streams: Any) -> None:
    """Point streams at the null device, because Python would complain at exit about output it can't write."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run_and_report(args: list[str], terminal: Terminal) -> int:
    """Run the command and return its exit code; print failures that `run` does not handle."""
    try:
        return run(args, terminal)
    except SystemExit as end:  # completion raises this itself; typer raises it with 1 for a closed pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:
        raise
    except (KeyboardInterrupt, EOFError):
        if terminal.stderr.isatty():
            terminal.stderr.write("\n")  # else the shell's prompt stands behind a question
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENOSPC and not error.filename:
            raise  # the disk behind `> file` is full: the output, not the command, has failed
        if "--debug" in args:
            from traceback import format_exc

            terminal.stderr.write(format_exc())
            return error.code if isinstance(error, MemError) else CRASHED
        _report_crash(error, args, terminal)
        return CRASHED


def _report_crash(error: Exception, args: list[str], terminal: Terminal) -> None:
    """Report an unexpected failure, and the package that is to blame if it came from a feature of one."""
    why = f"{type(error).__name__}: {error}"
    if name := _find_culprit(error, next(iter(split_options(args)[1]), "")):
        message = Message("the feature {name} failed: {why}", name=name, why=why)
        hint = Message("mem --debug … shows where; mem features off {name} switches it off", name=name)
        terminal.fail(message, hint, CRASHED)
    else:
        terminal.fail(Message("unexpected: {why}", why=why), "mem --debug … shows where; please report it", CRASHED)


def _find_culprit(error: Exception, command: str) -> str:
    """Return the feature from outside whose code raised an error or that brings the command, or "" for none."""
    from traceback import walk_tb

    modules = [frame.f_globals.get("__name__") for frame, _ in walk_tb(error.__traceback__)]
    packages = {str(name).partition(".")[0] for name in [*modules, getattr(error, "name", "")]}  # of an ImportError
    for each in registry.known():
        brings_it = command in [entry[0] for entry in each.commands]
        if each.origin != registry.BUILT_IN and (brings_it or each.module.split(".")[0].split(":")[0] in packages):
            return each.name
    return ""


def run(args: list[str], terminal: Terminal) -> int:
    """Run a command, report any MemError, and return the exit code. Other exceptions are raised."""
    terminal.as_json = "--json" in args  # a guess until the command has parsed its options
    try:
        return run_command(args, terminal)
    except MemError as error:
        if "--debug" in args:
            raise
        message = error.message
        if isinstance(message, Message) and message.key == MISSING and not terminal.as_json:
            from memcli.cli.command_help import translate_placeholders

            named = translate_placeholders(str(message.values["argument"]), terminal.speech.spoken())
            message = Message(MISSING, argument=named)
        terminal.fail(message, error.hint, error.code)
        return error.code


def run_command(args: list[str], terminal: Terminal) -> int:
    """Run a command and return its exit code. All failures are raised, for the caller to handle."""
    try:
        with extras.wanted():  # reports when the extra that a command needs is missing
            return _run_words(args, terminal)
    except OSError as error:
        if error.errno != ENAMETOOLONG:
            raise
        from memcli.text.clean import one_line

        place = one_line(str(error.filename), 100)  # a text was given where a file is meant
        raise UsageError("{place}: no such file or folder", place=place) from error


def _run_words(args: list[str], terminal: Terminal) -> int:
    """Run the command that the words mean, or print the help that they ask for, and return the exit code."""
    front, words = split_options(args)
    if "_MEM_COMPLETE" in os.environ or words[:1] in (["--show-completion"], ["--install-completion"]):
        from memcli.cli.typer_app import root_command

        root_command().main(args, prog_name="mem", obj=terminal)  # raises SystemExit
    terminal.set_options(**(parse(ITSELF, front) or {}))
    words = words[1:] if words[:1] == ["--"] else words
    if words[:1] in (["--version"], ["-V"]):
        terminal.out(f"mem {__version__}")
        return 0
    name, spec, rest = find_command(words) if words and not words[0].startswith("-") else ("", ITSELF, words)
    given = parse(spec, rest) if spec and words else None
    if spec and given is not None:
        call(spec, terminal, given)
        return 0
    from memcli.cli.help import page_of

    page = page_of(name.split(), terminal)
    if words:
        terminal.prose(page)
        return 0
    terminal.stderr.write(f"{page}\n")
    return 2


def _open_streams() -> None:
    """Make stdout and stderr write any text as UTF-8, whatever the locale, and replace a closed stream by the null
    device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(encoding="utf-8", errors="replace", newline="\n")
