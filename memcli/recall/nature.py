"""Find out from the notes themselves whether they are a conversation or single facts.

In a conversation the answer is often next to the matching line, and the speaker matters. In notes that were written one
by one neither is true. Only files that this search has opened are considered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby, repeat
from typing import NamedTuple

from memcli.recall.search_state import VaultSearch, cached_per_search
from memcli.text.words import lead_of

SPEAKS = 3  # from so many lines on a `Name:` may be a speaker
MOSTLY = 0.5  # share of a conversation from which on it is one: below it, `Project:` before a line is a subject


class ConversationTraits(NamedTuple):
    share: float  # share of the lines that belong to a conversation
    tells: Mapping[str, float]  # speaker → how telling their name is: 0 if all lines are theirs; {} in notes
    leads: Mapping[str, int]  # `Name:` → how many lines begin with it

    @property
    def is_talk(self) -> bool:
        return self.share >= MOSTLY


@cached_per_search
def find_conversation_traits(search: VaultSearch) -> ConversationTraits:
    files = [[lead_of(entry.raw) for entry in search.entries(path)] for path in search.opened]
    lines = sum(map(len, files))
    counts = Counter(lead for leads in files for lead in leads)
    often = {lead for lead, times in counts.items() if lead and times >= SPEAKS}
    answered = Counter(lead for leads in files for lead in _find_answered(leads, often))
    speakers = {lead: counts[lead] for lead in often if 2 * answered[lead] >= counts[lead]}
    shares = {lead: times / lines for lead, times in speakers.items()}
    tells = {lead: min(1.0, 2 - 2 * share) for lead, share in shares.items()}
    whole = sum(share * tells[lead] for lead, share in shares.items())
    return ConversationTraits(whole, tells if whole >= MOSTLY else {}, counts)


def _find_answered(leads: list[str], often: set[str]) -> Iterator[str]:
    """Yield the `Name:` of each line in a run of them beside that of another one. `boat: …` before single lines is a
    subject."""
    runs = [(lead, len(list(lines))) for lead, lines in groupby(leads)]
    for (before, _), (lead, lines), (after, _) in zip([("", 0), *runs], runs, [*runs[1:], ("", 0)], strict=False):
        if lead in often and not often.isdisjoint((before, after)):
            yield from repeat(lead, lines)
