"""What a setting is: a default, a meaning, and what it may be. Which settings there are is said in `settings`.

Sections are no dataclasses: writing their code anew at each start costs a recall 10 ms.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

from memcli.errors import UsageError, VaultError
from memcli.vault import yaml_read

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}  # any other annotation is a dict
_IN_WORDS = {
    int: "a whole number, 0 or more",
    float: "a number, 0 or more",
    bool: "true or false",
    str: "a text",
    dict: "names with numbers, like {time: 0.3}",
}
Some = TypeVar("Some", bound="Section")


class Key(NamedTuple):
    """One setting as users name it: `recall.budget`."""

    name: str
    type: type
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    guarded: bool = False
    words: str = ""  # how a kind of what is sensitive is called in a sentence; `gates` says more
    personal: bool = False

    @property
    def variable(self) -> str:
        return "MEM_" + self.name.replace(".", "_").upper()

    def asks(self, value: Any) -> bool:
        """Whether this value, in a vault's own file, needs trust: guarded switches are those that keep things in."""
        if self.choices:
            return self.guarded and value in self.choices[self.choices.index(self.default) + 1 :]
        return self.guarded and (value is not True if self.type is bool else bool(value))


def setting(default: Any, meaning: str, *, choices: tuple[str, ...] = (), guarded: bool = False) -> Any:
    """A setting of a section; `guarded` ones run commands, send data or let secrets in, which needs trust."""
    return Key("", str, default, meaning, choices, guarded)


class Section:
    """The settings of one kind. What was not changed has its default; nothing can be changed later."""

    settings: dict[str, Key]

    def __init_subclass__(cls) -> None:
        made = [(name, key) for name, key in vars(cls).items() if isinstance(key, Key)]
        kinds: dict[str, str] = cls.__annotations__
        cls.settings = {name: key._replace(name=name, type=_TYPES.get(kinds[name], dict)) for name, key in made}

    def __init__(self, **changed: Any) -> None:
        self.__dict__.update({name: key.default for name, key in self.settings.items()}, **changed)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name} is set once and for all")

    def changed(self: Some, **values: Any) -> Some:
        """The same with other values."""
        return type(self)(**{**self.__dict__, **values})


def convert(key: Key, value: Any, where: str = "") -> Any:
    """`value`, from YAML or from a string, as the type of the setting; `where` it came from is named if it is wrong."""
    given = value
    if isinstance(value, str) and key.type is not str:
        try:
            value = yaml_read.load(value, key.name)
        except VaultError:
            pass
    if key.name.startswith("sources."):
        from memcli.vault import sources

        return sources.checked(key, value)
    if key.type is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not _fits(key, value):
        kind = "one of " + ", ".join(key.choices) if key.choices else _IN_WORDS[key.type]
        raise UsageError(f"{where or key.name}: {given!r} is not {kind}", f"{key.name}: {key.meaning}")
    return {str(name): each for name, each in value.items()} if isinstance(value, dict) else value


def _fits(key: Key, value: Any) -> bool:
    if isinstance(value, dict) and key.type is dict:
        return all(_number(each) for each in value.values())
    if key.type in (int, float):
        return isinstance(value, key.type) and _number(value) and value >= 0
    return isinstance(value, key.type) and (not key.choices or value in key.choices)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
