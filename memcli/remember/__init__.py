"""Remembering: the verbs that change memories — `add`, `edit`, `forget`. Nothing here prints or asks."""

from memcli.remember.add import Added, Memory, add
from memcli.remember.change import edit, forget, note_edit

__all__ = ["Added", "Memory", "add", "edit", "forget", "note_edit"]
