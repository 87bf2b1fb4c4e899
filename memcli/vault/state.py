"""Read `state.yaml`, how an assistant should talk now, and check every value. Only an explicit command changes it."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath
from typing import Any

from memcli.errors import MemError, NotFound, UsageError
from memcli.message import Message
from memcli.vault import cache_files, files, yaml_read
from memcli.vault.setting import Section, convert, setting
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

FILE = "state.yaml"
RESET = "last_reset"
LANGUAGE = r"[^\W\d_].*"  # the name of a language begins with a letter
_CHINESE = {
    "短": "short", "简短": "short", "中": "medium", "适中": "medium", "长": "long", "详细": "long",
    "闲聊": "casual", "深入": "deep_dive", "教程": "tutorial",
}  # fmt: skip


class State(Section):
    """Define the fields of the state, with their defaults."""

    language: str = setting("", "a language to answer in; empty: the one that is spoken", like=LANGUAGE)
    role: str = setting("default", "`default`, or the name of a file in `roles/`")
    topics_of_interest: tuple[str, ...] = setting((), "subjects that you like to come back to")
    avoid_topics: tuple[str, ...] = setting((), "subjects to avoid")
    response_length: str = setting("medium", "how long answers are", choices=("short", "medium", "long"))
    session_mode: str = setting(
        "casual", "what kind of conversation it is", choices=("casual", "deep_dive", "tutorial")
    )
    last_reset: date = setting("", "the day of `mem state reset`")


DEFAULTS = {name: key.default for name, key in State.settings.items()}


def read_state(vault: Vault) -> State:
    """Return the state in force. A wrong value in the file is reported in a notice and replaced by its default."""
    try:
        found = yaml_read.mapping(files.read_or_empty(files.inside(vault.root, FILE), FILE).text, FILE)
    except MemError as error:
        vault.notice("{WHY}; the defaults count", WHY=error.message)
        return State()
    values = {}
    for name, given in found.items():
        if given is None:
            continue
        try:
            values[name] = check_value(vault, name, given)
        except UsageError as error:
            why = Message("{place}: {WHY}", place=FILE, WHY=error.message)
            vault.notice(Message("{WHY}; {value} counts", WHY=why, value=DEFAULTS[name]) if DEFAULTS.get(name) else why)
    return State(**values)


def check_value(vault: Vault, name: str, value_given: Any) -> Any:
    """Return a value as the state can hold it. Raise UsageError when it is wrong, NotFound without such a field."""
    if name not in DEFAULTS:
        hint = nearest(name, list(DEFAULTS)) or _one_of(DEFAULTS)
        raise NotFound("there is no '{name}' in the state", hint, name=name)
    key = State.settings[name]
    if key.choices and isinstance(value_given, str):
        low = value_given.strip().casefold().replace("-", "_").replace(" ", "_")
        value_given = _CHINESE.get(low, low)
    value = convert(key, value_given.strip() if isinstance(value_given, str) else value_given)
    if name == "role" and value not in (known := [key.default, *roles(vault)]):
        raise UsageError("there is no role '{value}' in roles/", _one_of(dict.fromkeys(known)), value=value)
    return str(value) if key.type is date else value


def roles(vault: Vault) -> list[str]:
    """Return the names of the roles in `roles/`."""
    folder, ends = vault.root / "roles", (".yaml", ".yml")
    try:
        return sorted(PurePath(name).stem for end in ends for name in cache_files.names(folder, end))
    except MemError as error:
        vault.notice(error.message)
        return []


def _one_of(choices: Any) -> str:
    return Message("one of {names}", names=", ".join(choices))
