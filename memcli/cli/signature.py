"""Read the arguments and options of a command from its function. typer and `parse` both work from this list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, get_args

from memcli.cli.command import CommandDefinition
from memcli.cli.options import FILTERS, Agent, Filters

REQUIRED: Any = object()  # the default of an argument that has none


class ParameterSpec(NamedTuple):
    """Hold what a command declares about one argument or option."""

    name: str
    kind: Any  # like `int | None` or `list[str]`
    names: tuple[str, ...]  # of an option: `--budget`, `-b`, or both forms of a switch as `--git/--no-git`
    metavar: str | None
    help: str
    completion: Callable[..., Any] | None
    default: Any

    @property
    def is_argument(self) -> bool:
        return not self.names


def read_declared(spec: CommandDefinition) -> list[ParameterSpec]:
    """Return the parameters of a command: its own, its filters in their place, then `--agent` and `--json`."""
    found = []
    code, given = spec.run.__code__, spec.run.__defaults__ or ()
    arguments = code.co_varnames[: code.co_argcount]
    defaults = dict(zip(arguments[len(arguments) - len(given) :], given, strict=True)) | (spec.run.__kwdefaults__ or {})
    for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
        annotation = spec.run.__annotations__[name]
        if isinstance(annotation, str):  # by `from __future__ import annotations`
            annotation = eval(annotation, spec.run.__globals__)
        if annotation is Filters:
            found += [_declared(each, *FILTERS[each]) for each in spec.filters]
        else:
            found.append(_declared(name, annotation, defaults.get(name, REQUIRED), name in spec.arguments))
    if spec.agents:
        found.append(_declared("agent", Agent, None))
    if spec.json:
        found.append(_declared("as_json", Annotated[bool, "--json", spec.json], False))
    return found


def _declared(name: str, annotation: Any, default: Any, is_argument: bool = False) -> ParameterSpec:
    kind, *details = get_args(annotation)
    names = [word for word in details if isinstance(word, str) and word.startswith("-")]
    *metavar, help = [word for word in details if isinstance(word, str) and word not in names]
    if not is_argument:
        has_off = kind in (bool, bool | None) and default is not False
        long = f"--{name.replace('_', '-')}"
        if has_off and not names:
            names = [f"{long}/--no-{long[2:]}"]
        elif not has_off and not any(each.startswith("--") for each in names):
            names = [long, *names]
    completion = details[-1] if callable(details[-1]) else None
    return ParameterSpec(name, kind, tuple(names), metavar[0] if metavar else None, help, completion, default)
