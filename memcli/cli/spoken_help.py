"""Translate the help of commands. The English texts are looked up word for word in the tables
`help.txt`, and the lines are broken anew because Chinese characters are two cells wide."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Any

from memcli.cli.looks import cells
from memcli.text.later import compile_later
from memcli.text.tables import spread_rows

WIDTH = 80
_ENDLESS = 10_000  # columns; so wide that the library breaks no line
_HEADING = compile_later(r"^( *)(Usage|Options|Arguments|Commands|Examples): ?", re.M)
_BRACKET = compile_later(r"\[(default|required)(: )?")


@lru_cache(maxsize=2)
def _table(language: str) -> dict[str, str]:
    return {row["en"][0]: row["says"][0] for row in spread_rows(language, "help.txt")}


def words(text: str, language: str) -> str:
    """Return a help text in a language, paragraph by paragraph. A paragraph without a translation stays English."""
    if not language:
        return text
    return "\n\n".join(_table(language).get(" ".join(part.split()), part) for part in text.split("\n\n"))


def get_help(command: Any, ctx: Any, language: str, plain: Callable[[Any, Any], str]) -> str:
    """Return the help of a command in a language. `plain` renders the English help of a command."""
    if not language:
        return plain(command, ctx)
    shown, wide = copy(command), copy(ctx)
    shown.help, shown.epilog = words(command.help or "", language), _examples(command.epilog or "", language)
    shown.params = [_spoken(param, language) for param in command.params]
    if hasattr(command, "commands"):
        shown.commands = {name: _spoken(each, language) for name, each in command.commands.items()}
    wide.command, wide.terminal_width, wide.max_content_width = shown, _ENDLESS, _ENDLESS
    text = _HEADING.sub(lambda head: f"{head[1]}{words(head[2], language)}：", plain(shown, wide))
    text = text.replace("Show this message and exit.", words("Show this message and exit.", language))
    text = _BRACKET.sub(lambda found: f"[{words(found[1], language)}{'：' * bool(found[2])}", text)
    return "\n".join(piece for line in text.split("\n") for piece in _fitted(line))


def _spoken(thing: Any, language: str) -> Any:
    """Return a copy of an option or a command with its help translated."""
    same = copy(thing)
    if getattr(thing, "help", None):
        same.help = words(thing.help, language)
    return same


def _examples(epilog: str, language: str) -> str:
    """Return the examples of a help text with their remarks translated. A remark follows at least three spaces."""
    return re.sub(r"(?<=\S)( {3,})(\S.*)$", lambda found: found[1] + words(found[2], language), epilog, flags=re.M)


def _fitted(line: str) -> list[str]:
    """Return a line broken to fit the width, with further lines indented to the column where its text begins."""
    column = re.match(r" *\S+(?: \S+)* {2,}(?=\S)| *", line)
    under = cells(column[0]) if column and cells(column[0]) < WIDTH // 2 else 4
    lines = [""]
    for sign in re.findall(r"[^\x00-\x7f]|[\x21-\x7e]+ *| +", line):
        if cells(lines[-1] + sign.rstrip()) > WIDTH and sign not in "，。；、：）”" and lines[-1].strip():
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * under)
        lines[-1] += sign
    return lines
