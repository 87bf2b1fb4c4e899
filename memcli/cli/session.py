"""`mem session start|say|show|end|list|resume`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli import complete
from memcli.cli.face import CYAN, DIM, GREEN, YELLOW, Face
from memcli.cli.options import AsJson, Limit, examples, group
from memcli.cli.plain import Plain
from memcli.errors import UsageError
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.session import Message, Said, Session

app = typer.Typer(rich_markup_mode=None)
session = group(
    app, "session", "Keep a talk: its messages, what it is about, and what was done in it.",
    "export MEM_SESSION=$(mem session start)", 'mem session say "which trains go to Lisbon?"', "mem session end",
)  # fmt: skip

_ROLES = ("user", "assistant", "system", "tool")
_WHICH = "Its id, or a beginning or the last part of it; else MEM_SESSION, else the one that is open."
Which = Annotated[str, typer.Argument(metavar="[ID]", help=_WHICH, autocompletion=complete.sessions)]
Knowledge = Annotated[
    bool | None, typer.Option("--knowledge/--no-knowledge", help="Whether its prompts get knowledge; else as set.")
]
Role = Annotated[str | None, typer.Option("--role", metavar="NAME", help="The role it is led in; else the state's.")]


@session.command(
    epilog=examples("mem session start", 'export MEM_SESSION=$(mem session start "trip to Lisbon" --role tutor)')
)
def start(
    ctx: typer.Context,
    title: Annotated[list[str] | None, typer.Argument(metavar="[TITLE]...", help="What it will be about.")] = None,
    role: Role = None,
    knowledge: Knowledge = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="NAME", help="In this agent's own space.")] = None,
    as_json: AsJson = False,
) -> None:
    """Begin a session and print its id. Several may be open at once."""
    from memcli.session import start as begin

    face: Face = ctx.obj
    begun = begin(face.vault(), title=" ".join(title or ()), role=role or "", knowledge=knowledge, agent=agent)
    if as_json:
        face.json({"schema": 1, **_facts(begun)})
    else:
        face.out(begun.id)


@session.command(
    cls=Plain,
    epilog=examples(
        'mem session say "answer in German from now on"',
        "llm <prompt.txt | tee answer.txt; mem session say --role assistant - <answer.txt",
        'mem session say --role assistant --tool calendar "Booked for Friday at ten."',
        "mem session say --jsonl <messages.jsonl      one {role, content, tools, at} a line",
    ),
)
def say(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="What was said; - or nothing reads stdin.")
    ] = None,
    role: Annotated[
        str, typer.Option("--role", help="user, assistant, system or tool.", autocompletion=complete.words(*_ROLES))
    ] = "user",
    name: Annotated[str, typer.Option("--session", metavar="ID", help=_WHICH, autocompletion=complete.sessions)] = "",
    tool: Annotated[list[str] | None, typer.Option("--tool", help="A tool called with it; may be repeated.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read messages from stdin, one JSON a line.")] = False,
    as_json: AsJson = False,
) -> None:
    """Note what somebody said. What is sensitive is blacked out first; what follows from it is told on stderr."""
    from memcli.session import Message, find
    from memcli.session import say as note

    face: Face = ctx.obj
    vault = face.vault()
    if jsonl:
        if text or tool:
            raise UsageError("--jsonl reads all of it from stdin", "leave the text and --tool out")
        messages = _read(face.stdin_text())
    else:
        said = " ".join(text or ())
        messages = [Message(role, face.stdin_text() if said in ("", "-") else said, tools=tuple(tool or ()))]
    talk = find(vault, name)
    done: list[dict[str, Any]] = []
    for each in messages:
        came = note(vault, talk, each)
        talk = came.session
        done.append(_came(came))
        if not as_json:
            _tell(face, came)
    if as_json:
        face.json({"schema": 1, "session": talk.id, "messages": len(talk.messages), "said": done})


@session.command(epilog=examples("mem session show", "mem session show c7f2 --window", "mem session show --json"))
def show(
    ctx: typer.Context,
    name: Which = "",
    window: Annotated[bool, typer.Option("--window", help="Only what a prompt would get of it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what was said, the lines that stand for what is long ago, and what holds for all of it."""
    from memcli.session import find

    face: Face = ctx.obj
    talk = find(face.vault(), name)
    shown = talk.window if window else talk.messages
    if as_json:
        face.json({"schema": 1, **_facts(talk), "messages": [_as_json(each) for each in shown]})
        return
    face.out(_joined(face.paint(talk.id, YELLOW), one_line(talk.title), face.paint(_state(talk), DIM)))
    for key, value in talk.anchors.items():
        face.out(f"{face.paint(key, GREEN)}: {value}")
    sums = {last: f"… {line}" for (_, last), line in sorted(talk.folded.items())}
    if window:
        face.lines(face.paint(line, DIM) for line in sums.values())
    for number, each in enumerate(shown, 1):
        when = f"{each.at:%H:%M}" if each.at else ""
        tools = f"[{', '.join(each.tools)}]" if each.tools else ""
        head = _joined(face.paint(each.role, CYAN), face.paint(when, DIM), face.paint(tools, DIM))
        face.out(f"{head}  " + each.content.replace("\n", "\n    "))
        if not window and number in sums:
            face.out(face.paint(sums[number], DIM))


