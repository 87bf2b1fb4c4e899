"""Define what a recall path is: a way to find candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from memcli.recall.query import Query
from memcli.recall.search_state import VaultSearch
from memcli.vault.entries import Entry
from memcli.vault.search import LinePattern


def no_looks(query: Query) -> Iterable[LinePattern]:
    return ()


class RecallPath(NamedTuple):
    """Hold everything that search and score have to know of a path."""

    name: str
    part: str  # the part of the score it gives, as `recall.weights` names it
    weight: float  # of that part in the default preset
    find: Callable[[VaultSearch], Iterable[Entry]]  # candidates
    strength: Callable[[VaultSearch, Entry], float]  # how strongly it leads to an entry, from 0 to 1
    leads: bool  # whether any strength means that the question is about this memory; being new does not
    looks: Callable[[Query], Iterable[LinePattern]] = no_looks  # what ripgrep has to look for beside the words
