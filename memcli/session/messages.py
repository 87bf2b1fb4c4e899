"""One message of a talk, as everybody in this room hands it on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class SessionMessage:
    """Who said what, when, and which tools were called with it."""

    role: str  # user, assistant, system or tool
    content: str
    at: datetime | None = None
    tools: tuple[str, ...] = ()
