"""Learning: a conversation is read into memory atoms, shown, and kept. The doors are `propose` and `keep`, or `later`.

`transcript` (whatever it was exported from → messages) → `find` by the rules of a `language`, or `model` → `proposals`;
`requested` sees to it that what the user asks to be remembered is among them, `queued` does it later.
`agents` finds what coding agents left on the disk, and hands on what is new.
"""

from memcli.remember.learn.agents import Unread, is_place, read, unread
from memcli.remember.learn.atoms import TYPES, Atom
from memcli.remember.learn.proposals import (
    UNSURE,
    Kept,
    Proposed,
    against,
    decline,
    doubt,
    keep,
    propose,
    taste,
    why_not,
)
from memcli.remember.learn.queued import job_of, later, work, work_transcripts

__all__ = [
    "TYPES",
    "UNSURE",
    "Atom",
    "Kept",
    "Proposed",
    "Unread",
    "against",
    "decline",
    "doubt",
    "is_place",
    "job_of",
    "keep",
    "later",
    "propose",
    "read",
    "taste",
    "unread",
    "why_not",
    "work",
    "work_transcripts",
]  # fmt: skip
