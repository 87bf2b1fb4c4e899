"""End a session, and write snapshots of its stages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from memcli.errors import MemError
from memcli.features.talk.snapshot import importance, snapshot, summary_event
from memcli.session import fold
from memcli.session.fold import Session, Span
from memcli.text.clean import one_line
from memcli.vault import layout, snapshots
from memcli.vault.vault import Vault

WHOLE = 0  # the number that means all stages together
SMALL_TALK = "no tool was called in it: small talk leaves no snapshot"
_MARKUP = " \t#>*+|`~-"  # characters that Markdown would not read as part of a paragraph


@dataclass(frozen=True)
class EndResult:
    session: Session
    snapshots: tuple[str, ...] = ()  # the snapshots that were written
    why_not: str = ""  # why there is no snapshot


def end_session(vault: Vault, session: Session) -> EndResult:
    """End a session. It leaves a snapshot for a week if something was done in it, and none if it was only talk."""
    now = fold.reread_session(vault, session)
    if now.ended:
        return EndResult(now, why_not="it had ended already")
    written: list[str] = []
    why_not = "nothing was said in it" if not now.messages else "" if now.tools else SMALL_TALK
    if not why_not:
        if now.rounds > fold.SHOWN:
            with fold.lock_sessions(vault, "session end"):
                now = fold.reread_session(vault, now)
                rest = now.messages[now.staged :]
                now = fold.append(vault, now, [summary_event("stage", now.staged, rest)] if rest else [])
            now, written = keep_stages(vault, now)
        if now.kept < len(now.messages):
            now, whole = _keep(vault, now, WHOLE, (now.cleared, len(now.messages)))
            written += whole
            why_not = "" if written else "nothing was said in it that is worth keeping"
        else:
            why_not = "" if written else "nothing was said since the last one"
    with fold.lock_sessions(vault, "session end"):
        at = vault.now.isoformat(timespec="seconds")
        now = fold.append(vault, fold.reread_session(vault, now), [{"event": "end", "at": at}])
    return EndResult(now, tuple(written), why_not)


def keep_stages(vault: Vault, session: Session) -> tuple[Session, list[str]]:
    """Write a snapshot of each stage that has none, and return the session and the paths. One that fails is tried
    again with the next stage."""
    written: list[str] = []
    for stage, (first, last) in enumerate(sorted(session.stages), 1):
        if stage in session.snapshots:
            continue
        try:
            session, paths = _keep(vault, session, stage, (first, last))
        except MemError as error:
            vault.notice("stage {n} has no snapshot yet: {WHY}", n=stage, WHY=error.message)
            break
        written += paths
    return session, written


def _keep(vault: Vault, session: Session, stage: int, span: Span) -> tuple[Session, list[str]]:
    """Write the snapshot of some messages, replacing an earlier one of the same stage. Return the session and the
    paths."""
    from memcli.features.talk.saying import ask_model_later
    from memcli.vault.write import Edit, write_vault

    first, last = span
    part = replace(session, messages=session.messages[first:last])
    path, old = _path(vault, stage, part), session.snapshots.get(stage)
    if not (text := _summarise(vault, part)):
        return session, []
    gone: list[tuple[str, Edit]] = [(old, lambda _: None)] if old and old != path else []
    write_vault(vault, "snapshot", [(path, lambda _: _file(vault, stage, part, text)), *gone])
    with fold.lock_sessions(vault, "session end"):
        now = fold.reread_session(vault, session)
        event = {"event": "snapshot", "stage": stage, "path": path}
        now = fold.append(vault, now, [event])
    ask_model_later(vault, now, {**event, "first": first, "last": last, "text": text})
    return now, [path]


def _path(vault: Vault, stage: int, part: Session) -> str:
    """Return the path of a snapshot, named after its last message, so that a second try gives the same file."""
    said = next((message.at for message in reversed(part.messages) if message.at), None) or part.started or vault.now
    mark = re.sub(r"[^\w]", "", part.id.rpartition("-")[2])[-12:]
    return f"{layout.space_of(part.agent)}snapshots/{said:%Y-%m-%d-%H%M}-{mark}{f'-{stage}' if stage else ''}.md"


def _summarise(vault: Vault, part: Session) -> str:
    """Return the text of a snapshot, or "" if nothing in the messages is worth keeping."""
    from memcli.remember import redacted, unechoed

    own = [
        replace(message, content=unechoed(message.content)) for message in part.messages
    ]  # leaves out text that comes from memory
    said = one_line(snapshot(own, part.anchors)).lstrip(_MARKUP)
    return str(redacted(said, vars(vault.settings.gates))[0])


def _file(vault: Vault, stage: int, part: Session, text: str) -> str:
    front: dict[str, Any] = {
        "session": json.dumps(part.id, ensure_ascii=False),
        "created": vault.now.isoformat(timespec="seconds"),
        "expires": (vault.now + snapshots.HOLDS).isoformat(timespec="seconds"),
        "tools": json.dumps(list(part.tools), ensure_ascii=False),  # a JSON list is a YAML list
        **({"stage": stage} if stage else {}),
    }
    lines = [f"{key}: {value}" for key, value in front.items()]
    return "\n".join(["---", *lines, "---", f"{text} [importance:: {importance(text)}]", ""])
