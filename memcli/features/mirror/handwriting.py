"""Have `mem review` ask about what a person wrote between the marks of a mirror, and say what stays there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from memcli.features.mirror import holds
from memcli.remember import Atom, learning, proposals, review
from memcli.text.clean import one_line
from memcli.vault import preferences, profile
from memcli.vault.vault import Vault

GROUPS = (holds.PROFILE, holds.PREFERENCES, holds.ORDERS, holds.DECISIONS)
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[[ xX]\][ \t]*)?")
_KEYED = re.compile(r"([^\W\d][\w -]{0,60}?):[ \t]+(\S.*)")
_DATED = re.compile(r"\d{4}-\d\d-\d\d:?[ \t]+")


class MirrorProposals(NamedTuple):
    stay: tuple[holds.Line, ...]  # the lines that are no memory, so they stay where they are
    offered: tuple[str, ...] = ()  # of these, what waits for mem review
    kept: tuple[str, ...] = ()  # of these, what mem can't learn or was told not to


def offer_lines(vault: Vault, lines: Iterable[holds.Line], project: str) -> MirrorProposals:
    """Have `mem review` ask once about each line that the vault does not know yet. Return the lines that stay."""
    stay, offered, kept = [], [], []
    for group, line in lines:
        said = one_line(line)[_MARKER.match(one_line(line)).end() :]  # type: ignore[union-attr]
        done: proposals.Outcome | None = None
        if said and not said.startswith(("#", "<!--")):
            done = proposals.queue_doubt(vault, _atom(vault, group, said, project), once=True)
            if isinstance(done, proposals.Refusal):
                done = proposals.queue_doubt(vault, Atom("fact", said), once=True)
            if isinstance(done, proposals.Repetition):
                continue
        stay.append((group, line))
        if isinstance(done, proposals.OpenQuestion) and review.unanswered(vault, [*done.doubts]):
            offered.append(said)
        else:
            kept.append(line)
    return MirrorProposals(tuple(stay), tuple(offered), tuple(kept))


def _atom(vault: Vault, group: str, line: str, project: str) -> Atom:
    """Return a line as a memory. Under one of our headings it has the form of its neighbours, else its own words."""
    keyed = _KEYED.fullmatch(line)
    if keyed and group == holds.PROFILE and keyed[1] in profile.KNOWN:
        return Atom("profile", line, keyed[1], keyed[2])
    if keyed and group == holds.PREFERENCES:
        scope = next((each.scope for each in holds.effective_preferences(vault, project) if each.key == keyed[1]), "")
        return Atom("preference", line, keyed[1], keyed[2], scope=scope or preferences.GLOBAL)
    if group in (holds.PREFERENCES, holds.ORDERS):
        return learning.find_preference(line)
    if group == holds.DECISIONS:
        return Atom("decision", _DATED.sub("", line, count=1))
    return Atom("fact", line)
