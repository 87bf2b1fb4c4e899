"""Read the words of a command as its function declares them, without loading typer.

typer takes longer to load than most commands to run. It still reads what this module leaves to it: help, mistakes,
and rare ways to write an option, such as `-k5`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_origin

from memcli.cli.command import CommandDefinition
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared

_PLAIN = (str, int, float)


def parse(spec: CommandDefinition, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the value of each parameter of a command, or None when typer has to read the words."""
    parameters = read_declared(spec)
    spellings = {spelling: (one, value) for one in parameters for spelling, value in _spellings(one)}
    texts: list[str] = []
    given: dict[str, list[Any]] = {one.name: [] for one in parameters}
    left = [*reversed(words)]
    while left:
        word = left.pop()
        name, equals, value = word.partition("=")
        if word == "--":
            texts += reversed(left)
            break
        if word == "-" or not word.startswith("-"):
            texts.append(word)
        elif word in spellings and (switch := spellings[word])[1] is not None:
            given[switch[0].name].append(switch[1])
        elif name in spellings and spellings[name][1] is None and (name.startswith("--") if equals else left):
            given[spellings[name][0].name].append(value if equals else left.pop())
        else:
            return None
    for one in (one for one in parameters if one.is_argument):
        taken = texts if _is_list(one) else texts[:1]
        given[one.name], texts = taken, texts[len(taken) :]
    try:
        return None if texts else {one.name: _value(one, given[one.name]) for one in parameters}
    except ValueError:
        return None


def _spellings(one: ParameterSpec) -> Iterator[tuple[str, bool | None]]:
    """Yield each name of an option, and what it means for a switch; None means that a value follows."""
    is_switch = one.kind in (bool, bool | None)
    for names in one.names:
        on, _, off = names.partition("/")
        yield on, True if is_switch else None
        if off:
            yield off, False


def _value(one: ParameterSpec, given: list[Any]) -> Any:
    """Return the value of a parameter. Raise ValueError when it is missing or typer has to convert it."""
    if not given:
        if one.default is REQUIRED:
            raise ValueError(one.name)
        return one.default
    kind = _kind(one)
    if _is_list(one):
        (kind,) = get_args(kind)
    if kind is bool:
        return given[-1]
    if kind not in _PLAIN:
        raise ValueError(one.name)
    return [kind(each) for each in given] if _is_list(one) else kind(given[-1])


def _kind(one: ParameterSpec) -> Any:
    """Return the type of a parameter without `| None`."""
    some = [each for each in get_args(one.kind) if each is not type(None)]
    return some[0] if type(None) in get_args(one.kind) and len(some) == 1 else one.kind


def _is_list(one: ParameterSpec) -> bool:
    return get_origin(_kind(one)) is list
