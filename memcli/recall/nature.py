"""Tell whether the notes are a talk or single facts, by the notes and not by a setting.

In a talk the answer stands next to the word that is asked for, and who speaks matters. In notes that were jotted down
one by one neither holds. Only the files that were opened are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from memcli.recall.search_state import VaultSearch, cached_per_search
from memcli.text.words import lead_of

SPEAKS = 3  # lines from which on a `Name:` is somebody who speaks, no label


class TalkTraits(NamedTuple):
    share: float  # of the lines, that somebody says to somebody else
    tells: Mapping[str, float]  # by speaker: how much it tells that a line is theirs; nothing when all are


@cached_per_search
def talk_traits(search: VaultSearch) -> TalkTraits:
    leads = [lead_of(entry.raw) for path in search.opened for entry in search.entries(path)]
    shares = {lead: times / len(leads) for lead, times in Counter(leads).items() if lead and times >= SPEAKS}
    tells = {lead: min(1.0, 2 - 2 * share) for lead, share in shares.items()}
    return TalkTraits(sum(share * tells[lead] for lead, share in shares.items()), tells)
