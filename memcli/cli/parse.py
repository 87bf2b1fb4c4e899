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
    spellings = {
        spelling: (parameter, value) for parameter in parameters for spelling, value in _find_spellings(parameter)
    }
    texts: list[str] = []
    given: dict[str, list[Any]] = {parameter.name: [] for parameter in parameters}
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
    for parameter in (parameter for parameter in parameters if parameter.is_argument):
        taken = texts if _is_list(parameter) else texts[:1]
        given[parameter.name], texts = taken, texts[len(taken) :]
    try:
        return (
            None if texts else {parameter.name: _convert(parameter, given[parameter.name]) for parameter in parameters}
        )
    except ValueError:
        return None


def _find_spellings(parameter: ParameterSpec) -> Iterator[tuple[str, bool | None]]:
    """Yield each name of an option, and what it means for a switch; None means that a value follows."""
    is_switch = parameter.kind in (bool, bool | None)
    for names in parameter.names:
        on, _, off = names.partition("/")
        yield on, True if is_switch else None
        if off:
            yield off, False


def _convert(parameter: ParameterSpec, words: list[Any]) -> Any:
    """Return the value of a parameter. Raise ValueError when it is missing or typer has to convert it."""
    if not words:
        if parameter.default is REQUIRED:
            raise ValueError(parameter.name)
        return parameter.default
    kind = _find_kind(parameter)
    if _is_list(parameter):
        (kind,) = get_args(kind)
    if kind is bool:
        return words[-1]
    if kind not in _PLAIN:
        raise ValueError(parameter.name)
    return [kind(each) for each in words] if _is_list(parameter) else kind(words[-1])


def _find_kind(parameter: ParameterSpec) -> Any:
    """Return the type of a parameter without `| None`."""
    some = [each for each in get_args(parameter.kind) if each is not type(None)]
    return some[0] if type(None) in get_args(parameter.kind) and len(some) == 1 else parameter.kind


def _is_list(parameter: ParameterSpec) -> bool:
    return get_origin(_find_kind(parameter)) is list
