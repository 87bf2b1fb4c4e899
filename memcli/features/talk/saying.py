"""Add a message to a session, and handle its consequences: anchors, a change of topic, summaries, stages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from memcli import contributions
from memcli.errors import MemError, Refused, UsageError
from memcli.features.talk import topic
from memcli.features.talk.sizes import PromptSizes, sizes_of
from memcli.message import Message
from memcli.session import anchors, fold, store
from memcli.session.anchors import Anchor
from memcli.session.fold import Session, SessionMessage
from memcli.text import requests, tokens
from memcli.text.clean import harmless, one_line
from memcli.text.sentences import beginning
from memcli.vault import files
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.extend import Reply

LONGEST = 200_000  # characters of a message; a longer one belongs into a file
ROUNDS = 10  # rounds of a stage, unless a change of topic ends it before
FULL, STAYS = 22, 10  # at 22 messages in the window, all but the latest 10 become one line
BACK = 10  # rounds that the user may come back to
READ = 4000  # characters of a message from which its topic is judged
TOOLS, NAME = 20, 60  # names of tools with a message, and characters of a name

Event = dict[str, Any]


@dataclass(frozen=True)
class SayResult:
    """Hold the consequences of a message."""

    session: Session  # the session with the message
    message: SessionMessage  # the message as it was kept
    redacted: tuple[str, ...] = ()  # kinds of data that were blacked out
    anchors: tuple[Anchor, ...] = ()  # anchors that were set, or lifted if the value is empty
    summary: str = ""  # a summary of the messages that left the window
    shift: str = ""  # why this opens another topic
    stage: str = ""  # the subject of the stage that ends before this message
    snapshots: tuple[str, ...] = ()  # snapshot files that were written
    nudge: Reply | None = None  # the outcome of an earlier question
    request: str = ""  # the kind of request about the conversation itself; `clear` and `unsay` are done already


def say_all(vault: Vault, session: Session, messages: Sequence[SessionMessage]) -> Iterator[SayResult]:
    """Append messages in order. If one of them would be refused, raise before any is kept."""
    for message in messages:
        _check(message)
    if session.size + sum(len(message.content.encode("utf-8", "replace")) for message in messages) > files.LARGEST:
        raise Refused(
            "session {id} has no room for {n} messages", "end it and start another", id=session.id, n=len(messages)
        )
    for message in messages:
        saved = say(vault, session, message)
        session = saved.session
        yield saved


def say(vault: Vault, session: Session, message: SessionMessage) -> SayResult:
    """Append a message without its sensitive data, and return the consequences. Rules do the work at once; a job is
    queued for a model to improve it."""
    _check(message)
    stored, redacted = _redact_message(vault, message)
    by_user = stored.role == "user"
    orders = anchors.anchors_in(stored.content[:READ]) if by_user else []
    request = requests.talk_request(stored.content) if by_user else ""
    if request == requests.UNSAY and not fold.reread_session(vault, session).ended:
        session = store.unsay(vault, session)
    with fold.lock_sessions(vault, "session say"):
        now = fold.reread_session(vault, session)
        if now.ended:
            raise UsageError("session {id} has ended", f"mem session resume {now.id}", id=now.id)
        events = _opened(now, stored) if by_user else {}
        messages = (*now.messages, stored)
        if stays := _first_that_stays(messages, now.kept_from, sizes_of(vault)):
            events["summary"] = _summed("summary", now.kept_from, messages[now.kept_from : stays])
        anchor_events = [{"event": "anchor", **asdict(anchor)} for anchor in orders]
        clear = [{"event": "clear"}] if request == requests.CLEAR else []
        after = fold.append(vault, now, [fold.line_of(stored, vault.now), *anchor_events, *events.values(), *clear])
    for event in events.values():
        ask_model_later(vault, after, event)
    written: list[str] = []
    if "stage" in events and after.rounds > fold.SHOWN and after.tools:
        from memcli.features.talk.ending import keep_stages  # few messages end a stage

        after, written = keep_stages(vault, after)
    return SayResult(
        after, stored, tuple(redacted), tuple(orders),
        summary=events.get("summary", {}).get("summary", ""),
        shift=events.get("shift", {}).get("why", ""),
        stage=events.get("stage", {}).get("summary", ""),
        snapshots=tuple(written),
        nudge=_answered(vault, after, message) if by_user else None,
        request=request,
    )  # fmt: skip


def _check(message: SessionMessage) -> None:
    if message.role not in fold.ROLES:
        raise UsageError(
            "'{name}' says nothing here",
            Message("one of {names}", names=", ".join(fold.ROLES)),
            name=one_line(message.role),
        )
    if not (harmless(message.content).strip() or any(map(one_line, message.tools)) or message.role == "tool"):
        raise UsageError("there is nothing to say", 'mem session say "…", or pipe it in')


def _redact_message(vault: Vault, message: SessionMessage) -> tuple[SessionMessage, list[str]]:
    """Return the message as it may be written, and the kinds of data that were blacked out."""
    from memcli.remember import redacted

    text = harmless(message.content).strip("\n")
    tools = tuple(dict.fromkeys(filter(None, (one_line(name, NAME) for name in message.tools))))[:TOOLS]
    if len(text) > LONGEST:
        vault.notice("a message of {n} characters was cut to {most}", n=len(text), most=LONGEST)
        text = beginning(text, LONGEST).rstrip() + "…"
    rules = vars(vault.settings.gates)
    text, kinds = redacted(text, rules)  # blacked out, not refused: the conversation goes on
    tools = tuple(redacted(name, rules)[0] for name in tools)
    if kinds:
        vault.notice(
            "blacked out before it was kept: {kinds}", kinds=", ".join(kind.replace("_", " ") for kind in kinds)
        )
    return replace(message, content=text, tools=tools, at=message.at or vault.now), kinds


def _summed(event: str, first: int, messages: Sequence[SessionMessage]) -> Event:
    from memcli.features.talk.snapshot import summary_event  # few messages end a stretch: the others need not load it

    return summary_event(event, first, messages)


def _opened(now: Session, kept: SessionMessage) -> dict[str, Event]:
    """Return the events before a user's message: a change of topic, and the end of a stage by that or by its length."""
    before = turns_before(now.messages[now.cleared :])
    shift = topic.topic_shift(before, kept.content[:READ]) if before else None
    stage = now.messages[now.staged :]
    events: dict[str, Event] = {}
    if shift:
        facts = {"message": len(now.messages), "why": shift.why, "score": round(shift.score, 3)}
        events["shift"] = {"event": "shift", **facts}
    if stage and (shift or sum(message.role == "user" for message in stage) >= ROUNDS):
        events["stage"] = _summed("stage", now.staged, stage)
    return events


