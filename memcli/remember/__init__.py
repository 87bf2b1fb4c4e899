"""Change memories: `add`, `edit`, `forget`, and `cite`, which records that they were used.

Nothing here prints or asks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.remember.adding import AddResult, Memory, add
    from memcli.remember.atoms import Atom
    from memcli.remember.change import edit, finish, forget, note_edit, supersede
    from memcli.remember.citing import cite
    from memcli.remember.contest import ask_later
    from memcli.remember.disagree import disagreeing
    from memcli.remember.echo import unechoed
    from memcli.remember.gates import TurnedAway, Verdict, named, redacted
    from memcli.remember.keyed import label, prefer, profile, reset, state, unlabel, unprefer, weigh
    from memcli.remember.otherwise import said_otherwise
    from memcli.remember.retention import expired, tidy
    from memcli.remember.review import Doubt, contradicted, doubts, kinds, settle, waiting
    from memcli.remember.times import past

__all__ = [
    "AddResult", "Atom", "Doubt", "Memory", "TurnedAway", "Verdict", "add", "ask_later", "cite", "contradicted",
    "disagreeing", "doubts", "edit", "expired", "finish", "forget", "kinds", "label", "learning", "named",
    "note_edit", "past", "prefer", "profile", "proposals", "redacted", "reset", "said_otherwise", "settle",
    "state", "supersede", "tidy", "unechoed", "unlabel", "unprefer", "waiting", "weigh",
]  # fmt: skip

_KEYED = ("label", "prefer", "profile", "reset", "state", "unlabel", "unprefer", "weigh")
# Name → module that is loaded when the name is first used, because a caller that only redacts has little time. No name
# may equal that of its module.
_LATE = {
    **dict.fromkeys(("AddResult", "Memory", "add"), "adding"),
    **dict.fromkeys(("edit", "finish", "forget", "note_edit", "supersede"), "change"),
    **dict.fromkeys(("TurnedAway", "Verdict", "named", "redacted"), "gates"),
    "Atom": "atoms",
    "Doubt": "review",
    "ask_later": "contest",
    "cite": "citing",
    "contradicted": "review",
    "disagreeing": "disagree",
    "doubts": "review",
    "expired": "retention",
    "kinds": "review",
    "past": "times",
    "said_otherwise": "otherwise",
    "settle": "review",
    "tidy": "retention",
    "waiting": "review",
    "unechoed": "echo",
    **dict.fromkeys(_KEYED, "keyed"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
