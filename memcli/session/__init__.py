"""Keep sessions, the working memory of a talk. What was said is in `sessions/<id>.jsonl`; it is kept and never
recalled.

`store` starts and finds sessions; `fold` reads and writes their files; `saying` does what follows from a message
(with `anchors`, `topic` and `summary`); `ending` keeps what remains of a talk; `retold` lets a model improve it
later.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.session.fold import SHOWN, Session, SessionMessage, message
from memcli.session.store import find_session, ids, last, resume, sessions, start

if TYPE_CHECKING:
    from memcli.session.anchors import anchors_in
    from memcli.session.ending import EndResult, end
    from memcli.session.retold import improve
    from memcli.session.saying import SayResult, say, say_all
    from memcli.session.summary import summarise

__all__ = [
    "SHOWN", "EndResult", "SayResult", "Session", "SessionMessage", "anchors_in", "end", "find_session", "ids",
    "improve", "last", "message", "resume", "say", "say_all", "sessions", "start", "summarise",
]  # fmt: skip

_LATE = {
    "EndResult": "ending",
    "SayResult": "saying",
    "anchors_in": "anchors",
    "end": "ending",
    "improve": "retold",
    "say": "saying",
    "say_all": "saying",
    "summarise": "summary",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used: a prompt only reads a session, and need not load what judges messages."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
