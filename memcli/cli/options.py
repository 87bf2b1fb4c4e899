"""Options that several commands share: the usual filters, read in one place, and what a shell may complete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

import typer

from memcli.errors import MemError, UsageError
from memcli.text.clean import harmless
from memcli.vault import layout

TYPES = ("decision", "fact", "insight", "preference", "project", "question", "task")


def words(*known: str) -> Callable[[str], list[str]]:
    """Completes words of a closed list."""
    return lambda incomplete: [word for word in known if word.startswith(incomplete)]


def files(ctx: typer.Context, incomplete: str) -> list[str]:
    """Completes paths of notes. Whole ones: after a folder the shell would go on to the next word."""
    try:
        return [path for path in layout.walk(ctx.obj.where()) if path.startswith(incomplete) and path == harmless(path)]
    except MemError:
        return []


def sessions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Completes sessions by their ids, or by their last part once that is being typed."""
    from memcli.session import ids

    try:
        every = [id for id in ids(ctx.obj.vault()) if id == harmless(id)]
    except MemError:
        return []
    return [id for id in every if id.startswith(incomplete)] or [
        last for id in every if (last := id.rpartition("-")[2]).startswith(incomplete)
    ]


def roles(ctx: typer.Context, incomplete: str) -> list[str]:
    """Completes the roles of this vault."""
    from memcli.vault import state

    try:
        return [name for name in state.roles(ctx.obj.vault()) if name.startswith(incomplete)]
    except MemError:
        return []


Agent = Annotated[str | None, "NAME", "With the memories of this agent, too."]
Limit = Annotated[int, "-n", "At most this many; 0 for all."]
Yes = Annotated[bool, "-y", "Do not ask."]
DryRun = Annotated[bool, "Only show what would be done."]
Query = Annotated[list[str] | None, "[QUERY]...", "A question; stdin is added, - is stdin alone."]
Budget = Annotated[int | None, "-b", "TOKENS", "At most this many tokens."]
Session = Annotated[str, "--session", "-s", "ID", "In this session; else MEM_SESSION.", sessions]
Tags = Annotated[list[str] | None, "-t", "TAG", "A tag; may be repeated."]


@dataclass(frozen=True)
class Filters:
    """What narrows a search or a list down; a command takes those it names."""

    since: str = ""
    until: str = ""
    tag: list[str] | None = None
    type: list[str] | None = None
    path: str = ""
    project: str = ""
    agent: str | None = None

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(self.tag or ())

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(self.type or ())

    def days(self, today: date) -> tuple[date | None, date | None]:
        """The first and the last day; either may be open."""
        first, last = _days(self.since, today), _days(self.until, today)
        return first and first[0], last and last[1]


# name → (its option, its default)
FILTERS = {
    "since": (Annotated[str, "DAY", "Nothing older: 2026-11-01, 'last week'."], ""),
    "until": (Annotated[str, "DAY", "Nothing newer."], ""),
    "tag": (Annotated[list[str] | None, "-t", "TAG", "Only with it; may be repeated."], None),
    "type": (Annotated[list[str] | None, "Only this type: decision, task, fact …", words(*TYPES)], None),
    "path": (Annotated[str, "PLACE", "Only this file, folder or glob.", files], ""),
    "project": (Annotated[str, "Only this project."], ""),
    "agent": (Agent, None),
}


def _days(text: str, today: date) -> tuple[date, date] | None:
    """The days meant by an option; UsageError when it is none."""
    found = days(text, today) if text else None
    if text and not found:
        raise UsageError(f"'{text}' is not a day I understand", "2026-11-01, yesterday, 'last week', 上周五")
    return found


def days(text: str, today: date) -> tuple[date, date] | None:
    """The first and last day meant by a date or by words."""
    from memcli.text import dates

    try:
        exact = date.fromisoformat(text)
        return exact, exact
    except ValueError:
        spans = dates.find(text, today)
    return (min(span.first for span in spans), max(span.last for span in spans)) if spans else None
