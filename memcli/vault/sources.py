"""Define the sources of `mem ask`: entries under `sources:`, each under a name that the user chooses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memcli import contributions
from memcli.errors import UsageError
from memcli.message import Message
from memcli.text.later import compile_later
from memcli.vault.setting import Key, Section, as_type, convert, setting
from memcli.vault.settings import nearest

ALL = ("kind", "enabled", "limit", "most")
FIELDS = ("results", "title", "url", "text", "date")

_NAME = compile_later(r"sources\.[\w-]{1,40}\Z")
_HTTP = compile_later(r"https?://[^/@\s]+(?:[/?]\S*)?\Z")
_SECRET = compile_later(r"[?&][\w-]*(?:key|token|secret|password|auth)=(?!\{key\}|&|\Z)", re.I)


def kinds() -> dict[str, tuple[str, ...]]:
    """Return every kind of source, with the fields of its own; those that stay here come first."""
    every = {name: each.fields for name, each in contributions.source_kinds().items()}
    return {name: every[name] for name in dict.fromkeys((*local_kinds(), *every))}


def local_kinds() -> tuple[str, ...]:
    """Return the kinds that send nothing away and exist without an entry."""
    return tuple(name for name, each in contributions.source_kinds().items() if not (each.network or each.fields))


class SourceFields(Section):
    """Define the fields of one entry."""

    kind: str = setting("", "what it is; may be left out where the name says it")
    enabled: bool = setting(True, "false: it is not asked")
    limit: float = setting(10.0, "seconds after which it is left out")
    most: int = setting(20, "results that are taken, at most")
    url: str = setting("", "where it is asked; `{query}` and `{key}` in it are filled in, else `q=` is added")
    key_env: str = setting("", "the environment variable that holds its key")
    key_header: str = setting("", "the header that carries the key; else it is `Authorization: Bearer`")
    command: str = setting("", "a shell command: the question comes on stdin, or where `{query}` stands")
    fields: dict[str, str] = setting(
        {}, Message("where its JSON holds {names}, like {{results: web.results}}", names=", ".join(FIELDS))
    )


class _Entry(Key):
    """Describe one source as a setting: no variable holds it, and the highest-ranking file that names it wins."""

    @property
    def variable(self) -> str:
        return ""

    def asks(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        enabled = as_type(SourceFields.settings["enabled"], value.get("enabled"))
        return enabled is not False and value.get("kind", self.name.partition(".")[2]) not in local_kinds()


def source_key(name: str) -> Key:
    """Return the setting `sources.NAME`. Raise UsageError when the name is not valid."""
    if not _NAME.match(name):
        hint = "a source is set whole: sources.NAME, of letters, digits, _ and -"
        raise UsageError("'{name}' names no source", hint, name=name)
    return _Entry(name, dict, {}, "a source of `mem ask`", (), True)


def reach_out(named: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether any of these sources may send a question away or run something."""
    return any(each["kind"] not in local_kinds() and each.get("enabled", True) for each in named.values())


def check_source(key: Key, value: Any) -> dict[str, Any]:
    """Return what is set for a source. Raise UsageError with what is wrong with it."""
    if not isinstance(value, dict):
        hint = "{kind: web, url: https://…} is one"
        raise UsageError("{name}: {value} is not a source", hint, name=key.name, value=repr(value))
    name, known, every = key.name.partition(".")[2], SourceFields.settings, kinds()
    given = {"kind": name if name in every else "", **{str(each): value_given for each, value_given in value.items()}}
    kind = str(given["kind"])
    if kind not in every:
        hint = nearest(kind, list(every)) or Message("there are {names}", names=", ".join(every))
        raise UsageError("{name}: '{kind}' is not a kind of source", hint, name=key.name, kind=kind)
    if kind != name and (name in every or kind in local_kinds()):  # a source must not pass as the user's own notes
        hint = "another name" if name in every else f"sources.{kind}"
        raise UsageError("{name}: {kind} can't be called {other}", hint, name=key.name, kind=kind, other=name)
    may = [*ALL, *(each.lstrip("!") for each in every[kind])]
    for each in given:
        if each not in may:
            hint = nearest(each, may) or Message("it may have {names}", names=", ".join(may))
            raise UsageError("{name}: {kind} has no '{key}'", hint, name=key.name, kind=kind, key=each)
    for each in (field[1:] for field in every[kind] if field[0] == "!"):
        if not given.get(each):
            hint = Message("{place}: {WHY}", place=each, WHY=known[each].meaning)
            raise UsageError("{name}: {kind} needs {key}", hint, name=key.name, kind=kind, key=each)
    fields = _fields(key.name, given.pop("fields", {}))
    found = {each: convert(known[each], value_given, f"{key.name}.{each}") for each, value_given in given.items()}
    _address(key.name, found.get("url", ""), found.get("key_env", ""))
    return {**found, "fields": fields} if fields else found


def _fields(name: str, entry: Any) -> dict[str, str]:
    if not isinstance(entry, dict) or not all(isinstance(each, str) for each in entry.values()):
        hint = "{title: headline, text: body}"
        raise UsageError("{name}.fields: {value} is not a table of names", hint, name=name, value=repr(entry))
    for each in entry:
        if each not in FIELDS:
            hint = Message("there are {names}", names=", ".join(FIELDS))
            raise UsageError("{name}.fields: '{key}' is none", hint, name=name, key=each)
    return entry


def _address(name: str, url: str, key: str) -> None:
    if url and not _HTTP.match(url):
        hint = "https://search.example/search"
        raise UsageError("{name}.url is not an http address without user and password", hint, name=name)
    if _SECRET.search(url):
        hint = "key_env: NAME names the variable that holds it, and {key} in the address is where it goes"
        raise UsageError("{name}.url has a key in it, which would stand in the file", hint, name=name)
    if "{key}" in url and not key:
        raise UsageError("{name}.url wants a key", "key_env: NAME names the variable that holds it", name=name)
