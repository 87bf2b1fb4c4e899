"""Make the help of a command from its definition, in the user's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, get_args

from memcli.cli.command import CommandDefinition
from memcli.cli.looks import aligned, cells, wrapped
from memcli.cli.parse import HELP, find_kind
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared
from memcli.text.later import compile_later
from memcli.text.tables import spread_rows

PLACEHOLDER = compile_later(r"(?<![\w-])(?:[A-Z]{2,}|ID)(?![\w-])|<(?:str|int|float)>")  # stands for what one types
Row = tuple[str, str]  # an argument, an option or a command, and what it does


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


class HelpWriter(NamedTuple):
    """Write help texts in a language, with lines of at most `width` cells."""

    language: str
    width: int

    def of_command(self, spec: CommandDefinition, line: str) -> str:
        """Return the help of a command; `line` is put before that of its function."""
        declared = read_declared(spec)
        arguments = [one for one in declared if one.is_argument]
        named = [one.metavar or "" for one in arguments]
        usage = [spec.name, "[OPTIONS]", *(name if name.startswith("[") else f"{{{name}}}" for name in named)]
        lines = [*self._head(usage, f"{line}\n\n{spec.help}"), *self.section("Arguments", map(self._row, arguments))]
        return "\n".join([*lines, *self.options(declared), *self._examples(spec.examples)])

    def of_group(self, name: str, line: str, members: Mapping[str, CommandDefinition]) -> str:
        """Return the help of a group of commands, with the first example of each."""
        rows = [(word, self.say(spec.help.partition("\n\n")[0])) for word, spec in members.items()]
        lines = [*self._head([name, "[OPTIONS]", "COMMAND", "[ARGS]..."], line), *self.options([])]
        examples = self._examples(spec.examples[0] for spec in members.values())
        return "\n".join([*lines, *self.section("Commands", rows), *examples])

    def say(self, text: str) -> str:
        return " ".join(translate_help(text, self.language).split())

    def options(self, declared: Iterable[ParameterSpec], more: Mapping[str, str] = {}) -> Iterator[str]:
        """Yield the lines about options: those that are declared, and `more`."""
        last = {**more, ", ".join(HELP): "Show this message and exit."}
        rows = [self._row(one) for one in declared if not one.is_argument]
        yield from self.section("Options", [*rows, *((name, self.say(text)) for name, text in last.items())])

    def section(self, title: str, rows: Iterable[Row]) -> Iterator[str]:
        """Yield the lines of a list of arguments, options or commands; none for an empty one."""
        listed = [[f"  {name}", text] for name, text in rows]
        if listed:
            yield from ("", self.say(title) + self._colon.rstrip())
        for before, (first, *below) in aligned(listed, self.width, False, ()):
            yield from ("  ".join([*before, first]).rstrip(), *below)

    @property
    def _colon(self) -> str:
        return "：" if self.language else ": "

    def _row(self, one: ParameterSpec) -> Row:
        """Return the name of an argument or option, and what it does, with its default."""
        text, default = self.say(one.help), one.default
        if default is True:  # a switch is on: its own name says so
            default = one.names[0].partition("/")[0].lstrip("-")
        if default is REQUIRED:
            text += f"  [{self.say('required')}]"
        elif default is not False and default not in ("", None):
            text += f"  [{self.say('default')}{self._colon}{default}]"
        names = ", ".join(sorted(one.names, key=len)).replace("/", " / ")
        kind = find_kind(one)
        typed = (get_args(kind) or [kind])[0]
        value = one.metavar or ("" if kind is bool else f"<{getattr(typed, '__name__', typed)}>")
        return translate_placeholders(f"{names} {value}".strip(), self.language), text

    def _head(self, usage: list[str], text: str) -> Iterator[str]:
        begin = f"{self.say('Usage')}{self._colon}mem {usage[0]} "
        typed = translate_placeholders(" ".join(usage[1:]), self.language)
        yield from wrapped(begin + typed, self.width, re.escape(begin))
        for part in filter(None, map(str.strip, text.split("\n\n"))):
            yield from ("", *wrapped(f"  {self.say(part)}", self.width, " *"))

    def _examples(self, examples: Iterable[str]) -> Iterator[str]:
        """Yield the examples of a help text, with their remarks in the same column. A remark is a line, or the text
        after three spaces."""
        yield from ("", f"  {self.say('Examples')}{self._colon.rstrip()}")
        for line in examples:
            found = re.match(r"(.*?\S)( {3,})(\S.*)", line)
            shown, gap, remark = found.groups() if found else (line, "", "")
            said = translate_help(shown, self.language)
            column = max(len(shown + gap), cells(said) + 3) if remark else 0
            yield f"    {said}{' ' * (column - cells(said))}{translate_help(remark, self.language)}"
