"""Decide whether an e-mail address or a phone number is kept, by whom it is about. An address book needs those of
others. Nobody needs their own, or one without a name, in plain words.

The words are in `patterns.txt`.
"""

from __future__ import annotations

from memcli.remember.gates.patterns import patterns

REACH = ("email", "phone")  # kinds of data that reach a person
LONGEST = 400  # characters of an entry of an address book; a longer text only happens to hold addresses


def is_about_others(text: str) -> bool:
    """Return whether a short line is about somebody else and not about its writer."""
    if len(text) > LONGEST:
        return False
    other, own = patterns("somebody else", "of oneself")
    return bool(other.search(text)) and not own.search(text)
