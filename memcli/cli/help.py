"""Define `mem help` and the page of `mem --help`: the commands for a start, and the names of all others, on one
screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from memcli.cli.command import command
from memcli.cli.commands import ALIASES, COMMANDS, GROUPS, ITSELF, MEANT, import_command, members, spelled_out
from memcli.cli.looks import cells
from memcli.cli.parse import INSTEAD
from memcli.cli.signature import read_declared
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError

if TYPE_CHECKING:
    from memcli.cli.command_help import HelpWriter

WIDTH = 80
FIRST = "every day"


def help_page(language: str = "") -> str:
    """Return the help page: the everyday commands with their descriptions, and the names of all others."""
    lines = [_say("mem: a memory made of text files that you own, for you and any language model", language), ""]
    lines += [_say("Usage: mem [OPTIONS] COMMAND ...", language), "", *_lines(FIRST, language), ""]
    room = max(cells(_say(group, language)) for group in GROUPS) + 4
    for group in [name for name in GROUPS if name != FIRST]:
        title = _say(group, language).capitalize()
        lines += _wrapped(f"  {title}{' ' * (room - 2 - cells(title))}", list(GROUPS[group]))
    last = "mem help COMMAND explains one, mem help --all lists them all with the options."
    return "\n".join([*lines, "", _say(last, language)])


def _say(text: str, language: str) -> str:
    if not language:
        return text
    from memcli.cli.command_help import translate_help

    return translate_help(text, language)


def _lines(group: str, language: str) -> list[str]:
    title = f"{_say(group, language).capitalize()}{'：' if language else ':'}"
    return [title, *(f"  {name:<10}{_say(line, language)}" for name, (_, line) in GROUPS[group].items())]


def _wrapped(head: str, names: list[str]) -> list[str]:
    lines = [head]
    for name in names:
        if cells(lines[-1]) + 2 + len(name) > WIDTH:
            lines.append(" " * cells(head))
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
    asked, language = " ".join(name or ()), terminal.speech.spoken()
    if man:
        from memcli.cli.man import man_page

        text = man_page().rstrip()
    elif all:
        groups = [line for group in GROUPS for line in ("", *_lines(group, language))]
        text = "\n".join([*groups[1:], *_writer(terminal).options(read_declared(ITSELF), INSTEAD)])
    elif group := next((group for group in GROUPS if asked in (group, _say(group, language))), ""):
        text = "\n".join(_lines(group, language))
    else:
        text = page_of(spelled_out(name or []), terminal)
    with terminal.paged():
        terminal.prose(text)


def page_of(words: list[str], terminal: Terminal) -> str:
    """Return the help of a command or of a group of commands, or the help page without words."""
    if not words:
        return help_page(terminal.speech.spoken())
    name, *rest = words
    _, line = COMMANDS.get(name, ("", ""))
    spec = import_command(name) if line else None
    known = members(name) if line and not spec else {}
    if known and not rest:
        return _writer(terminal).of_group(name, line, known)
    if known:
        spec, line, rest = known.get(rest[0]), "", rest[1:]
    if spec and (not rest or tuple(words) in ALIASES.values()):  # mem today is mem show with an argument
        return _writer(terminal).of_command(spec._replace(name=" ".join(words)), line)
    from memcli.vault.settings import nearest

    near = nearest(words[-1], [*(known or [*COMMANDS, *GROUPS])])
    hint = MEANT.get(name) or near or "mem help --all lists them all"
    raise UsageError("there is no command or group '{command}'", hint, command=" ".join(words))


def _writer(terminal: Terminal) -> HelpWriter:
    from memcli.cli.command_help import HelpWriter

    return HelpWriter(terminal.speech.spoken(), max(50, min(WIDTH, terminal.width()) - 2))
