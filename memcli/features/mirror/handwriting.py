"""Offer what a person wrote between the marks of a mirror for learning; `mem review` asks about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from memcli.features.mirror import holds
from memcli.remember import Atom, learning, proposals
from memcli.text.clean import one_line
from memcli.vault import preferences, profile
from memcli.vault.vault import Vault

GROUPS = (holds.PROFILE, holds.PREFERENCES, holds.ORDERS, holds.DECISIONS)
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[[ xX]\][ \t]*)?")
_KEYED = re.compile(r"([^\W\d][\w -]{0,60}?):[ \t]+(\S.*)")
_DATED = re.compile(r"\d{4}-\d\d-\d\d:?[ \t]+")

Line = tuple[str, str]  # its group, and the line


class MirrorProposals(NamedTuple):
    offered: tuple[str, ...]  # they wait for mem review
    kept: tuple[str, ...]  # mem can't learn these, so they stay where they are


NOTHING = MirrorProposals((), ())


def offer_lines(vault: Vault, lines: Iterable[Line], project: str) -> MirrorProposals:
    """Have `mem review` ask about each line that the vault does not know yet.

    Return the lines offered, and those to keep.
    """
    offered, kept = [], []
    for group, line in lines:
        said = one_line(line)[_MARKER.match(one_line(line)).end() :]  # type: ignore[union-attr]
        if not said:
            continue
        if said.startswith(("#", "<!--")):
            kept.append(line)
            continue
        done = [proposals.queue_doubt(vault, atom) for atom in _atoms(vault, group, said, project)]
        if not any(isinstance(each, proposals.OpenQuestion | proposals.Repetition) for each in done):
            done = [proposals.queue_doubt(vault, Atom("fact", said))]
        if any(isinstance(each, proposals.OpenQuestion) for each in done):
            offered.append(said)
        elif not any(isinstance(each, proposals.Repetition) for each in done):
            kept.append(line)
    return MirrorProposals(tuple(offered), tuple(kept))


def _atoms(vault: Vault, group: str, lines: str, project: str) -> list[Atom]:
    """Return the memories in a line.

    Under one of our headings it has the form of its neighbours; elsewhere rules parse it.
    """
    keyed = _KEYED.fullmatch(lines)
    if keyed and group == holds.PROFILE and keyed[1] in profile.KNOWN:
        return [Atom("profile", lines, keyed[1], keyed[2])]
    if keyed and group == holds.PREFERENCES:
        scope = next((each.scope for each in holds.effective_preferences(vault, project) if each.key == keyed[1]), "")
        return [Atom("preference", lines, keyed[1], keyed[2], scope=scope or preferences.GLOBAL)]
    if group in (holds.PREFERENCES, holds.ORDERS):
        return [learning.find_preference(lines)]
    if group == holds.DECISIONS:
        return [Atom("decision", _DATED.sub("", lines, count=1))]
    return list(learning.propose(vault, lines, rules=True).atoms) if learning.is_possible() else []
