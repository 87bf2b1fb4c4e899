"""Decide by whom it is about whether an e-mail address or a phone number is kept: an address book needs those of
others, and nobody needs their own, or one that nobody is named with, in plain words.

The words stand in `patterns.txt`.
"""

from __future__ import annotations

from memcli.remember.gates.patterns import patterns

REACH = ("email", "phone")  # kinds by which somebody is reached
LONGEST = 400  # characters of an entry of an address book; more is a text that happens to hold addresses


def is_about_others(text: str) -> bool:
    """Return whether a short line names somebody else and not the one who writes as whom it speaks of."""
    if len(text) > LONGEST:
        return False
    other, own = patterns("somebody else", "of oneself")
    return bool(other.search(text)) and not own.search(text)
