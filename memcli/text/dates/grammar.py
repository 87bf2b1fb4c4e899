"""Rewrite a line of tokens into dates by rules, and parse dates in figures.

This module knows no words.

The lexer of a language gives each word a kind. A rule names kinds in a row, as in "measure:measure ago". Where the line
matches, the tokens are replaced by one, the result of the rule's function for their values. This repeats until only
dates are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from memcli.text.later import compile_later

from . import NO_DATE
from .meaning import FIXED, When, whole

# 2023-05-07, 2023/5/7, 2023-05, 05/2023, 05/07/2023, 7.5.2023; versions and addresses have the shape and are refused.
FIGURES = r"[0-9]+(?:[-/.][0-9]+){2,}|(?:19|20)[0-9]{2}[-/][0-9]{1,2}(?![0-9])|(?:0[1-9]|1[0-2])/20[0-9]{2}(?![0-9])"
# 05-07, 11/03: a leading zero tells it from a range or a fraction.
MONTH_AND_DAY = "(?:0[1-9][-/](?:0[1-9]|[12][0-9]|3[01])|1[0-2][-/]0[1-9])(?![-/.:0-9])"
# The name of a file may continue after its date: 2026-11-21-1435.
_YEAR_FIRST = r"((?:19|20)\d\d)([-/.])(\d\d?)(?:\2(\d\d?))?(?:(?<=-\d\d-\d\d)-.*)?"
_MONTH_FIRST = r"(\d\d)/(20\d\d)"
_YEAR_LAST = r"(\d\d?)([-/.])(\d\d?)\2((?:19|20)\d\d|(?<=/)\d\d)"


def parse_figures(written: str) -> When | None:
    """Return the meaning of a date in figures, or None when it is not a date.

    With the year last the month comes first unless it cannot; between dots the day does.
    """
    if match := re.fullmatch(_YEAR_FIRST, written):
        y, m, d = int(match[1]), int(match[3]), int(match[4] or 1)
    elif match := re.fullmatch(_YEAR_LAST, written):
        m, d, y = int(match[1]), int(match[3]), int(match[4]) + (2000 if len(match[4]) < 4 else 0)
        m, d = (d, m) if match[2] == "." or m > 12 else (m, d)
    elif match := re.fullmatch(_MONTH_FIRST, written):
        return When(FIXED, lambda _: whole("month", date(int(match[2]), int(match[1]), 1)))
    else:
        return None
    if m > 12:
        return None
    unit = "day" if match[4] else "month"
    return When(FIXED, lambda _: whole(unit, date(y, m, d)))


class DateToken(NamedTuple):
    kind: str
    value: Any
    start: int
    stop: int


_NAME = compile_later(r"(?:(\w+):)?([^\W\d]\w*)")
_GROUP = compile_later(r"\([^()]*\)\??")
# Kinds are characters below 256, since a class of others takes long to compile.
_LETTERS = [chr(n) for n in range(256) if chr(n).isalpha()]
# "The day before the week of the first Tuesday in May" is three deep; no sentence needs more.
_ROUNDS = 3
_Rule = tuple[str, list[str], Callable[..., Any], str]  # pattern, kinds it needs (as letters), function, kind it gives
_Lexer = Callable[[str, int], tuple[str, Any, int]]  # the token at a place: kind, value, end


class Grammar:
    """Try rules in their order, each over the whole line, for a few rounds.

    A pattern is a regular expression whose letters are kinds; semicolons separate several. `name:kind` passes the value
    of that token to the function as `name`. A function that returns None refuses the match. A union names several
    kinds.
    """

    def __init__(self, **unions: str) -> None:
        self._unions = unions
        self._letters: dict[str, str] = {}
        self._rules: list[_Rule] = []
        self._compiled: dict[str, re.Pattern[str]] = {}

    def rules(self, *rules: tuple[Any, ...]) -> None:
        for rule in rules:
            patterns, resolve, gives = (*rule, "date")[:3]
            for pattern in patterns.split(";"):
                plain = _GROUP.sub("", _GROUP.sub("", pattern))
                needed = [self._kinds(name.split(":")[-1]) for name in plain.split() if name[-1] != "?"]
                self._rules.append((pattern, needed, resolve, gives))

    def find_dates(self, text: str, today: date, lexer: _Lexer) -> list[tuple[int, int, When]]:
        tokens: list[DateToken] = []
        stop, last = 0, ""
        while stop < len(text):
            start = stop
            kind, value, stop = lexer(text, start)
            if kind != "gap" and not kind == last == "other":  # most of a text; the rules only ask whether it is there
                tokens.append(DateToken(kind, value, start, stop))
                last = kind
        for _ in range(_ROUNDS):
            before, line = tokens, self._line(tokens)
            for rule in self._rules:
                if any(map(line[1].isdisjoint, rule[1])):
                    continue  # true for most rules, which are not even compiled
                rewritten = self._rewritten(tokens, line[0], today, rule)
                if rewritten is not tokens:
                    tokens, line = rewritten, self._line(rewritten)
            if tokens is before:
                break
        return [(token.start, token.stop, token.value) for token in tokens if token.kind == "date"]

    def _line(self, tokens: list[DateToken]) -> tuple[str, frozenset[str]]:
        """Return the tokens as letters, and the set of those letters."""
        letters = self._letters
        line = "".join([letters.get(token.kind) or self._kinds(token.kind) for token in tokens])
        return line, frozenset(line)

    def _rewritten(self, tokens: list[DateToken], line: str, today: date, rule: _Rule) -> list[DateToken]:
        pattern, _, resolve, gives = rule
        done, rewritten = 0, []
        for match in self._expression(pattern).finditer(line):
            values = {name: tokens[i].value for name in match.groupdict() if (i := match.start(name)) >= 0}
            try:
                value = resolve(today, **values)
            except NO_DATE:
                continue
            if value is not None:
                first, stop = match.span()
                rewritten += [*tokens[done:first], DateToken(gives, value, tokens[first].start, tokens[stop - 1].stop)]
                done = stop
        return [*rewritten, *tokens[done:]] if done else tokens

    def _kinds(self, name: str) -> str:
        """Return the letters of a kind or union. A line of tokens is matched as a line of these letters."""
        if name in self._unions:
            return "".join(self._kinds(kind) for kind in self._unions[name].split())
        return self._letters.setdefault(name, _LETTERS[len(self._letters)])

    def _expression(self, pattern: str) -> re.Pattern[str]:
        def letters(match: re.Match[str]) -> str:
            kinds = f"[{self._kinds(match[2])}]"
            return f"(?P<{match[1]}>{kinds})" if match[1] else kinds

        if pattern not in self._compiled:
            self._compiled[pattern] = re.compile(_NAME.sub(letters, pattern).replace(" ", ""))
        return self._compiled[pattern]
