"""Choose what does the work of `mem knowledge add`: this process, or an engine of this table, loaded on demand.

To remove an engine, delete its module and its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from memcli.errors import UsageError

if TYPE_CHECKING:
    from memcli.features.knowledge.intake import Ingest, Item, SourceResult
    from memcli.features.knowledge.store import DocumentTable
    from memcli.index.models import Model

LOCAL = "local"
ENGINES = {  # each engine and its module; this process needs none
    LOCAL: "",
    "ray": "memcli.features.knowledge.ray_engine",
}


class Wave(Protocol):
    """Parts that were taken in and written, but are not part of the table before `commit`."""

    told: list[SourceResult]
    embedded: int

    def commit(self) -> None: ...


class Engine(Protocol):
    """A module that takes in parts on other processes or machines, by the same functions as this process."""

    def check(self, cluster: str, url: str) -> None:
        """Raise MissingPart when the engine or its cluster is missing, or the cluster can't reach the store."""

    def waves(
        self, store: DocumentTable, items: Sequence[Item], ingest: Ingest, model: Model | None, cluster: str,
        tell: Callable[[int], object],
    ) -> Iterator[Wave]:  # fmt: skip
        """Take in the parts and yield them in waves. The caller commits each before it asks for the next one."""

    def index(self, store: DocumentTable, cluster: str) -> object:
        """Compact and index the table, where that is too much for one process."""


def load(name: str) -> Engine | None:
    """Return the engine of this name, or None for this process. Raise UsageError when there is no such engine."""
    if name not in ENGINES:
        raise UsageError(f"--engine {name}: {' or '.join(ENGINES)}")
    return cast(Engine, import_module(ENGINES[name])) if ENGINES[name] else None
