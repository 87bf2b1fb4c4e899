"""Translate the help of commands. The English texts are looked up word for word in the tables
`help.txt`, and the lines are broken anew because Chinese characters are two cells wide."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Any

from memcli.cli.looks import cells, wrapped
from memcli.text.later import compile_later
from memcli.text.tables import spread_rows

WIDTH = 80
_ENDLESS = 10_000  # columns; so wide that the library breaks no line
_HEADING = compile_later(r"^( *)(Usage|Options|Arguments|Commands|Examples): ?", re.M)
_BRACKET = compile_later(r"\[(default|required)(: )?")
_ENTRY = compile_later(r"^(  (?:-|\[|[A-Z]{2,})\S*(?: \S+)*)  +(?=\S)", re.M)  # an argument or option
_NAME = r" *\S+(?: \S+)* {2,}(?=\S)| *"  # of an argument, an option or a command, and the column of its text
PLACEHOLDER = compile_later(r"(?<![\w-])(?:[A-Z]{2,}|ID)(?![\w-])|<(?:str|int|float)>")  # stands for what one types


@lru_cache(maxsize=2)
def _table(language: str) -> dict[str, str]:
    return {row["en"][0]: row["says"][0] for row in spread_rows(language, "help.txt")}


def translate_help(text: str, language: str) -> str:
    """Return a help text in a language, paragraph by paragraph. A paragraph without a translation stays English."""
    if not language:
        return text
    return "\n\n".join(_table(language).get(" ".join(part.split()), part) for part in text.split("\n\n"))


def translate_placeholders(name: str, language: str) -> str:
    """Return the name of an argument or option with its placeholders in a language, `DAY` as `日期`."""
    return PLACEHOLDER.sub(lambda found: translate_help(found[0], language), name)


def get_help(command: Any, ctx: Any, language: str, plain: Callable[[Any, Any], str]) -> str:
    """Return the help of a command in a language. `plain` renders the English help of a command."""
    if not language:
        return plain(command, ctx)
    shown, wide = copy(command), copy(ctx)
    shown.help, shown.epilog = translate_help(command.help or "", language), _examples(command.epilog or "", language)
    shown.params = [_translate_element(param, language) for param in command.params]
    if hasattr(command, "commands"):
        shown.commands = {name: _translate_element(each, language) for name, each in command.commands.items()}
    wide.command, wide.terminal_width, wide.max_content_width = shown, _ENDLESS, _ENDLESS
    text = _with_placeholders(plain(shown, wide), language)
    text = _HEADING.sub(lambda head: f"{head[1]}{translate_help(head[2], language)}：", text)
    text = text.replace("Show this message and exit.", translate_help("Show this message and exit.", language))
    text = _BRACKET.sub(lambda found: f"[{translate_help(found[1], language)}{'：' * bool(found[2])}", text)
    return "\n".join(piece for line in text.split("\n") for piece in wrapped(line, WIDTH, _NAME))


def _with_placeholders(text: str, language: str) -> str:
    """Return a help text with its placeholders translated, `DAY` as `日期`, and the texts beside them in one column.

    Only the usage and the names of arguments and options have placeholders.
    """

    def spoken(name: str) -> str:
        return translate_placeholders(name, language)

    text = re.sub(r"^Usage: .*$", lambda line: spoken(line[0]), text, flags=re.M)
    columns: dict[int, int] = {}  # by the column in English
    for entry in _ENTRY.finditer(text):
        columns[len(entry[0])] = max(columns.get(len(entry[0]), len(entry[0])), cells(spoken(entry[1])) + 2)
    return _ENTRY.sub(lambda entry: (name := spoken(entry[1])) + " " * (columns[len(entry[0])] - cells(name)), text)


def _translate_element(element: Any, language: str) -> Any:
    """Return a copy of an option or a command with its help translated."""
    same = copy(element)
    if getattr(element, "help", None):
        same.help = translate_help(element.help, language)
    return same


def _examples(epilog: str, language: str) -> str:
    """Return the examples of a help text in a language, with their remarks in the same column. A remark is a line, or
    the text after three spaces."""

    def translated(line: re.Match[str]) -> str:
        said = translate_help(line[2], language)
        if not line[4]:
            return line[1] + said
        column = max(len(line[2] + line[3]), cells(said) + 3)
        return line[1] + said + " " * (column - cells(said)) + translate_help(line[4], language)

    return re.sub(r"^( +)(\S.*?)(?:( {3,})(\S.*))?$", translated, epilog, flags=re.M)
