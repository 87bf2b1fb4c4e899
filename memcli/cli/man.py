"""Make the man page that `mem help --man` prints from the table of commands and their options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli import __version__
from memcli.cli.commands import GROUPS

_HEAD = """\
.TH MEM 1 "" "mem {version}" "User Commands"
.SH NAME
mem \\- a memory made of text files that you own, for you and any language model
.SH SYNOPSIS
.B mem
[OPTIONS] COMMAND ...
.SH DESCRIPTION
A vault is a folder of Markdown and YAML files, kept in git where you like.
.B mem add
writes a memory into it,
.B mem recall
finds the best ones for a question, within a budget of tokens.
.B mem help COMMAND
explains a command with its examples.
"""
_TAIL = """\
.SH ENVIRONMENT
.TP
.B MEM_VAULT
The vault that is meant.
.TP
.B MEM_NOW
Sets the clock, for tests and demonstrations: 2026\\-11\\-21T14:30.
.TP
.B VISUAL, EDITOR, NO_COLOR
Mean what they mean elsewhere.
.SH EXIT STATUS
0 done, 1 nothing found with \\-\\-strict or a check failed, 2 not understood, 3 the vault is missing or broken,
4 refused, 5 a program or network that is needed is missing, 130 interrupted.
"""


def man_page() -> str:
    """Return the whole man page in roff."""
    from memcli.cli.typer_app import load, root_command

    lines = [_HEAD.format(version=__version__).rstrip(), ".SH OPTIONS", *_options(root_command())]
    for group, commands in GROUPS.items():
        lines.append(f".SH {group.upper()}")
        for name, (_, what) in commands.items():
            lines += [
                ".TP",
                f".B mem {_plain(_usage(name, load(name)))}",
                _plain(what),
                ".RS",
                *_options(load(name)),
                ".RE",
            ]
    return "\n".join([*lines, _TAIL])


def _usage(name: str, command: Any) -> str:
    words = [str(each.metavar) for each in command.params if each.param_type_name == "argument"]
    under = "|".join(getattr(command, "commands", {}))
    return " ".join([name, *words, under]).strip()


def _options(command: Any) -> Iterator[str]:
    for each in command.params:
        if each.param_type_name == "option":
            names = ", ".join([*each.opts, *each.secondary_opts])
            yield from (".TP", f".B {_plain(names)}", _plain(each.help or ""))


def _plain(text: str) -> str:
    """Return a text escaped so that roff prints it unchanged."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
