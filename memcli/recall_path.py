"""Define what a recall path is: a way to find candidates. `memcli.recall.paths` lists them.

`memcli.recall` asks features for their paths while it is being imported. So this module imports nothing of it, and a
module with a path that a feature brings must not either, except under TYPE_CHECKING.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memcli.recall.query import Query
    from memcli.recall.search_state import VaultSearch
    from memcli.vault.entries import Entry
    from memcli.vault.search import LinePattern


def no_looks(query: Query) -> Iterable[LinePattern]:
    return ()


class RecallPath(NamedTuple):
    """Describe a recall path for search and scoring."""

    name: str
    part: str  # the part of the score it gives, as `recall.weights` names it
    weight: float  # weight of that part in the default preset
    find: Callable[[VaultSearch], Iterable[Entry]]  # candidates
    strength: Callable[[VaultSearch, Entry], float]  # how strongly it leads to an entry, from 0 to 1
    leads: bool  # whether a strength above 0 means that a memory is on the subject; a recent date does not
    looks: Callable[[Query], Iterable[LinePattern]] = no_looks  # patterns to search for besides the words
