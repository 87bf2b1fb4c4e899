"""`mem session start|say|show|end|list|resume`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from memcli import session as talks
from memcli.cli import complete
from memcli.cli.options import AsJson, Limit, examples, group
from memcli.cli.plain import Plain
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import UsageError
from memcli.text.clean import one_line

app = typer.Typer(rich_markup_mode=None)
session = group(
    app, "session", "Keep a talk: its messages, what it is about, and what was done in it.",
    "export MEM_SESSION=$(mem session start)", 'mem session say "which trains go to Lisbon?"', "mem session end",
)  # fmt: skip

_ROLES = complete.words("user", "assistant", "system", "tool")
_WHICH = "Its id, or a beginning or the last part of it; else MEM_SESSION, else the one that is open."
_SAID = "What was said; - or nothing reads stdin."
_KNOWLEDGE = "Whether its prompts get knowledge; else as set."
Which = Annotated[str, typer.Argument(metavar="[ID]", help=_WHICH, autocompletion=complete.sessions)]
InWhich = Annotated[str, typer.Option("--session", metavar="ID", help=_WHICH, autocompletion=complete.sessions)]
Title = Annotated[list[str] | None, typer.Argument(metavar="[TITLE]...", help="What it will be about.")]
Role = Annotated[str | None, typer.Option("--role", metavar="NAME", help="The role it is led in; else the state's.")]
Knowledge = Annotated[bool | None, typer.Option("--knowledge/--no-knowledge", help=_KNOWLEDGE)]
Own = Annotated[str | None, typer.Option("--agent", metavar="NAME", help="In this agent's own space.")]
Text = Annotated[list[str] | None, typer.Argument(metavar="[TEXT]...", help=_SAID)]
Speaker = Annotated[str, typer.Option("--role", help="user, assistant, system or tool.", autocompletion=_ROLES)]
Tools = Annotated[list[str] | None, typer.Option("--tool", help="A tool called with it; may be repeated.")]
Lines = Annotated[bool, typer.Option("--jsonl", help="Read messages from stdin, one JSON a line.")]
Window = Annotated[bool, typer.Option("--window", help="Only what a prompt would get of it.")]


@session.command(
    epilog=examples("mem session start", 'export MEM_SESSION=$(mem session start "trip to Lisbon" --role tutor)')
)
def start(
    ctx: typer.Context, title: Title = None, role: Role = None, knowledge: Knowledge = None, agent: Own = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Begin a session and print its id. Several may be open at once."""
    terminal: Terminal = ctx.obj
    title_ = " ".join(title or ())
    _there(terminal, role)
    _named(
        terminal,
        talks.start(terminal.vault(), title=title_, role=role or "", knowledge=knowledge, agent=agent),
        as_json,
    )


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
    ctx: typer.Context, text: Text = None, role: Speaker = "user", name: InWhich = "", tool: Tools = None,
    jsonl: Lines = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Note what somebody said. What is sensitive is blacked out first; what follows from it is told on stderr."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if jsonl and (text or tool):
        raise UsageError("--jsonl reads all of it from stdin", "leave the text and --tool out")
    said = " ".join(text or ())
    if jsonl or said in ("", "-"):
        said = terminal.stdin_text()
    messages = _read(said) if jsonl else [talks.SessionMessage(role, said, tools=tuple(tool or ()))]
    talk = talks.find(vault, name)
    done: list[dict[str, Any]] = []
    for each in messages:
        came = talks.say(vault, talk, each)
        talk = came.session
        if as_json:
            plain = {key: getattr(came, key) for key in ("redacted", "shift", "stage", "summary", "snapshots")}
            nudge = asdict(came.nudge) if came.nudge else None
            done.append({**_said(came.message), **plain, "anchors": [*map(asdict, came.anchors)], "nudge": nudge})
        else:
            tell(terminal, came)
    if as_json:
        terminal.json({"schema": 1, "session": talk.id, "messages": len(talk.messages), "said": done})


@session.command(epilog=examples("mem session show", "mem session show c7f2 --window", "mem session show --json"))
def show(ctx: typer.Context, name: Which = "", window: Window = False, as_json: AsJson = False) -> None:
    """Show what was said, the lines that stand for what is long ago, and what holds for all of it."""
    terminal: Terminal = ctx.obj
    talk = talks.find(terminal.vault(), name)
    shown = talk.window if window else talk.messages
    if as_json:
        terminal.json({"schema": 1, **_facts(talk), "messages": [_said(each) for each in shown]})
        return
    head = (terminal.paint(talk.id, YELLOW), one_line(talk.title), terminal.paint(_state(talk), DIM))
    terminal.out("  ".join(filter(None, head)))
    terminal.lines(f"{terminal.paint(key, GREEN)}: {value}" for key, value in talk.anchors.items())
    sums = {last: terminal.paint(f"… {line}", DIM) for (_, last), line in sorted(talk.folded.items())}
    if window:
        terminal.lines(sums.values())
    for number, each in enumerate(shown, 1):
        beside = (f"{each.at:%H:%M}" if each.at else "", f"[{', '.join(each.tools)}]" if each.tools else "")
        said = each.content.replace("\n", "\n    ")
        terminal.out(
            "  ".join(
                filter(None, (terminal.paint(each.role, CYAN), *(terminal.paint(one, DIM) for one in beside), said))
            )
        )
        if not window and number in sums:
            terminal.out(sums[number])


