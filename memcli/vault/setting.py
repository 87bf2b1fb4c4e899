"""Define the fields of YAML files: each has a default, a meaning, and what its value may be; `schema` lists the files.

Sections are not dataclasses: generating their code at each start would cost a recall 10 ms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple, TypeVar

from memcli import contributions
from memcli.errors import UsageError, VaultError
from memcli.message import Message
from memcli.vault import yaml_read

_TYPES: dict[str, type] = {  # any other annotation means dict
    "int": int, "float": float, "bool": bool, "str": str, "date": date, "tuple[str, ...]": tuple, "Any": object,
}  # fmt: skip
_IN_WORDS = {
    int: "a whole number, 0 or more",
    float: "a number, 0 or more",
    bool: "true or false",
    str: "a text",
    dict: "names with numbers, like {time: 0.3}",
    date: "a day, like 2026-11-21",
    tuple: "a text, or a list of texts",
    object: "a text, a number, or a list of them",
}
Some = TypeVar("Some", bound="Section")


class Key(NamedTuple):
    """Describe one field, with the name by which users know it: `recall.budget`, `confidence`."""

    name: str
    type: type
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    guarded: bool = False
    words: str = ""  # what a kind of sensitive text is called in a sentence; see `gates`
    personal: bool = False
    least: float = 0.0  # bounds of a number
    most: float = math.inf
    names: tuple[str, ...] = ()  # the keys that a table of numbers may have; () allows any
    like: str = ""  # a regex that the whole text must match
    when_on: bool = False  # a guarded switch needs trust to be switched on, not off

    @property
    def may_be(self) -> str:
        """Return in words what its value may be."""
        if self.choices:
            return Message("one of {names}", names=", ".join(self.choices))
        if self.like:
            return self.meaning
        bounds = self.bounds if self.type in (int, float) else ""
        return bounds or _IN_WORDS[self.type]

    @property
    def bounds(self) -> str:
        """Return in words between what its numbers must lie, or "" when any will do."""
        if self.most < math.inf:
            return Message("a number from {least} to {most}", least=f"{self.least:g}", most=f"{self.most:g}")
        return Message("a number, {n} or more", n=f"{self.least:g}") if self.least else ""

    @property
    def variable(self) -> str:
        return variable(self.name)

    def asks(self, value: Any) -> bool:
        """Return whether this value needs trust in a vault's own file; a switch, to be off, or on if it is
        `when_on`."""
        if self.choices:
            return self.guarded and value in self.choices[self.choices.index(self.default) + 1 :]
        if self.type is bool:
            value = as_type(self, value)
            return self.guarded and (value is not False if self.when_on else value is not True)
        return self.guarded and bool(value)


def setting(default: Any, meaning: str, *, choices: tuple[str, ...] = (), guarded: bool = False, **more: Any) -> Any:
    """Return a field of a section; a `guarded` one runs commands, sends data or lets secrets in, which needs trust."""
    return Key("", str, default, meaning, choices, guarded, **more)


def variable(name: str) -> str:
    """Return the environment variable that holds a setting."""
    return "MEM_" + name.replace(".", "_").upper()


def typed(name: str, key: Key) -> Key:
    """Return a setting that stands outside a section; its default determines its type."""
    return key._replace(name=name, type=type(key.default))


class Section:
    """Hold the settings of one kind. A value that was not changed is the default. Nothing can be changed later."""

    settings: dict[str, Key]

    def __init_subclass__(cls) -> None:
        made = [(name, key) for name, key in vars(cls).items() if isinstance(key, Key)]
        kinds: dict[str, str] = cls.__annotations__
        cls.settings = {name: key._replace(name=name, type=_TYPES.get(kinds[name], dict)) for name, key in made}

    def __init__(self, **changed: Any) -> None:
        self.__dict__.update({name: key.default for name, key in self.settings.items()}, **changed)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name} is set once and for all")

    def with_values(self: Some, **values: Any) -> Some:
        """Return a copy with other values."""
        return type(self)(**{**self.__dict__, **values})


def convert(key: Key, value: Any, where: str = "") -> Any:
    """Return `value`, from YAML or a string, as the type of the field; an error names `where` it came from."""
    where = where or key.name
    found = _parsed(key, value)
    if key.name.startswith("sources."):
        from memcli.vault import sources

        return sources.check_source(key, found)
    key, found = _with_later_names(key, found), as_type(key, found)
    if not _fits(key, found):
        hint = Message("{place}: {WHY}", place=key.name, WHY=key.meaning)
        raise UsageError("{setting}: {value} is not {KIND}", hint, setting=where, value=repr(value), KIND=key.may_be)
    if key.type is not dict:
        return found
    for name, number in found.items():
        if key.names and name not in key.names:
            hint = Message("one of {names}", names=", ".join(key.names))
            raise UsageError("{name}: there is no '{key}'", hint, name=where, key=name)
        if key.most < math.inf and not key.least <= number <= key.most:
            place, given = f"{where}: {name}", f"{number:g}"
            why, kind = "{setting}: {value} is not {KIND}", key.bounds
            raise UsageError(why, key.meaning, setting=place, value=given, KIND=kind)
    return {str(name): number for name, number in found.items()}


def _with_later_names(key: Key, value: Any) -> Key:
    """Return the field with the choices that are loaded only where a value may need them."""
    if key.name == "recall.encoding" and value != key.default:
        from memcli.text import tokens

        return key._replace(choices=tokens.encoding_names())
    if key.name == "recall.weights" and isinstance(value, dict) and not set(value) <= set(key.names):
        return key._replace(names=(*key.names, *(path.part for path in contributions.recall_paths())))
    return key


def _parsed(key: Key, value: Any) -> Any:
    """Return a string from the command line or the environment as the YAML value that it spells."""
    if isinstance(value, str) and key.type not in (str, tuple, date, object):
        with suppress(VaultError):
            return yaml_read.load(value, key.name)
    return value


def as_type(key: Key, value: Any) -> Any:
    """Return a value in the form of its field: a whole number as a float, `off` as false, a single text as a list."""
    if key.type is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if key.type is bool and isinstance(value, str):
        return yaml_read.SWITCHES.get(value.lower(), value)
    if "all" in key.names and _number(value):  # a single number applies to the whole table
        return {"all": float(value)}
    if key.type is tuple:
        listed = value if isinstance(value, (list, tuple)) else [value]
        if not any(isinstance(each, (dict, list)) for each in listed):
            return tuple(str(each).strip() for each in listed if str(each).strip())
    return value


def flaws(fields: type[Section], values: Mapping[str, Any], where: str) -> list[UsageError]:
    """Return an error for each wrong value of a file; names that are not a field are the user's own."""
    found = []
    for name, key in fields.settings.items():
        try:
            if values.get(name) is not None:
                convert(key, values[name], f"{where}: {name}")
        except UsageError as error:
            found.append(error)
    return found


def _fits(key: Key, value: Any) -> bool:
    if key.type is dict:
        return isinstance(value, dict) and all(map(_number, value.values()))
    if key.type in (int, float):
        return isinstance(value, key.type) and _number(value) and key.least <= value <= key.most
    if key.type is date:
        from memcli.vault.snapshots import moment  # no setting is a day, so settings do without this import

        return value == "" or moment(value) is not None
    if not isinstance(value, key.type) or (key.choices and value not in key.choices):
        return False
    return not (key.like and value) or re.fullmatch(key.like, str(value)) is not None


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
