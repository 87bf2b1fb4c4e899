"""Handle the hooks of all agents: take an event and its payload, return what to print.

This module asks no questions and starts neither a model nor a watcher. Long work is queued for `mem work`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from memcli import contributions
from memcli.features.hook import answer, display_log
from memcli.features.hook.payload import Payload
from memcli.vault import agents, queue, transcript_marks
from memcli.vault.vault import Vault

OFF = ".nomem"  # a file with this name switches hooks off in its folder and below
JOB = "transcript"  # the kind of job that reads a transcript


def handle(vault: Vault, event: str, payload: Payload, tool: str = "") -> dict[str, Any] | None:
    """Return the answer for the agent, or None if there is nothing to say."""
    if not vault.settings.of_feature("hooks.on") or is_off(payload.cwd):
        return None
    tool = tool or payload.tool
    vault = vault.seen_by(None if vault.agent else agents.agent_name(tool))
    if event == "prompt":
        from memcli.features.hook import prompting  # only this event needs recall

        context = "" if payload.agent else prompting.on_prompt(vault, payload)
        return answer.answer_with(context, event, tool, payload.event)
    if event in ("start", "end"):
        contributions.refresh(vault, payload.cwd)
    if event == "start":
        from memcli.features.hook import starting  # needed once in a session

        context, notice = starting.at_start(vault, payload)
        return answer.answer_with(context, event, tool, payload.event, notice)
    if event in ("compact", "end"):
        display_log.forget_shown(vault, payload.session)
    queue_transcript(vault, payload.transcript or _usual_place(vault, payload, tool))
    return None


def is_off(cwd: str) -> bool:
    """Return whether this folder, or one above it, holds a file that switches hooks off."""
    folder = Path(cwd) if cwd else Path("/")
    return any(os.path.lexists(each / OFF) for each in (folder, *folder.parents))


def queue_transcript(vault: Vault, place: str) -> None:
    """Queue the transcript for the watcher or the next `mem work`, if it has grown since it was last read."""
    if not place:
        return
    path = Path(os.path.abspath(os.path.expanduser(place)))
    mark, size = transcript_marks.read_mark(vault, str(path)), transcript_marks.size(path)
    if size and size != mark.size and path.is_file() and JOB in contributions.names_of("jobs"):
        queue.queue_job(agents.keeping_vault(vault), JOB, f"{path}@{mark.size}", {"path": str(path)})


def _usual_place(vault: Vault, payload: Payload, tool: str) -> str:
    """Return where an agent keeps its transcript if the payload does not say so, or "" if that is not known."""
    home = Path(vault.environ.get("HOME") or "~").expanduser()
    if tool == "opencode":
        return str(Path(vault.environ.get("XDG_DATA_HOME") or home / ".local/share", "opencode/opencode.db"))
    if tool == "copilot" and re.fullmatch(r"[\w-]+", payload.session):
        return str(home / ".copilot/session-state" / payload.session / "events.jsonl")
    return ""
