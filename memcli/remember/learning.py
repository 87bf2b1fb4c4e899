"""Learn from talks with the feature that finds memories in them. Without it, `mem` keeps only what users add."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memcli import contributions
from memcli.errors import MissingPart, NotKept, VaultError
from memcli.message import joined
from memcli.remember.atoms import Atom, LearnResult
from memcli.remember.proposals import (
    UNSURE,
    Addition,
    OpenQuestion,
    Refusal,
    Repetition,
    Unreadable,
    keep,
    queue_doubt,
    why_not,
)
from memcli.text.clean import one_line
from memcli.vault import preferences
from memcli.vault.vault import Vault

_WORD = re.compile(r"[^\W_]+")


def is_possible() -> bool:
    """Return whether a feature that learns is in use."""
    return contributions.learner() is not None


def propose(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> LearnResult:
    """Return the memories of a conversation, keeping none yet. `names` are the user's names in it; `rules` asks no
    language model. Raise MissingPart if no feature learns."""
    learner = contributions.learner()
    if not learner or not (found := learner.propose(vault, text, names, rules)):
        raise MissingPart("nothing here learns from conversations", "mem features shows what is switched off")
    return found


def find_in_sentence(text: str) -> list[Atom]:
    """Return the memories in a sentence of the user, by rules; none if no feature learns."""
    learner = contributions.learner()
    return learner.find(text) if learner else []


def find_preference(text: str) -> Atom:
    """Return a preference from the user's words. Without a feature that learns, its key is their first words."""
    if (learner := contributions.learner()) and (found := learner.taste(text)):
        return found
    return Atom("preference", text, "_".join(_WORD.findall(text.lower())[:3])[:40] or "wish", one_line(text))


def keep_preference(vault: Vault, taste: Atom) -> Addition | Repetition:
    """Keep a preference that the user stated. Raise Refused with the reason if it is not kept."""
    known = next(
        (each.key for each in preferences.read_preferences(vault) if preferences.is_key(each, taste.key)), taste.key
    )
    outcome = keep(vault, replace(taste, key=known))
    if isinstance(outcome, OpenQuestion | Refusal):
        raise NotKept(outcome.why_not)
    return outcome


def keep_lasting(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> None:
    """Keep the lasting memories of a conversation without asking, and leave unsure ones to `mem review`. Raise
    VaultError if a broken file keeps out one of them, so that the queue tries again."""
    unread = ""
    for atom in propose(vault, text, names, rules).atoms:
        why = why_not(atom)
        if why and why != UNSURE:
            continue
        outcome = queue_doubt(vault, atom) if why else keep(vault, atom)
        unread = outcome.why_not if isinstance(outcome, Unreadable) else unread
        if why and not (atom.requested and isinstance(outcome, Refusal)):
            continue
        if isinstance(outcome, OpenQuestion | Refusal):
            asks = "mem review asks which holds" if isinstance(outcome, OpenQuestion) else ""
            vault.notice("a {KIND} was not kept: {WHY}", KIND=atom.type, WHY=joined(outcome.why_not, asks))
    if unread:
        raise VaultError(unread)
