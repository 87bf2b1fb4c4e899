"""Sessions: the working memory of a talk. What was said lies in `sessions/<id>.jsonl`, kept and never recalled.

`store` begins and finds sessions, `fold` reads and writes their files, `saying` is what follows from a message (with
`anchors`, `topic` and `summary`), `ending` is what remains of a talk.
"""

from memcli.session.ending import EndResult, end
from memcli.session.fold import Session, SessionMessage, message
from memcli.session.saying import SayResult, improve, say
from memcli.session.store import find, ids, resume, sessions, start

__all__ = [
    "EndResult", "SayResult", "Session", "SessionMessage", "end", "find", "ids", "improve", "message", "resume", "say",
    "sessions", "start",
]  # fmt: skip
