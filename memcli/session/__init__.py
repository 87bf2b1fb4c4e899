"""Keep sessions, the working memory of a talk. What was said is in `sessions/<id>.jsonl`; it is kept and never
recalled.

`store` starts and finds sessions; `fold` reads and writes their files; `saying` does what follows from a message
(with `anchors`, `topic` and `summary`); `ending` keeps what remains of a talk; `model_rewrite` lets a model improve it
later.
"""

from typing import TYPE_CHECKING

from memcli import load_later
from memcli.session.fold import SHOWN, Session, SessionMessage, message
from memcli.session.store import find_session, ids, last, resume, sessions, start

if TYPE_CHECKING:
    from memcli.session.anchors import anchors_in
    from memcli.session.ending import EndResult, end
    from memcli.session.model_rewrite import improve
    from memcli.session.saying import SayResult, say, say_all
    from memcli.session.summary import summarise

__all__ = [
    "SHOWN", "EndResult", "SayResult", "Session", "SessionMessage", "anchors_in", "end", "find_session", "ids",
    "improve", "last", "message", "resume", "say", "say_all", "sessions", "start", "summarise",
]  # fmt: skip

# A prompt only reads a session, and need not load what judges messages.
__getattr__ = load_later(__name__, {
    ".anchors": "anchors_in",
    ".ending": "EndResult end",
    ".model_rewrite": "improve",
    ".saying": "SayResult say say_all",
    ".summary": "summarise",
})  # fmt: skip