def _first_that_stays(messages: Sequence[SessionMessage], first: int, sizes: PromptSizes) -> int:
    """Return the number of the first message that stays verbatim; 0 if all stay. Messages from `first` on leave if
    they are too many, or too long for their part of the prompt. Long ones leave by whole rounds, and the last
    exchange stays."""
    if len(messages) - first >= FULL:
        return len(messages) - STAYS
    budget = sizes.recent - sizes.long_term
    lengths = [tokens.estimate(message.content) for message in messages[first:]]
    rounds = [at for at in range(first + 1, len(messages) - 1) if messages[at].role == "user"]
    if sum(lengths) <= budget or not rounds:
        return 0
    return next((at for at in rounds if sum(lengths[at - first :]) <= budget // 2), rounds[-1])


def turns_before(messages: Sequence[SessionMessage]) -> list[str]:
    """Return the texts of the last rounds."""
    by_user = [at for at, message in enumerate(messages) if message.role == "user"]
    first = by_user[-BACK:][0] if by_user else 0
    turns = [message for message in messages[first:] if message.role in ("user", "assistant") and message.content]
    return [turn.content[:READ] for turn in turns]


def ask_model_later(vault: Vault, session: Session, event: Event) -> None:
    """Queue an event, so that a model improves it later if there is one."""
    if not (vault.settings.llm.command or vault.settings.llm.url):
        return
    from memcli import extras  # needed only with a model
    from memcli.vault import queue

    name = f"{session.path} {event['event']} {event.get('path', event.get('message', event.get('last')))}"
    try:
        with extras.wanted():
            from memcli.llm import available  # needed only if a model is set up
        if available(vault):
            queue.queue_job(vault, "session", name, {"path": session.path, "record": event})
    except MemError as error:
        vault.notice("no better summary was asked for: {WHY}", WHY=error.message)


def _answered(vault: Vault, session: Session, message: SessionMessage) -> Reply | None:
    """Return the outcome of a question asked in this session, or None."""
    try:
        initiative = contributions.initiative()
        return initiative.hear(vault, session.id, harmless(message.content)) if initiative else None
    except MemError as error:  # the message is kept; repeating it would add it twice
        vault.notice("not noted as an answer: {WHY}", WHY=error.message)
        return None
