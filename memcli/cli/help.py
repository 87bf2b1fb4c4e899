"""`mem help`, and the page of `mem --help`: what a newcomer needs first, the rest by name, all on one screen."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memcli.cli.command import command
from memcli.cli.commands import COMMANDS, GROUPS, spelled_out
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError

WIDTH = 80
FIRST = "every day"


def page() -> str:
    """The commands of every day with what they do, the others by name."""
    lines = ["mem: a memory made of text files that you own, for you and any language model", ""]
    lines += ["Usage: mem [OPTIONS] COMMAND ...", "", *_lines(FIRST), ""]
    room = max(map(len, GROUPS)) + 4
    for group in [name for name in GROUPS if name != FIRST]:
        lines += _wrapped(f"  {group.capitalize()}".ljust(room), list(GROUPS[group]))
    return "\n".join([*lines, "", "mem help COMMAND explains one, mem help --all lists them all with the options."])


def _lines(group: str) -> list[str]:
    return [f"{group.capitalize()}:", *(f"  {name:<10}{line}" for name, (_, line) in GROUPS[group].items())]


def _wrapped(head: str, names: list[str]) -> list[str]:
    lines = [head]
    for name in names:
        if len(lines[-1]) + 2 + len(name) > WIDTH:
            lines.append(" " * len(head))
        lines[-1] += ("  " if lines[-1].strip() and lines[-1] != head else "") + name
    return lines


@command(
    "help",
    "mem help",
    "mem help recall",
    "mem help config set",
    "mem help --all",
    "mem help upkeep",
    "mem help --man > ~/.local/share/man/man1/mem.1",
    json="",
)
def help_(
    terminal: Terminal,
    name: Annotated[list[str] | None, "[COMMAND|GROUP]...", "A command, or a group like upkeep."] = None,
    /,
    all: Annotated[bool, "Every command with what it does, and the options of all."] = False,
    man: Annotated[bool, "The man page, to put into a folder of MANPATH."] = False,
) -> None:
    """Without a name it shows the page of mem --help."""
    asked = " ".join(name or ())
    if man:
        from memcli.cli.man import man_page

        text = man_page().rstrip()
    elif all:
        text = "\n".join([*(line for group in GROUPS for line in (*_lines(group), "")), _options()])
    elif asked in GROUPS:
        text = "\n".join(_lines(asked))
    else:
        text = _of_command(spelled_out(name)) if name else page()
    with terminal.paged():
        terminal.out(text)


def _options() -> str:
    from memcli.cli.main import root_command

    context = typer.Context(root_command(), info_name="mem")
    formatter: Any = context.make_formatter()
    root_command().format_global_options(context, formatter)
    return str(formatter.getvalue()).rstrip()


def _of_command(words: list[str]) -> str:
    from memcli.cli.main import load

    if words[0] not in COMMANDS:
        from memcli.vault.settings import nearest

        near = nearest(words[0], [*COMMANDS, *GROUPS]) or "mem help --all lists them all"
        raise UsageError(f"there is no command or group '{words[0]}'", near)
    found = load(words[0])
    for word in words[1:]:
        if word not in getattr(found, "commands", ()):
            raise UsageError(f"mem {words[0]} has no '{word}'", f"mem help {words[0]} shows what it has")
        found = found.load(word)
    context = typer.Context(found, info_name=f"mem {' '.join(words)}", help_option_names=["-h", "--help"])
    return str(found.get_help(context))
