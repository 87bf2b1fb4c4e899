"""Check the object of a feature, and list what it provides."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from memcli import core_commands, extend
from memcli.errors import UsageError
from memcli.extend import VERSION, Feature

_PLAIN = {"str": str, "bool": bool, "int": int}
# Names that are taken by no feature's object: of the core, of its tools for agents, and of the views of the page.
TAKEN: Mapping[str, Iterable[str]] = {
    "commands": core_commands.NAMES,
    "mcp_tools": ("recall", "remember", "show", "forget"),
    "page_views": ("/", "/review", "/days", "/days/{day}", "/list", "/file", "/memory", "/journal", "/health"),
}


def checked(feature: object, name: str) -> Feature:
    """Return the feature if `mem` can use it. Raise UsageError with the reason when it can't."""
    if not isinstance(feature, Feature):
        raise UsageError("{kind} is not a Feature of memcli.extend", kind=type(feature).__name__)
    if feature.name != name:
        raise UsageError("it is called {name} and installed as {other}", name=feature.name, other=name)
    if feature.version != VERSION:
        raise UsageError(
            "it was made for version {wanted} of the extension interface, and this is version {version}",
            wanted=feature.version,
            version=VERSION,
        )
    for secret in feature.secrets:
        try:
            re.compile(secret.pattern)
        except re.error as error:
            raise UsageError("the pattern of the secret {name}: {why}", name=secret.name, why=error) from error
    return feature


def check_contents(item: Any, place: str = "") -> None:
    """Raise UsageError when a field of a feature, or of what it lists, has a value that its type does not allow."""
    for field, annotation in type(item).__annotations__.items():
        wanted, value, here = annotation.__forward_arg__, getattr(item, field), f"{place}{field}"
        if not _fits(value, wanted):
            raise UsageError("{place}: {value} is not of the type {type}", place=here, value=repr(value), type=wanted)
        for each in value if isinstance(value, tuple) and not hasattr(value, "_fields") else ():
            if isinstance(each, tuple) and hasattr(each, "_fields"):
                check_contents(each, f"{here}: ")


def _fits(value: Any, wanted: str) -> bool:
    """Return whether a value is of a type, as far as a feature's mistake would show."""
    kind, _, of = wanted.removesuffix(" | None").partition("[")
    if value is None and wanted.endswith(" | None"):
        return True
    if kind == "tuple":
        many = of.endswith(", ...]")
        items = [of[: -len(", ...]")]] * len(value) if many and isinstance(value, tuple) else of[:-1].split(", ")
        return isinstance(value, tuple) and len(value) == len(items) and all(map(_fits, value, items))
    if kind in ("Callable", "Mapping"):
        return callable(value) if kind == "Callable" else isinstance(value, Mapping)
    return isinstance(value, _PLAIN.get(kind) or getattr(extend, kind))


def check_names(feature: Feature, others: Iterable[Mapping[str, Iterable[str]]]) -> None:
    """Raise UsageError when a name can't be used, or is taken by `mem` or by what `others` bring."""
    for kind, names in brings(feature).items():
        taken = {name for each in others for name in each.get(kind, ())}.union(TAKEN.get(kind, ())) - {""}
        if twice := next(filter(taken.__contains__, names), ""):
            raise UsageError("{kind}: {name} is there already", kind=kind, name=twice)
    for view in feature.page_views:
        if not view.name.startswith("/"):
            raise UsageError("the address of the view {name} does not begin with /", name=view.name)
    for layer in feature.prompt_layers:
        if f"prompt.{layer.name}" not in feature.settings:
            raise UsageError("the setting {name} is missing for its layer", name=f"prompt.{layer.name}")
    for tool in feature.mcp_tools:
        schemas = tool.properties.values()
        typed = all(isinstance(each, Mapping) and isinstance(each.get("type"), str) for each in schemas)
        if not typed or (tool.required and tool.required not in tool.properties):
            raise UsageError("the arguments of the tool {name} have no schema", name=tool.name)


def brings(feature: Feature) -> dict[str, list[str]]:
    """Return the kinds of things that a feature provides, each with their names if they have any."""
    found: dict[str, list[str]] = {}
    for kind in Feature._fields[3:]:
        if value := getattr(feature, kind):
            named = value if isinstance(value, (tuple, Mapping)) else ()
            found[kind] = [each if isinstance(each, str) else str(getattr(each, "name", "")) for each in named]
    return found


def plain_defaults(feature: Feature) -> dict[str, bool | int | float | str]:
    """Return the defaults of a feature's settings, those that a note can hold."""
    defaults = {name: key.default for name, key in feature.settings.items()}
    return {name: value for name, value in defaults.items() if isinstance(value, (bool, int, float, str))}


def file_of(module: str) -> str:
    """Return the file of a module, also of one that can't be imported, so that its repair is noticed."""
    try:
        from importlib.util import find_spec  # few modules can't be imported

        found = sys.modules.get(module)
        return str(found.__file__ if found else getattr(find_spec(module), "origin", None) or "")
    except (Exception, SystemExit):  # of the package above it
        return ""
