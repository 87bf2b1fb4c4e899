"""Read the conversation around a hook: the end of the transcript that the payload names, as far as it is needed."""

from __future__ import annotations

import os
from pathlib import Path

from memcli.errors import MemError
from memcli.features.hook.payload import Payload
from memcli.text import transcripts
from memcli.text.transcripts import USER, TranscriptTurn
from memcli.vault import files
from memcli.vault.vault import Vault

NEAR, WHOLE = 64 * 1024, 2 * 2**20  # bytes at the end of a transcript: for the last turns, and for a whole session
OF_A_TURN = 300  # characters of an earlier turn; its beginning names its subject


def with_last_turns(vault: Vault, prompt: str, payload: Payload) -> str:
    """Return a prompt together with the user's turn before it and the answer to that, in a form that recall parses."""
    before = _before(last_turns(vault, payload, NEAR), payload.prompt)
    asked = next((turn.text for turn in reversed(before) if turn.role == USER), "")
    answered = before[-1].text if before and before[-1].role != USER else ""
    if not (asked or answered):
        return prompt
    lines = [_in_a_line(asked), f"<Assistant>: {_in_a_line(answered)}" if answered else "", f"<User>: {prompt}"]
    return "\n".join(filter(None, lines))


def last_turns(vault: Vault, payload: Payload, size: int) -> list[TranscriptTurn]:
    """Return the last turns of the transcript, or [] if there is none that can be read."""
    path = Path(os.path.expanduser(payload.transcript)) if payload.transcript else None
    if not path or not path.is_absolute():
        return []
    try:
        return transcripts.read_turns(files.tail(path, size))
    except (MemError, ValueError) as error:
        vault.notice("the transcript was not read: {WHY}", WHY=error)
        return []


def _before(turns: list[TranscriptTurn], prompt: str) -> list[TranscriptTurn]:
    """Return the turns without the prompt itself, which some tools have already written down."""
    if turns and turns[-1].role == USER and turns[-1].text.strip() == prompt.strip():
        return turns[:-1]
    return turns


def _in_a_line(text: str) -> str:
    return " ".join(text[:OF_A_TURN].split())
