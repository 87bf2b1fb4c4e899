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
    from memcli.remember.echo import unechoed
    from memcli.remember.gates.gate import TurnedAway, Verdict, check_agent_name
    from memcli.remember.gates.sensitive import name_kinds, redacted
    from memcli.remember.keyed_values import label, prefer, profile, reset, state, unlabel, unprefer, weigh
    from memcli.remember.retention import expired, tidy
    from memcli.remember.review import Doubt, contradicted, contradicted_value, doubts, kinds, settle, waiting_doubts
    from memcli.remember.times import value_history

__all__ = [
    "AddResult", "Atom", "Doubt", "Memory", "TurnedAway", "Verdict", "add", "ask_later", "check_agent_name", "cite",
    "contradicted", "contradicted_value", "disagreeing", "doubts", "edit", "expired", "finish", "forget", "kinds",
    "label", "learning", "name_kinds", "note_edit", "prefer", "profile", "proposals", "redacted", "reset", "settle",
    "state", "supersede", "tidy", "unechoed", "unlabel", "unprefer", "value_history", "waiting_doubts", "weigh",
]  # fmt: skip

# A caller that only redacts has little time. No name may equal that of its module.
__getattr__ = load_later(__name__, {
    ".adding": "AddResult Memory add",
    ".atoms": "Atom",
    ".change": "edit finish forget note_edit supersede",
    ".citing": "cite",
    ".conflicts.change_queue": "ask_later",
    ".conflicts.compare": "disagreeing",
    ".echo": "unechoed",
    ".gates.gate": "TurnedAway Verdict check_agent_name",
    ".gates.sensitive": "name_kinds redacted",
    ".keyed_values": "label prefer profile reset state unlabel unprefer weigh",
    ".retention": "expired tidy",
    ".review": "Doubt contradicted contradicted_value doubts kinds settle waiting_doubts",
    ".times": "value_history",
})  # fmt: skip
