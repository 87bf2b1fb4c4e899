"""How an assistant should talk now: `state.yaml`, every value checked. Nothing but an explicit command changes it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

from memcli.errors import MemError, UsageError
from memcli.vault import cache_files, files, yaml_read
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

FILE = "state.yaml"
RESET = "last_reset"
CHOICES = {"response_length": ("short", "medium", "long"), "session_mode": ("casual", "deep_dive", "tutorial")}
_CHINESE = {"短": "short", "中": "medium", "长": "long", "闲聊": "casual", "深入": "deep_dive", "教程": "tutorial"}


@dataclass(frozen=True)
class State:
    """What is not set has these values."""

    language: str = ""  # empty: the one that is spoken
    role: str = "default"  # a file in roles/
    topics_of_interest: tuple[str, ...] = ()
    avoid_topics: tuple[str, ...] = ()
    response_length: str = "medium"
    session_mode: str = "casual"
    last_reset: str = ""


DEFAULTS = asdict(State())


def read(vault: Vault) -> State:
    """The state in force: what is wrong in the file is noticed, and its default counts."""
    try:
        found = yaml_read.mapping(files.read_or_empty(files.inside(vault.root, FILE), FILE).text, FILE)
    except MemError as error:
        vault.notice(f"{error.message}; the defaults count")
        return State()
    values = {}
    for name, given in found.items():
        if given is None:
            continue
        try:
            values[name] = checked(vault, name, given)
        except UsageError as error:
            counts = f"; {DEFAULTS[name]} counts" if DEFAULTS.get(name) else ""
            vault.notice(f"{FILE}: {error.message}{counts}")
    return State(**values)


def checked(vault: Vault, name: str, given: Any) -> Any:
    """A value as it belongs into the state; UsageError when it can't be one."""
    if name not in DEFAULTS:
        raise UsageError(f"there is no '{name}' in the state", nearest(name, list(DEFAULTS)) or _one_of(DEFAULTS))
    if isinstance(DEFAULTS[name], tuple):
        listed = given if isinstance(given, (list, tuple)) else [given]
        return tuple(str(each).strip() for each in listed if str(each).strip())
    value = str(given).strip()
    if name in CHOICES:
        low = value.casefold().replace("-", "_").replace(" ", "_")
        value = _CHINESE.get(low, low)
        if value not in CHOICES[name]:
            raise UsageError(f"{name} can't be '{given}'", _one_of(CHOICES[name]))
    if name == "role" and value not in (known := [DEFAULTS["role"], *roles(vault)]):
        raise UsageError(f"there is no role '{value}' in roles/", _one_of(dict.fromkeys(known)))
    return value


def roles(vault: Vault) -> list[str]:
    """The names of the roles in `roles/`."""
    folder, ends = vault.root / "roles", (".yaml", ".yml")
    try:
        return sorted(PurePath(name).stem for end in ends for name in cache_files.names(folder, end))
    except MemError as error:
        vault.notice(error.message)
        return []


def _one_of(choices: Any) -> str:
    return "one of " + ", ".join(choices)
