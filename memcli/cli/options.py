"""Define options that several commands share: the usual filters, and what a shell may complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Annotated, Any, NamedTuple

from memcli.errors import MemError, UsageError
from memcli.message import Message
from memcli.text.clean import harmless
from memcli.vault import layout, names
from memcli.vault.filter import read_days
from memcli.vault.vault import Filter, Vault

LATEST = 200  # ids and tags are completed from this many of the latest memories
TYPES = ("decision", "fact", "insight", "preference", "project", "question", "task")


def words(*known: str) -> Callable[[str], list[str]]:
    """Return a completion for the words of a closed list."""
    return lambda incomplete: [word for word in known if word.startswith(incomplete)]


def completes(names: Callable[[Vault], Iterable[str]]) -> Callable[[Any, str], list[str]]:
    """Return a completion for names in the vault, which `names` reads."""

    def complete(ctx: Any, incomplete: str) -> list[str]:
        try:
            known = dict.fromkeys(names(ctx.obj.vault(forgiving=True)))
        except MemError:
            return []
        return [name for name in known if name.startswith(incomplete) and name == harmless(name)]

    return complete


def _sessions(vault: Vault) -> list[str]:
    from memcli.session import ids

    every = ids(vault)
    return every + [id.rpartition("-")[2] for id in every]


def _roles(vault: Vault) -> list[str]:
    from memcli.vault import state

    return state.roles(vault)


def _ids(vault: Vault) -> list[str]:
    return [entry.id for entry in vault.latest(Filter(), LATEST)[0]]


def _agents(vault: Vault) -> list[str]:
    from memcli.vault import cache_files

    return cache_files.folders(vault.root / layout.AGENTS)


def _tags(vault: Vault) -> list[str]:
    return sorted({tag for entry in vault.latest(Filter(), LATEST)[0] for tag in entry.tags})


def keys(ctx: Any, incomplete: str) -> list[str]:
    """Complete the keys of the command's group: keys of `profile`, names of `label`, settings of `config`."""
    from memcli.vault import labels, preferences, profile, settings, state

    group = ctx.parent.info_name if ctx.parent else ""
    names: dict[str | None, Callable[[Vault], Iterable[str]]] = {
        "profile": lambda vault: [*profile.KNOWN, *profile.read_profile(vault)],
        "state": lambda vault: state.DEFAULTS,
        "prefer": lambda vault: [preference.key for preference in preferences.read_preferences(vault)],
        "label": lambda vault: [name for label in labels.read_labels(vault) for name in label.names],
        "config": lambda vault: settings.keys(),
    }
    return completes(names[group])(ctx, incomplete)


# Completes whole paths, because the shell would treat a folder as a finished word.
files = completes(lambda vault: layout.walk(vault.root))
sessions, roles, ids, tags = completes(_sessions), completes(_roles), completes(_ids), completes(_tags)
agents = completes(_agents)
places = completes(lambda vault: [*_ids(vault), *layout.walk(vault.root)])


Agent = Annotated[str | None, "NAME", "As this agent: what is shared, and its own space.", agents]
Limit = Annotated[int, "-n", "At most this many; 0 for all."]
Yes = Annotated[bool, "-y", "Do not ask."]
DryRun = Annotated[bool, "Only show what would be done."]
Query = Annotated[list[str] | None, "[QUERY]...", "A question; stdin is added, - is stdin alone."]
Budget = Annotated[int | None, "-b", "TOKENS", "At most this many tokens."]
Session = Annotated[str, "--session", "-s", "ID", "In this session; else MEM_SESSION.", sessions]
Tags = Annotated[list[str] | None, "-t", "TAG", "A tag; may be repeated.", tags]


class Filters(NamedTuple):
    """Hold the filters of a search or a list. A command gets the ones it declares."""

    since: str = ""
    until: str = ""
    tag: list[str] | None = None
    type: list[str] | None = None
    path: str = ""
    project: str = ""

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(self.tag or ())

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(map(names.type_name, self.type or ()))

    def days(self, today: date) -> tuple[date | None, date | None]:
        """Return the first and the last day, each None if it is open."""
        first = read_days(self.since, today)[0] if self.since else None
        last = read_days(self.until, today)[1] if self.until else None
        if first and last and first > last:
            raise UsageError("nothing is from {since} on and until {until}", since=first, until=last)
        return first, last

    def tell_empty(self, vault: Vault) -> None:
        """Say which filter admits nothing at all, for a result that is empty: it may be mistyped."""
        if self.path and not vault.files(Filter(path=self.path)):
            vault.notice("--path {path}: there is no such note or folder", path=self.path)
        for tag in self.tags:
            if not vault.latest(Filter(tags=(tag,)), 1)[0]:
                vault.notice("--tag {tag}: no memory has it", tag=tag)
        for near in filter(None, map(names.find_near_type, self.types)):
            vault.notice("--type: did you mean '{name}'?", name=near)


# Maps the name of a filter to its option and its default.
FILTERS = {
    "since": (Annotated[str, "DAY", "Nothing older: 2026-11-01, 'last week'."], ""),
    "until": (Annotated[str, "DAY", "Nothing newer."], ""),
    "tag": (Annotated[list[str] | None, "-t", "TAG", "Only with it; may be repeated.", tags], None),
    "type": (Annotated[list[str] | None, "Only this type: decision, task, fact …", words(*TYPES)], None),
    "path": (Annotated[str, "PLACE", "Only this file, folder or glob.", files], ""),
    "project": (Annotated[str, "Only this project."], ""),
}


def one_day(text: str, today: date) -> date:
    """Return the day that an option means, in the nearest year if it names none. Raise UsageError if it is not a date,
    or is several days."""
    first, last = read_days(text, today, nearest=True)
    if first != last:
        raise UsageError(
            Message("'{text}' is {first} to {last}, not one day", text=text, first=first, last=last),
            Message("{day}, for one", day=first),
        )
    return first
