"""Remembering: the verbs that change memories — `add`, `edit`, `forget` — and `cite`, which notes that they were used. Nothing here prints or asks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.remember.add import Added, Memory, add
from memcli.remember.change import edit, forget, note_edit
from memcli.remember.cite import cite

if TYPE_CHECKING:
    from memcli.remember.jobs import work
    from memcli.remember.retention import old, tidy

__all__ = ["Added", "Memory", "add", "cite", "edit", "forget", "note_edit", "old", "tidy", "work"]

_LATE = {
    "old": "retention",
    "tidy": "retention",
    "work": "jobs",
}  # name → module that is loaded when the name is asked for: `mem add` has little time


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
