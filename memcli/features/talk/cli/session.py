"""Define `mem session start|say|show|end|list|resume`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from memcli import contributions
from memcli import session as talks
from memcli.cli import options
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.options import Limit
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.message import Message, joined
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.features.talk.saying import SayResult

_WHICH = "Its id, or a beginning or the last part of it, or last; else MEM_SESSION, else the one that is open."
_SPEAKERS = ("user", "assistant", "system", "tool")
_DONE = {
    "clear": "the conversation begins afresh: what was said before is kept, and no longer counts",
    "unsay": "what you said last is out of the conversation, with the reply to it",
}
Which = Annotated[str, "[ID]", _WHICH, options.sessions]
Role = Annotated[str | None, "NAME", "The role it is led in; else the state's."]
Knowledge = Annotated[bool | None, "Whether its prompts get documents; else as set."]


@command(
    "session start",
    "mem session start",
    'export MEM_SESSION=$(mem session start "trip to Lisbon" --role tutor)',
    agents=True,
)
def start(
    terminal: Terminal,
    title: Annotated[list[str] | None, "[TITLE]...", "What it will be about."] = None,
    /,
    role: Role = None,
    knowledge: Knowledge = None,
) -> Result:
    """Begin a session and print its id. Several may be open at once."""
    _check_role(terminal, role)
    words = " ".join(title or ())
    return _id(talks.start(terminal.vault(), title=words, role=role or "", knowledge=knowledge))


@command(
    "session say",
    'mem session say "answer in German from now on"',
    "llm <prompt.txt | tee answer.txt; mem session say --role assistant - <answer.txt",
    'mem session say --role assistant --tool calendar "Booked for Friday at ten."',
    "mem session say --jsonl <messages.jsonl      one {role, content, tools, at} a line",
    text=True,
    agents=True,
)
def say(
    terminal: Terminal,
    text: Annotated[list[str] | None, "[TEXT]...", "What was said; - at its end, or nothing, reads stdin."] = None,
    /,
    role: Annotated[str, "user, assistant, system or tool.", options.words(*_SPEAKERS)] = "user",
    name: Annotated[str, "--session", "ID", _WHICH, options.sessions] = "",
    tool: Annotated[list[str] | None, "A tool called with it; may be repeated."] = None,
    jsonl: Annotated[bool, "Read messages from stdin, one JSON a line."] = False,
) -> Result:
    """Add what somebody said. Secrets are blacked out first; what follows from it is told on stderr."""
    vault = terminal.vault()
    if jsonl and (text or tool or role != "user"):
        raise UsageError("--jsonl reads all of it from stdin", "leave the text, --role and --tool out")
    words = terminal.words_and_pipe(text, adds_pipe=False)
    from memcli.features.talk.saying import say_all  # few commands of the group judge messages

    messages = _messages(words) if jsonl else [talks.SessionMessage(role, words, tools=tuple(tool or ()))]
    session = talks.find_session(vault, name)
    done: list[dict[str, Any]] = []
    for saved in say_all(vault, session, messages):
        session = saved.session
        if terminal.as_json:
            plain = {
                key: getattr(saved, key) for key in ("redacted", "shift", "stage", "summary", "snapshots", "request")
            }
            nudge = saved.nudge._asdict() if saved.nudge else None
            anchors = [asdict(anchor) for anchor in saved.anchors]
            done.append({**_message_as_json(saved.message), **plain, "anchors": anchors, "nudge": nudge})
        else:
            tell(terminal, saved)
    return Result({"session": session.id, "messages": len(session.messages), "said": done})


@command("session show", "mem session show", "mem session show c7f2 --window", "mem session show --json", agents=True)
def show(
    terminal: Terminal,
    name: Which = "",
    /,
    window: Annotated[bool, "Only what a prompt would get of it."] = False,
) -> Result:
    """Show what was said, the lines that sum up what is long ago, and what holds for all of it."""
    session = talks.find_session(terminal.vault(), name)
    shown = session.window if window else session.messages
    head = (
        terminal.paint(session.id, YELLOW),
        one_line(session.title),
        terminal.paint(terminal.translate(_state(session)), DIM),
    )
    lines = ["  ".join(filter(None, head))]
    lines += [f"{terminal.paint(key, GREEN)}: {value}" for key, value in session.anchors.items()]
    sums = {last: terminal.paint(f"… {line}", DIM) for (_, last), line in sorted(session.folded.items())}
    lines += sums.values() if window else []
    for number, message in enumerate(shown, 1):
        beside = (f"{message.at:%H:%M}" if message.at else "", f"[{', '.join(message.tools)}]" if message.tools else "")
        parts = [terminal.paint(message.role, CYAN), *(terminal.paint(part, DIM) for part in beside)]
        lines.append("  ".join(filter(None, [*parts, message.content.replace("\n", "\n    ")])))
        lines += [sums[number]] if not window and number in sums else []

    def text() -> None:
        terminal.prose("\n".join(lines))

    return Result({**_facts(session), "messages": [_message_as_json(message) for message in shown]}, text)


@command(
    "session end",
    "mem session end",
    "mem session end c7f2 --json",
    'mem session end --outcome bad --note "rate limited; next time one after the other"',
    agents=True,
)
def end(
    terminal: Terminal,
    name: Which = "",
    /,
    outcome: Annotated[str, "OUTCOME", "good or bad: how the task of it went.", options.words("good", "bad")] = "",
    note: Annotated[str, "TEXT", "Why; of a failure also what to do next time."] = "",
) -> Result:
    """End a session. If a tool was called in it, a snapshot of what was done stays for a week: its file is printed.

    With --outcome its task and steps are proposed as a way of working: mem review asks, mem pattern has them.
    """
    if outcome not in ("", "good", "bad") or (note and not outcome):
        raise UsageError(
            Message("'{outcome}' is not an outcome", outcome=outcome)
            if outcome
            else "--note says why an --outcome came",
            "good or bad",
        )
    vault = terminal.vault()
    from memcli.features.talk import ending

    ended = ending.end_session(vault, talks.find_session(vault, name))
    proposed = _heard(terminal, ended.session, outcome == "good", note) if outcome else {}

    def notes() -> None:
        if ended.why_not and not terminal.as_json:
            terminal.tell("no snapshot: {WHY}", WHY=ended.why_not)
        for each in filter(None, () if terminal.as_json else proposed.values()):
            terminal.tell("{what}: mem review asks whether to keep that", what=one_line(each.summary))

    facts = {**_facts(ended.session), "written": ended.snapshots, "why_not": ended.why_not}
    found = {each.name: proposed.get(each.name) for each in contributions.outcomes()}
    facts |= {name: asdict(each) if each else None for name, each in found.items()}
    return Result(facts, ended.snapshots, notes)


def _heard(terminal: Terminal, session: talks.Session, good: bool, note: str) -> dict[str, Any]:
    """Return the proposals of each feature that listens to outcomes, by the name it registered."""
    from memcli.extend import Ending  # few sessions end with an outcome

    turns = tuple((message.role, message.content) for message in session.messages)
    lasted = (session.ended - session.started).total_seconds() if session.started and session.ended else 0
    ending = Ending(turns, good, note, session.title, tuple(session.tools), int(lasted))
    found, vault = {}, terminal.vault().seen_by(session.agent)
    for outcome in contributions.outcomes():
        try:
            found[outcome.name] = outcome.hear(vault, ending)
        except UsageError as error:  # the proposal fails, but the session has ended
            terminal.vault().notice("no way of working is proposed: {WHY}", WHY=joined(error.message, error.hint))
    return found


@command("session list", "mem session list", "mem session list --json | jq -r '.sessions[0].id'", agents=True)
def list_(terminal: Terminal, limit: Limit = 20) -> Result:
    """List sessions, newest first."""
    sessions = talks.sessions(terminal.vault(), limit)
    rows = [
        [
            session.id,
            terminal.translate(_state(session)),
            terminal.translate("{n} round{s}", n=session.rounds),
            _about(session),
        ]
        for session in sessions
    ]
    return Result(
        {"sessions": [_facts(session) for session in sessions]},
        Table(rows, (YELLOW, GREEN, DIM, ""), clip=True),
        "" if rows else "no sessions yet; mem session start opens one",
    )


@command(
    "session resume", "export MEM_SESSION=$(mem session resume c7f2)", "mem session resume --no-knowledge", agents=True
)
def resume(terminal: Terminal, name: Which = "", /, role: Role = None, knowledge: Knowledge = None) -> Result:
    """Go on with a session that has ended, or change the role and documents of one that is open; prints its id."""
    vault = terminal.vault()
    _check_role(terminal, role)
    return _id(talks.resume(vault, talks.find_session(vault, name), role=role, knowledge=knowledge))


def _check_role(terminal: Terminal, role: str | None) -> None:
    if role:
        from memcli.features.talk.cli.role import check_name  # `say` is called often and needs no roles

        check_name(terminal.vault(), role)


def _messages(text: str) -> list[talks.SessionMessage]:
    """Return the messages in a text of JSON lines. Raise UsageError if one line is wrong, so that none is kept."""
    messages = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            messages += [talks.parse_message(json.loads(line))] if line.strip() else []
        except (ValueError, RecursionError):
            raise UsageError("line {n} is not a message", '{"role": "user", "content": "…"}', n=number) from None
    return messages


def tell(terminal: Terminal, saved: SayResult) -> None:
    """Report on stderr the effects of a message: instructions in force from now on, snapshots, and with --verbose all
    details."""
    for anchor in saved.anchors:
        lifted = (
            "nothing of what was asked for the conversation holds"
            if anchor.key == "*"
            else Message("no longer {key}", key=anchor.key)
        )
        terminal.tell(
            Message("from now on {KEY}: {VALUE}", KEY=anchor.key, VALUE=anchor.value) if anchor.value else lifted
        )
    if done := _DONE.get(saved.request):
        terminal.tell(done)
    for path in saved.snapshots:
        terminal.tell("a stage of it is kept in {path}", path=path)
    details = {
        "another topic: {what}": saved.shift,
        "the stage before it: {what}": saved.stage,
        "left the window: {what}": saved.summary,
    }
    for key, what in details.items():
        if what and terminal.verbose:
            terminal.tell(key, what=what)
    if saved.nudge and terminal.verbose:
        terminal.tell("question {kind}: {what}", kind=saved.nudge.kind, what=", ".join(saved.nudge.keys))


def _id(session: talks.Session) -> Result:
    return Result(_facts(session), session.id)


def _facts(session: talks.Session) -> dict[str, Any]:
    """Return a session as data, without its messages."""
    plain = ("id", "path", "title", "role", "knowledge", "agent", "rounds", "tools", "anchors", "shifts")
    times = {
        key: at.isoformat() if at else None for key, at in (("started", session.started), ("ended", session.ended))
    }
    spans = {
        key: [{"first": first, "last": last, "text": text} for (first, last), text in sorted(held.items())]
        for key, held in (("summaries", session.folded), ("stages", session.stages))
    }
    files = [path for _, path in sorted(session.snapshots.items())]
    return {**{key: getattr(session, key) for key in plain}, **times, **spans, "snapshots": files}


def _message_as_json(message: talks.SessionMessage) -> dict[str, Any]:
    return {**asdict(message), "at": message.at.isoformat(timespec="seconds") if message.at else None}


def _state(session: talks.Session) -> str:
    return Message("ended {time}", time=f"{session.ended:%Y-%m-%d %H:%M}") if session.ended else "open"


def _about(session: talks.Session) -> str:
    return one_line(
        session.title or next((message.content for message in session.messages if message.role == "user"), ""), 100
    )