@session.command(epilog=examples("mem session end", "mem session end c7f2 --json"))
def end(ctx: typer.Context, name: Which = "", as_json: AsJson = False) -> None:
    """End a session. If a tool was called in it, a snapshot of what was done stays for a week: its file is printed."""
    from memcli.session import end as close
    from memcli.session import find

    face: Face = ctx.obj
    vault = face.vault()
    ended = close(vault, find(vault, name))
    if as_json:
        why = {"snapshots": list(ended.snapshots), "why_not": ended.why_not}
        face.json({"schema": 1, **_facts(ended.session), **why})
        return
    face.lines(ended.snapshots)
    if ended.why_not:
        face.tell(f"no snapshot: {ended.why_not}")


@session.command("list", epilog=examples("mem session list", "mem session list --json | jq -r '.sessions[0].id'"))
def list_(ctx: typer.Context, limit: Limit = 20, as_json: AsJson = False) -> None:
    """List sessions, newest first."""
    from memcli.session import sessions

    face: Face = ctx.obj
    found = sessions(face.vault(), limit)
    if as_json:
        face.json({"schema": 1, "sessions": [_facts(each) for each in found]})
        return
    if not found:
        face.tell("no sessions yet; mem session start opens one")
    rows = [[each.id, _state(each), f"{each.rounds} round{'s' * (each.rounds != 1)}", _about(each)] for each in found]
    face.table(rows, (YELLOW, GREEN, DIM, ""), clip=True)


@session.command(epilog=examples("export MEM_SESSION=$(mem session resume c7f2)", "mem session resume --no-knowledge"))
def resume(
    ctx: typer.Context, name: Which = "", role: Role = None, knowledge: Knowledge = None, as_json: AsJson = False
) -> None:
    """Go on with a session that has ended, or change the role and the knowledge of one that goes on; prints its id."""
    from memcli.session import find
    from memcli.session import resume as go_on

    face: Face = ctx.obj
    vault = face.vault()
    talk = go_on(vault, find(vault, name), role=role, knowledge=knowledge)
    if as_json:
        face.json({"schema": 1, **_facts(talk)})
    else:
        face.out(talk.id)


def _read(text: str) -> list[Message]:
    """Messages from JSON lines; nothing is kept when one of them is none."""
    from memcli.session.fold import message

    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(message(json.loads(line)))
            except (ValueError, RecursionError):
                raise UsageError(f"line {number} is no message", '{"role": "user", "content": "…"}') from None
    return found


def _tell(face: Face, came: Said) -> None:
    """What a person should know at once; with --verbose all of it."""
    for anchor in came.anchors:
        face.tell(f"from now on {anchor.key}: {anchor.value}" if anchor.value else f"no longer {anchor.key}")
    for path in came.snapshots:
        face.tell(f"a stage of it is kept in {path}")
    if face.verbose:
        told = {"another topic": came.shift, "the stage before it": came.stage, "left the window": came.summary}
        told |= {f"question {came.nudge.kind}": ", ".join(came.nudge.keys)} if came.nudge else {}
        for what, said in told.items():
            if said:
                face.tell(f"{what}: {said}")


def _came(came: Said) -> dict[str, Any]:
    return {
        **_as_json(came.message),
        "redacted": list(came.redacted),
        "anchors": [asdict(each) for each in came.anchors],
        "shift": came.shift,
        "stage": came.stage,
        "summary": came.summary,
        "snapshots": list(came.snapshots),
        "nudge": asdict(came.nudge) if came.nudge else None,
    }


def _facts(talk: Session) -> dict[str, Any]:
    """A session without its messages."""
    return {
        "id": talk.id,
        "path": talk.path,
        "title": talk.title,
        "role": talk.role,
        "knowledge": talk.knowledge,
        "agent": talk.agent,
        "started": talk.started.isoformat() if talk.started else None,
        "ended": talk.ended.isoformat() if talk.ended else None,
        "rounds": talk.rounds,
        "tools": list(talk.tools),
        "anchors": dict(talk.anchors),
        "summaries": [{"first": a, "last": b, "text": text} for (a, b), text in sorted(talk.folded.items())],
        "stages": [{"first": a, "last": b, "text": text} for (a, b), text in sorted(talk.stages.items())],
        "shifts": list(talk.shifts),
        "snapshots": [path for _, path in sorted(talk.snapshots.items())],
    }


def _as_json(message: Message) -> dict[str, Any]:
    at = message.at.isoformat(timespec="seconds") if message.at else None
    return {"role": message.role, "content": message.content, "at": at, "tools": list(message.tools)}


def _state(talk: Session) -> str:
    return f"ended {talk.ended:%Y-%m-%d %H:%M}" if talk.ended else "open"


def _about(talk: Session) -> str:
    first = next((each.content for each in talk.messages if each.role == "user"), "")
    return one_line(talk.title or first, 100)


def _joined(*parts: str) -> str:
    return "  ".join(part for part in parts if part)
