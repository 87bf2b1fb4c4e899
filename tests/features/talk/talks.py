"""What the tests of sessions say, and how their files look."""

from __future__ import annotations

import json
from typing import Any

from memcli.features.talk.saying import SayResult, say
from memcli.session import Session, SessionMessage
from memcli.vault.vault import Vault


def talked(vault: Vault, session: Session, *texts: str, tools: tuple[str, ...] = ()) -> list[SayResult]:
    """The texts said in turn by user and assistant; `tools` are called with each answer."""
    came: list[SayResult] = []
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        came.append(say(vault, session, SessionMessage(role, text, tools=tools if number % 2 else ())))
    return came


def rounds(first: int, last: int) -> list[str]:
    return [text for n in range(first, last) for text in (f"Is train {n} late?", f"Train {n} is {n} minutes late.")]


def lines(vault: Vault, session: Session) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (vault.root / session.path).read_text(encoding="utf-8").splitlines()]


def events(vault: Vault, session: Session, kind: str) -> list[dict[str, Any]]:
    return [each for each in lines(vault, session) if each.get("event") == kind]
