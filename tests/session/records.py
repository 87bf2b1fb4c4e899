"""Sessions as they are kept, without what follows from a message."""

from __future__ import annotations

from memcli.session import Session, SessionMessage, fold
from memcli.vault.vault import Vault


def record(vault: Vault, session: Session, *messages: SessionMessage) -> Session:
    with fold.held(vault, "session say"):
        return fold.append(vault, session, [fold.line_of(each, vault.now) for each in messages])
