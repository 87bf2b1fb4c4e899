"""Remembering: the verbs that change memories — `add`, `edit`, `forget` — and `cite`, which notes that they were used. Nothing here prints or asks."""

from memcli.remember.add import Added, Memory, add
from memcli.remember.change import edit, forget, note_edit
from memcli.remember.cite import cite

__all__ = ["Added", "Memory", "add", "cite", "edit", "forget", "note_edit"]
