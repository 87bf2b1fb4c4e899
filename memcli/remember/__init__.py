"""Change memories: `add`, `edit`, `forget`, and `cite`, which records that they were used.

Nothing here prints or asks.
"""

from typing import TYPE_CHECKING

from memcli import load_later

if TYPE_CHECKING:
    from memcli.remember.adding import AddResult, Memory, add
    from memcli.remember.atoms import Atom
    from memcli.remember.change import edit, finish, forget, note_edit, supersede
    from memcli.remember.citing import cite
    from memcli.remember.conflicts.change_queue import ask_later
    from memcli.remember.conflicts.compare import disagreeing
    from memcli.remember.conflicts.known_value import said_otherwise
    from memcli.remember.echo import unechoed
    from memcli.remember.gates import TurnedAway, Verdict, named, redacted
    from memcli.remember.keyed_values import label, prefer, profile, reset, state, unlabel, unprefer, weigh
    from memcli.remember.retention import expired, tidy
    from memcli.remember.review import Doubt, contradicted, doubts, kinds, settle, waiting
    from memcli.remember.times import past

__all__ = [
    "AddResult", "Atom", "Doubt", "Memory", "TurnedAway", "Verdict", "add", "ask_later", "cite", "contradicted",
    "disagreeing", "doubts", "edit", "expired", "finish", "forget", "kinds", "label", "learning", "named",
    "note_edit", "past", "prefer", "profile", "proposals", "redacted", "reset", "said_otherwise", "settle",
    "state", "supersede", "tidy", "unechoed", "unlabel", "unprefer", "waiting", "weigh",
]  # fmt: skip

# A caller that only redacts has little time. No name may equal that of its module.
__getattr__ = load_later(__name__, {
    ".adding": "AddResult Memory add",
    ".atoms": "Atom",
    ".change": "edit finish forget note_edit supersede",
    ".citing": "cite",
    ".conflicts.change_queue": "ask_later",
    ".conflicts.compare": "disagreeing",
    ".conflicts.known_value": "said_otherwise",
    ".echo": "unechoed",
    ".gates": "TurnedAway Verdict named redacted",
    ".keyed_values": "label prefer profile reset state unlabel unprefer weigh",
    ".retention": "expired tidy",
    ".review": "Doubt contradicted doubts kinds settle waiting",
    ".times": "past",
})  # fmt: skip
