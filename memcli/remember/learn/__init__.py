"""Learn from conversations: read one into memory atoms, show them, and keep those that the user wants. Callers use
`propose` with `keep`, or `later`.

`transcript` turns an export into messages; `find` (the rules of a `language`) or `model` finds atoms; `proposals`
keeps them. `requested` adds what the user asks outright to have remembered, and `queued` does the work later.
`agents` finds the transcripts that coding agents left on the disk and returns what is new in them.
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
