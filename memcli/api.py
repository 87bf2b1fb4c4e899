"""Define the Python API: `Vault` with the verbs of the command line as methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcli import remember
from memcli.vault.entries import Entry
from memcli.vault.filter import read_days
from memcli.vault.vault import Filter, locate, open_vault
from memcli.vault.vault import Vault as OpenedVault

if TYPE_CHECKING:
    from memcli.recall import Block
    from memcli.session import Session
    from memcli.vault.labels import Label
    from memcli.vault.preferences import Preference

__all__ = ["Entry", "Filter", "Vault"]


class Vault(OpenedVault):
    """Open and use a vault from Python.

    >>> vault = Vault.open("~/memory")
    >>> vault.add("Redis replaces the local cache", tags=["cache"]).id
    >>> print(vault.recall("what did we decide about the cache", budget=400).text)
    """

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str] | None = None,
        clock: Callable[[], datetime] = datetime.now,
        environ: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> Vault:
        """Open a vault: `folder`, or the one `mem` would use here. Settings are keywords: `recall__budget=800`."""
        environ = dict(os.environ) if environ is None else environ
        root = locate(os.fspath(folder) if folder is not None else None, environ, Path.cwd())
        flags = {name.replace("__", "."): value for name, value in settings.items()}
        opened = open_vault(root, clock, environ, flags)
        return cls(opened.root, opened.resolved, clock, opened.actor, environ, opened.notices)

    def add(
        self,
        text: str,
        tags: str | Iterable[str] = (),
        *,
        force: bool = False,
        allow_sensitive: bool = False,
        **more: Any,
    ) -> Entry:
        """Remember a text and return its entry; `type`, `importance`, `to` and `agent` are as in `mem add`.

        Raise Refused when a gate says no.
        """
        vault = self.seen_by(more.pop("agent", None))
        return remember.add(
            vault, remember.Memory(text, _as_tags(tags), **more), force=force, allow_sensitive=allow_sensitive
        ).entry

    def recall(
        self,
        query: str,
        budget: int | None = None,
        *,
        most: int | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
        tags: str | Iterable[str] = (),
        path: str = "",
        agent: str | None = None,
        format: str = "md",
        fill: bool | None = None,
    ) -> Block:
        """Return the best memories for a question, as `mem recall` prints them: `.text`, and the memories in it."""
        from memcli.recall import Request, recall  # a caller that only writes need not load it

        first, last = _as_days(since, self.today)[0], _as_days(until, self.today)[1]
        request = Request(query, budget, most, first, last, _as_tags(tags), path, format, fill=fill)
        return recall(self.seen_by(agent), request)

    def supersede(self, old: str, new: str) -> None:
        """Mark the memory named `old` as superseded by `new`. The old one stays."""
        remember.supersede(self, self.find_entry(old), self.find_entry(new))

    def forget(self, name: str) -> None:
        """Archive the memory with this name."""
        remember.forget(self, self.find_entry(name))

    def __getattr__(self, name: str) -> Any:
        """Return the method of this name that a feature brings."""
        from memcli import contributions

        if name.startswith("_") or not (verb := contributions.verb(name)):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return partial(verb, self)

    # The methods below import their package when called, so that adding and recalling don't load it.

    def start(self, title: str = "", **more: Any) -> Session:
        """Begin a session and return it; `role`, `knowledge` and `agent` are as in `mem session start`."""
        from memcli import session

        return session.start(self.seen_by(more.pop("agent", None)), title=title, **more)

    def session(self, name: str = "") -> Session:
        """Return the session with this name, or `last`; without a name the open one."""
        from memcli import session

        return session.find_session(self, name)

    def learn(
        self, conversation: str, *, agree: Callable[[Any], bool] | None = None, me: Iterable[str] = ()
    ) -> list[Any]:
        """Keep the memories of a conversation that are certain or that `agree` accepts; return the result for each."""
        from memcli.remember import learning, proposals

        found = learning.propose(self, conversation, tuple(me)).atoms
        wanted = [atom for atom in found if (agree(atom) if agree else not proposals.why_not(atom))]
        return [proposals.keep(self, atom, confirmed=agree is not None) for atom in wanted]

    def preferences(self, scene: str = "") -> dict[str, Preference]:
        """Return the preferences that count, by key: those for everywhere and those of a `scene` (project, session)."""
        from memcli.vault import preferences

        unexpired = preferences.drop_expired(preferences.read_preferences(self), self.now)
        return {
            one.key: one for one in preferences.choose_effective(unexpired, lambda name: bool(scene) and name == scene)
        }

    def prefer(self, key: str, value: Any, **more: Any) -> None:
        """Keep a preference; `category`, `scope` and `source` are as in `mem prefer set`."""
        remember.prefer(self, key, value, **more)

    def labels(self) -> list[Label]:
        """Return all named places and people."""
        from memcli.vault import labels

        return labels.read_labels(self)

    def label(self, name: str, told: str = "", **more: Any) -> Label:
        """Keep a label, or change the one with this name, and return it.

        `aliases`, `phone`, `lat` … are as in `mem label set`.
        """
        return remember.label(self, name, told, **more)[0]


def _as_tags(tags: str | Iterable[str]) -> tuple[str, ...]:
    """Return tags as a tuple; a text is one tag, and not its letters."""
    return (tags,) if isinstance(tags, str) else tuple(tags)


def _as_days(given: date | str | None, today: date) -> tuple[date | None, date | None]:
    """Return the first and last day that a caller means, in words or as a date. Raise UsageError if it is none."""
    if not isinstance(given, str):
        day = given.date() if isinstance(given, datetime) else given
        return day, day
    return read_days(given, today)