@session.command(epilog=examples("mem session end", "mem session end c7f2 --json"))
def end(ctx: typer.Context, name: Which = "", as_json: AsJson = False) -> None:
    """End a session. If a tool was called in it, a snapshot of what was done stays for a week: its file is printed."""
    terminal: Terminal = ctx.obj
    ended = talks.end(terminal.vault(), talks.find(terminal.vault(), name))
    if as_json:
        terminal.json({"schema": 1, **_facts(ended.session), "written": ended.snapshots, "why_not": ended.why_not})
        return
    terminal.lines(ended.snapshots)
    if ended.why_not:
        terminal.tell(f"no snapshot: {ended.why_not}")


@session.command("list", epilog=examples("mem session list", "mem session list --json | jq -r '.sessions[0].id'"))
def list_(ctx: typer.Context, limit: Limit = 20, as_json: AsJson = False) -> None:
    """List sessions, newest first."""
    terminal: Terminal = ctx.obj
    found = talks.sessions(terminal.vault(), limit)
    if as_json:
        terminal.json({"schema": 1, "sessions": [_facts(each) for each in found]})
        return
    if not found:
        terminal.tell("no sessions yet; mem session start opens one")
    rows = [[each.id, _state(each), f"{each.rounds} round{'s' * (each.rounds != 1)}", _about(each)] for each in found]
    terminal.table(rows, (YELLOW, GREEN, DIM, ""), clip=True)


@session.command(epilog=examples("export MEM_SESSION=$(mem session resume c7f2)", "mem session resume --no-knowledge"))
def resume(
    ctx: typer.Context, name: Which = "", role: Role = None, knowledge: Knowledge = None, as_json: AsJson = False
) -> None:
    """Go on with a session that has ended, or change the role and the knowledge of one that goes on; prints its id."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    _there(terminal, role)
    _named(terminal, talks.resume(vault, talks.find(vault, name), role=role, knowledge=knowledge), as_json)


def _there(terminal: Terminal, role: str | None) -> None:
    if role:
        from memcli.cli.role import there  # `say` has no time for roles

        there(terminal.vault(), role)


def _read(text: str) -> list[talks.SessionMessage]:
    """Messages from JSON lines; nothing is kept when one of them is none."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            found += [talks.message(json.loads(line))] if line.strip() else []
        except (ValueError, RecursionError):
            raise UsageError(f"line {number} is no message", '{"role": "user", "content": "…"}') from None
    return found


def tell(terminal: Terminal, came: talks.SayResult) -> None:
    """What a person should know at once; with --verbose all of it."""
    for anchor in came.anchors:
        lifted = "nothing of what was asked for the talk holds" if anchor.key == "*" else f"no longer {anchor.key}"
        terminal.tell(f"from now on {anchor.key}: {anchor.value}" if anchor.value else lifted)
    for path in came.snapshots:
        terminal.tell(f"a stage of it is kept in {path}")
    told = {"another topic": came.shift, "the stage before it": came.stage, "left the window": came.summary}
    told |= {f"question {came.nudge.kind}": ", ".join(came.nudge.keys)} if came.nudge else {}
    for what, said in told.items():
        if said and terminal.verbose:
            terminal.tell(f"{what}: {said}")


def _named(terminal: Terminal, talk: talks.Session, as_json: bool) -> None:
    terminal.json({"schema": 1, **_facts(talk)}) if as_json else terminal.out(talk.id)


def _facts(talk: talks.Session) -> dict[str, Any]:
    """A session without its messages."""
    plain = ("id", "path", "title", "role", "knowledge", "agent", "rounds", "tools", "anchors", "shifts")
    times = {key: at.isoformat() if at else None for key, at in (("started", talk.started), ("ended", talk.ended))}
    spans = {
        key: [{"first": first, "last": last, "text": text} for (first, last), text in sorted(held.items())]
        for key, held in (("summaries", talk.folded), ("stages", talk.stages))
    }
    files = [path for _, path in sorted(talk.snapshots.items())]
    return {**{key: getattr(talk, key) for key in plain}, **times, **spans, "snapshots": files}


def _said(message: talks.SessionMessage) -> dict[str, Any]:
    return {**asdict(message), "at": message.at.isoformat(timespec="seconds") if message.at else None}


def _state(talk: talks.Session) -> str:
    return f"ended {talk.ended:%Y-%m-%d %H:%M}" if talk.ended else "open"


def _about(talk: talks.Session) -> str:
    return one_line(talk.title or next((each.content for each in talk.messages if each.role == "user"), ""), 100)
