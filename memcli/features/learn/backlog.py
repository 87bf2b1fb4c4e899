"""Learn from conversations later: put them into the queue, from which `mem work` or `mem watch` learns without
asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memcli import contributions
from memcli.remember.gates import sensitive
from memcli.remember.learning import keep_lasting
from memcli.text.digest import digest
from memcli.vault import queue, talk_files, transcript_marks
from memcli.vault.vault import Vault

LEARN, TRANSCRIPT = "learn", "transcript"  # kinds of jobs


def queue_conversation(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> bool:
    """Queue a conversation, without sensitive data, for `mem work`. Return False if it was queued before."""
    plain = sensitive.redacted(text, sensitive.policy(vault.settings.gates))[0]
    return queue.queue_job(vault, LEARN, job_of(text), {"text": plain, "names": list(names), "rules": rules})


def job_of(text: str) -> str:
    """Return the name of the job for a conversation."""
    return digest(text, 16)


def work(vault: Vault, payload: Mapping[str, Any]) -> None:
    """Run a job of `queue_conversation`: keep lasting memories, and leave unsure ones to `mem review`."""
    vault.batch = f"learn:{payload['job']}"
    keep_lasting(vault, payload["text"], payload["names"], payload["rules"])


def work_transcripts(vault: Vault, payload: Mapping[str, Any]) -> None:
    """Learn from the new part of an agent's transcript, or of each one in a folder. Do nothing if it is gone."""
    vault.batch = f"learn:{payload['job']}"
    place = Path(payload["path"])
    contributions.read_transcript(vault, place)  # before the new part is marked as read
    if not place.exists():
        return
    size = transcript_marks.size(place)
    for talk in talk_files.find_new_turns(vault, place):
        if talk.said:
            keep_lasting(vault, talk.text)
        talk_files.mark_read(vault, [talk])
    if place.suffix == talk_files.DATABASE:
        transcript_marks.write_mark(vault, str(place), transcript_marks.Mark(size))
