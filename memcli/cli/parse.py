"""Read the words of a command as its function declares them, without loading typer, and say what is wrong with them.

typer takes longer to load than most commands to run. It completes words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, get_args, get_origin

from memcli.cli.command import CommandDefinition
from memcli.cli.signature import REQUIRED, ParameterSpec, read_declared
from memcli.errors import UsageError
from memcli.message import Message
from memcli.text.later import compile_later

CLOSE = 0.65  # likeness from which a mistyped word is taken for another
HELP = ("-h", "--help")
# What `mem` itself takes instead of a command, and what it does.
INSTEAD = {
    "-V, --version": "Show the version.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Show completion for the current shell, to copy it or customize the installation.",
}
MISSING = "missing argument '{argument}'"
_TEXT = compile_later(r"-(?:[\d\s]|[^\x00-\x7f]|[^\s=]*\s)")  # like `- a list item` or `-5 degrees`
_WRONG = {
    int: "invalid value for {option}: '{value}' is not a whole number",
    float: "invalid value for {option}: '{value}' is not a number",
}


def parse(spec: CommandDefinition, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the value of each parameter of a command, or None when its help is asked for."""
    parameters = read_declared(spec)
    spellings = {
        spelling: (parameter, value) for parameter in parameters for spelling, value in _find_spellings(parameter)
    }
    texts: list[str] = []
    given: dict[str, list[Any]] = {parameter.name: [] for parameter in parameters}
    left = [*reversed(words)]
    while left:
        word = left.pop()
        if word == "--":
            texts += reversed(left)
            break
        if word in ("", "-") or word[0] != "-" or (spec.text and _TEXT.match(word)):
            texts.append(word)
            continue
        if word in HELP:
            return None
        name, equals, value = word.partition("=")
        # `-k5`, or `-yn` for `-y -n`; `-tag` is a mistyped `--tag`
        if len(word) > 2 and word[:2] in spellings and f"-{name}" not in spellings:
            name, equals, value = word[:2], "=", word[2:]
            if spellings[name][1] is not None and value[0] != "=":
                left.append(f"-{value}")
                equals = ""
        parameter, switch = spellings.get(name) or _refuse_option(spec, name, spellings)
        if switch is not None and equals:
            raise _mistake(spec, "option {option} does not take a value", option=name)
        if switch is None and not equals and not left:
            raise _mistake(spec, "option {option} requires an argument", option=name)
        given[parameter.name].append(switch if switch is not None else value if equals else left.pop())
    for parameter in (parameter for parameter in parameters if parameter.is_argument):
        taken = texts if _is_list(parameter) else texts[:1]
        given[parameter.name], texts = taken, texts[len(taken) :]
    if texts:
        raise _mistake(spec, "not understood: {argument}", argument=" ".join(texts))
    return {parameter.name: _convert(spec, parameter, given[parameter.name]) for parameter in parameters}


def find_close(word: str, names: dict[str, str]) -> str:
    """Return what the name nearest to a word stands for, or "" when none is near."""
    from difflib import get_close_matches  # needed only for errors

    near = get_close_matches(word, names, 1, CLOSE)
    return names[near[0]] if near else ""


def _refuse_option(spec: CommandDefinition, name: str, spellings: Iterable[str]) -> NoReturn:
    """Raise the error about an option that does not exist. The dashes are not taken for a likeness."""
    known = [*spellings, *HELP, *(", ".join(INSTEAD).split(", ") if spec.name == "mem" else ())]
    begins = [each for each in known if each.startswith(f"-{name}")]  # -o may be meant for --out
    near = begins[0] if begins else find_close(name.lstrip("-"), {each.lstrip("-"): each for each in known})
    message = "no such option: {option}. Did you mean {name}?" if near else "no such option: {option}"
    raise _mistake(spec, message, option=name, name=near)


def _mistake(spec: CommandDefinition, message: str, **values: Any) -> UsageError:
    if spec.name == "mem":
        return UsageError(message, Message("{command} --help lists the commands", command="mem"), **values)
    return UsageError(message, Message("{command} --help shows what it takes", command=f"mem {spec.name}"), **values)


def _find_spellings(parameter: ParameterSpec) -> Iterator[tuple[str, bool | None]]:
    """Yield each name of an option, and what it means for a switch; None means that a value follows."""
    is_switch = parameter.kind in (bool, bool | None)
    for names in parameter.names:
        on, _, off = names.partition("/")
        yield on, True if is_switch else None
        if off:
            yield off, False


def _convert(spec: CommandDefinition, parameter: ParameterSpec, words: list[Any]) -> Any:
    """Return the value of a parameter."""
    name = " / ".join(parameter.names) or parameter.metavar
    if not words:
        if parameter.default is REQUIRED:
            raise _mistake(spec, MISSING, argument=name)
        return parameter.default
    kind = find_kind(parameter)
    if _is_list(parameter):
        (kind,) = get_args(kind)
    try:
        values = [kind(each) for each in words]
    except ValueError:
        message = _WRONG.get(kind, "invalid value for {option}: {value}")
        raise _mistake(spec, message, option=name, value=words[-1]) from None
    return values if _is_list(parameter) else values[-1]


def find_kind(parameter: ParameterSpec) -> Any:
    """Return the type of a parameter without `| None`."""
    some = [each for each in get_args(parameter.kind) if each is not type(None)]
    return some[0] if type(None) in get_args(parameter.kind) and len(some) == 1 else parameter.kind


def _is_list(parameter: ParameterSpec) -> bool:
    return get_origin(find_kind(parameter)) is list
