"""Define the sources of `mem ask`: entries under `sources:`, each under a name that the user chooses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memcli import contributions
from memcli.errors import UsageError
from memcli.text.later import compile_later
from memcli.vault.setting import Key, Section, convert, setting
from memcli.vault.settings import nearest

ALL = ("kind", "enabled", "limit", "most")
FIELDS = ("results", "title", "url", "text", "date")

_NAME = compile_later(r"sources\.[\w-]{1,40}\Z")
_HTTP = compile_later(r"https?://[^/@\s]+(?:[/?]\S*)?\Z")
_SECRET = compile_later(r"[?&][\w-]*(?:key|token|secret|password|auth)=(?!\{key\}|&|\Z)", re.I)


def kinds() -> dict[str, tuple[str, ...]]:
    """Return every kind of source, with the fields of its own; those that stay here come first."""
    every = {name: each.fields for name, each in contributions.source_kinds().items()}
    return {name: every[name] for name in dict.fromkeys((*here(), *every))}


def here() -> tuple[str, ...]:
    """Return the kinds that send nothing away and exist without an entry."""
    return tuple(name for name, each in contributions.source_kinds().items() if not (each.network or each.fields))


class Source(Section):
    """Define the fields of one entry."""

    kind: str = setting("", "what it is; may be left out where the name says it")
    enabled: bool = setting(True, "false: it is not asked")
    limit: float = setting(10.0, "seconds after which it is left out")
    most: int = setting(20, "results that are taken, at most")
    url: str = setting("", "where it is asked; `{query}` and `{key}` in it are filled in, else `q=` is added")
    key_env: str = setting("", "the environment variable that holds its key")
    key_header: str = setting("", "the header that carries the key; else it is `Authorization: Bearer`")
    command: str = setting("", "a shell command: the question comes on stdin, or where `{query}` stands")
    fields: dict[str, str] = setting({}, f"where its JSON holds {', '.join(FIELDS)}, like {{results: web.results}}")


class _Entry(Key):
    """Describe one source as a setting.

    No environment variable holds it. It is replaced as a whole: the highest-ranking file that names it wins.
    """

    @property
    def variable(self) -> str:
        return ""

    def asks(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return value.get("enabled") is not False and value.get("kind", self.name.partition(".")[2]) not in here()


def key(name: str) -> Key:
    """Return the setting `sources.NAME`. Raise UsageError when the name is not valid."""
    if not _NAME.match(name):
        raise UsageError(
            f"'{name}' names no source", "a source is set whole: sources.NAME, of letters, digits, _ and -"
        )
    return _Entry(name, dict, {}, "a source of `mem ask`", (), True)


def reach_out(named: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether any of these sources may send a question away or run something."""
    return any(each["kind"] not in here() and each.get("enabled", True) for each in named.values())


def checked(key: Key, value: Any) -> dict[str, Any]:
    """Return what is set for a source. Raise UsageError with what is wrong with it."""
    if not isinstance(value, dict):
        raise UsageError(f"{key.name}: {value!r} is no source", "{kind: web, url: https://…} is one")
    name, known, every = key.name.partition(".")[2], Source.settings, kinds()
    given = {"kind": name if name in every else "", **{str(each): said for each, said in value.items()}}
    kind = str(given["kind"])
    if kind not in every:
        hint = nearest(kind, list(every)) or f"there are {', '.join(every)}"
        raise UsageError(f"{key.name}: '{kind}' is no kind of source", hint)
    if kind != name and (name in every or kind in here()):  # a source must not pass as the user's own notes
        raise UsageError(
            f"{key.name}: {kind} can't be called {name}", "another name" if name in every else f"sources.{kind}"
        )
    may = [*ALL, *(each.lstrip("!") for each in every[kind])]
    for each in given:
        if each not in may:
            hint = nearest(each, may) or f"it may have {', '.join(may)}"
            raise UsageError(f"{key.name}: {kind} has no '{each}'", hint)
    for each in every[kind]:
        if each[0] == "!" and not given.get(each[1:]):
            raise UsageError(f"{key.name}: {kind} needs {each[1:]}", f"{each[1:]}: {known[each[1:]].meaning}")
    fields = _fields(key.name, given.pop("fields", {}))
    found = {each: convert(known[each], said, f"{key.name}.{each}") for each, said in given.items()}
    _address(key.name, found.get("url", ""), found.get("key_env", ""))
    return {**found, "fields": fields} if fields else found


def _fields(name: str, said: Any) -> dict[str, str]:
    if not isinstance(said, dict) or not all(isinstance(each, str) for each in said.values()):
        raise UsageError(f"{name}.fields: {said!r} is no table of names", "{title: headline, text: body}")
    for each in said:
        if each not in FIELDS:
            raise UsageError(f"{name}.fields: '{each}' is none", f"there are {', '.join(FIELDS)}")
    return said


def _address(name: str, url: str, key: str) -> None:
    if url and not _HTTP.match(url):
        raise UsageError(f"{name}.url is no http address without user and password", "https://search.example/search")
    if _SECRET.search(url):
        hint = "key_env: NAME names the variable that holds it, and {key} in the address is where it goes"
        raise UsageError(f"{name}.url has a key in it, which would stand in the file", hint)
    if "{key}" in url and not key:
        raise UsageError(f"{name}.url wants a key", "key_env: NAME names the variable that holds it")
