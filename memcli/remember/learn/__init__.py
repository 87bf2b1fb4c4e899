"""Learning: a conversation is read into memory atoms, shown, and kept. The doors are `propose` and `keep`, or `later`.

`transcript` (whatever it was exported from → messages) → `find` by the rules of a `language`, or `model` → `proposals`.
`agents` finds what coding agents left on the disk, and hands on what is new.
"""

from memcli.remember.learn.agents import Unread, is_place, read, unread
from memcli.remember.learn.atoms import TYPES, Atom
from memcli.remember.learn.proposals import (
    Kept,
    Proposed,
    against,
    keep,
    later,
    propose,
    taste,
    why_not,
    work,
    work_transcripts,
)  # fmt: skip

__all__ = [
    "TYPES", "Atom", "Kept", "Proposed", "Unread", "against", "is_place", "keep", "later", "propose", "read", "taste",
    "unread", "why_not", "work", "work_transcripts",
]  # fmt: skip
