"""Learn from conversations later: leave them in the queue, from which `mem work` or `mem watch` keeps them unasked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from memcli.remember.gates import sensitive
from memcli.remember.learn import agents
from memcli.remember.learn.proposals import UNSURE, doubt, keep, propose, why_not
from memcli.vault import queue, transcript_marks
from memcli.vault.vault import Vault


def later(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> bool:
    """Queue a conversation, without sensitive data, for `mem work`. Return False if it was queued before."""
    plain = sensitive.redacted(text, sensitive.policy(vault.settings.gates))[0]
    return queue.put(vault, "learn", job_of(text), {"text": plain, "names": list(names), "rules": rules})


def job_of(text: str) -> str:
    """Return the name of the job for a conversation."""
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:16]


def work(vault: Vault, job: queue.Job) -> None:
    """Do a job of `later`: keep all that lasts, and leave what is unsure to `mem review`."""
    _keep_lasting(vault, job.payload["text"], job.payload["names"], job.payload["rules"])


def work_transcripts(vault: Vault, job: queue.Job) -> None:
    """Learn what is new in an agent's transcript or in a folder of them. Do nothing if it is gone."""
    place = Path(job.payload["path"])
    if not place.exists():
        return
    size = transcript_marks.size(place)
    for talk in agents.unread(vault, place):
        if talk.said:
            _keep_lasting(vault, talk.text)
        agents.read(vault, [talk])
    if place.suffix == agents.DATABASE:
        transcript_marks.put(vault, str(place), transcript_marks.Mark(size))


def _keep_lasting(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> None:
    for atom in propose(vault, text, names, rules).atoms:
        if why := why_not(atom):
            if why == UNSURE:
                doubt(vault, atom)
            continue
        kept = keep(vault, atom)
        if kept.why_not:
            asks = "; mem review asks which holds" if kept.doubts else ""
            vault.notice(f"a {atom.type} was not kept: {kept.why_not}{asks}")
