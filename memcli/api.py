"""The Python door: `Vault` with the verbs of the command line as methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcli import remember
from memcli.vault import vault as ground
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter

if TYPE_CHECKING:
    from memcli.recall import Block

__all__ = ["Entry", "Filter", "Vault"]


class Vault(ground.Vault):
    """A vault, opened from Python.

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
        """Open a vault: `folder`, or the one `mem` would use here. Settings by name: `recall__budget=800`."""
        environ = dict(os.environ) if environ is None else environ
        root = ground.locate(os.fspath(folder) if folder is not None else None, environ, Path.cwd())
        flags = {name.replace("__", "."): value for name, value in settings.items()}
        opened = ground.open_vault(root, clock, environ, flags)
        return cls(**vars(opened))

    def add(
        self, text: str, tags: Iterable[str] = (), *, force: bool = False, allow_sensitive: bool = False, **more: Any
    ) -> Entry:
        """Remember something; `type`, `importance`, `to` and `agent` as in `mem add`. Refused when a gate says no."""
        memory = remember.Memory(text, tuple(tags), **more)
        return remember.add(self, memory, force=force, allow_sensitive=allow_sensitive).entry

    def recall(
        self,
        query: str,
        budget: int | None = None,
        *,
        most: int | None = None,
        since: date | None = None,
        until: date | None = None,
        tags: Iterable[str] = (),
        path: str = "",
        agent: str | None = None,
        format: str = "md",
        fill: bool | None = None,
    ) -> Block:
        """The best memories for a question, as `mem recall` prints them: `.text`, and what it was made of."""
        from memcli.recall import Request, recall  # who only writes need not load it

        return recall(self, Request(query, budget, most, since, until, tuple(tags), path, agent, format, fill=fill))

    def supersede(self, old: str, new: str) -> None:
        """Say that the memory called `new` took the place of `old`, which stays and is marked."""
        remember.supersede(self, self.find(old), self.find(new))

    def forget(self, name: str) -> None:
        """Archive the memory called `name`."""
        remember.forget(self, self.find(name))
