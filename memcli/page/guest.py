"""Define a guest of the page, whom a key admitted, and the state of their browser."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from starlette.responses import Response

from memcli.page.words import PageWords
from memcli.vault.vault import Vault

RUNS = 500  # how many recalls have their times kept


class Guest(NamedTuple):
    """Holds what a key opens."""

    open: Callable[[Mapping[str, Any]], Vault]  # takes settings that hold for one question
    may_write: bool = True
    agent: str | None = None  # the agent whose space is visible beside the shared one
    editor: str = ""  # one of `editor.LINKS`
    open_to_write: Callable[[Mapping[str, Any]], Vault] | None = None  # None means that `open` also serves for writing
    wrote: Callable[[], object] = lambda: None  # called after a write


class RecallRun(NamedTuple):
    """Describes a recall that was asked for on the page."""

    seconds: float
    tokens: int


@dataclass
class BrowserSession:
    """Holds the state of one browser that came with a key."""

    guest: Guest
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # every form must send this back
    told: list[tuple[str, str]] = field(default_factory=list)  # (kind, message) pairs for the next page
    skipped: list[str] = field(default_factory=list)  # questions of the review that were put off
    runs: deque[RecallRun] = field(default_factory=lambda: deque(maxlen=RUNS))
    working: dict[str, asyncio.Future[Response]] = field(default_factory=dict)  # views in the making, by address
    words: PageWords | None = None  # the language of the vault, once it is known
