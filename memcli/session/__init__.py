"""Sessions: the working memory of a talk. What was said lies in `sessions/<id>.jsonl`, kept and never recalled.

`store` begins and finds sessions, `fold` reads and writes their files, `saying` is what follows from a message (with
`anchors`, `topic` and `summary`), `ending` is what remains of a talk.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.session.fold import SHOWN, Session, SessionMessage, message
from memcli.session.store import find, ids, resume, sessions, start

if TYPE_CHECKING:
    from memcli.session.anchors import anchors_in
    from memcli.session.ending import EndResult, end
    from memcli.session.saying import SayResult, improve, say, say_all
    from memcli.session.summary import summarise

__all__ = [
    "SHOWN", "EndResult", "SayResult", "Session", "SessionMessage", "anchors_in", "end", "find", "ids", "improve",
    "message", "resume", "say", "say_all", "sessions", "start", "summarise",
]  # fmt: skip

_LATE = {
    "EndResult": "ending",
    "SayResult": "saying",
    "anchors_in": "anchors",
    "end": "ending",
    "improve": "saying",
    "say": "saying",
    "say_all": "saying",
    "summarise": "summary",
}


def __getattr__(name: str) -> Any:
    """A prompt only reads a session: it need not load what judges messages."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
