"""Keep sessions, the working memory of a conversation. The messages are in `sessions/<id>.jsonl`, which recall never
reads.

`store` starts and finds sessions, `fold` reads and writes their files, and `anchors` finds what a user asks for a whole
conversation. The feature `talk` handles messages and writes snapshots of conversations.
"""

from memcli.session.anchors import anchors_in
from memcli.session.fold import SHOWN, Session, SessionMessage, parse_message
from memcli.session.store import find_session, ids, latest_session, resume, sessions, start

__all__ = [
    "SHOWN", "Session", "SessionMessage", "anchors_in", "find_session", "ids", "latest_session", "parse_message",
    "resume", "sessions", "start",
]  # fmt: skip
