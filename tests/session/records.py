"""Sessions as they are kept, without what follows from a message."""

from __future__ import annotations

from memcli.session import Session, SessionMessage, fold
from memcli.vault.vault import Vault


def record(vault: Vault, session: Session, *messages: SessionMessage) -> Session:
    with fold.lock_sessions(vault, "session say"):
        now = fold.reread_session(vault, session)
        return fold.append(vault, now, [fold.line_of(each, vault.now) for each in messages])


def end(vault: Vault, session: Session) -> None:
    with fold.lock_sessions(vault, "session end"):
        fold.append(vault, fold.reread_session(vault, session), [{"event": "end", "at": vault.now.isoformat()}])
