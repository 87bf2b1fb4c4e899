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
_BEHIND_KEY = re.compile(r"\s*[:：]\s*|\s+[-–]+\s+|\s*—+\s*")


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


def with_known_key(vault: Vault, taste: Atom) -> Atom:
    """Return a preference under the key of the stored one that it is about: the same key in another spelling, or the
    key with which its sentence begins, `coffee - only one a day` or 咖啡：一天一杯. What stands before the sign is a new
    key where the key found begins with it."""
    head, *rest = _BEHIND_KEY.split(taste.value, maxsplit=1)
    stored = preferences.read_preferences(vault)
    for key in (head, taste.key) if rest else (taste.key,):
        if known := next((each.key for each in stored if preferences.is_key(each, key)), ""):
            return replace(taste, key=known)
    name = "_".join(head.lower().split())
    return replace(taste, key=name) if rest and taste.key.startswith(f"{name}_") else taste


def keep_preference(vault: Vault, taste: Atom) -> Addition | Repetition:
    """Keep a preference that the user stated. Raise Refused with the reason if it is not kept."""
    outcome = keep(vault, with_known_key(vault, taste))
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
