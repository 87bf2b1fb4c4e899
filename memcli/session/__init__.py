"""Sessions: the working memory of a talk. What was said lies in `sessions/<id>.jsonl`, kept and never recalled."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memcli.session.messages import SessionMessage

if TYPE_CHECKING:
    from memcli.session.ending import Ended, end
    from memcli.session.fold import Session, message
    from memcli.session.saying import Said, improve, say
    from memcli.session.store import find, ids, resume, sessions, start

__all__ = [
    "Ended", "SessionMessage", "Said", "Session", "end", "find", "ids", "improve", "message", "resume", "say", "sessions", "start",
]  # fmt: skip

# Name → module that is loaded when the name is asked for: a hook says something into a session at each turn of a talk.
_LATE = {
    **dict.fromkeys(("find", "ids", "resume", "sessions", "start"), "store"),
    **dict.fromkeys(("Ended", "end"), "ending"),
    **dict.fromkeys(("Session", "message"), "fold"),
    **dict.fromkeys(("Said", "improve", "say"), "saying"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
