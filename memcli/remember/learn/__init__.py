"""Learning: a conversation is read into memory atoms, shown, and kept. The doors are `propose` and `keep`, or `later`.

`transcript` (whatever it was exported from → messages) → `find` by the rules of a `language`, or `model` → `proposals`.
"""

from memcli.remember.learn.atoms import TYPES, Atom
from memcli.remember.learn.proposals import (
    UNSURE,
    Kept,
    Proposed,
    against,
    doubt,
    keep,
    later,
    propose,
    taste,
    why_not,
    work,
)

__all__ = [
    "TYPES",
    "UNSURE",
    "Atom",
    "Kept",
    "Proposed",
    "against",
    "doubt",
    "keep",
    "later",
    "propose",
    "taste",
    "why_not",
    "work",
]
